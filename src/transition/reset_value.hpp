// src/transition/reset_value.hpp
//
// What the reset of a guard gives. At the guard's root what it reads is zero up to its round-off, of either sign or
// exactly, as the integrator leaves it: a formula that has no value at zero has none there.
#pragma once

#include <array>
#include <cmath>

#include "mechanism/signals.hpp"

namespace hstar {

/// `zero`: up to this the guard's value is round-off; 0 if nothing has come to zero (a guard of time).
[[nodiscard]] inline double reset_value(const BoundExpression& e, const Kinematics& k, double zero) {
  const double value = evaluate(e, k);
  if (e.constant || !(zero > 0)) return value;
  std::array<double, max_signals> vars;
  bool any = false;
  for (std::size_t i = 0; i < e.refs.size(); ++i) {
    vars[i] = read_kinematic(e.refs[i], k);
    if (!(std::abs(vars[i]) <= zero)) continue;
    vars[i] = 0;
    any = true;
  }
  if (!any) return value;
  const double at_zero = e.formula.value(vars.data(), k.branches);
  return std::isfinite(at_zero) ? value : at_zero;
}

}  // namespace hstar
