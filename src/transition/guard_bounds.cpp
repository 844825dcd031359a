// src/transition/guard_bounds.cpp: bounds of guards that are formulas, over boxes of the state.
#include <algorithm>
#include <array>

#include "transition/mechanism_guards.hpp"
#include "transition/state_place.hpp"

namespace hstar {
int place_in_state(const SignalRef& r, const System& s) {
  const auto body = [&]() -> const Body& { return s.bodies[r.index]; };
  switch (r.kind) {
    case SignalKind::state:
      return r.index;
    case SignalKind::body_x:
    case SignalKind::body_y:
    case SignalKind::body_angle: {
      const int c = static_cast<int>(r.kind) - static_cast<int>(SignalKind::body_x);
      return body().prescribed || c >= body().coordinates ? -1 : body().coordinate + c;
    }
    case SignalKind::body_vx:
    case SignalKind::body_vy:
    case SignalKind::body_omega: {
      const int c = static_cast<int>(r.kind) - static_cast<int>(SignalKind::body_vx);
      return body().prescribed || c >= body().dofs ? -1 : s.nq + body().dof + c;
    }
    default:
      return -1;
  }
}

bool MechanismGuards::has_bounds(std::size_t guard) const {
  const BoundExpression* e = formula(guard);
  return e && !e->constant && std::all_of(e->refs.begin(), e->refs.end(), [&](const SignalRef& r) {
           return r.kind == SignalKind::time || place_in_state(r, system_) >= 0;
         });
}

const BoundExpression* MechanismGuards::formula(std::size_t guard) const {
  const WatchRef ref = refs_[guard];
  const auto index = static_cast<std::size_t>(ref.index);
  if (ref.what == Watch::branch || ref.what == Watch::branch_upper) return &switches_[index].formula.bound;
  const bool user = ref.what == Watch::user && !system_.guards[index].spec.function;
  return user ? &system_.guards[index].when : nullptr;
}

bool MechanismGuards::bounds(std::size_t guard, double ta, double tb, std::span<const events::Range> y,
                             std::span<const events::Range> rates, events::Range& g, events::Range& slope) const {
  const WatchRef ref = refs_[guard];
  const BoundExpression& e = *formula(guard);
  if (ref.what != Watch::user && !switches_[static_cast<std::size_t>(ref.index)].moves()) return false;
  std::array<Expression::Bounds, max_signals> vars, vars_rates;
  for (std::size_t i = 0; i < e.refs.size(); ++i) {
    const bool time = e.refs[i].kind == SignalKind::time;
    const auto at = time ? 0 : static_cast<std::size_t>(place_in_state(e.refs[i], system_));
    vars[i] = time ? Expression::Bounds{ta, tb} : Expression::Bounds{y[at].lo, y[at].hi};
    vars_rates[i] = time ? Expression::Bounds{1, 1} : Expression::Bounds{rates[at].lo, rates[at].hi};
  }
  const Expression::Enclosure found = ref.what == Watch::user
                                          ? e.formula.enclose(vars.data(), vars_rates.data(), switches_.branches())
                                          : switches_[static_cast<std::size_t>(ref.index)].bounds(
                                                ref.what == Watch::branch_upper, vars.data(), vars_rates.data());
  g = {found.value.lo, found.value.hi};
  slope = {found.rate.lo, found.rate.hi};
  return true;
}

}  // namespace hstar
