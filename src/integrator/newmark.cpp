// src/integrator/newmark.cpp
#include "integrator/newmark.hpp"

#include <fmt/core.h>

#include "hstar/error.hpp"
#include "integrator/dae_flow.hpp"
#include "integrator/dae_matrix.hpp"
#include "integrator/dae_newton.hpp"
#include "integrator/turned_between.hpp"

namespace hstar::integrator {
namespace {

class NewmarkFlow final : public DaeFlow {
 public:
  NewmarkFlow(OdeProblem& ode, DaeProblem& problem, const FlowOptions& options, const AlphaMethod& p)
      : DaeFlow(static_cast<std::size_t>(problem.places() + problem.coordinates() + problem.states()),
                static_cast<std::size_t>(problem.places()), static_cast<std::size_t>(problem.coordinates()), options),
        ode_(ode),
        problem_(problem),
        p_(p),
        nq_(static_cast<std::size_t>(problem.coordinates())),
        np_(static_cast<std::size_t>(problem.places())),
        ns_(static_cast<std::size_t>(problem.states())),
        newton_(problem, options_, counters_),
        newton_early_(problem, options_, counters_),
        x0_(newton_.most_unknowns()),
        x1_(x0_.size()),
        x_try_(x0_.size()),
        filtered0_(nq_ + ns_),
        filtered1_(nq_ + ns_),
        filtered_try_(nq_ + ns_),
        jerk0_(x0_.size()),
        jerk1_(x0_.size()),
        rate0_(np_),
        rate1_(np_),
        move_(nq_),
        start_(nq_ + ns_),
        line_(n_),
        accepted_local_(n_),
        slope_(n_),
        rows_(3 * n_),
        constraints_(nq_ + static_cast<std::size_t>(problem.max_rows())),
        along_(nq_ + static_cast<std::size_t>(problem.max_rows())) {}

  StepResult restart(double t, std::span<const double> y) override {
    begin_segment(t, y);
    h_ = 0;
    sound_ = problem_.begin(t, y1_.data());
    newton_.restart();
    newton_early_.restart();
    ++counters_.evaluations;
    sound_ = sound_ && problem_.solve(t, y1_.data(), x1_.data(), x1_.data() + nq_, x1_.data() + nq_ + ns_);
    for (const double x : y1_) sound_ = sound_ && std::isfinite(x);
    std::copy(x1_.begin(), x1_.begin() + length(), filtered1_.begin());
    jerk_known_ = false;
    return sound_ ? StepResult::accepted : StepResult::not_finite;
  }

  StepResult step(double t_limit) override {
    if (!sound_) return StepResult::not_finite;
    return DaeFlow::step(t_limit);
  }

  [[nodiscard]] int degree() const override { return 3; }
  [[nodiscard]] int order() const override { return p_.order; }

  void at(double t, std::span<double> y) override {
    if (t >= t1_ || t <= t0_) {
      const auto& end = t >= t1_ ? y1_ : y0_;
      std::copy(end.begin(), end.end(), y.begin());
      return;
    }
    hermite((t - t0_) / h_, y.data(), nullptr);
  }

  [[nodiscard]] std::span<const double> row(int r) override {
    prepare_rows();
    return std::span<const double>(rows_).subspan(static_cast<std::size_t>(r) * n_, n_);
  }

  std::span<const double> error() override {
    if (h_ == 0) {
      std::fill(error_.begin(), error_.end(), 0.0);
      return error_;
    }
    // What the end of the step is off, and what the interpolant of q and that of v disagree in its middle.
    hermite(0.5, line_.data(), slope_.data());
    for (std::size_t i = 0; i < n_; ++i) error_[i] = std::abs(accepted_local_[i]);
    problem_.place_rates(line_.data(), line_.data() + np_, rate0_.data());
    for (std::size_t i = 0; i < np_; ++i) error_[i] += 0.25 * std::abs(slope_[i] - h_ * rate0_[i]);
    for (std::size_t i = 0; i < nq_ + ns_; ++i)
      error_[np_ + i] += 0.25 * std::abs(slope_[np_ + i] - 0.5 * h_ * (x0_[i] + x1_[i]));
    return error_;
  }

  StepResult finish_at(double t, std::span<double> y) override {
    if (t == t1_ || h_ == 0) {
      std::copy(y1_.begin(), y1_.end(), y.begin());
      return StepResult::accepted;
    }
    const StepResult result = advance(newton_early_, t0_, y0_, x0_, filtered0_, jerk0_, h_before_, t);
    if (result != StepResult::accepted) return result;
    if (departs(t)) return StepResult::too_small;
    // (Steps of fixed length leave velocities off their constraints; a mode begins on them.)
    ode_.project(t, y_try_.data());
    std::copy(y_try_.begin(), y_try_.end(), y.begin());
    return result;
  }

