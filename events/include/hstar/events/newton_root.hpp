// include/hstar/events/newton_root.hpp
//
// The root of a function that goes from one sign to the other once in a bracket: Newton's method, and halving wherever
// Newton does not halve the bracket by itself.
#pragma once

#include <cmath>
#include <limits>

namespace hstar::events {

/// Where the search begins: at x in [lo, hi]. A first step of more than half of `step_before` is replaced by halving.
struct RootBracket {
  double lo = 0.0, hi = 1.0, x = 1.0, step_before = 2.0;
};

/// `value(x, slope)` gives the function and its slope, `sign` is its sign at lo. `slope` becomes that at the last
/// place.
template <class Value>
double newton_root(const Value& value, int sign, RootBracket b, double& slope) {
  // Newton's error falls from step to step like (step / step before)^2: a step of sqrt(eps) after one 1e4 times as long
  // is the last, and below a few ulp there is only noise.
  constexpr double noise = 4.0 * std::numeric_limits<double>::epsilon(), near = 1e-8, falls = 1e-4;
  constexpr int most_steps = 120;  // more than halving takes
  for (int i = 0; i < most_steps; ++i) {
    const double v = value(b.x, slope);
    if (v == 0.0) return b.x;
    ((v > 0.0) == (sign > 0) ? b.lo : b.hi) = b.x;
    double next = b.x - v / slope;
    const double step = std::fabs(next - b.x);
    const bool inside = next > b.lo && next < b.hi;
    if (inside && (step <= noise * b.x || (step <= near * b.x && step <= falls * b.step_before))) return next;
    if (!inside || step > 0.5 * b.step_before) next = 0.5 * (b.lo + b.hi);
    b.step_before = std::fabs(next - b.x);
    if (next == b.x) return next;
    b.x = next;
  }
  return b.x;
}

}  // namespace hstar::events
