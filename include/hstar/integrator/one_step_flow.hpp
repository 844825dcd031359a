// include/hstar/integrator/one_step_flow.hpp
//
// Everything a one-step method needs to be a Flow, but the method itself: error control, landing on a time,
// projection, lazy dense output, single steps that end where the caller says. A Method offers
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
#include "hstar/integrator/dense_rows.hpp"
#include "hstar/integrator/flow_options.hpp"
#include "hstar/integrator/step_length.hpp"
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
        slope_(zeros<Vector>(n_)),
        error_(slope_) {
    check_options(options);
    points_.fill({slope_, slope_});
    rows_.fill(slope_);
    unseen_rows_.fill(slope_);
  }
  OneStepFlow(const OneStepFlow&) = delete;
  OneStepFlow& operator=(const OneStepFlow&) = delete;

  StepResult restart(double t, std::span<const double> y) override {
    assert(y.size() == n_);
    ++counters_.restarts;
    length_.restart(t, t1_);
    std::copy(y.begin(), y.end(), end_->y.begin());
    start_->y = end_->y;
    t0_ = t1_ = t;
    h_ = 0;
    dense_ready_ = error_ready_ = rates_stale_ = false;
    bool ok = rates()(t, end_->y.data(), end_->f.data()) && finite(end_->f) && finite(end_->y);
    if constexpr (requires(Method m) { m.begin(t, end_->y); })
      ok = ok && methods_[0].begin(t, end_->y) && methods_[1].begin(t, end_->y);
    start_->f = end_->f;
    rates_stale_ = !ok;
    return ok ? StepResult::accepted : StepResult::not_finite;
  }

  StepResult step(double t_limit) override {
    assert(t_limit > t1_);
    if (rates_stale_ && !refresh_rates()) {
      return StepResult::not_finite;
    }
    double h = length_.begin(rates(), t1_, end_->y, end_->f, t_limit, trial_->y, trial_->f);
    const double shortest = resolution(t1_);
    bool failed = false;
    double error_promised = HUGE_VAL;  // of the shorter step
    for (;;) {
      const double wanted = h, t_new = length_.end(t1_, h, t_limit);
      h = t_new - t1_;
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
      h = length_.shorter(t1_, h, tried, ratio_, failed);
      // Half the order's gain, so that a step over what is not smooth is not one in vain.
      error_promised = tried == StepResult::too_small ? ratio_ * std::pow(h / refused, 0.5 * Method::order) : HUGE_VAL;
      failed = true;
    }
  }

  double t0() const override { return t0_; }
  double t1() const override { return t1_; }
  std::span<const double> y0() const override { return start_->y; }
  std::span<const double> y1() const override { return end_->y; }
  int degree() const override { return Method::degree; }
  int order() const override { return Method::order; }
  const FlowCounters& counters() const override { return counters_; }

  void at(double t, std::span<double> y) override {
    if (t >= t1_ || t <= t0_) {  // the ends exactly
      const Vector& end = t >= t1_ ? end_->y : start_->y;
      std::copy(end.begin(), end.end(), y.begin());
      return;
    }
    if (!dense_ready_) {
      prepare_dense();
    }
    evaluate_rows<Method::degree>(rows_, start_->y, (t - t0_) / h_, y.data());
  }

  std::span<const double> row(int r) override {
    if (h_ == 0) {
      return {};
    }
    if (!dense_ready_) {
      prepare_dense();
    }
    return rows_[r];
  }

  std::span<const double> error() override {
    if (!error_ready_) {
      if (h_ > 0) {
        estimate_error();
      } else {
        std::fill(error_.begin(), error_.end(), 0.0);
      }
      error_ready_ = true;
    }
    return error_;
  }

  StepResult finish_at(double t, std::span<double> y) override {
    if (t == t1_ || h_ == 0) {
      std::copy(end_->y.begin(), end_->y.end(), y.begin());
      return StepResult::accepted;
    }
    if (!spare().finish(rates(), t0_, start_->y, start_->f, t - t0_, trial_->y) || !finite(trial_->y)) {
      return StepResult::not_finite;
    }
    problem_.project(t, trial_->y.data());
    std::copy(trial_->y.begin(), trial_->y.end(), y.begin());
    return StepResult::accepted;
  }

 private:
  RatesOf<Problem> rates() { return {&problem_, &counters_}; }
  Method& current() { return methods_[turn_]; }
  Method& spare() { return methods_[1 - turn_]; }

  static bool finite(const Vector& x) {
    return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
  }

  /// y' at t1 after a projection. The old f1 belongs to the interpolant of the accepted step: keep it if that fails.
  bool refresh_rates() {
    if (!rates()(t1_, end_->y.data(), trial_->f.data()) || !finite(trial_->f)) {
      return false;
    }
    end_->f.swap(trial_->f);
    rates_stale_ = false;
    return true;
  }

  StepResult try_step(double t_new, double h) {
    const bool fixed = length_.is_fixed();
    Method& method = spare();
    if (!method.step(rates(), t1_, end_->y, end_->f, h, trial_->y, trial_->f)) {
      return StepResult::not_finite;
    }
    method.local_error(h, error_);
    error_ready_ = false;
    ratio_ = Control::ratio(options_, error_, end_->y, trial_->y);
    if constexpr (Control::doubts_nothing) {
      if (!fixed && (ratio_ < Control::nothing || length_.wants_the_longest())) ratio_ = std::max(ratio_, unseen(h));
    }
    if (!std::isfinite(ratio_)) {
      return StepResult::not_finite;
    }
    // A rest below the resolution of t is walked, not judged: round-off is all its error estimate can see.
    if (!fixed && ratio_ > 1 && h > 0 && !(h < resolution(t1_))) {
      return StepResult::too_small;
    }
    bool moved = problem_.project(t_new, trial_->y.data());
    if constexpr (!Method::gives_end_rates) {
      if (!rates()(t_new, trial_->y.data(), trial_->f.data()) || !finite(trial_->f)) {
        return StepResult::not_finite;
      }
      moved = false;
    }
    start_ = std::exchange(end_, std::exchange(trial_, start_));
    turn_ = 1 - turn_;
    t0_ = t1_;
    t1_ = t_new;
    h_ = h;
    rates_stale_ = moved;
    dense_ready_ = false;
    ++counters_.steps;
    return StepResult::accepted;
  }

  /// Defect of the cubic through both ends, in units of the tolerance, at a place that no regular spacing of zeros
  /// shares with the stages. Where the rates cannot be evaluated there, nothing is known against the step.
  double unseen(double h) {
    static_assert(Method::gives_end_rates || !Control::doubts_nothing);
    constexpr double s = 0.38196601125010515;  // (3 - sqrt 5) / 2: worst approximated by fractions
    DenseRows<Vector, 3>& cubic = unseen_rows_;
    hermite_rows(h, end_->y, end_->f, trial_->y, trial_->f, cubic);
    evaluate_rows_and_slope<3>(cubic, end_->y, s, cubic[0].data(), slope_.data());
    if (!rates()(t1_ + s * h, cubic[0].data(), error_.data())) return 0;
    for (std::size_t i = 0; i < n_; ++i) error_[i] = slope_[i] - h * error_[i];
    return Control::ratio(options_, error_, end_->y, trial_->y);
  }

  void prepare_dense() {
    if (!current().dense(rates(), t0_, h_, start_->y, start_->f, end_->y, end_->f, rows_)) {
      // The extra stages left the domain of the rates: the cubic through both ends is still sound.
      for (Vector& row : rows_) {
        std::fill(row.begin(), row.end(), 0.0);
      }
      hermite_rows(h_, start_->y, start_->f, end_->y, end_->f, rows_);
    }
    dense_ready_ = true;
  }

  /// Local error at the end plus what the defect h (P' - f(P)) inside the step integrates to. The defect is sampled
  /// at several places, so that a change of sign of one sample does not hide the error.
  void estimate_error() {
    current().local_error(h_, error_);
    if (!dense_ready_) {
      prepare_dense();
    }
    for (const double s : kDefectPlaces) {
      evaluate_rows_and_slope<Method::degree>(rows_, start_->y, s, trial_->y.data(), slope_.data());
      if (!rates()(t0_ + s * h_, trial_->y.data(), trial_->f.data())) {
        std::transform(slope_.begin(), slope_.end(), error_.begin(), [](double d) { return std::abs(d); });
        return;  // the interpolant leaves the domain of the rates: nothing smaller than the step itself is sure
      }
      for (std::size_t i = 0; i < n_; ++i) {
        error_[i] += 0.8 / kDefectPlaces.size() * std::abs(slope_[i] - h_ * trial_->f[i]);
      }
    }
  }

  /// An interpolant with the right ends errs like s^2 (1-s)^2 times a polynomial; the more degrees, the more waves.
  static constexpr auto kDefectPlaces = [] {
    if constexpr (Method::degree <= 4) {
      return std::array{0.2, 0.8};
    } else {
      return std::array{0.12, 0.36, 0.64, 0.88};
    }
  }();

  Problem& problem_;
  FlowOptions options_;
  StepLength<Control> length_;
  std::size_t n_;
  std::array<Method, 2> methods_;
  std::size_t turn_ = 0;
  struct Point {
    Vector y, f;
  };
  std::array<Point, 3> points_;
  /// Ends of the accepted step, end_->f being y' before projection, and the end of the step that is tried.
  Point *start_ = &points_[0], *end_ = &points_[1], *trial_ = &points_[2];
  Vector slope_, error_;
  DenseRows<Vector, Method::degree> rows_;
  DenseRows<Vector, 3> unseen_rows_;
  double t0_ = 0, t1_ = 0, h_ = 0;
  double ratio_ = 0;  ///< error of the step tried last, in tolerances
  bool rates_stale_ = false, dense_ready_ = false, error_ready_ = false;
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