 protected:
  StepResult attempt(double t_new) override {
    const double h = t_new - t1_;
    if (!jerk_known_ && !first_jerk(h)) return StepResult::not_finite;
    const StepResult result = advance(newton_, t1_, y1_, x1_, filtered1_, jerk1_, h_last(), t_new);
    if (result != StepResult::accepted) return result;
    if (options_.fixed_step > 0)
      problem_.follow_turns(t_new, y_try_.data());
    else if (!make_consistent(t_new))
      return StepResult::not_finite;
    const double e_q = p_.position_error() * h * h, e_v = p_.velocity_error() * h;
    for (std::size_t i = 0; i < nq_ + ns_; ++i) {
      const double change = x_try_[i] - x1_[i], bend = change - h * jerk1_[i];
      const double v = std::abs(e_v * change) + std::abs(h * bend) / 6;
      if (i < nq_) move_[i] = e_q * change;
      local_[np_ + i] = v;
    }
    problem_.place_rates(y1_.data(), move_.data(), local_.data());
    for (std::size_t i = 0; i < np_; ++i) local_[i] = std::abs(local_[i]);
    for (const auto* y : {&y1_, &y_try_}) {
      if (options_.fixed_step > 0) break;
      problem_.place_rates(y->data(), y->data() + np_, rate0_.data());
      raise_to_turn_error(problem_, y->data(), rate0_.data(), h, between, local_.data());
    }
    ratio_ = tolerance_ratio(local_);
    return std::isfinite(ratio_) ? StepResult::accepted : StepResult::not_finite;
  }

  void accept(double t_new) override {
    const double h = t_new - t1_;
    h_before_ = h_last();
    std::swap(y0_, y1_);
    std::swap(y1_, y_try_);
    std::swap(x0_, x1_);
    std::swap(x1_, x_try_);
    std::swap(filtered0_, filtered1_);
    std::swap(filtered1_, filtered_try_);
    std::swap(jerk0_, jerk1_);
    for (std::size_t i = 0; i < newton_.unknowns(); ++i) jerk1_[i] = (x1_[i] - x0_[i]) / h;
    accepted_local_ = local_;
    t0_ = t1_;
    t1_ = t_new;
    h_ = h;
    rows_ready_ = false;
  }

  [[nodiscard]] double fitting() const override {
    // At a start the rates of the accelerations are not known, and the estimate is that of order 1.
    const double power = begins_ || p_.order == 1 ? 1.0 / 2 : 1.0 / 3;
    return 0.9 * std::pow(std::max(ratio_, 1e-12), -power);
  }
  [[nodiscard]] double most_growth() const override { return 3; }

  double first_step(double way) override {
    // The step on which the first term of the error would be a tenth of the tolerance, from q'' alone.
    double fastest = 0;
    for (std::size_t i = 0; i < nq_; ++i) {
      const double size = np_ == nq_ ? std::abs(y1_[i]) : 1.0, w = options_.atol + options_.rtol * size;
      fastest = std::max({fastest, std::abs(x1_[i]) / w, std::abs(y1_[np_ + i]) / (w + size)});
    }
    const double to_end = options_.t_end > t1_ ? options_.t_end - t1_ : way;
    const double h = fastest > 0 ? 0.1 / std::sqrt(fastest) : 1e-3 * to_end;
    return std::min(h, 0.01 * to_end);
  }

 private:
  static constexpr Remainder between{4, 1.0 / 384};  ///< of the cubic through both ends: max s^2 (1-s)^2 / 4!

  [[nodiscard]] std::ptrdiff_t length() const { return static_cast<std::ptrdiff_t>(nq_ + ns_); }
  [[nodiscard]] double h_last() const { return h_ > 0 ? h_ : 0; }

  /// Rate of the accelerations at a restart, as far as the constraints determine it: filtered accelerations begin where
  /// the method's own would be, else the multipliers are of first order only (Arnold & Bruls 2007). What forces make of
  /// it is left away, A_0 = a as in the textbooks: a damper that is stiff for the step has a rate that is no help a
  /// step ahead (37 times the start, measured on a damper of 1e4 1/s at h = 0.1 s).
  bool first_jerk(double h) {
    std::fill(jerk1_.begin(), jerk1_.end(), 0.0);
    jerk_known_ = true;
    if (problem_.rows() == 0 || p_.offset() == 0) return true;
    const double small = 1e-3 * h;
    for (std::size_t i = 0; i < nq_; ++i) move_[i] = small * (y1_[np_ + i] + 0.5 * small * x1_[i]);
    problem_.displace(y1_.data(), move_.data(), y_try_.data());
    for (std::size_t i = 0; i < nq_ + ns_; ++i) y_try_[np_ + i] = y1_[np_ + i] + small * x1_[i];
    ++counters_.evaluations;
    if (!problem_.solve(t1_ + small, y_try_.data(), x_try_.data(), x_try_.data() + nq_, x_try_.data() + nq_ + ns_))
      return false;
    for (std::size_t i = 0; i < nq_; ++i) jerk1_[i] = (x_try_[i] - x1_[i]) / small;
    return keep_part_along_constraints();
  }

