// src/simulate/islands/lone_series.cpp
#include "simulate/islands/lone_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hstar/events/newton_root.hpp"

namespace hstar::islands {
namespace {

/// Of the first term: less cannot be told from its round-off.
constexpr double negligible = 0x1p-60;
/// Free flight has powers up to the third (a load that is affine in t).
constexpr std::size_t least_powers = 4;

/// Of the size of its terms, the round-off of a velocity. A coefficient is a sum of two products of numbers that are
/// rounded once (3 eps), Horner's rule rounds the power k another k times (theta on the mean), u, w and j are products
/// of three (2 eps).
constexpr double sum_round_off = 8 * std::numeric_limits<double>::epsilon();

/// 1 / k.
constexpr auto inverse = [] {
  std::array<long double, most_powers> all{};
  for (std::size_t k = 1; k < most_powers; ++k) all[k] = 1 / static_cast<long double>(k);
  return all;
}();

/// A polynomial and its slope at x, its even and odd powers side by side.
struct Value {
  double of, slope;
};
Value value(const double* p, std::size_t count, double x) {
  const double square = x * x;
  double even = 0, odd = 0, even_slope = 0, odd_slope = 0;  // slopes by the square
  if (count % 2 != 0) even = p[--count];
  while (count > 0) {
    odd_slope = odd_slope * square + odd;
    odd = odd * square + p[--count];
    even_slope = even_slope * square + even;
    even = even * square + p[--count];
  }
  return {even + x * odd, odd + 2 * x * (even_slope + x * odd_slope)};
}

/// The root of p in [0, b], where it changes its sign once; `a` and `e` are its values and slopes there.
double root_in(const double* p, std::size_t count, double b, Value a, Value e, double& slope) {
  // Inverse interpolation by a cubic, if p falls or rises from end to end.
  double x = b * a.of / (a.of - e.of);
  if (a.slope * e.slope > 0 && a.slope * (e.of - a.of) > 0) {
    const double way = e.of - a.of, r = -a.of / way;  // of the way from end to end
    x = r * r * (3 - 2 * r) * b + r * (1 - r) * way * ((1 - r) / a.slope - r / e.slope);
  }
  if (!(x > 0 && x < b)) x = 0.5 * b;
  const auto at = [&](double place, double& rise) {
    const Value v = value(p, count, place);
    rise = v.slope;
    return v.of;
  };
  return events::newton_root(at, a.of > 0 ? 1 : -1, {.lo = 0, .hi = b, .x = x, .step_before = b}, slope);
}

}  // namespace

double rate_of(double stiff, double damp) { return 0.5 * (damp + std::sqrt(damp * damp + 4 * stiff)); }

std::size_t powers_of(double turn) {
  std::size_t count = 1;
  for (double term = 1; count < most_powers && term > negligible; ++count) term *= turn / static_cast<double>(count);
  return std::clamp<std::size_t>(count + 1, least_powers, most_powers);
}

LoneSeries::LoneSeries(double stiff, double damp, double longest) {
  const double rate = rate_of(std::abs(stiff), std::abs(damp));
  h_ = rate * longest > theta ? theta / rate : longest;
  count_ = powers_of(h_ * rate);
  // (Their round-off is the same in all arcs and would add up.)
  const long double by_s = static_cast<long double>(stiff) * h_ * h_, by_v = static_cast<long double>(damp) * h_;
  for (const auto& [p, first] : {std::pair(&b_, std::size_t{2}), std::pair(&c_, std::size_t{3})}) {
    std::array<long double, most_powers> of{};
    of[first] = 1;
    for (std::size_t k = 4; k < count_; ++k) {
      of[k] = (by_s * of[k - 2] * inverse[k - 1] + by_v * of[k - 1]) * inverse[k];
    }
    long double at_one = 0, slope = 0, bend = 0, most = 0;
    for (std::size_t k = count_; k-- > first;) {  // (the small ones first)
      const auto n = static_cast<long double>(k);
      at_one += of[k];
      slope += n * of[k];
      bend += n * (n - 1) * of[k];
      most += n * std::abs(of[k]);
      p->of[k] = static_cast<double>(of[k]);
    }
    p->at_one = static_cast<double>(at_one);
    p->slope = static_cast<double>(slope);
    p->bend = static_cast<double>(bend);
    p->most = static_cast<double>(most);
  }
}

void LoneSeries::terms(const LoneStart& from, double* c) const {
  c[0] = from.s;
  c[1] = from.u;
  for (std::size_t k = 2; k < count_; ++k) c[k] = from.w * b_.of[k] + from.j * c_.of[k];
}

double LoneSeries::error_at(const LoneStart& a, double x) const {
  const double by_w = x * b_.most, by_j = x * x * c_.most;
  return by_w * a.w_error + by_j * a.j_error +
         sum_round_off * (std::abs(a.u) + by_w * std::abs(a.w) + by_j * std::abs(a.j));
}

std::optional<LoneStop> LoneSeries::stop(const LoneStart& from, double sign) const {
  const double w = sign * from.w, j = sign * from.j;
  double u = sign * from.u;
  constexpr LoneStop at_once{.clear = false};
  if (!(u > 0)) {  // it leaves zero by the first power that is more than round-off
    if (u < -from.w_error || w < -from.w_error) return at_once;
    u = 0;
    if (w <= from.w_error) {
      if (j < -from.j_error) return at_once;
      return std::nullopt;  // (the one zero of its acceleration is at its beginning)
    }
  }
  const double end = sign * velocity(from), bend = sign * acceleration(from);
  const bool may_dip = u > 0 && w < 0 && bend > 0;
  if (end >= 0 && !may_dip) return std::nullopt;
  std::array<double, most_powers> c, p;
  terms(from, c.data());
  for (std::size_t k = 0; k + 1 < count_; ++k) p[k] = sign * static_cast<double>(k + 1) * c[k + 1];
  std::size_t count = count_ - 1;
  double b = 1, slope = 0;
  Value last{end, bend};
  if (end >= 0) {
    std::array<double, most_powers> rise;
    for (std::size_t k = 0; k + 1 < count; ++k) rise[k] = static_cast<double>(k + 1) * p[k + 1];
    const std::size_t n = count - 1;
    b = root_in(rise.data(), n, 1, value(rise.data(), n, 0), value(rise.data(), n, 1), slope);
    last = value(p.data(), count, b);
    if (last.of >= -error_at(from, b)) return std::nullopt;
  }
  double x = 0;
  if (u > 0) {
    x = root_in(p.data(), count, b, {u, 2 * w}, last, slope);
  } else {  // without its zero at 0: p = x q
    x = root_in(p.data() + 1, count - 1, b, {2 * w, p[2]}, {last.of, last.slope - last.of}, slope);
    slope *= x;
  }
  return LoneStop{.x = x, .error = error_at(from, x) / std::abs(slope), .s = value(c.data(), count_, x).of};
}

}  // namespace hstar::islands
