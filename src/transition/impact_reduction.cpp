// src/transition/impact_reduction.cpp
#include "transition/impact_reduction.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/contact_reduction.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

ImpactReduction::ImpactReduction(ModeEquations& equations)
    : equations_(equations), by_joints_(equations.motion.mass(), equations.system().columns), joined_(by_joints_) {
  const System& s = equations.system();
  for (const auto& joint : s.joints) by_joints_.join(joint->bodies());
  island_of_.assign(s.bodies.size(), -1);
  none_.closed.assign(s.contacts.size(), 0);
  none_.friction.assign(s.frictions.size(), {});
  directions_.reserve(s.contacts.size() + at(s.sliding_rows()));
  const auto n = s.slots(), rows = at(s.rows);
  for (auto* v : {&momentum_, &load_, &v_plus_, &v_rows_, &jumps_}) v->resize(n);
  for (auto* v : {&target_, &lambda_, &lambda_before_, &reaction_}) v->resize(rows);
  zero_.assign(rows, 0.0);
}

bool ImpactReduction::hold_constraints() {
  equations_.rows.take(none_);
  if (!equations_.rows.factor()) return false;
  equations_.motion.momentum(momentum_.data());
  for (int i = 0; i < equations_.rows.count(); ++i) target_[at(i)] = equations_.rows[i].nu;
  equations_.rows.saddle().solve(momentum_.data(), target_.data(), v_rows_.data(), lambda_before_.data());
  const System& s = equations_.system();
  fastest_[0] = fastest_[1] = 0;
  for (std::size_t slot = 0; slot < v_rows_.size(); ++slot) {
    double& fastest = fastest_[s.turns(static_cast<int>(slot) % s.columns) ? 1 : 0];
    fastest = std::max(fastest, std::abs(v_rows_[slot]));
  }
  return true;
}

ImpactReduction::Island& ImpactReduction::island_at(int root) {
  int& index = island_of_[at(root)];
  if (index < 0) {
    index = static_cast<int>(count_++);
    if (islands_.size() < count_) islands_.emplace_back();
    Island& island = islands_[at(index)];
    island.contacts.clear();
    island.units.clear();
    island.driven = false;
  }
  return islands_[at(index)];
}

double ImpactReduction::speed_by_rows(const Row& row) const {
  // (One solve ties all velocities together: each has the round-off of the fastest.)
  const System& s = equations_.system();
  double size = std::abs(row.nu);
  for (const auto& J : row.J)
    for (int c = 0; c < s.columns; ++c) size += std::abs(J[c]) * fastest_[s.turns(c) ? 1 : 0];
  const double speed = row.times(v_rows_.data(), equations_.system().columns) - row.nu;
  return std::abs(speed) > tolerances::zero_velocity * size ? speed : 0.0;
}

void ImpactReduction::collect(const std::vector<char>& active, const double* gap_velocity, bool struck_all,
                              std::span<const char> driven) {
  const System& s = equations_.system();
  joined_ = by_joints_;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (active[c]) joined_.join(s.contacts[c]->first, s.contacts[c]->second);
  joined_.settle();
  std::fill(island_of_.begin(), island_of_.end(), -1);
  count_ = 0;
  const auto root_of_contact = [&](std::size_t c) { return joined_.of(s.contacts[c]->bodies()); };
  for (std::size_t j = 0; j < driven.size(); ++j)
    if (driven[j]) island_at(joined_.of(s.joints[j]->bodies())).driven = true;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (active[c] && (struck_all || gap_velocity[c] < 0)) island_at(root_of_contact(c));
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (const int i = active[c] ? island_of_[at(root_of_contact(c))] : -1; i >= 0)
      islands_[at(i)].contacts.push_back(static_cast<int>(c));
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    if (!takes_part(unit) || (unit.contact >= 0 && !active[at(unit.contact)])) continue;
    if (const int i = island_of_[at(joined_.of(s.bodies_of(unit)))]; i >= 0)
      islands_[at(i)].units.push_back(static_cast<int>(u));
  }
}

