// src/integrator/multistep_flow.hpp
//
// What methods with memory share: a one-step method that begins each segment, its interpolant and theirs, and steps
// whose order is chosen (order_choice.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "integrator/dae_flow.hpp"
#include "integrator/order_choice.hpp"
#include "integrator/rows_through.hpp"
#include "integrator/starter.hpp"

namespace hstar::integrator {

class MultistepFlow : public DaeFlow, protected OrderCandidates {
 public:
  StepResult step(double t_limit) override {
    if (!sound_) return StepResult::not_finite;
    if (!fixed() && next_h_ <= 0) next_h_ = std::min(first_step(t_limit - t1_), options_.max_step);
    return has_started() ? DaeFlow::step(t_limit) : start_step(t_limit);
  }

  [[nodiscard]] int degree() const override { return by_starter_ ? starter_->degree() : static_cast<int>(used_order_); }
  [[nodiscard]] int order() const override { return static_cast<int>(max_order_); }

  void at(double t, std::span<double> y) override {
    if (t >= t1_ || t <= t0_) {
      const auto& end = t >= t1_ ? y1_ : y0_;
      std::copy(end.begin(), end.end(), y.begin());
    } else if (by_starter_) {
      starter_->at(t, y);
    } else {
      prepare_rows();
      evaluate_row_block(rows_, used_order_, y0_, (t - t0_) / (t1_ - t0_), y.data());
    }
  }
  [[nodiscard]] std::span<const double> row(int r) override {
    if (by_starter_) return starter_->row(r);
    prepare_rows();
    return std::span<const double>(rows_).subspan(static_cast<std::size_t>(r) * n_, n_);
  }

  std::span<const double> error() override {
    if (t1_ == t0_)
      std::fill(error_.begin(), error_.end(), 0.0);
    else if (by_starter_)
      return starter_->error();
    else
      estimate_error();
    return error_;
  }

  StepResult finish_at(double t, std::span<double> y) override {
    if (t == t1_ || t1_ == t0_) {
      std::copy(y1_.begin(), y1_.end(), y.begin());
      return StepResult::accepted;
    }
    return by_starter_ ? starter_->finish_at(t, y) : finish_by_formula(t, y);
  }

 protected:
  /// `starter`: the method that begins segments of fixed steps.
  MultistepFlow(OdeProblem& ode, std::size_t coordinates, std::size_t velocities, const FlowOptions& options,
                std::string_view starter, std::size_t max_order, std::size_t most_rows)
      : DaeFlow(ode.size(), coordinates, velocities, options),
        max_order_(max_order),
        rows_(most_rows * n_),
        starter_(make_starter(ode, options, starter)) {}

  /// The memory holds what a step of the present order needs.
  [[nodiscard]] virtual bool has_started() const = 0;
  /// (t1_, y1_) enters the memory; false where it cannot.
  virtual bool remember() = 0;
  /// The memory forgets what lies before its newest point.
  virtual void keep_newest() = 0;
  /// Writes the interpolant of the last step into rows_.
  virtual void fill_rows() = 0;
  /// error_ of the last step.
  virtual void estimate_error() = 0;
  virtual StepResult finish_by_formula(double t, std::span<double> y) = 0;

  [[nodiscard]] bool fixed() const { return options_.fixed_step > 0; }

  /// After begin_segment() and the first remember(). Under error control the formula begins at order 4.
  StepResult begin_start(bool sound) {
    sound_ = sound;
    order_ = used_order_ = fixed() ? max_order_ : std::min<std::size_t>(max_order_, 4);
    choice_.begin();
    by_starter_ = true;
    starter_.begin();
    return sound_ ? StepResult::accepted : StepResult::not_finite;
  }

  /// The end of accept().
  void take_by_formula(double t_new) {
    used_order_ = order_;
    by_starter_ = false;
    take(t_new);
    choice_.count_step();
    if (!fixed()) choose_order();
  }

  [[nodiscard]] double fitting() const override { return length_for(ratio_, order_); }
  [[nodiscard]] double most_growth() const override { return longest_growth; }

  /// Points that lie too far apart for what comes now are no help: fresh ones, closer together.
  double hard_to_step(double h) override {
    if (order_ > 1) {
      --order_;
      choice_.begin();
    }
    return h;
  }

  std::size_t max_order_, order_ = 1, used_order_ = 1;
  std::vector<double> rows_;

 private:
  void prepare_rows() {
    if (!rows_ready_) fill_rows();
    rows_ready_ = true;
  }

  /// y_try_ is where the step ends.
  void take(double t_new) {
    std::swap(y0_, y1_);
    std::swap(y1_, y_try_);
    t0_ = t1_;
    t1_ = t_new;
    rows_ready_ = false;
    sound_ = remember();
  }

  StepResult start_step(double t_limit) {
    // Steps of the length the formula will use, ending where they must.
    double target = t_limit;
    if (!fixed() && t_limit - t1_ > 1.02 * next_h_) target = t1_ + next_h_;
    const StepResult result = starter_.step(t1_, y1_, target, counters_);
    if (result != StepResult::accepted) return result;
    std::copy(starter_->y1().begin(), starter_->y1().end(), y_try_.begin());
    by_starter_ = true;
    // It may begin far below that length. Polynomials through points so close together, and then far apart, are those
    // of their round-off: the points begin where steps have stopped growing faster than the formula's.
    if (!fixed() && t1_ > t0_ && starter_->t1() - t1_ > longest_growth * (t1_ - t0_)) keep_newest();
    take(starter_->t1());
    if (!fixed() && has_started()) next_h_ = std::min(next_h_, longest_growth * (t1_ - t0_));
    ++counters_.steps;
    return StepResult::accepted;
  }

  void choose_order() {
    if (!sound_) return;
    const double h = t1_ - t0_;
    const auto [here, best] = choice_.choose(order_, max_order_, ratio_);
    // DaeFlow has set next_h_: less than `here` allows after failures, more if the step was cut short to end somewhere.
    const double usual = h * here * (1 + 1e-12);
    if (next_h_ < h * here * (1 - 1e-12)) return;
    const double wanted = h * worth(best);
    next_h_ = std::min(next_h_ > usual ? std::max(next_h_, wanted) : wanted, options_.max_step);
  }

  static constexpr double longest_growth = 2;

  Starter starter_;
  OrderChoice choice_{*this, most_cut, longest_growth};
  bool by_starter_ = true, sound_ = false, rows_ready_ = false;
};

}  // namespace hstar::integrator
