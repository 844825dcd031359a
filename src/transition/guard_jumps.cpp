// src/transition/guard_jumps.cpp
#include "transition/guard_jumps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "transition/tolerances.hpp"

namespace hstar {

GuardJumps::GuardJumps(const System& system) : system_(system) {
  const auto is_discrete = [&](const SignalRef& r) {
    if (r.kind != SignalKind::state) return false;
    const BoundExpression& rate = system.states[r.index - system.nq - system.nv].rate;
    return rate.constant && rate.value == 0;
  };
  for (std::size_t g = 0; g < system.guards.size(); ++g) {
    const auto& refs = system.guards[g].when.refs;
    const bool forces = needs_solve(system.guards[g].when);
    if (forces || std::any_of(refs.begin(), refs.end(), is_discrete)) watched_.push_back({g, forces, 0});
  }
}

double GuardJumps::value(const Watched& w, Kinematics& k) const {
  // By its relations as they are, not on branches of before.
  const double* const branches = std::exchange(k.branches, nullptr);
  const double value = evaluate(system_.guards[w.guard].when, k);
  k.branches = branches;
  return value;
}

bool GuardJumps::read_forces() const {
  return std::any_of(watched_.begin(), watched_.end(), [](const Watched& w) { return w.reads_forces; });
}

void GuardJumps::begin(Kinematics& k) {
  for (Watched& w : watched_)
    if (!w.reads_forces) w.value = value(w, k);
}

void GuardJumps::begin(const SolvedSignals& forces) {
  for (Watched& w : watched_)
    if (w.reads_forces) w.value = w.last = forces.evaluate(system_.guards[w.guard].when);
}

void GuardJumps::crossed(std::size_t guard, int direction) {
  for (Watched& w : watched_)
    if (w.guard == guard) w.value = direction;
}

bool GuardJumps::has_jumped(const Watched& w, double now, const SolvedSignals& forces) const {
  double size = 0;
  for (const SignalRef& r : system_.guards[w.guard].when.refs) size = std::max(size, std::abs(forces.read(r)));
  return std::abs(now - w.last) > tolerances::jump * std::max(size, std::abs(w.last));
}

std::optional<GuardJumps::Jump> GuardJumps::next(Kinematics& k, const SolvedSignals* forces) {
  for (Watched& w : watched_) {
    if (w.reads_forces && forces == nullptr) continue;
    const double now = w.reads_forces ? forces->evaluate(system_.guards[w.guard].when) : value(w, k);
    if (w.reads_forces && !has_jumped(w, now, *forces)) continue;
    w.last = now;
    const double before = std::exchange(w.value, now);
    if (!(before * w.value < 0)) continue;
    const std::string& wanted = system_.guards[w.guard].spec.crossing;
    const int direction = w.value > 0 ? 1 : -1;
    if (wanted == "either" || (wanted == "rising") == (direction > 0)) return Jump{w.guard, direction};
  }
  return std::nullopt;
}

}  // namespace hstar
