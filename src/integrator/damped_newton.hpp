// src/integrator/damped_newton.hpp
//
// What implicit methods fall back to when their kept matrix does not converge: Newton's method with a new matrix in
// every iteration, and corrections shortened until the next one would be shorter with the same matrix (the natural
// monotonicity test: Deuflhard, Newton Methods for Nonlinear Problems, 2004, 3.3). The step h is not made smaller, so
// this is the last resort of a fixed step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace hstar::integrator {

enum class NewtonEnd : unsigned char {
  solved,
  not_evaluated,  ///< no residual or no regular matrix at the start
  stuck           ///< no part of a correction leads nearer to a solution
};

/// A System offers
///   bool residual(const double* x, double* r)    false where it cannot be evaluated
///   bool linearise(const double* x)              the derivative at x, the last evaluated point, and scales of what is
///                                                there; false if it is singular
///   void solve(double* r)                        r becomes the correction: x - r is better
///   double size(const double* change)            relative to those scales
class DampedNewton {
 public:
  /// For systems of at most this many unknowns.
  explicit DampedNewton(std::size_t most_unknowns)
      : change_(most_unknowns), next_(most_unknowns), x_try_(most_unknowns) {}

  /// Solves for the n entries of x, from the values they have.
  template <class System>
  [[nodiscard]] NewtonEnd solve(System&& system, std::size_t n, double* x) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    // Newton squares a correction of less than this into round-off: one that does not shrink any more is round-off.
    const double quadratic = std::sqrt(eps);
    constexpr double round_off = 4 * eps;
    constexpr int most = 100;  // from a start 1e16 times too large a cubic needs 91
    constexpr int halvings = 30;
    constexpr double shortest = 1.0 / (1 << halvings);  // no sensible correction points 1e9 times too far
    // Shorter parts, all the way, would not even gain a digit; one that is to become longer has had the time to.
    constexpr double crawl = 1.0 / most;
    int crawled = 0;

    if (!system.residual(x, change_.data()) || !system.linearise(x)) return NewtonEnd::not_evaluated;
    system.solve(change_.data());
    double now = system.size(change_.data()), part = 1;
    for (int iteration = 0; iteration < most; ++iteration) {
      if (!std::isfinite(now)) return NewtonEnd::not_evaluated;
      for (part = std::min(1.0, 2 * part);; part /= 2) {
        if (part < shortest) return NewtonEnd::stuck;
        for (std::size_t i = 0; i < n; ++i) x_try_[i] = x[i] - part * change_[i];
        if (part == 1 && now <= round_off) {
          std::copy_n(x_try_.begin(), n, x);
          return NewtonEnd::solved;
        }
        if (!system.residual(x_try_.data(), next_.data())) continue;
        system.solve(next_.data());
        if (system.size(next_.data()) <= (1 - part / 4) * now) break;
        if (part == 1 && now <= quadratic) return NewtonEnd::solved;
      }
      std::copy_n(x_try_.begin(), n, x);
      crawled = part < crawl ? crawled + 1 : 0;
      if (crawled > halvings) return NewtonEnd::stuck;
      if (!system.linearise(x)) return NewtonEnd::stuck;
      if (!system.residual(x, change_.data())) return NewtonEnd::stuck;
      system.solve(change_.data());
      now = system.size(change_.data());
    }
    return NewtonEnd::stuck;
  }

 private:
  std::vector<double> change_, next_, x_try_;  ///< a correction, the one after it, and the point between
};

}  // namespace hstar::integrator
