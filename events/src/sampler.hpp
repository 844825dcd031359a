// events/src/sampler.hpp
//
// Guards on one step: their values on the interpolant, on the integrator's own answer, and how far the
// step's error estimate moves them. Owns the state buffers; counts the work.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "grouped_errors.hpp"
#include "hstar/events/dense_step.hpp"
#include "hstar/events/guard.hpp"
#include "hstar/events/monitor.hpp"

namespace hstar::events::detail {

class Sampler {
 public:
  Sampler(GuardSet& guards, std::size_t state_size);

  /// A new mode with these guards.
  void begin_mode(std::span<const std::size_t> enabled);
  void begin(DenseStep& step);
  [[nodiscard]] double t0() const { return t0_; }
  [[nodiscard]] double t1() const { return t1_; }
  [[nodiscard]] double length() const { return t1_ - t0_; }
  [[nodiscard]] double ulp() const { return ulp_; }  ///< spacing of times on this step
  [[nodiscard]] double time(double tau) const { return tau >= 1.0 ? t1_ : t0_ + tau * (t1_ - t0_); }
  [[nodiscard]] double tau(double t) const { return (t - t0_) / (t1_ - t0_); }
  [[nodiscard]] DenseStep& step() { return *step_; }
  /// GuardSet::linear_form in this mode.
  [[nodiscard]] const double* form(std::size_t guard) const { return forms_[guard]; }

  /// Guards `which` on the interpolant at tau, into g. False: not evaluable or not finite.
  bool on_interpolant(double tau, std::span<const std::size_t> which, std::span<double> g);
  /// Guards `which` on the integrator's own step to t (the interpolant's start at t0).
  bool on_solution(double t, std::span<const std::size_t> which, std::span<double> g);
  /// Spacings of time that the finest look at a step may be long.
  static constexpr double kFinest = 64.0;
  /// State of the last on_solution, and its time.
  [[nodiscard]] std::span<const double> solution() const { return solution_; }
  [[nodiscard]] double solution_time() const { return solution_time_; }
  /// Guards `which`, linear in y, at y(t0) + row r of the interpolant; r = -1: at y(t0). False if not evaluable or if
  /// the step has no rows.
  bool on_row(int r, std::span<const std::size_t> which, std::span<double> g);
  /// Guards `which` at y(t0) with component j moved.
  bool on_moved(std::size_t j, double by, std::span<const std::size_t> which, std::span<double> g);
  /// Guards `which` at a given state.
  bool at_state(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g);

  /// Bound, to first order, of the change of guard i under the step's error estimate at tau:
  /// sum over j of |g(y +- e_j) - g(y)|. Costs one or two evaluations for each component with an error, and none where
  /// its form is known; in a large state the errors of all guards that depend on about as many components are
  /// estimated together, once a step, at the first tau asked for.
  bool error_of(std::size_t guard, double tau, double& error);
  /// How far the step's errors move guard i if their signs are a matter of chance, with a margin: of the sizes that
  /// error_of adds up, the root of the sum of squares. Three evaluations; `g`: the guard there. Infinity: unknown.
  double glance(std::size_t guard, double tau, double g);
  /// What round-off of the time and the states makes of a guard there; 0 where it cannot be evaluated beside them.
  double round_off_of(std::size_t guard, double t, std::span<const double> y);
  /// Largest component of the step's error estimate.
  [[nodiscard]] double largest_error();

  /// A state buffer that the next evaluation overwrites.
  [[nodiscard]] std::span<double> scratch() { return y_; }

  Monitor::Counters counters;

 private:
  [[nodiscard]] double by_form(std::size_t guard, double t, std::span<const double> y) const;

  GuardSet& guards_;
  std::vector<const double*> forms_;  ///< by guard
  DenseStep* step_ = nullptr;
  GroupedErrors grouped_;
  double t0_ = 0.0, t1_ = 0.0, ulp_ = 0.0, largest_ = -1.0, solution_time_ = 0.0;
  double unreached_ = 0.0;  ///< the earliest time on this step that the integrator could not end at
  std::vector<double> y_, solution_;
};

}  // namespace hstar::events::detail
