// include/hstar/integrator/one_step_flow.hpp
//
// Everything a one-step method needs to be a Flow, but the method itself: error control, landing on a time,
// projection, lazy dense output (step_reading.hpp), single steps that end where the caller says. A Method offers
//
//   Vector                                     std::vector<double>, or std::array for a size known to the compiler
//   Method(std::size_t n, const FlowOptions&, more...)
//   bool begin(t, y)                           if there is one: a segment begins; false if it cannot
//   static constexpr int order, degree;        continued solution, interpolant
//   static constexpr bool gives_end_rates;     step() leaves y'(t+h, y_new) in f_new (first same as last)
//   using Control                              step_control.hpp
//   bool step(rates, t, y, f, h, y_new, f_new) one step; false if the rates could not be evaluated
//   bool finish(rates, t, y, f, h, y_new)      the same step, without what only error and dense output need
//   void local_error(h, e)                     after step(): estimate of the local error by component
//   bool dense(rates, t, h, y0, f0, y1, f1, rows)   fills dense_rows.hpp; may evaluate
// The f and f_new given to step() stay where they are, unchanged, as long as its errors and rows are asked for.
//
// Two Method objects take turns: one holds the stages of the accepted step, the other tries the next one, so a
// failed trial never spoils what can still be read.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hstar/flow.hpp"
#include "hstar/integrator/flow_options.hpp"
#include "hstar/integrator/step_length.hpp"
#include "hstar/integrator/step_reading.hpp"
#include "hstar/integrator/vector.hpp"

namespace hstar::integrator {

/// `Problem`: OdeProblem, or a final class derived from it, whose rates() the compiler can then inline.
template <class Method, class Problem = OdeProblem>
class OneStepFlow final : public Flow {
  using Control = typename Method::Control;
  using Vector = typename Method::Vector;

 public:
  template <class... More>
  OneStepFlow(Problem& problem, const FlowOptions& options, More&... more)
      : problem_(problem),
        options_(options),
        length_(options),
        n_(problem.size()),
        methods_{Method(n_, options, more...), Method(n_, options, more...)},
        local_(zeros<Vector>(n_)),
        points_(local_),
        reading_(local_),
        unseen_(local_) {
    check_options(options);
  }

  StepResult restart(double t, std::span<const double> y) override {
    assert(y.size() == n_);
    ++counters_.restarts;
    length_.restart(t, points_.t1());
    auto &start = points_.start(), &end = points_.end();
    std::copy(y.begin(), y.end(), end.y.begin());
    start.y = end.y;
    points_.begin(t);
    reading_.forget();
    bool ok = rates()(t, end.y.data(), end.f.data()) && finite(end.f) && finite(end.y);
    if constexpr (requires(Method m) { m.begin(t, end.y); })
      ok = ok && methods_[0].begin(t, end.y) && methods_[1].begin(t, end.y);
    start.f = end.f;
    rates_stale_ = !ok;
    return ok ? StepResult::accepted : StepResult::not_finite;
  }

  StepResult step(double t_limit) override {
    assert(t_limit > points_.t1());
    if (rates_stale_ && !refresh_rates()) {
      return StepResult::not_finite;
    }
    const double t1 = points_.t1(), shortest = resolution(t1);
    double h =
        length_.begin(rates(), t1, points_.end().y, points_.end().f, t_limit, points_.trial().y, points_.trial().f);
    bool failed = false;
    double error_promised = HUGE_VAL;  // of the shorter step
    for (;;) {
      const double wanted = h, t_new = length_.end(t1, h, t_limit);
      h = t_new - t1;
      const StepResult tried = try_step(t_new, h);
      if (tried != StepResult::not_finite && ratio_ > error_promised) ++counters_.in_vain;
      if (tried == StepResult::accepted) {
        length_.accept(h, wanted, ratio_, failed);
        return StepResult::accepted;
      }
      ++counters_.rejected;
      if (length_.is_fixed() || wanted <= shortest || h <= shortest) {  // h is `wanted` rounded to the grid of t
        return tried;
      }
      const double refused = h;
      h = length_.shorter(t1, h, tried, ratio_, failed);
      // Half the order's gain, so that a step over what is not smooth is not one in vain.
      error_promised = tried == StepResult::too_small ? ratio_ * std::pow(h / refused, 0.5 * Method::order) : HUGE_VAL;
      failed = true;
    }
  }

  double t0() const override { return points_.t0(); }
  double t1() const override { return points_.t1(); }
  std::span<const double> y0() const override { return points_.start().y; }
  std::span<const double> y1() const override { return points_.end().y; }
  int degree() const override { return Method::degree; }
  int order() const override { return Method::order; }
  const FlowCounters& counters() const override { return counters_; }

  void at(double t, std::span<double> y) override {
    if (t >= points_.t1() || t <= points_.t0()) {  // the ends exactly
      const Vector& end = t >= points_.t1() ? points_.end().y : points_.start().y;
      std::copy(end.begin(), end.end(), y.begin());
      return;
    }
    reading_.at(rates(), current(), points_, t, y);
  }
  std::span<const double> row(int r) override {
    if (points_.h() == 0) return {};
    return reading_.row(rates(), current(), points_, r);
  }
  std::span<const double> error() override { return reading_.error(rates(), current(), points_); }

