// src/integrator/bdf.cpp: steps, order and step size; the implicit equations are the corrector's.
#include "integrator/bdf.hpp"

#include <fmt/core.h>

#include <array>

#include "hstar/error.hpp"
#include "integrator/bdf_history.hpp"
#include "integrator/dae_newton.hpp"
#include "integrator/multistep_flow.hpp"

namespace hstar::integrator {
namespace {

class BdfFlow final : public MultistepFlow {
 public:
  BdfFlow(OdeProblem& ode,
          std::unique_ptr<BdfCorrector> (*corrector)(OdeProblem&, DaeProblem*, const FlowOptions&, FlowCounters&),
          DaeProblem* dae, const FlowOptions& options, int max_order)
      : MultistepFlow(ode, dae ? static_cast<std::size_t>(dae->places()) : options.coordinates,
                      dae ? static_cast<std::size_t>(dae->coordinates()) : options.velocities, options, "radau",
                      static_cast<std::size_t>(max_order), 6),
        ode_(ode),
        dae_(dae),
        corrector_(corrector(ode, dae, options_, counters_)),
        projects_(dae == nullptr || options.fixed_step <= 0 || dae->form() == DaeForm::ggl),
        history_(n_),
        past_(n_),
        predicted_(n_),
        difference_(n_),
        accepted_difference_(n_) {}

  StepResult restart(double t, std::span<const double> y) override {
    begin_segment(t, y);
    bool sound = corrector_->restart(t, y1_);
    for (const double x : y1_) sound = sound && std::isfinite(x);
    history_.clear();
    return begin_start(remember() && sound);
  }

 protected:
  StepResult attempt(double t_new) override {
    // Points for the prediction: one more than the formula uses, if there are as many.
    const std::size_t points = std::min(order_ + 1, history_.count());
    history_.evaluate(t_new, points, 0, predicted_);
    y_try_ = predicted_;
    c0_ = history_.derivative(t_new, order_, 0, past_);
    if (!corrector_->solve(t_new, {c0_, past_, history_.state(0)}, y_try_)) return StepResult::not_converged;
    if (projects_)
      ode_.project(t_new, y_try_.data());
    else
      dae_->follow_turns(t_new, y_try_.data());
    double check = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      difference_[i] = y_try_[i] - predicted_[i];
      check += y_try_[i];
    }
    if (!std::isfinite(check)) return StepResult::not_finite;
    // y - prediction is the divided difference times the product over the points; the formula's own error is that
    // difference times the product over the points it uses, divided by c0.
    // Without a spare point the difference itself, which is more, must do.
    constant_ = points > order_
                    ? std::abs(history_.product(t_new, order_, 0) / (history_.product(t_new, points, 0) * c0_))
                    : 1.0;
    for (std::size_t i = 0; i < n_; ++i) local_[i] = constant_ * difference_[i];
    ratio_ = tolerance_ratio(local_);
    return std::isfinite(ratio_) ? StepResult::accepted : StepResult::not_finite;
  }

  void accept(double t_new) override {
    accepted_difference_ = difference_;
    accepted_constant_ = constant_;
    // Zero: no spare point, see estimate_error().
    accepted_product_ = history_.count() > order_ ? history_.product(t_new, order_ + 1, 0) : 0.0;
    take_by_formula(t_new);
  }

  double first_step(double way) override {
    const double to_end = options_.t_end > t1_ ? options_.t_end - t1_ : way;
    scratch_.resize(n_);
    scratch2_.resize(n_);
    const Rates rates{&ode_, &counters_};
    if (!rates(t1_, y1_.data(), predicted_.data())) return 1e-6 * to_end;
    return integrator::first_step(rates, t1_, y1_, predicted_, options_, 3, to_end, scratch_, scratch2_);
  }

  /// The whole order with fixed steps, order 4 and a point for the prediction else.
  [[nodiscard]] bool has_started() const override {
    // (A step of order 1 has the velocity of its end all along: bodies that an event has thrown up and that fall back
    // within it would be seen to go straight through their surface.)
    const bool thrown = counters_.restarts > 1 && options_.velocities > 0;
    const std::size_t least = thrown ? 2 : 1;
    return history_.count() >= (fixed() ? std::max(max_order_, least) : std::min<std::size_t>(max_order_, 4) + 1);
  }
  bool remember() override {
    history_.push(t1_, y1_);
    return true;
  }
  void keep_newest() override { history_.keep_newest(); }
  [[nodiscard]] std::size_t least_order() const override { return 1; }
  [[nodiscard]] bool can_raise_order() const override { return history_.count() > order_ + 2; }
  /// Small changes of the step cost a factorisation and gain nothing.
  [[nodiscard]] double worth(double growth) const override { return growth > 1 && growth < 1.2 ? 1.0 : growth; }
  [[nodiscard]] double length_for(double ratio, std::size_t k) const override {
    return 0.9 * std::pow(std::max(2 * ratio, 1e-12), -1.0 / static_cast<double>(k + 1));
  }

