// src/integrator/trapezoidal.cpp
//
// `trapezoidal`: y_1 = y_0 + h/2 (f_0 + f_1), A-stable of order 2, with neither damping nor growth of what oscillates
// (Dahlquist, BIT 3, 1963). Its equation is that of a BDF step with c0 = 2/h and past = -c0 y_0 - f_0, and is solved as
// such. The estimate is h^3/12 y''' of the rates at three points: the ends of this step and the one before, or its
// middle where there is none before, through the matrix of the iteration: what is stiff rings on with every step, and
// would else be taken for an error of its length. Between the ends the method is the parabola with its rates; what that
// is wrong by grows from end to end.
#include "integrator/trapezoidal.hpp"

#include "hstar/integrator/dense_rows.hpp"
#include "integrator/bdf.hpp"
#include "integrator/dae_flow.hpp"

namespace hstar::integrator {
namespace {

class TrapezoidalFlow final : public DaeFlow {
 public:
  TrapezoidalFlow(OdeProblem& ode, const FlowOptions& options)
      : DaeFlow(ode.size(), options.coordinates, options.velocities, options),
        ode_(ode),
        corrector_(make_ode_corrector(ode, nullptr, options_, counters_)),
        early_(make_ode_corrector(ode, nullptr, options_, counters_)),
        f0_(n_),
        f1_(n_),
        f_try_(n_),
        past_(n_),
        accepted_local_(n_) {
    rows_.fill(y0_);
  }

  StepResult restart(double t, std::span<const double> y) override {
    begin_segment(t, y);
    sound_ = corrector_->restart(t, y1_) && early_->restart(t, y1_) && rates(t, y1_, f1_);
    return sound_ ? StepResult::accepted : StepResult::not_finite;
  }
  StepResult step(double t_limit) override { return sound_ ? DaeFlow::step(t_limit) : StepResult::not_finite; }

  [[nodiscard]] int degree() const override { return 3; }
  [[nodiscard]] int order() const override { return 2; }

  void at(double t, std::span<double> y) override {
    if (t >= t1_ || t <= t0_) {
      const auto& end = t >= t1_ ? y1_ : y0_;
      std::copy(end.begin(), end.end(), y.begin());
    } else {
      prepare_rows();
      evaluate_rows<3>(rows_, y0_, (t - t0_) / (t1_ - t0_), y.data());
    }
  }
  [[nodiscard]] std::span<const double> row(int r) override {
    prepare_rows();
    return rows_[r];
  }

  std::span<const double> error() override {
    // The estimate is the first term of a series: a quarter more stands for the others.
    for (std::size_t i = 0; i < n_; ++i) error_[i] = t1_ > t0_ ? 1.25 * std::abs(accepted_local_[i]) : 0.0;
    return error_;
  }

  StepResult finish_at(double t, std::span<double> y) override {
    if (t == t1_ || t1_ == t0_) {
      std::copy(y1_.begin(), y1_.end(), y.begin());
      return StepResult::accepted;
    }
    at(t, y_try_);
    const StepResult result = advance(*early_, t0_, y0_, f0_, t);
    if (result != StepResult::accepted) return result;
    if (departs(t)) return StepResult::too_small;
    std::copy(y_try_.begin(), y_try_.end(), y.begin());
    return result;
  }

 protected:
  StepResult attempt(double t_new) override {
    for (std::size_t i = 0; i < n_; ++i) y_try_[i] = y1_[i] + (t_new - t1_) * f1_[i];
    const StepResult result = advance(*corrector_, t1_, y1_, f1_, t_new);
    if (result != StepResult::accepted) return result;
    if (!rates(t_new, y_try_, f_try_)) return StepResult::not_finite;
    if (!estimate(t_new)) return StepResult::not_finite;
    corrector_->damp(local_);
    ratio_ = tolerance_ratio(local_);
    return std::isfinite(ratio_) ? StepResult::accepted : StepResult::not_finite;
  }

  void accept(double t_new) override {
    std::swap(y0_, y1_);
    std::swap(y1_, y_try_);
    std::swap(f0_, f1_);
    std::swap(f1_, f_try_);
    std::swap(accepted_local_, local_);
    t0_ = t1_;
    t1_ = t_new;
    rows_ready_ = false;
  }

  [[nodiscard]] double fitting() const override { return 0.9 * std::pow(std::max(ratio_, 1e-12), -1.0 / 3); }
  [[nodiscard]] double most_growth() const override { return 5; }

  double first_step(double way) override {
    const double to_end = options_.t_end > t1_ ? options_.t_end - t1_ : way;
    return integrator::first_step({&ode_, &counters_}, t1_, y1_, f1_, options_, 2, to_end, y_try_, f_try_);
  }

 private:
  bool rates(double t, const std::vector<double>& y, std::vector<double>& f) {
    ++counters_.evaluations;
    return ode_.rates(t, y.data(), f.data()) &&
           std::all_of(f.begin(), f.end(), [](double v) { return std::isfinite(v); });
  }

  /// y_try_, a prediction, becomes the end of the step from (t, y) to t_new.
  StepResult advance(BdfCorrector& corrector, double t, const std::vector<double>& y, const std::vector<double>& f,
                     double t_new) {
    const double c0 = 2 / (t_new - t);
    for (std::size_t i = 0; i < n_; ++i) past_[i] = -f[i];
    if (!corrector.solve(t_new, {c0, past_, y}, y_try_)) return StepResult::not_converged;
    ode_.project(t_new, y_try_.data());
    const bool finite = std::all_of(y_try_.begin(), y_try_.end(), [](double v) { return std::isfinite(v); });
    return finite ? StepResult::accepted : StepResult::not_finite;
  }

  /// h^3/12 y''' of the step to (t_new, y_try_) into local_.
  bool estimate(double t_new) {
    const double h = t_new - t1_;
    if (t1_ > t0_) {
      for (std::size_t i = 0; i < n_; ++i)
        local_[i] = h * h * h / 6 * ((f_try_[i] - f1_[i]) / h - (f1_[i] - f0_[i]) / (t1_ - t0_)) / (t_new - t0_);
      return true;
    }
    for (std::size_t i = 0; i < n_; ++i) past_[i] = 0.5 * (y1_[i] + y_try_[i]) + h / 8 * (f1_[i] - f_try_[i]);
    if (!rates(t1_ + 0.5 * h, past_, local_)) return false;
    for (std::size_t i = 0; i < n_; ++i) local_[i] = h / 3 * (f1_[i] - 2 * local_[i] + f_try_[i]);
    return true;
  }

  void prepare_rows() {
    if (rows_ready_) return;
    rows_ready_ = true;
    hermite_rows(t1_ - t0_, y0_, f0_, y1_, f1_, rows_);
  }

  OdeProblem& ode_;
  std::unique_ptr<BdfCorrector> corrector_;
  std::unique_ptr<BdfCorrector> early_;  ///< of steps that end early: looking must not change what the next step finds
  std::vector<double> f0_, f1_, f_try_, past_, accepted_local_;
  DenseRows<std::vector<double>, 3> rows_;
  bool rows_ready_ = false, sound_ = false;
};

}  // namespace

std::unique_ptr<Flow> make_trapezoidal(OdeProblem& ode, const FlowOptions& options) {
  return std::make_unique<TrapezoidalFlow>(ode, options);
}

}  // namespace hstar::integrator
