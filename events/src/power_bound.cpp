// events/src/power_bound.cpp
#include "power_bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bernstein.hpp"
#include "hstar/events/newton_root.hpp"

namespace hstar::events::detail {
namespace {

constexpr double kTerms = 64.0;  // that meet in a number
constexpr double kClear = 0.01;  // part of its slope from end to end that a guard divided by its only root keeps

/// (k-1)/k k^(-1/(k-1)), the largest value of s - s^k, rounded up.
constexpr std::array<double, PowerBound::most_powers + 1> kGap = {
    0,      0,     0.25,   0.385,  0.4725, 0.535,  0.5824, 0.6198, 0.6502, 0.6755, 0.6969, 0.7153, 0.7314,
    0.7455, 0.758, 0.7692, 0.7793, 0.7885, 0.7968, 0.8045, 0.8115, 0.818,  0.8239, 0.8295, 0.8347};

/// Of a polynomial a_0 + a_1 s + ... that is known by its coefficients: its value at 1, and by how much `sign` times it
/// lies above the line through its ends at most.
struct Above {
  double end = 0.0, line = 0.0;
};
template <class Coefficient>
Above above(int sign, std::size_t count, const Coefficient& a) {
  Above out;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = sign * a(k);
    out.end += x;
    out.line += kGap[k] * std::max(0.0, -x);
  }
  return out;
}

/// Such a polynomial, from `start` at 0, is clearly below zero throughout.
bool is_clear(double start, const Above& p) {
  return std::max(start, p.end) + p.line < -kClear * std::max(std::fabs(start), std::fabs(p.end));
}

}  // namespace

PowerBound::PowerBound(double g0, double g1, std::span<const double> c) : g0_(g0), g1_(g1), c_(c) {
  double size = std::fabs(g0) + std::fabs(g1);
  for (const double x : c) size += std::fabs(x);
  noise_ = kTerms * kRoundOff * size;
}

bool PowerBound::leaves_zero(const Standing& s, double g_tol) const {
  const double start = s.sign * g0_, end = s.sign * g1_;
  if (!s.leading || s.trend == -s.sign || start < -g_tol || !(end > 3.0 * (g_tol + noise_))) return false;
  // (g - g0)/s = c_1 + c_2 s + ... has its sign.
  const Above q = above(-s.sign, c_.size(), [&](std::size_t k) { return c_[k]; });
  return is_clear(-s.sign * c_[0], q);
}

PowerBound::Least PowerBound::least(int sign) const {
  const double dip = above(-sign, c_.size() + 1, [&](std::size_t k) { return k == 0 ? 0.0 : c_[k - 1]; }).line;
  return {std::min(sign * g0_, sign * g1_) - dip, dip};
}

bool PowerBound::only_root(int sign, double& root, double& slope) const {
  root = newton_root([&](double s, double& rise) { return value(s, rise); }, sign, {}, slope);
  // g/(s - root), by Horner's rule
  std::array<double, most_powers> q{};
  double sum = 0.0;
  for (std::size_t k = c_.size(); k-- > 0;) q[k] = sum = c_[k] + root * sum;
  const Above of = above(sign, c_.size(), [&](std::size_t k) { return q[k]; });
  return is_clear(sign * q[0], of);
}

void PowerBound::pass(Standing& s, double t1) const {
  double slope = 0.0;
  for (std::size_t k = 0; k < c_.size(); ++k) slope += static_cast<double>(k + 1) * c_[k];
  if (std::fabs(slope) > noise_) s.trend = slope > 0.0 ? 1 : -1;
  s.leading = false;
  s.t = t1;
  s.g = g1_;
}

/// Even and odd powers apart, so that neither waits for the other.
double PowerBound::value(double s, double& slope) const {
  const double u = s * s;
  double even = 0.0, odd = 0.0, even_rise = 0.0, odd_rise = 0.0;  // and their derivatives by u
  std::size_t k = c_.size();                                      // (c_[k - 1] is the coefficient of s^k)
  if (k % 2 == 1) odd = c_[--k];
  for (; k > 1; k -= 2) {
    even_rise = even_rise * u + even;
    odd_rise = odd_rise * u + odd;
    even = even * u + c_[k - 1];
    odd = odd * u + c_[k - 2];
  }
  even_rise = even_rise * u + even;
  even = even * u + g0_;
  slope = 2.0 * s * even_rise + odd + 2.0 * u * odd_rise;
  return even + s * odd;
}

}  // namespace hstar::events::detail
