// src/simulate/islands/first_crossing.cpp
#include "simulate/islands/first_crossing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hstar/events/newton_root.hpp"

namespace hstar::islands {
namespace {

using Coefficients = std::array<double, most_powers>;

/// C(n, k).
constexpr auto binomials = [] {
  std::array<std::array<double, most_powers>, most_powers> c{};
  for (std::size_t n = 0; n < most_powers; ++n) {
    c[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) c[n][k] = c[n - 1][k - 1] + (k < n ? c[n - 1][k] : 0.0);
  }
  return c;
}();

/// A part of [0, 1] and the polynomial there.
struct Part {
  double a, b;
  Coefficients bernstein;  ///< the first n + 1
};
constexpr int most_halvings = 48;

enum class Signs : unsigned char { above, once, open };

Signs signs_of(const Coefficients& b, std::size_t n, double noise) {
  int changes = 0;
  bool above = true;
  for (std::size_t i = 0; i <= n; ++i) {
    if (std::abs(b[i]) <= noise || (b[i] > 0) == above) continue;
    above = !above;
    ++changes;
  }
  if (changes == 0) return Signs::above;
  return changes == 1 && b[n] < -noise ? Signs::once : Signs::open;
}

double value(std::span<const double> p, double x, double& slope) {
  double sum = 0;
  slope = 0;
  for (std::size_t k = p.size(); k-- > 0;) {
    slope = slope * x + sum;
    sum = sum * x + p[k];
  }
  return sum;
}

/// The one root in [a, b], above zero on its left.
Crossing root_in(std::span<const double> p, double a, double b) {
  double slope = 0;
  const double at_a = value(p, a, slope), at_b = value(p, b, slope);
  const double x = at_a > at_b ? std::clamp(a + (b - a) * at_a / (at_a - at_b), a, b) : 0.5 * (a + b);
  const double root = events::newton_root([p](double at, double& rise) { return value(p, at, rise); }, 1,
                                          {.lo = a, .hi = b, .x = x, .step_before = b - a}, slope);
  return {root, slope};
}

}  // namespace

std::optional<Crossing> first_crossing(std::span<const double> p, double noise) {
  if (p.empty()) return std::nullopt;
  double least = p[0];
  for (std::size_t k = 1; k < p.size(); ++k) least += std::min(p[k], 0.0);
  if (least > -noise) return std::nullopt;
  const std::size_t n = p.size() - 1;
  std::array<Part, most_halvings + 2> stack;
  Coefficients& whole = stack[0].bernstein;
  for (std::size_t k = 0; k <= n; ++k) whole[k] = p[k] / binomials[n][k];
  for (std::size_t j = 1; j <= n; ++j)
    for (std::size_t i = n; i >= j; --i) whole[i] += whole[i - 1];
  stack[0].a = 0;
  stack[0].b = 1;
  for (std::size_t count = 1; count > 0;) {
    Part& part = stack[count - 1];
    const Signs signs = signs_of(part.bernstein, n, noise);
    if (signs == Signs::above) {
      --count;
      continue;
    }
    if (signs == Signs::once) return root_in(p, part.a, part.b);
    const double middle = 0.5 * (part.a + part.b);
    if (count == stack.size()) {  // (what halving no longer tells apart)
      --count;
      continue;
    }
    // The left half goes on top.
    Part& left = stack[count];
    left.a = part.a;
    left.b = part.a = middle;
    Coefficients& b = part.bernstein;
    left.bernstein[0] = b[0];
    for (std::size_t r = 1; r <= n; ++r) {
      for (std::size_t i = 0; i + r <= n; ++i) b[i] = 0.5 * (b[i] + b[i + 1]);
      left.bernstein[r] = b[0];
    }
    ++count;
  }
  return std::nullopt;
}

}  // namespace hstar::islands