  StepResult finish_at(double t, std::span<double> y) override {
    const auto &start = points_.start(), &end = points_.end();
    if (t == points_.t1() || points_.h() == 0) {
      std::copy(end.y.begin(), end.y.end(), y.begin());
      return StepResult::accepted;
    }
    Vector& reached = points_.trial().y;
    if (!spare().finish(rates(), points_.t0(), start.y, start.f, t - points_.t0(), reached) || !finite(reached)) {
      return StepResult::not_finite;
    }
    if (!length_.is_fixed() && departs(t, reached)) return StepResult::too_small;
    problem_.project(t, reached.data());
    std::copy(reached.begin(), reached.end(), y.begin());
    return StepResult::accepted;
  }

 private:
  RatesOf<Problem> rates() { return {&problem_, &counters_}; }
  Method& current() { return methods_[turn_]; }
  Method& spare() { return methods_[1 - turn_]; }

  /// Farther from the accepted step's interpolant than that step goes: it has met a pole of the rates, which the
  /// accepted one has stepped over.
  bool departs(double t, const Vector& reached) {
    const auto &start = points_.start(), &end = points_.end();
    at(t, local_);
    for (std::size_t i = 0; i < n_; ++i) local_[i] -= reached[i];
    const double off = Control::ratio(options_, local_, start.y, end.y);
    if (off <= 1) return false;
    for (std::size_t i = 0; i < n_; ++i) local_[i] = end.y[i] - start.y[i];
    return off > Control::ratio(options_, local_, start.y, end.y);
  }

  static bool finite(const Vector& x) {
    return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
  }

  /// y' at t1 after a projection. The old f1 belongs to the interpolant of the accepted step: keep it if that fails.
  bool refresh_rates() {
    auto &end = points_.end(), &trial = points_.trial();
    if (!rates()(points_.t1(), end.y.data(), trial.f.data()) || !finite(trial.f)) {
      return false;
    }
    end.f.swap(trial.f);
    rates_stale_ = false;
    return true;
  }

  StepResult try_step(double t_new, double h) {
    const bool fixed = length_.is_fixed();
    const double t1 = points_.t1();
    auto &end = points_.end(), &trial = points_.trial();
    Method& method = spare();
    if (!method.step(rates(), t1, end.y, end.f, h, trial.y, trial.f)) {
      return StepResult::not_finite;
    }
    method.local_error(h, local_);
    ratio_ = Control::ratio(options_, local_, end.y, trial.y);
    if constexpr (Control::doubts_nothing) {
      static_assert(Method::gives_end_rates);
      if (!fixed && (ratio_ < Control::nothing || length_.wants_the_longest()))
        if (const Vector* defect = unseen_.of(rates(), t1, h, end, trial))
          ratio_ = std::max(ratio_, Control::ratio(options_, *defect, end.y, trial.y));
    }
    if (!std::isfinite(ratio_)) {
      return StepResult::not_finite;
    }
    // A rest below the resolution of t is walked, not judged: round-off is all its error estimate can see.
    if (!fixed && ratio_ > 1 && h > 0 && !(h < resolution(t1))) {
      return StepResult::too_small;
    }
    bool moved = problem_.project(t_new, trial.y.data());
    if constexpr (!Method::gives_end_rates) {
      if (!rates()(t_new, trial.y.data(), trial.f.data()) || !finite(trial.f)) {
        return StepResult::not_finite;
      }
      moved = false;
    }
    points_.advance(t_new);
    turn_ = 1 - turn_;
    rates_stale_ = moved;
    reading_.forget();
    ++counters_.steps;
    return StepResult::accepted;
  }

  Problem& problem_;
  FlowOptions options_;
  StepLength<Control> length_;
  std::size_t n_;
  std::array<Method, 2> methods_;
  std::size_t turn_ = 0;
  Vector local_;  ///< error of the step tried last, by component
  StepPoints<Vector> points_;
  StepReading<Method> reading_;
  UnseenDefect<Vector> unseen_;
  double ratio_ = 0;  ///< error of the step tried last, in tolerances
  bool rates_stale_ = false;
  FlowCounters counters_;
};

template <class Method>
std::unique_ptr<Flow> make_flow(OdeProblem& problem, const FlowOptions& options) {
  return std::make_unique<OneStepFlow<Method>>(problem, options);
}

/// The same method compiled for a few small sizes and for any size: with so few numbers in a state, loops and index
/// arithmetic would cost more than the method itself.
template <template <class> class Method>
std::unique_ptr<Flow> make_flow_of_size(OdeProblem& problem, const FlowOptions& options) {
  switch (problem.size()) {
    case 1:
      return make_flow<Method<std::array<double, 1>>>(problem, options);
    case 2:
      return make_flow<Method<std::array<double, 2>>>(problem, options);
    case 4:
      return make_flow<Method<std::array<double, 4>>>(problem, options);
    case 6:
      return make_flow<Method<std::array<double, 6>>>(problem, options);
    default:
      return make_flow<Method<std::vector<double>>>(problem, options);
  }
}

}  // namespace hstar::integrator
