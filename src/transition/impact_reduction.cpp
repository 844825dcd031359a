// src/transition/impact_reduction.cpp
#include "transition/impact_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/tolerances.hpp"

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

ImpactReduction::ImpactReduction(ModeEquations& equations)
    : equations_(equations),
      by_joints_(equations.motion.mass(), equations.system().columns),
      joined_(by_joints_),
      rows_(equations) {
  const System& s = equations.system();
  for (const auto& joint : s.joints) by_joints_.join(joint->bodies());
  island_of_.assign(s.bodies.size(), -1);
  none_.closed.assign(s.contacts.size(), 0);
  none_.friction.assign(s.frictions.size(), {});
  const auto n = s.slots(), rows = at(s.rows);
  for (auto* v : {&momentum_, &load_, &v_plus_, &v_rows_, &jumps_}) v->resize(n);
  for (auto* v : {&target_, &lambda_before_, &reaction_}) v->resize(rows);
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

void ImpactReduction::describe(Island& island, const double* gap_velocity, const double* restitution,
                               const double* sliding_restitution) {
  const System& s = equations_.system();
  contact::Problem& p = island.before.problem;
  rows_.begin(p);
  island.before.e.clear();
  island.before.e_t.assign(island.units.size(), 0.0);
  double fastest = 0;
  for (const int c : island.contacts) {
    p.contact.push_back({.row = p.rows()});
    const Row normal = equations_.motion.normal_row(c);
    rows_.add(normal, island.driven ? speed_by_rows(normal) : gap_velocity[c], 0, 1);
    // (What leaves already has nothing to restore.)
    island.before.e.push_back(restitution[c]);
    fastest = std::max(fastest, std::abs(p.c.back()));
  }
  for (std::size_t j = 0; j < island.units.size(); ++j) {
    const int u = island.units[j];
    const FrictionUnit& unit = s.frictions[at(u)];
    contact::Unit& cone = p.unit.emplace_back();
    cone.row = p.rows();
    cone.directions = unit.directions;
    double gamma[most_directions];
    const TangentRows rows = equations_.motion.tangents(u);
    double speed = equations_.motion.slide_velocities(u, gamma);
    if (island.driven) {
      double square = 0;
      for (int d = 0; d < unit.directions; ++d) {
        gamma[d] = speed_by_rows(rows[d]);
        square += gamma[d] * gamma[d];
      }
      speed = std::sqrt(square);
    }
    cone.mu_static = cone.mu_kinetic = unit.lever * friction(u, speed);
    if (!unit.turns) fastest = std::max(fastest, speed);
    for (int d = 0; d < unit.directions; ++d)
      rows_.add(rows[d], gamma[d], speed, unit.turns ? 1 / (unit.lever * unit.lever) : 1);
    if (unit.contact < 0) {
      rows_.read_reactions(unit, lambda_before_.data(), cone);
      continue;
    }
    cone.contact = static_cast<int>(std::lower_bound(island.contacts.begin(), island.contacts.end(), unit.contact) -
                                    island.contacts.begin());
    if (unit.part == FrictionPart::sliding) island.before.e_t[j] = sliding_restitution[unit.contact];
  }
  island.fastest = fastest;
  measure(island, tolerances::of_speeds * fastest);
}

void ImpactReduction::measure(Island& island, double terms) const {
  // Speeds have round-off of each other's size.
  const System& s = equations_.system();
  contact::Problem& p = island.before.problem;
  island.terms = terms;
  for (const contact::Contact& contact : p.contact) p.scale[at(contact.row)] = terms;
  for (std::size_t j = 0; j < island.units.size(); ++j)
    for (int d = 0; d < p.unit[j].directions && !s.frictions[at(island.units[j])].turns; ++d)
      p.scale[at(p.unit[j].row + d)] = terms;
}

bool ImpactReduction::reduce(const std::vector<char>& active, const double* gap_velocity, const double* restitution,
                             const double* sliding_restitution, bool struck_all, std::span<const char> driven) {
  if (!hold_constraints()) return false;
  collect(active, gap_velocity, struck_all, driven);
  rows_.clear();
  for (Island& island : islands()) describe(island, gap_velocity, restitution, sliding_restitution);
  rows_.respond(true);
  for (Island& island : islands()) {
    for (double& c : island.before.problem.c)
      if (std::abs(c) < tolerances::underflow) c = 0;
    island.impulse.assign(island.before.problem.c.size(), 0.0);
  }
  return true;
}

ImpactReduction::Change ImpactReduction::change_along(const Row& row) const {
  const System& s = equations_.system();
  Change change;
  for (std::size_t b = 0; b < row.body.size(); ++b) {
    const int root = joined_.of(row.body[b]), island = root >= 0 ? island_of_[at(root)] : -1;
    if (island < 0) continue;
    if (islands_[at(island)].driven) return {std::numeric_limits<double>::quiet_NaN(), 0, 0};
    const std::vector<double>& impulse = islands_[at(island)].impulse;
    if (!islands_[at(island)].units.empty())
      change.rough = std::max({change.rough, islands_[at(island)].terms, tolerances::of_rows * fastest_[0]});
    for (std::size_t k = 0; k < impulse.size(); ++k)
      for (int c = 0; c < s.columns; ++c) {
        const double term = row.J[b][c] * rows_.response(k)[s.slot(row.body[b], c)] * impulse[k];
        change.value += term;
        change.size += std::abs(term);
      }
  }
  return change;
}

void ImpactReduction::carry() {
  // One solve with all impulses as loads: velocities and reactions agree with them to round-off.
  const System& s = equations_.system();
  std::copy(momentum_.begin(), momentum_.end(), load_.begin());
  for (std::size_t i = 0; i < count_; ++i)
    for (std::size_t k = 0; k < islands_[i].impulse.size(); ++k)
      if (const double impulse = islands_[i].impulse[k]; impulse != 0)
        rows_.row(i, k).add(impulse, load_.data(), s.columns);
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
      for (std::size_t k = 0; k < impulse.size(); ++k) jumps_[slot] += std::abs(rows_.response(k)[slot] * impulse[k]);
    }
  }
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    if (island_of_[at(joined_.of(s.joints[j]->bodies()))] < 0)
      std::fill_n(reaction_.begin() + s.joint_row[j], s.joints[j]->rows(), 0.0);
}

}  // namespace hstar
