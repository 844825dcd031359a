// src/integrator/dae_flow.hpp
//
// What the flows of implicit methods share: landing on a time, repeating failed steps, step sizes from the error.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hstar/flow.hpp"
#include "hstar/integrator/fixed_step.hpp"
#include "hstar/integrator/flow_options.hpp"

namespace hstar::integrator {

class DaeFlow : public Flow {
 public:
  StepResult step(double t_limit) override {
    const double way = t_limit - t1_;
    const bool fixed = options_.fixed_step > 0;
    if (next_h_ <= 0 && !fixed) next_h_ = std::min(first_step(way), options_.max_step);
    const double shortest = resolution(t1_);
    double h = fixed ? options_.fixed_step : std::clamp(next_h_, shortest, std::max(options_.max_step, shortest));
    int failures = 0;
    for (;;) {
      const double wanted = h, t_new = fixed ? fixed_step_end(t1_, h, begun_, t_limit) : landing(h, way, t_limit);
      h = t_new - t1_;
      StepResult tried = attempt(t_new);
      if (tried == StepResult::accepted && !fixed && ratio_ > 1 && h >= shortest) tried = StepResult::too_small;
      if (tried == StepResult::accepted) {
        const double grown = h * (failures > 0 ? std::min(1.0, growth()) : growth());
        next_h_ = std::min(failures > 0 || h >= wanted ? grown : std::max(grown, wanted), options_.max_step);
        accept(t_new);
        ++counters_.steps;
        begins_ = false;
        return StepResult::accepted;
      }
      ++counters_.rejected;
      if (fixed || wanted <= shortest || h <= shortest) return tried;
      ++failures;
      h *= tried == StepResult::too_small ? shrink() : 0.25;
      h = std::max(h, shortest);
      if (failures >= 3) h = std::max(hard_to_step(h), shortest);
    }
  }

  [[nodiscard]] double t0() const override { return t0_; }
  [[nodiscard]] double t1() const override { return t1_; }
  [[nodiscard]] std::span<const double> y0() const override { return y0_; }
  [[nodiscard]] std::span<const double> y1() const override { return y1_; }
  [[nodiscard]] const FlowCounters& counters() const override { return counters_; }

 protected:
  /// With the length of q and of v; 0 for first-order systems.
  DaeFlow(std::size_t n, std::size_t coordinates, std::size_t velocities, const FlowOptions& options)
      : options_(options), n_(n), y0_(n), y1_(n), y_try_(n), error_(n), local_(n) {
    check_options(options);
    options_.coordinates = coordinates;
    options_.velocities = velocities;
  }

  /// What every restart begins with.
  void begin_segment(double t, std::span<const double> y) {
    ++counters_.restarts;
    if (counters_.restarts == 1) next_h_ = std::min(options_.first_step, options_.max_step);
    std::copy(y.begin(), y.end(), y1_.begin());
    y0_ = y1_;
    t0_ = t1_ = begun_ = t;
    begins_ = true;
  }
  /// Tries the step from (t1, y1) to t_new: y_try_, local_ (error by component) and ratio_.
  virtual StepResult attempt(double t_new) = 0;
  /// Takes what attempt() found.
  virtual void accept(double t_new) = 0;
  /// Length that ratio_ asks for, in steps of the length just tried.
  [[nodiscard]] virtual double fitting() const = 0;
  /// Most that a step may grow over the one before.
  [[nodiscard]] virtual double most_growth() const = 0;
  virtual double first_step(double way) = 0;
  /// Called when a step has failed three times; may change the memory. Returns the step to try.
  virtual double hard_to_step(double h) { return h; }

  /// max |e| / (atol + rtol |y| + carried round-off).
  [[nodiscard]] double tolerance_ratio(const std::vector<double>& e) const {
    double worst = 0;
    const CarriedRoundOff round_off(options_, y_try_);
    for (std::size_t i = 0; i < n_; ++i) {
      const double size = std::max(std::abs(y1_[i]), std::abs(y_try_[i]));
      worst = std::max(worst, std::abs(e[i]) / (options_.atol + options_.rtol * size + round_off(i)));
    }
    return worst;
  }

  /// Under error control: y_try_, where the step taken again ends at t, is farther from the accepted one's interpolant
  /// than that step goes. It has met a pole of the rates, which the accepted one has stepped over.
  bool departs(double t) {
    if (options_.fixed_step > 0) return false;
    at(t, local_);
    for (std::size_t i = 0; i < n_; ++i) local_[i] -= y_try_[i];
    const double off = tolerance_ratio(local_);
    if (off <= 1) return false;
    for (std::size_t i = 0; i < n_; ++i) local_[i] = y1_[i] - y0_[i];
    return off > tolerance_ratio(local_);
  }

  static constexpr double most_cut = 0.2;  ///< of a step, by an estimate of its error that may be far off

  FlowOptions options_;
  std::size_t n_;
  std::vector<double> y0_, y1_, y_try_, error_, local_;
  double t0_ = 0, t1_ = 0, next_h_ = 0, ratio_ = 0;
  FlowCounters counters_;
  bool begins_ = true;  ///< no step of the method itself since the last restart

 private:
  /// most_cut of the first step after a restart, whose length is from before it, where the rates may have been
  /// constant.
  static constexpr double most_cut_at_start = 1e-6;

  [[nodiscard]] double growth() const { return std::clamp(fitting(), most_cut, most_growth()); }
  [[nodiscard]] double shrink() const { return std::clamp(fitting(), begins_ ? most_cut_at_start : most_cut, 0.9); }

  double landing(double h, double way, double t_limit) const {
    if (way <= 1.02 * h) return t_limit;
    return t1_ + (way < 2 * h ? 0.5 * way : h);
  }

  double begun_ = 0;  ///< start of the segment
};

}  // namespace hstar::integrator