  /// The local error, and the remainder of the interpolant in the middle of the step.
  void estimate_error() override {
    const double mid = 0.5 * (t0_ + t1_);
    const double inside =
        accepted_product_ != 0 ? std::abs(history_.product(mid, used_order_ + 1, 0) / accepted_product_) : 1.0;
    for (std::size_t i = 0; i < n_; ++i) error_[i] = (accepted_constant_ + inside) * std::abs(accepted_difference_[i]);
  }

  /// The polynomial through the step's points is as good as the step. A shorter step of the formula is not: on
  /// index 3 it divides what the velocities are off their constraints by its own length.
  StepResult finish_by_formula(double t, std::span<double> y) override {
    at(t, y);
    ode_.project(t, y.data());
    return StepResult::accepted;
  }

  double neighbour(std::size_t k) override {
    const double t = t1_;
    history_.evaluate(t, k + 1, 1, predicted_);
    double c0 = 0;
    for (std::size_t i = 1; i <= k; ++i) c0 += 1 / (t - history_.time(i));
    const double constant = 1 / ((t - history_.time(k + 1)) * c0);
    for (std::size_t i = 0; i < n_; ++i) local_[i] = constant * (y1_[i] - predicted_[i]);
    y_try_ = y1_;
    return tolerance_ratio(local_);
  }

  /// The polynomial through the ends of the step and the points before.
  void fill_rows() override {
    const std::size_t k = used_order_;
    std::array<double, BdfHistory::capacity> x{}, d{};
    const auto point = [](std::size_t j) { return j == 0 ? 1 : j == 1 ? 0 : j; };
    for (std::size_t j = 0; j <= k; ++j) x[j] = (history_.time(point(j)) - t0_) / (t1_ - t0_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j <= k; ++j) d[j] = history_.state(point(j))[i];
      rows_through(k, x, d, [&](std::size_t r) -> double& { return rows_[r * n_ + i]; });
    }
  }

 private:
  OdeProblem& ode_;
  DaeProblem* dae_;  ///< null: an ordinary system
  std::unique_ptr<BdfCorrector> corrector_;
  /// On index 3 a change of the step would leave velocities off their constraints, and the next step would make
  /// accelerations of that, divided by h: with steps that vary, velocities are put back each time.
  bool projects_;
  BdfHistory history_;
  std::vector<double> past_, predicted_, difference_, accepted_difference_, scratch_, scratch2_;
  double c0_ = 0, constant_ = 0, accepted_constant_ = 0, accepted_product_ = 1;
};

}  // namespace

std::unique_ptr<Flow> make_bdf_flow(OdeProblem& ode,
                                    std::unique_ptr<BdfCorrector> (*corrector)(OdeProblem&, DaeProblem*,
                                                                               const FlowOptions&, FlowCounters&),
                                    DaeProblem* dae, const FlowOptions& options, int max_order) {
  if (!(max_order >= 1 && max_order <= 6))
    throw InputError(
        fmt::format("max_order = {} must be between 1 and 6; the formulas of higher order are unstable", max_order));
  return std::make_unique<BdfFlow>(ode, corrector, dae, options, max_order);
}

std::unique_ptr<Flow> make_bdf(OdeProblem& ode, DaeProblem& dae, const FlowOptions& o) {
  return make_bdf_flow(ode, &make_dae_corrector, &dae, newton_options(dae, o), o.max_order);
}
std::unique_ptr<Flow> make_backward_euler(OdeProblem& ode, DaeProblem& dae, const FlowOptions& o) {
  return make_bdf_flow(ode, &make_dae_corrector, &dae, newton_options(dae, o), 1);
}
std::unique_ptr<Flow> make_ode_bdf(OdeProblem& ode, const FlowOptions& o) {
  return make_bdf_flow(ode, &make_ode_corrector, nullptr, o, o.max_order);
}
std::unique_ptr<Flow> make_ode_backward_euler(OdeProblem& ode, const FlowOptions& o) {
  return make_bdf_flow(ode, &make_ode_corrector, nullptr, o, 1);
}

}  // namespace hstar::integrator
