// src/transition/impact_cones.cpp: Newton's law in space, in Moreau's form, as one problem over cones: all touching
// contacts, with rolling and spinning friction, and the friction of joints, which follows their reaction impulses.
#include <algorithm>
#include <cmath>

#include "transition/impact_solver.hpp"

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void ImpactSolver::by_cones(const double* gap_velocity, const double* restitution) {
  if (!hold_constraints()) return;
  std::copy(lambda_.begin(), lambda_.end(), lambda_before_.begin());
  outcome_.sequence.clear();
  collect_units();
  describe_cones(gap_velocity, restitution);
  outcome_.found = cone_solver_->solve(cones_).found;
  if (outcome_.found)
    take_cones();
  else
    outcome_.why =
        "impact_law \"newton\": no impulses were found that satisfy Newton's law of restitution and Coulomb's "
        "law of friction together";
}

void ImpactSolver::collect_units() {
  const System& s = equations_.system();
  units_.clear();
  const auto takes_part = [&](int contact) {
    return std::find(contacts_.begin(), contacts_.end(), contact) != contacts_.end();
  };
  const auto is_struck = [&](int body) {
    const int island = equations_.island(body);
    return island >= 0 && std::any_of(contacts_.begin(), contacts_.end(), [&](int c) {
             return equations_.island(s.contacts[at(c)]->first) == island ||
                    equations_.island(s.contacts[at(c)]->second) == island;
           });
  };
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    // Forces that stay finite have no impulse: a given normal force, a viscous part.
    if (!unit.law.dry() || unit.normal_force) continue;
    if (unit.contact >= 0
            ? !takes_part(unit.contact)
            : !is_struck(s.joints[at(unit.joint)]->first.body) && !is_struck(s.joints[at(unit.joint)]->second.body))
      continue;
    units_.push_back(static_cast<int>(u));
  }
}

void ImpactSolver::describe_cones(const double* gap_velocity, const double* restitution) {
  const System& s = equations_.system();
  const int contacts = static_cast<int>(contacts_.size()), units = static_cast<int>(units_.size());
  int size = contacts, part_count = 0, reactions = 0;
  NormalPart parts[2];
  for (const int u : units_) {
    size += s.frictions[at(u)].directions;
    if (s.frictions[at(u)].joint < 0) continue;
    for (int i = normal_parts(s, s.frictions[at(u)], parts); i > 0; --i) ++part_count, reactions += parts[i - 1].size;
  }
  cones_.resize(contacts, units, size, part_count, reactions);
  cones_.spread = false;
  int row = 0, part = 0, reaction = 0;
  double fastest = 0;
  for (int i = 0; i < contacts; ++i, ++row) {
    const int c = contacts_[at(i)];
    cones_.contact[at(i)].row = row;
    equations_.normal_row(c, rows_[at(row)]);
    cones_.c[at(row)] = (1 + restitution[c]) * gap_velocity[c];
    fastest = std::max(fastest, std::abs(gap_velocity[c]));
  }
  for (int j = 0; j < units; ++j) {
    const int u = units_[at(j)];
    const FrictionUnit& unit = s.frictions[at(u)];
    math::ConeUnit& cone = cones_.unit[at(j)];
    cone.row = row;
    cone.directions = unit.directions;
    equations_.tangent_rows(u, &rows_[at(row)]);
    const double speed = equations_.slide_velocities(u, &cones_.c[at(row)]);
    cone.mu_static = cone.mu_kinetic = unit.lever * impact_friction(u, speed);
    const bool slides = unit.contact >= 0 && unit.part == FrictionPart::sliding;
    if (!unit.turns) fastest = std::max(fastest, speed);
    for (int d = 0; d < unit.directions; ++d, ++row) {
      cones_.scale[at(row)] = speed;
      if (slides) cones_.c[at(row)] *= 1 + tangential_[at(unit.contact)];
    }
    if (unit.contact >= 0) {
      cone.contact = static_cast<int>(std::find(contacts_.begin(), contacts_.end(), unit.contact) - contacts_.begin());
      continue;
    }
    cone.normal = math::ConeUnit::Normal::parts;
    cone.part = part;
    cone.parts = normal_parts(s, unit, parts);
    const double* lambda = lambda_before_.data() + s.joint_row[at(unit.joint)];
    for (int i = 0; i < cone.parts; ++i) {
      cones_.part[at(part++)] = {parts[i].weight, parts[i].size, reaction};
      for (int r = 0; r < parts[i].size; ++r, ++reaction)
        for (int l = 0; l < s.joints[at(unit.joint)]->rows(); ++l)
          cones_.reaction_0[at(reaction)] += parts[i].by_lambda[r][l] * lambda[l];
    }
  }
  // Speeds have round-off of each other's size.
  for (const math::ConeContact& contact : cones_.contact) cones_.scale[at(contact.row)] = fastest;
  for (int j = 0; j < units; ++j)
    for (int d = 0; d < cones_.unit[at(j)].directions && !s.frictions[at(units_[at(j)])].turns; ++d)
      cones_.scale[at(cones_.unit[at(j)].row + d)] = fastest;
  // What a unit impulse along each row does: velocities of the others, and reactions of the joints.
  const auto n = momentum_.size();
  response_.resize(at(size) * n);
  for (int j = 0; j < size; ++j) {
    double* response = response_.data() + at(j) * n;
    respond(rows_[at(j)], response);
    for (int i = 0; i < size; ++i) cones_.G[at(i * size + j)] = equations_.row_times(rows_[at(i)], response);
    reaction = 0;
    for (const int u : units_) {
      const FrictionUnit& unit = s.frictions[at(u)];
      if (unit.joint < 0) continue;
      const int count = normal_parts(s, unit, parts);
      const double* lambda = lambda_.data() + s.joint_row[at(unit.joint)];
      for (int i = 0; i < count; ++i)
        for (int r = 0; r < parts[i].size; ++r, ++reaction) {
          double sum = 0;
          for (int l = 0; l < s.joints[at(unit.joint)]->rows(); ++l) sum += parts[i].by_lambda[r][l] * lambda[l];
          // A unit impulse that changes the reaction by round-off does not change it.
          cones_.reaction[at(reaction * size + j)] = std::abs(sum) > 1e-13 ? sum : 0.0;
        }
    }
  }
}

