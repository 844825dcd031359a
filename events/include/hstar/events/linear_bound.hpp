// events/include/hstar/events/linear_bound.hpp
//
// Proof, from a few numbers, that a guard which is linear in t and y keeps clear of zero on a whole step: its values
// at both ends, and what each row of the interpolant (dense_step.hpp) can add between them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace hstar::events {

/// What is known of a guard between two steps.
struct Standing {
  int sign = 0;         ///< side of zero; 0: not known yet
  bool leading = true;  ///< since the restart no place was clearly off zero
  int trend = 0;        ///< +1 rising, -1 falling at the last place, 0 not known
  double carry = 0.0;   ///< |g| that the last event has left behind: still zero at the next start
  double t = std::numeric_limits<double>::quiet_NaN();  ///< end of the last step, if the value there is known [s]
  double g = 0.0;                                       ///< value there
};

/// Collects the numbers of one guard on one step, then judges. With s = (t - t0)/(t1 - t0) the guard is
/// g0 + s (g1 - g0) + sum over r >= 1 of d_r s (1-s) s (1-s) ... (r + 1 factors), d_r the guard's change by row r
/// alone.
class LinearBound {
 public:
  static constexpr int max_rows = 16;  ///< rows 0 to max_rows - 1 can be bounded

  LinearBound() = default;
  LinearBound(double g0, double g1)
      : g0_(g0), g1_(g1), noise_(64.0 * std::numeric_limits<double>::epsilon() * (std::fabs(g0) + std::fabs(g1))) {
    d_[0] = g1 - g0;
  }

  /// Only a guard that is far from zero at both ends, compared with its change, or that leaves zero has a chance. False
  /// for NaN.
  [[nodiscard]] bool promising(const Standing& s) const {
    const double least = std::min(s.sign * g0_, s.sign * g1_);
    return least > 0.02 * std::fabs(g1_ - g0_) || (s.leading && s.sign * g1_ > 0.0);
  }
  /// True if it goes from a side that it has left zero to, to the other one. False for NaN.
  [[nodiscard]] bool crosses(const Standing& s) const { return !s.leading && s.sign * g0_ > 0.0 && s.sign * g1_ < 0.0; }
  /// Row r >= 1 changes the guard by d; rows come in order.
  void add_row(int r, double d) {
    const auto i = static_cast<std::size_t>(r);
    d_[i] = d;
    rows_ = i + 1;
    bend_ += kSize[i] * std::fabs(d);
  }
  /// True if the guard keeps the sign it has on the whole step and does not come near zero and turn back, however small
  /// the step's error: a dip is told from a graze if it is this much shallower than the distance that is left. A guard
  /// that begins at zero after a restart must leave it without turning.
  [[nodiscard]] bool clear(const Standing& s, double g_tol) const {
    const double start = s.sign * g0_, end = s.sign * g1_, zero = 3.0 * (g_tol + noise_);
    const double least = std::min(start, end) - bend_;
    if (least > zero && (least > kMargin * bend_ || monotone(s.trend))) return true;
    return s.leading && start >= -g_tol && end > std::max(zero, start) && monotone(s.trend);
  }
  /// Moves on to the end t1 of a step that was clear.
  void pass(Standing& s, double t1) const {
    s.trend = trend_after(s.trend);
    s.leading = false;
    s.t = t1;
    s.g = g1_;
  }
  /// Trend at the end of the step, from the one before it.
  [[nodiscard]] int trend_after(int trend) const {
    const double end_slope = g1_ - g0_ - (rows_ > 1 ? d_[1] : 0.0) - (rows_ > 2 ? d_[2] : 0.0);
    if (!(std::fabs(end_slope) > noise_)) return trend;
    return end_slope > 0.0 ? 1 : -1;
  }

  [[nodiscard]] double start() const { return g0_; }
  [[nodiscard]] double end() const { return g1_; }
  [[nodiscard]] int rows() const { return static_cast<int>(rows_); }  ///< row 0 and those added
  [[nodiscard]] double row(int r) const { return d_[r]; }
  /// Round-off of the numbers collected so far.
  [[nodiscard]] double noise() const {
    double size = 0.0;
    for (std::size_t r = 1; r < rows_; ++r) size += std::fabs(d_[r]);
    return noise_ + 64.0 * std::numeric_limits<double>::epsilon() * size;
  }

 private:
  [[nodiscard]] bool monotone(int trend) const {
    double turn = noise_;
    for (std::size_t r = 1; r < rows_; ++r) turn += kSlope[r] * std::fabs(d_[r]);
    return std::fabs(g1_ - g0_) > turn && (trend == 0 || (g1_ > g0_) == (trend > 0));
  }

  // largest value of s (1-s) s (1-s) ... with r + 1 factors on [0, 1], and of its derivative, rounded up
  static constexpr std::array<double, max_rows> kSize = {1.0,      0.25,    0.1482,   0.0625,  0.03457,  0.01563,
                                                         0.0084,   0.00391, 0.00207,  0.00098, 0.000512, 0.000245,
                                                         0.000127, 6.11e-5, 3.156e-5, 1.526e-5};
  static constexpr std::array<double, max_rows> kSlope = {1.0,      1.0,      1.0,      0.193,   0.149,   0.0539,
                                                          0.0381,   0.0155,   0.00878,  0.00407, 0.00232, 0.0011,
                                                          0.000611, 0.000294, 1.606e-4, 7.78e-5};
  static constexpr double kMargin = 10.0;

  double g0_ = 0.0, g1_ = 0.0, noise_ = 0.0, bend_ = 0.0;
  std::size_t rows_ = 1;
  std::array<double, max_rows> d_;  ///< by row; those below rows_ are set
};

}  // namespace hstar::events
