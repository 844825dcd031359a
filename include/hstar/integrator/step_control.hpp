// include/hstar/integrator/step_control.hpp
//
// How the next step size follows from the error of the last step. `ratio` is the error in units of the tolerance
// (1 = just acceptable); `q` the power of h with which the estimate falls.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hstar/flow.hpp"
#include "hstar/integrator/flow_options.hpp"
#include "hstar/integrator/vector.hpp"

namespace hstar::integrator {

/// Of the coordinates and velocities of a mechanism, max_i |e_i| / (atol + rtol max(|y_i|, |y_new_i|) + carried
/// round-off); of all else nothing is known to be alike.
template <class Vector>
double mechanism_error_ratio(const FlowOptions& o, const Vector& e, const Vector& y, const Vector& y_new) {
  double worst = 0;
  const CarriedRoundOff round_off(o, y_new);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double size = std::max(std::abs(y[i]), std::abs(y_new[i]));
    const double ratio = std::abs(e[i]) / (o.atol + o.rtol * size + round_off(i));
    worst = std::isfinite(y_new[i]) && ratio <= worst ? worst : ratio + 0 * y_new[i];
  }
  return worst;
}

/// max_i |e_i| / (atol + rtol max(|y_i|, |y_new_i|)); NaN if anything is not finite.
template <class Vector>
inline double mixed_error_ratio(const FlowOptions& o, const Vector& e, const Vector& y, const Vector& y_new) {
  if (o.coordinates > 0) return mechanism_error_ratio(o, e, y, y_new);
  double worst = 0;
  double poison = 0;  // 0 * inf and 0 * nan are nan
  each(
      e, [&](std::size_t i) __attribute__((always_inline)) {
        poison += 0 * y_new[i] + 0 * e[i];
        // Values, not references as in std::max: those would make it branches that nobody can predict.
        const double before = std::abs(y[i]), after = std::abs(y_new[i]);
        const double ratio = std::abs(e[i]) / (o.atol + o.rtol * (before < after ? after : before));
        worst = worst < ratio ? ratio : worst;
      });
  return worst + poison;
}

/// The elementary controller (Hairer, Norsett & Wanner, Solving ODEs I, 1993, II.4).
template <int q>
struct ElementaryControl {
  static constexpr double stretch = 1.02;        ///< a step this much too short to reach the limit is lengthened
  static constexpr bool split = true;            ///< the last two steps before a limit share the way
  static constexpr bool fresh_start = false;     ///< a restart goes on with the step size of the segment before
  static constexpr bool doubts_nothing = false;  ///< steps grow out of a first one that has seen the rates

  template <class Vector>
  static double ratio(const FlowOptions& o, const Vector& e, const Vector& y, const Vector& y_new) {
    return mixed_error_ratio(o, e, y, y_new);
  }
  static double longest(const FlowOptions& o, double /*t_start*/) { return o.max_step; }
  template <class Vector>
  static double first(const Rates& rates, double t, const Vector& y, const Vector& f, const FlowOptions& o,
                      double longest, Vector& y_try, Vector& f_try) {
    return first_step(rates, t, y, f, o, q - 1, longest, y_try, f_try);
  }
  static double factor(double ratio) { return std::clamp(fitting(ratio), 0.2, 10.0); }
  static double after_success(double h, double ratio, bool failed) {
    // A small change is not worth it: with the same h the next step can begin before this one has been judged.
    if (ratio > kSmall && ratio < kLarge) {
      return h;
    }
    return h * (failed ? std::min(1.0, factor(ratio)) : factor(ratio));
  }
  /// `begins`: the first step after a restart has its length from before it, where the rates may have been constant; it
  /// is cut at once to what its error asks for.
  static double after_failure(double h, double ratio, bool /*failed_before*/, bool begins) {
    return h * std::min(0.9, begins ? std::max(fitting(ratio), kMostCutAtStart) : factor(ratio));
  }

 protected:
  /// Length that the error asks for, in steps of the length just tried.
  static double fitting(double ratio) {
    // Single precision is plenty for a step size, and three times faster.
    const auto r = static_cast<float>(std::clamp(ratio, 1e-12, 1e30));
    return kSafety * static_cast<double>(std::pow(r, -1.0F / q));
  }

