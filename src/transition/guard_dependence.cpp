// src/transition/guard_dependence.cpp
#include "transition/guard_dependence.hpp"

#include <algorithm>

#include "formulation/solved_signals.hpp"

namespace hstar {

GuardDependence::GuardDependence(const System& system) : system_(system) {
  const auto close = [](Lists& lists) {
    const auto begin = lists.index.begin() + static_cast<std::ptrdiff_t>(lists.first.back());
    std::sort(begin, lists.index.end());
    lists.index.erase(std::unique(begin, lists.index.end()), lists.index.end());
    lists.first.push_back(lists.index.size());
  };
  for (const FrictionUnit& unit : system.frictions) {
    for (const int body : system_.bodies_of(unit)) add_body(body, true, unit_.index);
    close(unit_);
  }
  for (const auto& contact : system.contacts) {
    for (const int body : contact->bodies()) add_body(body, false, contact_.index);
    close(contact_);
  }
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    add_body(static_cast<int>(b), false, body_.index);
    close(body_);
  }
  const auto add_formula = [&](const BoundExpression& e, std::vector<std::size_t>& out) {
    for (const SignalRef& r : e.refs) {
      if (r.kind == SignalKind::state) out.push_back(static_cast<std::size_t>(r.index));
      if (r.kind >= SignalKind::body_x && r.kind <= SignalKind::body_omega) add_body(r.index, true, out);
      if (r.kind == SignalKind::spatial_motion) add_body(r.index / 16, true, out);
      if (r.kind == SignalKind::force_length || r.kind == SignalKind::force_rate)
        for (const int body : system.force_reach[r.index].bodies) add_body(body, true, out);
    }
  };
  for (const UserGuard& guard : system.guards) {
    if (guard.spec.function || needs_solve(guard.when))  // may read everything
      for (std::size_t i = 0; i < system.size(); ++i) user_.index.push_back(i);
    add_formula(guard.when, user_.index);
    close(user_);
  }
  for (const SwitchedFormula& f : system.switched)
    for (int which = 0; which < f.bound.formula.switch_count(); ++which) {
      add_formula(f.bound, branch_.index);
      close(branch_);
    }
  island_of_.assign(system.bodies.size(), -2);
  number_.assign(system.bodies.size(), -1);
}

void GuardDependence::add_body(int body, bool velocity, std::vector<std::size_t>& out) const {
  const Body& b = system_.bodies[body];
  for (int c = 0; c < b.coordinates; ++c) out.push_back(static_cast<std::size_t>(b.coordinate + c));
  for (int c = 0; c < b.dofs && velocity; ++c) out.push_back(static_cast<std::size_t>(system_.nq + b.dof + c));
}

void GuardDependence::update(const ModeEquations& equations) {
  bool same = true;
  for (std::size_t b = 0; b < island_of_.size(); ++b) {
    const int island = equations.rows.islands().of(static_cast<int>(b));
    same &= island == island_of_[b];
    island_of_[b] = island;
  }
  if (same) return;
  reach_.clear();
  const auto add = [&](int island, int body) {
    const Body& b = system_.bodies[body];
    for (int c = 0; c < b.coordinates; ++c) reach_.emplace_back(island, static_cast<std::size_t>(b.coordinate + c));
    for (int c = 0; c < b.dofs; ++c) reach_.emplace_back(island, static_cast<std::size_t>(system_.nq + b.dof + c));
  };
  for (std::size_t b = 0; b < island_of_.size(); ++b)
    if (island_of_[b] >= 0) add(island_of_[b], static_cast<int>(b));
  for (const ForceReach& force : system_.force_reach)
    for (const int acted_on : force.bodies) {
      const int island = island_of_[acted_on];
      if (island < 0) continue;
      for (const int body : force.bodies) add(island, body);
      for (const int state : force.states) reach_.emplace_back(island, static_cast<std::size_t>(state));
    }
  for (const FrictionUnit& unit : system_.frictions)
    for (const int acted_on : system_.bodies_of(unit)) {
      const int island = island_of_[acted_on];
      if (island < 0) continue;
      for (const int body : unit.reach.bodies) add(island, body);
      for (const int state : unit.reach.states) reach_.emplace_back(island, static_cast<std::size_t>(state));
    }
  std::sort(reach_.begin(), reach_.end());
  reach_.erase(std::unique(reach_.begin(), reach_.end()), reach_.end());
  island_.first.assign(1, 0);
  island_.index.clear();
  std::fill(number_.begin(), number_.end(), -1);
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    if (i > 0 && reach_[i].first != reach_[i - 1].first) island_.first.push_back(i);
    number_[reach_[i].first] = static_cast<int>(island_.first.size()) - 1;
    island_.index.push_back(reach_[i].second);
  }
  island_.first.push_back(reach_.size());
}

std::span<const std::size_t> GuardDependence::of(const WatchRef& ref) const {
  const auto i = static_cast<std::size_t>(ref.index);
  int contact = -1;
  switch (ref.what) {
    case Watch::slide_stops:
    case Watch::piece_slower:
    case Watch::piece_faster:
      return unit_.of(i);
    case Watch::gap:
    case Watch::range:
    case Watch::flush:
      return contact_.of(i);
    case Watch::room:
      return body_.of(i);
    case Watch::user:
      return user_.of(i);
    case Watch::branch:
    case Watch::branch_upper:
      return branch_.of(i);
    case Watch::normal_force:
      contact = ref.index;
      break;
    case Watch::stick_upper:
    case Watch::stick_lower:
    case Watch::side:
    case Watch::regularity:
      contact = system_.frictions[i].contact;
      break;
  }
  for (const int body : contact >= 0 ? system_.contacts[contact]->bodies() : system_.bodies_of(system_.frictions[i]))
    if (const int island = island_of_[body]; island >= 0) return island_.of(static_cast<std::size_t>(number_[island]));
  return {};
}

}  // namespace hstar
