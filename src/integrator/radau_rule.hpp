// src/integrator/radau_rule.hpp
//
// The numbers of Radau IIA with three stages (Hairer & Wanner, Solving ODEs II, 1996, IV.5 and IV.8), and the
// polynomial that it is read from between the ends of a step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "hstar/flow.hpp"
#include "hstar/integrator/dense_rows.hpp"
#include "hstar/integrator/flow_options.hpp"
#include "hstar/integrator/step_control.hpp"

namespace hstar::integrator::radau {

inline const double kSqrt6 = std::sqrt(6.0);
inline const std::array<double, 3> kC{(4 - kSqrt6) / 10, (4 + kSqrt6) / 10, 1.0};
inline const std::array<std::array<double, 3>, 3> kA{
    {{(88 - 7 * kSqrt6) / 360, (296 - 169 * kSqrt6) / 1800, (-2 + 3 * kSqrt6) / 225},
     {(296 + 169 * kSqrt6) / 1800, (88 + 7 * kSqrt6) / 360, (-2 - 3 * kSqrt6) / 225},
     {(16 - kSqrt6) / 36, (16 + kSqrt6) / 36, 1.0 / 9}}};
/// The real eigenvalue of A, and the weights of the stages in the error estimate (IV.8, equation 8.18).
inline const double kGamma0 = (6 + std::cbrt(81.0) - std::cbrt(9.0)) / 30;
inline const std::array<double, 3> kE{kGamma0 * (-13 - 7 * kSqrt6) / 3, kGamma0*(-13 + 7 * kSqrt6) / 3, -kGamma0 / 3};

/// How much larger than asked for the estimate of a step's error may be: it falls with h^4, the error itself with h^6.
/// RADAU5's rule, 0.1 rtol^(2/3) in place of rtol.
inline double allowance(const FlowOptions& options) { return 0.1 / std::cbrt(options.rtol); }
/// Part of the tolerance asked for that Newton's method may leave in a step. It adds up over the steps: RADAU5's
/// min(0.03, sqrt(rtol)) of the tolerances of estimates takes a tenth less iterations from here, and costs what moves
/// slowly one to three digits.
inline constexpr double kNewtonPart = 1e-3;
/// `options` with the tolerances of estimates.
inline FlowOptions with_allowance(FlowOptions options) {
  const double factor = allowance(options);
  options.rtol *= factor;
  options.atol *= factor;
  return options;
}

/// Between the ends stiff motion is read from the collocation polynomial, good to the order of the error estimate, h^4:
/// there the estimate watches over it, to the tolerance times the allowance. Where the motion is not stiff
/// for the step, it is read from the quintic through both ends with their rates and the rates at two places between.
/// Those are taken on the quartic through the stages and f at the start; where constraints leave the stages' velocities
/// an order less, on the cubic through both ends, and once more on the quintic that this gives.
class Interpolant {
 public:
  using Vector = std::vector<double>;
  static constexpr int degree = 5;

  Interpolant(std::size_t n, bool trusts_stages) : n_(n), trusts_stages_(trusts_stages), y_(n), f_(2 * n) {}

  /// `z`: the three stages, less y0, one after the other.
  template <class Rates>
  void rows(const Rates& rates, double t, double h, const Vector& z, const Vector& y0, const Vector& f0,
            const Vector& y1, const Vector& f1, DenseRows<Vector, degree>& rows) {
    collocation_rows(z, y0, y1, rows);
    if (is_stiff(h, z, f0, f1, rows)) return;
    constexpr std::array<double, 2> places{1.0 / 3, 2.0 / 3};
    if (!trusts_stages_) hermite_rows(h, y0, f0, y1, f1, rows);
    for (int pass = trusts_stages_ ? 1 : 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < 2; ++k) {
        const double s = places[k];
        evaluate_rows<degree>(rows, y0, s, y_.data());
        if (trusts_stages_)
          for (std::size_t i = 0; i < n_; ++i) y_[i] += (h * f0[i] - (rows[0][i] + rows[1][i])) * quartic(s);
        if (!rates(t + s * h, y_.data(), f_.data() + k * n_)) return;
      }
      quintic_rows(h, y0, f0, y1, f1, places, rows);
    }
  }