  /// jerk1_ becomes the u of  M u = J^T mu,  J u = J jerk.
  bool keep_part_along_constraints() {
    ++counters_.evaluations;
    ++counters_.factorisations;
    if (!problem_.evaluate(t1_, y1_.data(), x1_.data() + nq_ + ns_)) return false;
    problem_.differentiate(nullptr, slopes_);
    const std::size_t n = nq_ + static_cast<std::size_t>(problem_.rows());
    constraints_.forget_pattern();
    constraints_.clear(n);
    std::fill(along_.begin(), along_.end(), 0.0);
    for (std::size_t i = 0; i < nq_; ++i) constraints_.add(i, i, problem_.mass()[i]);
    for (const DaeEntry& e : slopes_.rows) {
      const std::size_t row = nq_ + static_cast<std::size_t>(e.row), column = static_cast<std::size_t>(e.column);
      constraints_.add(column, row, -e.value);
      if (problem_.kind(e.row) == DaeRow::multiplier) continue;
      constraints_.add(row, column, e.value);
      along_[row] += e.value * jerk1_[column];
    }
    constraints_.add(slopes_.row_lambda, nq_, nq_, 1.0);
    if (!constraints_.factorise()) return false;
    constraints_.solve(along_.data());
    std::copy_n(along_.begin(), nq_, jerk1_.begin());
    return true;
  }

  /// On index 3 a change of the step leaves velocities off their constraints, and the next step makes accelerations
  /// of that, divided by h. With steps that vary, both are put back onto the constraints each time.
  bool make_consistent(double t) {
    ode_.project(t, y_try_.data());
    ++counters_.evaluations;
    if (!problem_.solve(t, y_try_.data(), x_try_.data(), x_try_.data() + nq_, x_try_.data() + nq_ + ns_)) return false;
    for (std::size_t i = 0; i < nq_ + ns_; ++i) filtered_try_[i] = x_try_[i] + p_.offset() * (x_try_[i] - x1_[i]);
    return true;
  }

  /// One step to t_new from a known point into y_try_, x_try_, filtered_try_. `h_then` is the step with which the
  /// filtered acceleration was made; it is moved to the place that belongs to the new step.
  StepResult advance(DaeNewton& newton, double t, const std::vector<double>& y, const std::vector<double>& x,
                     const std::vector<double>& filtered, const std::vector<double>& jerk, double h_then,
                     double t_new) {
    const double h = t_new - t;
    for (std::size_t i = 0; i < nq_ + ns_; ++i) start_[i] = filtered[i] + p_.offset() * (h - h_then) * jerk[i];
    const double c = p_.weight();
    const auto rest = [&](std::size_t i) { return (p_.alpha_f * x[i] - p_.alpha_m * start_[i]) / (1 - p_.alpha_m); };
    // Of orientations the line is that of the rotation vector from the last one (Bruls & Cardona 2010).
    const bool turns = np_ != nq_;
    for (std::size_t i = 0; i < nq_; ++i)
      line_[i] = (turns ? 0.0 : y[i]) + h * y[np_ + i] + h * h * ((0.5 - p_.beta) * start_[i] + p_.beta * rest(i));
    for (std::size_t i = 0; i < nq_ + ns_; ++i)
      line_[nq_ + i] = y[np_ + i] + h * ((1 - p_.gamma) * start_[i] + p_.gamma * rest(i));
    x_try_ = x;
    for (std::size_t i = 0; i < newton.unknowns(); ++i) x_try_[i] += h * jerk[i];
    const DaeLine line{line_.data(), h * h * p_.beta * c, h * p_.gamma * c, turns ? y.data() : nullptr};
    if (!newton.solve(t_new, line, x_try_.data(), y_try_.data())) return StepResult::not_converged;
    for (std::size_t i = 0; i < nq_ + ns_; ++i) filtered_try_[i] = c * x_try_[i] + rest(i);
    for (const double v : y_try_)
      if (!std::isfinite(v)) return StepResult::not_finite;
    return StepResult::accepted;
  }

