// src/transition/guard_jumps.cpp
#include "transition/guard_jumps.hpp"

#include <algorithm>
#include <utility>

namespace hstar {

GuardJumps::GuardJumps(const System& system) : system_(system) {
  const auto is_discrete = [&](const SignalRef& r) {
    if (r.kind != SignalKind::state) return false;
    const BoundExpression& rate = system.states[static_cast<std::size_t>(r.index - system.nq - system.nv)].rate;
    return rate.constant && rate.value == 0;
  };
  for (std::size_t g = 0; g < system.guards.size(); ++g) {
    const auto& refs = system.guards[g].when.refs;
    if (std::any_of(refs.begin(), refs.end(), is_discrete)) watched_.push_back({g, 0});
  }
}

double GuardJumps::value(const Watched& w, Kinematics& k) const {
  // By its relations as they are, not on branches of before.
  const double* const branches = std::exchange(k.branches, nullptr);
  const double value = evaluate(system_.guards[w.guard].when, k);
  k.branches = branches;
  return value;
}

void GuardJumps::begin(Kinematics& k) {
  for (Watched& w : watched_) w.value = value(w, k);
}

void GuardJumps::crossed(std::size_t guard, int direction) {
  for (Watched& w : watched_)
    if (w.guard == guard) w.value = direction;
}

std::optional<GuardJumps::Jump> GuardJumps::next(Kinematics& k) {
  for (Watched& w : watched_) {
    const double before = std::exchange(w.value, value(w, k));
    if (!(before * w.value < 0)) continue;
    const std::string& wanted = system_.guards[w.guard].spec.crossing;
    const int direction = w.value > 0 ? 1 : -1;
    if (wanted == "either" || (wanted == "rising") == (direction > 0)) return Jump{w.guard, direction};
  }
  return std::nullopt;
}

}  // namespace hstar