void ImpactSolver::take_cones() {
  const System& s = equations_.system();
  const std::vector<double>& impulse = cone_solver_->force();
  const auto n = momentum_.size();
  std::fill(outcome_.closed.begin(), outcome_.closed.end(), 0);
  std::fill(outcome_.sticks.begin(), outcome_.sticks.end(), 0);
  std::fill(outcome_.impulse_n.begin(), outcome_.impulse_n.end(), 0.0);
  std::fill(outcome_.impulse_t.begin(), outcome_.impulse_t.end(), 0.0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto c = at(contacts_[i]);
    outcome_.closed[c] = cone_solver_->contact_hold()[i] != math::ConeHold::open;
    outcome_.impulse_n[c] = impulse[at(cones_.contact[i].row)];
  }
  for (std::size_t j = 0; j < units_.size(); ++j) {
    const auto u = at(units_[j]);
    const FrictionUnit& unit = s.frictions[u];
    const bool sticks = cone_solver_->unit_hold()[j] == math::ConeHold::stick;
    const double* f = &impulse[at(cones_.unit[j].row)];
    std::copy_n(f, unit.directions, outcome_.impulse_unit[u].begin());
    if (unit.joint >= 0 || unit.part != FrictionPart::sliding) {
      outcome_.stuck_unit[u] = sticks;
      continue;
    }
    const auto c = at(unit.contact);
    outcome_.sticks[c] = sticks && tangential_[c] == 0 && outcome_.impulse_n[c] > 0;
    outcome_.impulse_t[c] = std::hypot(f[0], f[1]);
    outcome_.friction_impulse[c] = on_second_body(unit.contact, f);
  }
  for (std::size_t j = 0; j < cones_.c.size(); ++j)
    for (std::size_t i = 0; i < n; ++i) outcome_.v_plus[i] += response_[j * n + i] * impulse[j];
}

}  // namespace hstar
