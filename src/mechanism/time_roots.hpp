// src/mechanism/time_roots.hpp
//
// The first time at which a function of time alone passes through zero: bounds of the function and of its rate over
// intervals of time prove where it cannot, however long the way and however fast it swings.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "hstar/expression.hpp"

namespace hstar {

/// The first time in (t, t_end] from which on value(time) is clearly not on `side` (+1, -1) of zero, on which it is
/// just after t, or is no number; infinity if there is none. Zero that is touched, or left by no more than round-off,
/// is not passed. `bounds(a, b)` are those of value and rate on [a, b]. Where the function is too irregular to tell
/// within a bounded number of bounds, a time up to which there is none; `irregular` is set then.
template <class Value, class BoundsOf>
double first_crossing(double t, double t_end, int side, const Value& value, const BoundsOf& bounds, bool& irregular) {
  constexpr int most_bounds = 100000;
  const double shortest = (t_end - t) * 0x1p-200;  // is one instant, near t = 0, too
  struct Part {
    double a, b;
  };
  // Bounds at one time are as wide as the round-off of the value.
  const auto round_off = [&](double time) {
    const Expression::Bounds g = bounds(time, time).value;
    return std::isfinite(g.hi - g.lo) ? g.hi - g.lo : 0.0;
  };
  const auto beyond = [&](double time) {
    const double g = side * value(time);
    return g < 0 && g < -round_off(time);
  };
  // The smallest number beyond the crossing on (a, b], which the function passes once.
  const auto bisect = [&](double a, double b) {
    for (;;) {
      const double middle = a + 0.5 * (b - a);
      if (!(middle > a && middle < b)) return b;
      (side * value(middle) <= 0 ? b : a) = middle;
    }
  };
  std::vector<Part> stack{{t, t_end}};
  for (int i = 0; !stack.empty(); ++i) {
    const Part p = stack.back();
    stack.pop_back();
    const Expression::Enclosure g = bounds(p.a, p.b);
    const double middle = p.a + 0.5 * (p.b - p.a);
    if (!std::isfinite(g.value.hi - g.value.lo) && p.a > t && std::isnan(value(p.a))) return p.a;
    const int sign = g.value.lo > 0 ? 1 : g.value.hi < 0 ? -1 : 0;
    const int slope = g.rate.lo > 0 ? 1 : g.rate.hi < 0 ? -1 : 0;
    if (sign == side || (sign == 0 && slope == side)) continue;
    if (slope == -side) {
      if (beyond(p.b)) return bisect(p.a, p.b);
      continue;
    }
    if (sign == -side && p.a > t && beyond(p.a)) return p.a;
    // By the mean value theorem, too: at an extremum it is far closer than the bounds of the value.
    const double fastest = std::max(std::abs(g.rate.lo), std::abs(g.rate.hi));
    const double least =
        std::max(side > 0 ? g.value.lo : -g.value.hi, side * value(middle) - fastest * 0.5 * (p.b - p.a));
    if (least >= -round_off(middle)) continue;
    if (!(middle > p.a && middle < p.b) || p.b - p.a <= shortest) {
      if (beyond(p.b) || std::isnan(value(p.b))) return p.b;
      continue;
    }
    if (i >= most_bounds && p.a > t) {
      irregular = true;
      return p.a;
    }
    stack.push_back({middle, p.b});
    stack.push_back({p.a, middle});
  }
  return HUGE_VAL;
}

}  // namespace hstar
