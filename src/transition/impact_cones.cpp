// src/transition/impact_cones.cpp: Newton's law in space, in Moreau's form, and Poisson's, as problems over cones: all
// touching contacts, with rolling and spinning friction, and the friction of joints, which follows their reaction
// impulses.
#include <algorithm>
#include <cmath>

#include "transition/impact_solver.hpp"

namespace hstar {
namespace {
constexpr int most_reserved = 16;         // contacts
constexpr std::size_t most_phases = 128;  // letters of "slip, stick, ..."
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void ImpactSolver::reserve_cones() {
  const System& s = equations_.system();
  int parts = 0, reactions = 0;
  NormalPart part[2];
  for (const FrictionUnit& unit : s.frictions) {
    if (unit.joint < 0) continue;
    for (int i = normal_parts(s, unit, part); i > 0; --i) ++parts, reactions += part[i - 1].size;
  }
  const int contacts = static_cast<int>(s.contacts.size()), units = static_cast<int>(s.frictions.size()),
            rows = contacts + s.sliding_rows();
  rows_.resize(at(rows));
  restitution_.reserve(s.contacts.size());
  // Matrices only for as many as touch at once, as a rule; beyond they grow to the largest impact so far.
  const int together = std::min(contacts, most_reserved), directions = std::min(rows, 4 * most_reserved),
            size = 3 * together;
  for (auto* v : {&problem_.c, &solution_.impulse, &solution_.velocity, &sequence_.v}) v->reserve(at(size));
  for (auto* v : {&problem_.e, &problem_.e_t, &problem_.mu, &sequence_.gap}) v->reserve(at(together));
  problem_.G.reserve(at(size * size));
  solution_.slide.reserve(at(together));
  for (auto* text : {&solution_.sequence, &sequence_.single.sequence, &outcome_.sequence}) text->reserve(most_phases);
  sequence_.one.G.reserve(9);
  for (auto* v : {&sequence_.one.c, &sequence_.single.impulse, &sequence_.single.velocity}) v->reserve(3);
  for (auto* v : {&sequence_.one.e, &sequence_.one.e_t, &sequence_.one.mu}) v->reserve(1);
  sequence_.single.slide.reserve(1);
  phases_.reserve(together, std::min(units, 2 * most_reserved), directions, parts, reactions);
  response_.reserve(at(std::max(size, directions)) * momentum_.size());
}

bool ImpactSolver::slides_alone() const {
  const System& s = equations_.system();
  return std::all_of(units_.begin(), units_.end(), [&](int u) {
    return s.frictions[at(u)].contact >= 0 && s.frictions[at(u)].part == FrictionPart::sliding;
  });
}

void ImpactSolver::by_cones(const ImpactLawEntry& law, const double* gap_velocity, const double* restitution) {
  if (!hold_constraints()) return;
  std::copy(lambda_.begin(), lambda_.end(), lambda_before_.begin());
  outcome_.sequence.clear();
  const bool newton = law.name == "newton";
  describe_cones(gap_velocity, restitution, newton);
  const char* why = nullptr;
  if (newton) {
    if (!phases_.newton())
      why = "no impulses were found that satisfy Newton's law of restitution and Coulomb's law of friction together";
  } else {
    restitution_.clear();
    for (const int c : contacts_) restitution_.push_back(restitution[c]);
    why = phases_.poisson(restitution_.data());
  }
  outcome_.found = why == nullptr;
  if (outcome_.found)
    take_cones();
  else
    outcome_.why = "impact_law \"" + std::string(law.name) + "\": " + why;
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

void ImpactSolver::describe_cones(const double* gap_velocity, const double* restitution, bool restored) {
  math::ConeProblem& cones = phases_.cones;
  const System& s = equations_.system();
  const int contacts = static_cast<int>(contacts_.size()), units = static_cast<int>(units_.size());
  int size = contacts, part_count = 0, reactions = 0;
  NormalPart parts[2];
  for (const int u : units_) {
    size += s.frictions[at(u)].directions;
    if (s.frictions[at(u)].joint < 0) continue;
    for (int i = normal_parts(s, s.frictions[at(u)], parts); i > 0; --i) ++part_count, reactions += parts[i - 1].size;
  }
  cones.resize(contacts, units, size, part_count, reactions);
  cones.spread = false;
  int row = 0, part = 0, reaction = 0;
  double fastest = 0;
  for (int i = 0; i < contacts; ++i, ++row) {
    const int c = contacts_[at(i)];
    cones.contact[at(i)].row = row;
    equations_.normal_row(c, rows_[at(row)]);
    cones.c[at(row)] = (1 + (restored ? restitution[c] : 0)) * gap_velocity[c];
    fastest = std::max(fastest, std::abs(gap_velocity[c]));
  }
  for (int j = 0; j < units; ++j) {
    const int u = units_[at(j)];
    const FrictionUnit& unit = s.frictions[at(u)];
    math::ConeUnit& cone = cones.unit[at(j)];
    cone.row = row;
    cone.directions = unit.directions;
    equations_.tangent_rows(u, &rows_[at(row)]);
    const double speed = equations_.slide_velocities(u, &cones.c[at(row)]);
    cone.mu_static = cone.mu_kinetic = unit.lever * impact_friction(u, speed);
    const bool slides = unit.contact >= 0 && unit.part == FrictionPart::sliding;
    if (!unit.turns) fastest = std::max(fastest, speed);
    for (int d = 0; d < unit.directions; ++d, ++row) {
      cones.scale[at(row)] = speed;
      if (slides && restored) cones.c[at(row)] *= 1 + tangential_[at(unit.contact)];
    }
    if (unit.contact >= 0) {
      cone.contact = static_cast<int>(std::find(contacts_.begin(), contacts_.end(), unit.contact) - contacts_.begin());
      continue;
    }
    cone.normal = math::ConeUnit::Normal::parts;
    cone.part = part;
    cone.parts = normal_parts(s, unit, parts);
    normal_reactions(s, unit, lambda_before_.data() + s.joint_row[at(unit.joint)], 0,
                     cones.reaction_0.data() + reaction);
    for (int i = 0; i < cone.parts; ++i) {
      cones.part[at(part++)] = {parts[i].weight, parts[i].size, reaction};
      reaction += parts[i].size;
    }
  }
  // Speeds have round-off of each other's size.
  for (const math::ConeContact& contact : cones.contact) cones.scale[at(contact.row)] = fastest;
  for (int j = 0; j < units; ++j)
    for (int d = 0; d < cones.unit[at(j)].directions && !s.frictions[at(units_[at(j)])].turns; ++d)
      cones.scale[at(cones.unit[at(j)].row + d)] = fastest;
  // What a unit impulse along each row does: velocities of the others, and reactions of the joints.
  const auto n = momentum_.size();
  response_.resize(at(size) * n);
  for (int j = 0; j < size; ++j) {
    double* response = response_.data() + at(j) * n;
    respond(rows_[at(j)], response);
    for (int i = 0; i < size; ++i) cones.G[at(i * size + j)] = equations_.row_times(rows_[at(i)], response);
    const double round_off = reaction_round_off(s, rows_[at(j)]);
    reaction = 0;
    for (const int u : units_) {
      const FrictionUnit& unit = s.frictions[at(u)];
      if (unit.joint < 0) continue;
      double by_unit[most_reactions];
      const int count = normal_reactions(s, unit, lambda_.data() + s.joint_row[at(unit.joint)], round_off, by_unit);
      for (int i = 0; i < count; ++i) cones.reaction[at(reaction++ * size + j)] = by_unit[i];
    }
  }
}

void ImpactSolver::take_cones() {
  const System& s = equations_.system();
  const math::ConeProblem& cones = phases_.cones;
  const std::vector<double>& impulse = phases_.impulse();
  std::fill(outcome_.closed.begin(), outcome_.closed.end(), 0);
  std::fill(outcome_.sticks.begin(), outcome_.sticks.end(), 0);
  std::fill(outcome_.impulse_n.begin(), outcome_.impulse_n.end(), 0.0);
  std::fill(outcome_.impulse_t.begin(), outcome_.impulse_t.end(), 0.0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto c = at(contacts_[i]);
    outcome_.closed[c] = phases_.closed(static_cast<int>(i));
    outcome_.impulse_n[c] = impulse[at(cones.contact[i].row)];
  }
  for (std::size_t j = 0; j < units_.size(); ++j) {
    const auto u = at(units_[j]);
    const FrictionUnit& unit = s.frictions[u];
    const bool sticks = phases_.sticks(static_cast<int>(j));
    const double* f = &impulse[at(cones.unit[j].row)];
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
  load_ = momentum_;
  for (std::size_t j = 0; j < cones.c.size(); ++j) equations_.add_row(rows_[j], impulse[j], load_.data());
  carry_out();
}

}  // namespace hstar
