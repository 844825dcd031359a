// events/src/newton_root.hpp
//
// The root of a function on [0, 1] that goes from one sign to the other there once.
#pragma once

#include <cmath>

#include "bernstein.hpp"

namespace hstar::events::detail {

/// `value(x, slope)` gives the function and its slope, `sign` is its sign before the root. Newton's method from the end
/// 1, inside a bracket. `slope` becomes that at the last place.
template <class Value>
double newton_root(const Value& value, int sign, double& slope) {
  double lo = 0.0, hi = 1.0, x = 1.0, step_before = 1.0;
  for (int i = 0; i < 120; ++i) {
    const double v = value(x, slope);
    if (v == 0.0) return x;
    ((v > 0.0) == (sign > 0) ? lo : hi) = x;
    double next = x - v / slope;
    const double step = std::fabs(next - x);
    const bool inside = next > lo && next < hi;
    // as in root_in: what is left falls like (step / step before)^2
    if (inside && (step <= 4.0 * kRoundOff * x || (step <= 1e-8 * x && step <= 1e-4 * step_before))) return next;
    if (!inside || (i > 0 && step > 0.5 * step_before)) next = 0.5 * (lo + hi);
    step_before = std::fabs(next - x);
    if (next == x) return next;
    x = next;
  }
  return x;
}

}  // namespace hstar::events::detail
