// include/hstar/integrator/flow_options.hpp
//
// What all integrators share before the first step: options checked once, and a first step size guessed
// from the size of y, y' and y''.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

#include "hstar/flow.hpp"

namespace hstar::integrator {

/// @throws InputError naming option, value, bound and remedy.
void check_options(const FlowOptions& options);

/// The right-hand side as the methods call it: counts, and refuses what is not finite only by its own return value.
/// `Problem` is OdeProblem, or a final class derived from it, whose rates() the compiler then sees.
template <class Problem>
struct RatesOf {
  Problem* problem;
  FlowCounters* counters;

  [[gnu::always_inline]] bool operator()(double t, const double* y, double* ydot) const {
    ++counters->evaluations;
    return problem->rates(t, y, ydot);
  }
  operator RatesOf<OdeProblem>() const requires(!std::is_same_v<Problem, OdeProblem>) { return {problem, counters}; }
};
using Rates = RatesOf<OdeProblem>;

/// 16 units in the last place of t: steps shorter than that mean nothing.
[[nodiscard]] inline double resolution(double t) {
  return std::max(16 * std::numeric_limits<double>::epsilon() * std::abs(t), 16 * std::numeric_limits<double>::min());
}

/// Constraints and friction carry the round-off of the fastest body to one that stands still: nothing of a mechanism is
/// asked to be better than this part of what is largest of its kind, in lengths, angles and velocities. An angle enters
/// by its sine and cosine, of size 1; a turning rate counts as the speed at the body's radius of gyration, and takes
/// over the round-off of speeds by it. So the units do not matter.
class CarriedRoundOff {
 public:
  template <class Vector>
  CarriedRoundOff(const FlowOptions& o, const Vector& y) : o_(o) {
    for (std::size_t i = 0; i < o.coordinates; ++i) {
      double& largest = radius(i) > 0 ? angle_ : length_;
      largest = std::max(largest, std::abs(y[i]));
    }
    for (std::size_t i = o.coordinates; i < o.coordinates + o.velocities; ++i)
      speed_ = std::max(speed_, std::abs(y[i]) * (radius(i) > 0 ? radius(i) : 1));
  }
  /// Of entry i of y.
  [[nodiscard]] double operator()(std::size_t i) const {
    if (i < o_.coordinates) return part * (radius(i) > 0 ? angle_ : length_);
    if (i < o_.coordinates + o_.velocities) return part * (radius(i) > 0 ? speed_ / radius(i) : speed_);
    return 0;
  }

 private:
  static constexpr double part = 64 * std::numeric_limits<double>::epsilon();
  [[nodiscard]] double radius(std::size_t i) const { return i < o_.turning.size() ? o_.turning[i] : 0; }
  const FlowOptions& o_;
  double length_ = 0, angle_ = 1, speed_ = 0;
};

/// First step for a method of the given order: y' and a difference of y' set the scale (Hairer, Norsett & Wanner,
/// Solving ODEs I, 1993, II.4). One evaluation; `y_try` and `f_try` are scratch. Not larger than `longest`.
[[nodiscard]] double first_step(const Rates& rates, double t, std::span<const double> y, std::span<const double> f,
                                const FlowOptions& options, int order, double longest, std::span<double> y_try,
                                std::span<double> f_try);

}  // namespace hstar::integrator