double ImpactReduction::friction(int unit, double speed) const {
  const FrictionUnit& own = equations_.system().frictions[at(unit)];
  return own.law.dry() ? own.mu_kinetic(speed, own.law.piece_of(speed, 1), equations_.motion.kinematics()) : 0.0;
}

void ImpactReduction::describe(Island& island, int index, const double* gap_velocity, const double* restitution,
                               const double* sliding_restitution) {
  const System& s = equations_.system();
  const int contacts = static_cast<int>(island.contacts.size()), units = static_cast<int>(island.units.size());
  int size = contacts, part_count = 0, reactions = 0;
  NormalPart parts[2];
  for (const int u : island.units) {
    size += s.frictions[at(u)].directions;
    if (s.frictions[at(u)].joint < 0) continue;
    for (int i = normal_parts(s, s.frictions[at(u)], parts); i > 0; --i) ++part_count, reactions += parts[i - 1].size;
  }
  island.before.resize(contacts, units, size, part_count, reactions);
  island.impulse.assign(at(size), 0.0);
  contact::Problem& p = island.before.problem;
  int row = 0, part = 0, reaction = 0;
  double fastest = 0;
  for (int i = 0; i < contacts; ++i, ++row) {
    const int c = island.contacts[at(i)];
    p.contact[at(i)].row = row;
    directions_.push_back({index, row, {}});
    Row& normal = directions_.back().row;
    equations_.motion.normal_row(c, normal);
    p.c[at(row)] = island.driven ? speed_by_rows(normal) : gap_velocity[c];
    // (What leaves already has nothing to restore.)
    island.before.e[at(i)] = restitution[c];
    fastest = std::max(fastest, std::abs(p.c[at(row)]));
  }
  Row rows[most_directions];
  for (int j = 0; j < units; ++j) {
    const int u = island.units[at(j)];
    const FrictionUnit& unit = s.frictions[at(u)];
    contact::Unit& cone = p.unit[at(j)];
    cone.row = row;
    cone.directions = unit.directions;
    equations_.motion.tangent_rows(u, rows);
    double speed = equations_.motion.slide_velocities(u, &p.c[at(row)]);
    if (island.driven) {
      double square = 0;
      for (int d = 0; d < unit.directions; ++d) {
        double& gamma = p.c[at(row + d)];
        gamma = speed_by_rows(rows[d]);
        square += gamma * gamma;
      }
      speed = std::sqrt(square);
    }
    cone.mu_static = cone.mu_kinetic = unit.lever * friction(u, speed);
    if (!unit.turns) fastest = std::max(fastest, speed);
    for (int d = 0; d < unit.directions; ++d, ++row) {
      directions_.push_back({index, row, rows[d]});
      p.scale[at(row)] = speed;
      if (unit.turns) p.compliance[at(row)] = 1 / (unit.lever * unit.lever);
    }
    if (unit.contact >= 0) {
      cone.contact = static_cast<int>(std::lower_bound(island.contacts.begin(), island.contacts.end(), unit.contact) -
                                      island.contacts.begin());
      if (unit.part == FrictionPart::sliding) island.before.e_t[at(j)] = sliding_restitution[unit.contact];
      continue;
    }
    cone.normal = contact::Unit::Normal::parts;
    cone.part = part;
    cone.parts = normal_parts(s, unit, parts);
    normal_reactions(s, unit, lambda_before_.data() + s.joint_row[at(unit.joint)], 0, p.reaction_0.data() + reaction);
    for (int i = 0; i < cone.parts; ++i) {
      p.part[at(part++)] = {parts[i].weight, parts[i].size, reaction};
      reaction += parts[i].size;
    }
  }
  // Speeds have round-off of each other's size.
  for (const contact::Contact& contact : p.contact) p.scale[at(contact.row)] = fastest;
  for (int j = 0; j < units; ++j)
    for (int d = 0; d < p.unit[at(j)].directions && !s.frictions[at(island.units[at(j)])].turns; ++d)
      p.scale[at(p.unit[at(j)].row + d)] = fastest;
  most_rows_ = std::max(most_rows_, size);
}