 private:
  static constexpr double power(double x) {
    double result = 1;
    for (int i = 0; i < q; ++i) {
      result *= x;
    }
    return result;
  }
  static constexpr double kSafety = 0.85;
  static constexpr double kMostCutAtStart = 1e-6;
  static constexpr double kSmall = power(kSafety / 1.2), kLarge = power(kSafety / 0.9);  ///< where factor() is near 1
};

/// Gustafsson's predictive controller (Hairer & Wanner, Solving ODEs II, 1996, IV.8, equation 8.25): the factor by
/// which the error's coefficient grew over the last step is expected again over the next one. Where stiff motion turns
/// fast, steps shrink before they are refused.
template <int q>
class PredictiveControl : public ElementaryControl<q> {
  using Elementary = ElementaryControl<q>;

 public:
  double after_success(double h, double ratio, bool failed) {
    double next = Elementary::after_success(h, ratio, failed);
    if (h_before_ > 0) {
      const double gain = Elementary::fitting(ratio) * (h / h_before_) * std::pow(ratio_before_ / ratio, 1.0 / q);
      next = std::min(next, h * std::max(gain, kMostCut));
    }
    h_before_ = h;
    ratio_before_ = std::max(ratio, kLeast);
    return next;
  }

 private:
  static constexpr double kMostCut = 0.2, kLeast = 1e-2;  ///< of RADAU5: what lies below foretells nothing
  double h_before_ = 0, ratio_before_ = 0;                ///< of the last accepted step; 0: there is none
};

/// Step control of `ode23` as published: L. F. Shampine & M. W. Reichelt, The MATLAB ODE Suite, SIAM J. Sci. Comput.
/// 18 (1997): error relative to max(|y|, |y_new|, atol/rtol) in the maximum norm, safety 0.8, growth at most 5, no
/// growth after a failure, halving from the second failure on, steps at most a tenth of the interval.
struct Ode23Control {
  static constexpr double stretch = 1.1;
  static constexpr bool split = false;
  /// A restart estimates its first step anew, as a new call of ode23 does: a step size left over from stick would
  /// spend the whole tolerance on the first step of slip (measured on validation/ode23, dragsled_mu09_06_default).
  static constexpr bool fresh_start = true;
  /// What is at rest has no rate, and the published rule begins with a tenth of the interval. If the force's zeros are
  /// as far apart all stages find nothing, in this step and in the next ones. The longest steps, and those whose error
  /// lets the step grow by the most it may, (0.2 / 1.25)^3, are checked at one more place.
  static constexpr bool doubts_nothing = true;
  static constexpr double nothing = 0.004096;

  template <class Vector>
  static double ratio(const FlowOptions& o, const Vector& e, const Vector& y, const Vector& y_new) {
    double worst = 0;
    double poison = 0;
    each(
        e, [&](std::size_t i) __attribute__((always_inline)) {
          poison += 0 * y_new[i] + 0 * e[i];
          const double size = std::max(std::abs(y[i]), std::abs(y_new[i]));
          worst = std::max(worst, std::abs(e[i]) / std::max(o.rtol * size, o.atol));
        });
    return worst + poison;
  }
  static double longest(const FlowOptions& o, double t_start) {
    const double tenth = 0.1 * (o.t_end - t_start);
    return tenth > 0 ? std::min(o.max_step, tenth) : o.max_step;
  }
  template <class Vector>
  static double first(const Rates&, double, const Vector& y, const Vector& f, const FlowOptions& o, double longest,
                      Vector&, Vector&) {
    double rate = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      rate = std::max(rate, std::abs(f[i]) / std::max(std::abs(y[i]), o.atol / o.rtol));
    }
    rate /= 0.8 * std::cbrt(o.rtol);
    return longest * rate > 1 ? 1 / rate : longest;
  }
  static double after_success(double h, double ratio, bool failed) {
    if (failed) {
      return h;
    }
    const double shrink = 1.25 * std::cbrt(ratio);
    return shrink > 0.2 ? h / shrink : 5 * h;
  }
  static double after_failure(double h, double ratio, bool failed_before, bool /*begins*/) {
    return failed_before ? 0.5 * h : h * std::max(0.5, 0.8 / std::cbrt(ratio));
  }
};

}  // namespace hstar::integrator