  /// The cubic through both ends of the step and their rates (v, a, r), in the form of events/dense_step.hpp.
  void prepare_rows() {
    if (rows_ready_) return;
    rows_ready_ = true;
    const auto one = [&](std::size_t i, double f0, double f1) {
      const double dy = y1_[i] - y0_[i];
      rows_[i] = dy;
      rows_[n_ + i] = h_ * f0 - dy;
      rows_[2 * n_ + i] = 2 * dy - h_ * (f0 + f1);
    };
    problem_.place_rates(y0_.data(), y0_.data() + np_, rate0_.data());
    problem_.place_rates(y1_.data(), y1_.data() + np_, rate1_.data());
    for (std::size_t i = 0; i < np_; ++i) one(i, rate0_[i], rate1_[i]);
    for (std::size_t i = 0; i < nq_ + ns_; ++i) one(np_ + i, x0_[i], x1_[i]);
  }
  /// Its value at s = (t - t0)/h and h times its rate.
  void hermite(double s, double* y, double* slope) {
    prepare_rows();
    for (std::size_t i = 0; i < n_; ++i) {
      const double inner = rows_[n_ + i] + s * rows_[2 * n_ + i];
      y[i] = y0_[i] + s * (rows_[i] + (1 - s) * inner);
      if (slope) slope[i] = rows_[i] + (1 - 2 * s) * inner + s * (1 - s) * rows_[2 * n_ + i];
    }
  }

  OdeProblem& ode_;
  DaeProblem& problem_;
  AlphaMethod p_;
  std::size_t nq_, np_, ns_;  ///< velocities, length of q, extra states
  DaeNewton newton_;
  DaeNewton newton_early_;               ///< of steps that end early: looking must not change what the next step finds
  std::vector<double> x0_, x1_, x_try_;  ///< (a, r, lambda)
  std::vector<double> filtered0_, filtered1_, filtered_try_;  ///< A
  std::vector<double> jerk0_, jerk1_;                         ///< rates of x, from its last two values
  std::vector<double> rate0_, rate1_, move_;
  std::vector<double> start_, line_, accepted_local_, slope_, rows_;
  DaeMatrix constraints_;  ///< [M, -J^T; J, 0] at a restart
  std::vector<double> along_;
  DaeSlopes slopes_;
  double h_ = 0, h_before_ = 0;
  bool rows_ready_ = false, jerk_known_ = false, sound_ = false;
};

[[noreturn]] void refuse(std::string_view name, double value, std::string_view bound, std::string_view remedy) {
  throw InputError(fmt::format("{} = {} must be {}; {}", name, value, bound, remedy));
}

}  // namespace

AlphaMethod newmark_method(const FlowOptions& o) {
  if (!(o.newmark_gamma >= 0.5 && o.newmark_gamma <= 1))
    refuse("newmark_gamma", o.newmark_gamma, "between 0.5 and 1", "0.6 damps what the step cannot resolve");
  const double least = 0.25 * (o.newmark_gamma + 0.5) * (o.newmark_gamma + 0.5);
  if (!(o.newmark_beta >= least * (1 - 1e-12) && o.newmark_beta <= 1))
    refuse("newmark_beta", o.newmark_beta, fmt::format("between (newmark_gamma + 1/2)^2 / 4 = {} and 1", least),
           "below that the method is not unconditionally stable");
  return {o.newmark_beta, o.newmark_gamma, 0, 0, o.newmark_gamma == 0.5 ? 2 : 1};
}

AlphaMethod hht_method(const FlowOptions& o) {
  const double alpha = o.hht_alpha;
  if (!(alpha >= -1.0 / 3 && alpha <= 0))
    refuse("hht_alpha", alpha, "between -1/3 and 0", "-0.1 is usual; more negative damps more");
  return {0.25 * (1 - alpha) * (1 - alpha), 0.5 - alpha, 0, -alpha, 2};
}

AlphaMethod generalized_alpha_method(const FlowOptions& o) {
  const double rho = o.rho_infinity;
  if (!(rho >= 0 && rho <= 1)) refuse("rho_infinity", rho, "between 0 and 1", "0.8 is usual; smaller damps more");
  AlphaMethod p{0, 0, (2 * rho - 1) / (rho + 1), rho / (rho + 1), 2};
  p.gamma = 0.5 - p.alpha_m + p.alpha_f;
  p.beta = 0.25 * (p.gamma + 0.5) * (p.gamma + 0.5);
  return p;
}

std::unique_ptr<Flow> make_newmark(OdeProblem& ode, DaeProblem& problem, const FlowOptions& o) {
  return std::make_unique<NewmarkFlow>(ode, problem, newton_options(problem, o), newmark_method(o));
}

std::unique_ptr<Flow> make_hht(OdeProblem& ode, DaeProblem& problem, const FlowOptions& o) {
  return std::make_unique<NewmarkFlow>(ode, problem, newton_options(problem, o), hht_method(o));
}

std::unique_ptr<Flow> make_generalized_alpha(OdeProblem& ode, DaeProblem& problem, const FlowOptions& o) {
  return std::make_unique<NewmarkFlow>(ode, problem, newton_options(problem, o), generalized_alpha_method(o));
}

}  // namespace hstar::integrator
