// src/model/interval.hpp
//
// Interval arithmetic: bounds of the operations of formulas, rounded outwards by more than the error of the functions
// of the C library (2 ulp). A function that leaves its domain anywhere has no bounds.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hstar/expression.hpp"

namespace hstar {

struct Interval : Expression::Bounds {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Interval() : Bounds{-infinity, infinity} {}
  Interval(double x) : Bounds{x, x} {}  // NOLINT(google-explicit-constructor): a number is an interval
  Interval(double a, double b) : Bounds{a, b} {}
  explicit Interval(const Bounds& b) : Bounds(b) {}

  [[nodiscard]] bool contains(double x) const { return lo <= x && x <= hi; }
  [[nodiscard]] double size() const { return std::max(std::abs(lo), std::abs(hi)); }
  [[nodiscard]] bool bounded() const { return std::isfinite(lo) && std::isfinite(hi); }

  /// From numbers that are right within a few ulp; NaN: no bounds.
  static Interval outwards(double lo, double hi) {
    constexpr double error = 4 * std::numeric_limits<double>::epsilon(), least = std::numeric_limits<double>::min();
    if (std::isnan(lo) || std::isnan(hi)) return {};
    return {lo - error * std::abs(lo) - least, hi + error * std::abs(hi) + least};
  }
  static Interval hull(const Interval& x, const Interval& y) { return {std::min(x.lo, y.lo), std::max(x.hi, y.hi)}; }
};

inline Interval operator-(const Interval& x) { return {-x.hi, -x.lo}; }
inline Interval operator+(const Interval& x, const Interval& y) { return Interval::outwards(x.lo + y.lo, x.hi + y.hi); }
inline Interval operator-(const Interval& x, const Interval& y) { return Interval::outwards(x.lo - y.hi, x.hi - y.lo); }
inline Interval operator*(const Interval& x, const Interval& y) {
  // 0 times anything is 0, unbounded things too: their bounds are not values.
  const auto product = [](double a, double b) { return a == 0 || b == 0 ? 0.0 : a * b; };
  const auto [lo, hi] =
      std::minmax({product(x.lo, y.lo), product(x.lo, y.hi), product(x.hi, y.lo), product(x.hi, y.hi)});
  return Interval::outwards(lo, hi);
}
/// (A divisor that ends at zero has one side.)
inline Interval operator/(const Interval& x, const Interval& y) {
  if (y.lo == 0 && y.hi > 0) return x * Interval(Interval::outwards(1 / y.hi, 1).lo, Interval::infinity);
  if (y.contains(0)) return {};
  return x * Interval::outwards(1 / y.hi, 1 / y.lo);
}
inline Interval square(const Interval& x) {
  const double most = x.size(), least = x.contains(0) ? 0.0 : std::min(std::abs(x.lo), std::abs(x.hi));
  const Interval r = Interval::outwards(least * least, most * most);
  return {std::max(r.lo, 0.0), r.hi};
}

/// f(x) for a function that does not fall.
template <class F>
Interval rising(const Interval& x, F f) {
  return Interval::outwards(f(x.lo), f(x.hi));
}

inline Interval cos(const Interval& x) {
  if (!x.bounded() || x.hi - x.lo >= 2 * std::numbers::pi) return {-1, 1};
  // The number of the half wave that begins at a maximum or minimum k pi; widened where x is near such a place.
  constexpr double near = 1e-12;
  const double a = x.lo / std::numbers::pi, b = x.hi / std::numbers::pi;
  const double first = std::ceil(a - near * (1 + std::abs(a))), last = std::floor(b + near * (1 + std::abs(b)));
  Interval r = Interval::outwards(std::min(std::cos(x.lo), std::cos(x.hi)), std::max(std::cos(x.lo), std::cos(x.hi)));
  const auto holds = [&](double parity) {  // an extremum k pi with k of this parity
    return last - first >= 1 || (last == first && std::abs(std::remainder(first, 2)) == parity);
  };
  if (holds(0)) r.hi = 1;
  if (holds(1)) r.lo = -1;
  return r;
}
inline Interval sin(const Interval& x) { return cos(x - Interval(std::numbers::pi / 2)); }

/// x to a power of whole number.
inline Interval power(const Interval& x, double k) {
  if (k < 0) return Interval(1) / power(x, -k);
  if (k == 0) return 1;
  const auto f = [k](double v) { return std::pow(v, k); };
  if (std::fmod(k, 2) != 0) return rising(x, f);
  const Interval size{x.contains(0) ? 0.0 : std::min(std::abs(x.lo), std::abs(x.hi)), x.size()}, r = rising(size, f);
  return {std::max(r.lo, 0.0), r.hi};
}

}  // namespace hstar
