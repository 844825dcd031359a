// include/hstar/integrator/step_length.hpp: how long the steps of a one-step method are.
#pragma once

#include <algorithm>
#include <span>

#include "hstar/flow.hpp"
#include "hstar/integrator/fixed_step.hpp"
#include "hstar/integrator/flow_options.hpp"

namespace hstar::integrator {

/// The next length and its bounds: what the control (step_control.hpp) makes of errors, what a restart makes of
/// lengths, and where a step ends that would come near a limit.
template <class Control>
class StepLength {
 public:
  explicit StepLength(const FlowOptions& options) : options_(options) {}

  [[nodiscard]] bool is_fixed() const { return options_.fixed_step > 0; }

  /// A segment begins at t; the last accepted step ended at `t_last`.
  void restart(double t, double t_last) {
    if (!begun_once_) {
      begun_once_ = true;
      longest_ = longest_first_ = Control::longest(options_, t);
      next_ = std::min(options_.first_step, longest_);
    } else if (Control::fresh_start) {
      next_ = 0;  // begin() estimates the first step anew
      // Events come in clusters (bounces): the next segment may be as short as the one that an event inside a step
      // ended. One that ended with a step was as long as its steps, and says nothing.
      if (t == t_last)
        longest_first_ = longest_;
      else if (t > begun_)
        longest_first_ = std::min(longest_, kAfterEvent * (t - begun_));
    }
    begun_ = t;
    control_ = {};
    // A phase in which nothing happens (stick) lets steps grow without bound; what follows it is like what came before.
    if (governed_ > 0) next_ = std::min(next_, governed_);
  }

  /// The length to try from (t, y), where the rates are f; y_try and f_try are scratch.
  template <class Vector>
  double begin(const Rates& rates, double t, const Vector& y, const Vector& f, double t_limit, Vector& y_try,
               Vector& f_try) {
    if (is_fixed()) return options_.fixed_step;
    if (next_ <= 0) {
      const double to_end = options_.t_end > t ? options_.t_end - t : t_limit - t;
      next_ = Control::first(rates, t, y, f, options_, std::min(longest_first_, to_end), y_try, f_try);
    }
    const double shortest = resolution(t);
    return std::clamp(next_, shortest, std::max(longest_, shortest));
  }

  /// End of a step of about h from t: the limit if it is near, half the way if one more short step would remain.
  [[nodiscard]] double end(double t, double h, double t_limit) const {
    if (is_fixed()) return fixed_step_end(t, h, begun_, t_limit);
    const double way = t_limit - t;
    if (way <= h * Control::stretch) return t_limit;
    return t + (Control::split && way < 2 * h ? 0.5 * way : h);
  }

  /// A step of length h with this error is accepted; `wanted` is what it would have been without a limit.
  void accept(double h, double wanted, double ratio, bool failed) {
    const double grown = control_.after_success(h, ratio, failed);
    next_ = std::min(failed || h >= wanted ? grown : std::max(grown, wanted), longest_);
    if (ratio > kGoverned) governed_ = next_;
  }

  /// The length to try after one of length h from t was refused.
  [[nodiscard]] double shorter(double t, double h, StepResult refused, double ratio, bool failed_before) const {
    const double next =
        refused == StepResult::not_finite ? 0.5 * h : Control::after_failure(h, ratio, failed_before, t == begun_);
    return std::max(next, resolution(t));
  }

  /// (Also after failures.)
  [[nodiscard]] bool wants_the_longest() const { return next_ >= longest_; }

 private:
  static constexpr double kGoverned = 1e-4;
  /// Part of the last segment's length that the first step after an event may have, where it is estimated anew.
  static constexpr double kAfterEvent = 0.1;

  FlowOptions options_;
  Control control_;
  double next_ = 0, longest_ = 0, longest_first_ = 0;
  double begun_ = 0;     ///< start of the segment
  double governed_ = 0;  ///< the last length that an error of at least kGoverned tolerances chose
  bool begun_once_ = false;
};

}  // namespace hstar::integrator
