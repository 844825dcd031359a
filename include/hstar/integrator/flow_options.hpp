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

/// Constraints and friction carry the round-off of the fastest body to one that stands still: in the size of the
/// largest coordinate or velocity, nothing is asked to be better than this.
inline constexpr double carried_round_off = 64 * std::numeric_limits<double>::epsilon();

/// First step for a method of the given order: y' and a difference of y' set the scale (Hairer, Norsett & Wanner,
/// Solving ODEs I, 1993, II.4). One evaluation; `y_try` and `f_try` are scratch. Not larger than `longest`.
[[nodiscard]] double first_step(const Rates& rates, double t, std::span<const double> y, std::span<const double> f,
                                const FlowOptions& options, int order, double longest, std::span<double> y_try,
                                std::span<double> f_try);

}  // namespace hstar::integrator
