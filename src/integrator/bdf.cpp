// src/integrator/bdf.cpp: steps, order and step size; the implicit equations are the corrector's.
#include "integrator/bdf.hpp"

#include <fmt/core.h>

#include <array>

#include "hstar/error.hpp"
#include "integrator/bdf_history.hpp"
#include "integrator/dae_flow.hpp"
#include "integrator/dae_newton.hpp"
#include "integrator/rows_through.hpp"
#include "integrator/starter.hpp"

namespace hstar::integrator {
namespace {

class BdfFlow final : public DaeFlow {
 public:
  BdfFlow(OdeProblem& ode,
          std::unique_ptr<BdfCorrector> (*corrector)(OdeProblem&, DaeProblem*, const FlowOptions&, FlowCounters&),
          DaeProblem* dae, const FlowOptions& options, int max_order)
      : DaeFlow(ode.size(), dae ? static_cast<std::size_t>(dae->places()) : 0,
                dae ? static_cast<std::size_t>(dae->coordinates()) : 0, options),
        ode_(ode),
        corrector_(corrector(ode, dae, options_, counters_)),
        starter_(make_starter(ode, options)),
        max_order_(static_cast<std::size_t>(max_order)),
        projects_(dae == nullptr || options.fixed_step <= 0 || dae->form() == DaeForm::ggl),
        history_(n_),
        past_(n_),
        predicted_(n_),
        difference_(n_),
        accepted_difference_(n_),
        rows_(6 * n_) {}

  StepResult restart(double t, std::span<const double> y) override {
    begin_segment(t, y);
    sound_ = corrector_->restart(t, y1_);
    for (const double x : y1_) sound_ = sound_ && std::isfinite(x);
    begin_start();
    return sound_ ? StepResult::accepted : StepResult::not_finite;
  }

  StepResult step(double t_limit) override {
    if (!sound_) return StepResult::not_finite;
    const bool fixed = options_.fixed_step > 0;
    if (!fixed && next_h_ <= 0) next_h_ = std::min(first_step(t_limit - t1_), options_.max_step);
    if (history_.count() >= start_points()) return DaeFlow::step(t_limit);
    return start_step(t_limit);
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
    if (t1_ == t0_) {
      std::fill(error_.begin(), error_.end(), 0.0);
      return error_;
    }
    if (by_starter_) return starter_->error();
    // The local error, and the remainder of the interpolant in the middle of the step.
    const double mid = 0.5 * (t0_ + t1_);
    const double inside =
        accepted_product_ != 0 ? std::abs(history_.product(mid, used_order_ + 1, 0) / accepted_product_) : 1.0;
    for (std::size_t i = 0; i < n_; ++i) error_[i] = (accepted_constant_ + inside) * std::abs(accepted_difference_[i]);
    return error_;
  }

  StepResult finish_at(double t, std::span<double> y) override {
    if (t == t1_ || t1_ == t0_) {
      std::copy(y1_.begin(), y1_.end(), y.begin());
      return StepResult::accepted;
    }
    if (by_starter_) {
      return starter_->finish_at(t, y);
    }
    // The polynomial through the step's points is as good as the step. A shorter step of the formula is not: on
    // index 3 it divides what the velocities are off their constraints by its own length.
    at(t, y);
    ode_.project(t, y.data());
    return StepResult::accepted;
  }

 protected:
  StepResult attempt(double t_new) override {
    // Points for the prediction: one more than the formula uses, if there are as many.
    const std::size_t points = std::min(order_ + 1, history_.count());
    history_.evaluate(t_new, points, 0, predicted_);
    y_try_ = predicted_;
    c0_ = history_.derivative(t_new, order_, 0, past_);
    if (!corrector_->solve(t_new, c0_, past_, y_try_)) return StepResult::not_converged;
    if (projects_) ode_.project(t_new, y_try_.data());
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
    used_order_ = order_;
    accepted_difference_ = difference_;
    accepted_constant_ = constant_;
    // Zero: no spare point, see error().
    accepted_product_ = history_.count() > order_ ? history_.product(t_new, order_ + 1, 0) : 0.0;
    take(t_new);
    by_starter_ = false;
    ++since_change_;
    if (options_.fixed_step <= 0) choose_order();
  }

  [[nodiscard]] double fitting() const override { return fitting(ratio_, order_); }
  [[nodiscard]] double most_growth() const override { return 2; }

  double first_step(double way) override {
    const double to_end = options_.t_end > t1_ ? options_.t_end - t1_ : way;
    scratch_.resize(n_);
    scratch2_.resize(n_);
    const Rates rates{&ode_, &counters_};
    if (!rates(t1_, y1_.data(), predicted_.data())) return 1e-6 * to_end;
    return integrator::first_step(rates, t1_, y1_, predicted_, options_, 3, to_end, scratch_, scratch2_);
  }

  /// Points that lie too far apart for what comes now are no help: fresh ones, closer together.
  double hard_to_step(double h) override {
    if (order_ > 1) {
      order_ = std::max<std::size_t>(order_ - 1, 1);
      since_change_ = 0;
    }
    return h;
  }