 private:
  /// Through both ends with their rates and the rates f_ at two places.
  void quintic_rows(double h, const Vector& y0, const Vector& f0, const Vector& y1, const Vector& f1,
                    const std::array<double, 2>& places, DenseRows<Vector, degree>& rows) const {
    hermite_rows(h, y0, f0, y1, f1, rows);
    // Slopes of s^2 (1 - s)^2 and of s^3 (1 - s)^2.
    const auto slope3 = [](double s) { return 2 * s * (1 - s) * (1 - 2 * s); };
    const auto slope4 = [](double s) { return s * s * (1 - s) * (3 - 5 * s); };
    const double det = slope3(places[0]) * slope4(places[1]) - slope3(places[1]) * slope4(places[0]);
    for (std::size_t i = 0; i < n_; ++i) {
      std::array<double, 2> left{};
      for (std::size_t k = 0; k < 2; ++k) {
        const double s = places[k];
        left[k] = h * f_[k * n_ + i] - (rows[0][i] + (1 - 2 * s) * rows[1][i] + s * (2 - 3 * s) * rows[2][i]);
      }
      rows[3][i] = (left[0] * slope4(places[1]) - left[1] * slope4(places[0])) / det;
      rows[4][i] = (left[1] * slope3(places[0]) - left[0] * slope3(places[1])) / det;
    }
  }

  void collocation_rows(const Vector& z, const Vector& y0, const Vector& y1, DenseRows<Vector, degree>& rows) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const double end = z[2 * n_ + i];
      // What multiplies s (1 - s) at the two inner stages.
      const auto inner = [&](std::size_t k) { return (z[k * n_ + i] - kC[k] * end) / (kC[k] * (1 - kC[k])); };
      const double slope = (inner(1) - inner(0)) / (kC[1] - kC[0]);
      rows[0][i] = y1[i] - y0[i];
      rows[1][i] = inner(0) - kC[0] * slope;
      rows[2][i] = slope;
      rows[3][i] = rows[4][i] = 0;
    }
  }

  /// The collocation polynomial does not begin with the rates at the start: they belong to what decays within the step.
  [[nodiscard]] bool is_stiff(double h, const Vector& z, const Vector& f0, const Vector& f1,
                              const DenseRows<Vector, degree>& rows) const {
    constexpr double part = 0.1;
    double way = 0, off = 0;
    for (const double x : z) way = std::max(way, std::abs(x));
    for (std::size_t i = 0; i < n_; ++i) {
      way = std::max({way, std::abs(h * f0[i]), std::abs(h * f1[i])});
      off = std::max(off, std::abs(h * f0[i] - (rows[0][i] + rows[1][i])));
    }
    return !(off <= part * way);
  }

  /// Zero at both ends, with slope 1 at the start and 0 at the stages.
  [[nodiscard]] static double quartic(double s) {
    // The integral of (s - c0)(s - c1)(s - 1) / (-c0 c1), from 0.
    const double sum = kC[0] + kC[1], product = kC[0] * kC[1];
    return s * (product - s * (0.5 * (sum + product) - s * ((1 + sum) / 3 - 0.25 * s))) / product;
  }

  std::size_t n_;
  bool trusts_stages_;
  Vector y_, f_;  ///< a place between, and the rates at two
};

/// What a step leaves for the flow (one_step_flow.hpp), whatever its equations are.
class Step {
 public:
  using Vector = std::vector<double>;
  static constexpr int order = 5;
  static constexpr int degree = Interpolant::degree;
  static constexpr bool gives_end_rates = false;
  using Control = PredictiveControl<4>;

  void local_error(double /*h*/, Vector& e) const {
    for (std::size_t i = 0; i < e.size(); ++i) e[i] = std::abs(error_[i]) / allowance_;
  }
  bool dense(const Rates& rates, double t, double h, const Vector& y0, const Vector& f0, const Vector& y1,
             const Vector& f1, DenseRows<Vector, degree>& rows) {
    interpolant_.rows(rates, t, h, z_, y0, f0, y1, f1, rows);
    return true;
  }

 protected:
  Step(std::size_t n, const FlowOptions& options, bool trusts_stages)
      : options_(with_allowance(options)),
        allowance_(allowance(options)),
        z_(3 * n),
        error_(n),
        interpolant_(n, trusts_stages) {}

  FlowOptions options_;  ///< with the tolerances of estimates
  double allowance_;
  Vector z_, error_;  ///< the three stages, less y at the start, one after the other; the estimate
  Interpolant interpolant_;
};

}  // namespace hstar::integrator::radau