void ImpactReduction::take_reactions(Island& island, const Row& row, int column) {
  // lambda_ are the multipliers that a unit impulse in this direction causes.
  const System& s = equations_.system();
  contact::Problem& p = island.before.problem;
  const double round_off = reaction_round_off(s, row);
  int reaction = 0;
  for (const int u : island.units) {
    const FrictionUnit& unit = s.frictions[at(u)];
    if (unit.joint < 0) continue;
    double by_unit[most_reactions];
    const int count = normal_reactions(s, unit, lambda_.data() + s.joint_row[at(unit.joint)], round_off, by_unit);
    for (int i = 0; i < count; ++i) p.reaction[at(reaction++ * p.rows() + column)] = by_unit[i];
  }
}

void ImpactReduction::respond() {
  // What a unit impulse along each row does: velocities of the others of its island, and reactions of the joints.
  const auto n = load_.size();
  response_.resize(at(most_rows_) * n);
  for (int k = 0; k < most_rows_; ++k) {
    std::fill(load_.begin(), load_.end(), 0.0);
    for (std::size_t i = 0; i < count_; ++i)
      if (k < islands_[i].before.problem.rows())
        directions_[at(first_[i] + k)].row.add(1.0, load_.data(), equations_.system().columns);
    double* response = response_.data() + at(k) * n;
    equations_.rows.saddle().solve(load_.data(), zero_.data(), response, lambda_.data());
    for (std::size_t i = 0; i < count_; ++i) {
      contact::Problem& p = islands_[i].before.problem;
      const int size = p.rows();
      if (k >= size) continue;
      p.alone[at(k)] = free_response(equations_, directions_[at(first_[i] + k)].row);
      for (int r = 0; r < size; ++r)
        p.G[at(r * size + k)] = directions_[at(first_[i] + r)].row.times(response, equations_.system().columns);
      take_reactions(islands_[i], directions_[at(first_[i] + k)].row, k);
    }
  }
}

bool ImpactReduction::reduce(const std::vector<char>& active, const double* gap_velocity, const double* restitution,
                             const double* sliding_restitution, bool struck_all, std::span<const char> driven) {
  if (!hold_constraints()) return false;
  collect(active, gap_velocity, struck_all, driven);
  directions_.clear();
  first_.clear();
  most_rows_ = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    first_.push_back(static_cast<int>(directions_.size()));
    describe(islands_[i], static_cast<int>(i), gap_velocity, restitution, sliding_restitution);
  }
  respond();
  return true;
}

void ImpactReduction::carry() {
  // One solve with all impulses as loads: velocities and reactions agree with them to round-off.
  const System& s = equations_.system();
  const auto n = load_.size();
  std::copy(momentum_.begin(), momentum_.end(), load_.begin());
  for (const Direction& d : directions_)
    if (const double impulse = islands_[at(d.island)].impulse[at(d.index)]; impulse != 0)
      d.row.add(impulse, load_.data(), equations_.system().columns);
  equations_.rows.saddle().solve(load_.data(), target_.data(), v_plus_.data(), reaction_.data());
  std::fill(jumps_.begin(), jumps_.end(), 0.0);
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const int body = joined_.of(static_cast<int>(b));
    if (body < 0) continue;  // prescribed
    const int island = island_of_[at(body)];
    for (int c = 0; c < s.columns; ++c) {
      const auto slot = s.slot(b, c);
      if (island < 0) {
        v_plus_[slot] = equations_.motion.kinematics().velocity(b, c);
        continue;
      }
      const std::vector<double>& impulse = islands_[at(island)].impulse;
      if (islands_[at(island)].driven)
        jumps_[slot] += std::abs(v_rows_[slot] - equations_.motion.kinematics().velocity(b, c));
      for (std::size_t k = 0; k < impulse.size(); ++k) jumps_[slot] += std::abs(response_[k * n + slot] * impulse[k]);
    }
  }
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    if (island_of_[at(joined_.of(s.joints[j]->bodies()))] < 0)
      std::fill_n(reaction_.begin() + s.joint_row[j], s.joints[j]->rows(), 0.0);
}

}  // namespace hstar