 private:
  /// Points needed before the formula takes over: the whole order with fixed steps, order 4 and a prediction else.
  [[nodiscard]] std::size_t start_points() const {
    if (options_.fixed_step > 0) return max_order_;
    return std::min<std::size_t>(max_order_, 4) + 1;
  }

  void begin_start() {
    history_.clear();
    history_.push(t1_, y1_);
    order_ = options_.fixed_step > 0 ? max_order_ : std::min<std::size_t>(max_order_, 4);
    used_order_ = order_;
    since_change_ = 0;
    by_starter_ = true;
    starter_.begin();
  }

  /// The polynomial through the ends of the step and the points before.
  void prepare_rows() {
    if (rows_ready_) return;
    rows_ready_ = true;
    const std::size_t k = used_order_;
    std::array<double, BdfHistory::capacity> x{}, d{};
    const auto point = [](std::size_t j) { return j == 0 ? 1 : j == 1 ? 0 : j; };
    for (std::size_t j = 0; j <= k; ++j) x[j] = (history_.time(point(j)) - t0_) / (t1_ - t0_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j <= k; ++j) d[j] = history_.state(point(j))[i];
      rows_through(k, x, d, [&](std::size_t r) -> double& { return rows_[r * n_ + i]; });
    }
  }

  void take(double t_new) {
    rows_ready_ = false;
    std::swap(y0_, y1_);
    std::swap(y1_, y_try_);
    t0_ = t1_;
    t1_ = t_new;
    history_.push(t1_, y1_);
  }

  StepResult start_step(double t_limit) {
    // Steps of the length the formula will use, ending where they must.
    double target = t_limit;
    if (options_.fixed_step <= 0 && t_limit - t1_ > 1.02 * next_h_) target = t1_ + next_h_;
    const StepResult result = starter_.step(t1_, y1_, target, counters_);
    if (result != StepResult::accepted) return result;
    std::copy(starter_->y1().begin(), starter_->y1().end(), y_try_.begin());
    take(starter_->t1());
    ++counters_.steps;
    by_starter_ = true;
    return StepResult::accepted;
  }

  [[nodiscard]] static double fitting(double ratio, std::size_t k) {
    return 0.9 * std::pow(std::max(2 * ratio, 1e-12), -1.0 / static_cast<double>(k + 1));
  }
  [[nodiscard]] double growth(double ratio, std::size_t k) const {
    return std::clamp(fitting(ratio, k), most_cut, most_growth());
  }

  /// Errors the neighbouring orders would have made on the step just taken; the order with the longest next step wins.
  void choose_order() {
    const double h = t1_ - t0_;
    const double here = growth(ratio_, order_);
    std::size_t best = order_;
    double best_growth = here;
    if (since_change_ > static_cast<int>(order_)) {
      if (order_ > 1) {
        const double lower = growth(neighbour(order_ - 1), order_ - 1);
        if (lower > 1.1 * best_growth) {
          best = order_ - 1;
          best_growth = lower;
        }
      }
      if (order_ < max_order_ && history_.count() > order_ + 2) {
        const double higher = growth(neighbour(order_ + 1), order_ + 1);
        if (higher > 1.1 * best_growth || (order_ < 3 && higher >= best_growth)) {
          best = order_ + 1;
          best_growth = higher;
        }
      }
    }
    if (best != order_) {
      order_ = best;
      since_change_ = 0;
    }
    // DaeFlow has set next_h_: less than `here` allows after failures, more if the step was cut short to end somewhere.
    const double usual = h * here * (1 + 1e-12);
    if (next_h_ < h * here * (1 - 1e-12)) return;
    // Small changes of the step cost a factorisation and gain nothing.
    const double wanted = h * (best_growth > 1 && best_growth < 1.2 ? 1.0 : best_growth);
    next_h_ = std::min(next_h_ > usual ? std::max(next_h_, wanted) : wanted, options_.max_step);
  }

  /// Error in units of the tolerance at order k on the step just taken (the newest point of the history).
  double neighbour(std::size_t k) {
    const double t = t1_;
    history_.evaluate(t, k + 1, 1, predicted_);
    double c0 = 0;
    for (std::size_t i = 1; i <= k; ++i) c0 += 1 / (t - history_.time(i));
    const double constant = 1 / ((t - history_.time(k + 1)) * c0);
    for (std::size_t i = 0; i < n_; ++i) local_[i] = constant * (y1_[i] - predicted_[i]);
    y_try_ = y1_;
    return tolerance_ratio(local_);
  }

  OdeProblem& ode_;
  std::unique_ptr<BdfCorrector> corrector_;
  Starter starter_;
  std::size_t max_order_;
  /// On index 3 a change of the step would leave velocities off their constraints, and the next step would make
  /// accelerations of that, divided by h: with steps that vary, velocities are put back each time.
  bool projects_;
  std::size_t order_ = 1, used_order_ = 1;
  int since_change_ = 0;
  BdfHistory history_;
  std::vector<double> past_, predicted_, difference_, accepted_difference_, rows_, scratch_, scratch2_;
  double c0_ = 0, constant_ = 0, accepted_constant_ = 0, accepted_product_ = 1;
  bool by_starter_ = true, sound_ = false, rows_ready_ = false;
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
