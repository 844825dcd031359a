// src/integrator/adams.cpp
//
// `ode113`: the formulas of Adams, Bashforth and Moulton with variable step and order (Shampine & Gordon, Computer
// Solution of Ordinary Differential Equations, 1975; Hairer, Norsett & Wanner, Solving ODEs I, 1993, III.5). A step of
// order k predicts with the polynomial through the last k - 1 rates, evaluates, corrects with the one through the
// predicted rate and the last k - 1, and evaluates again. What the corrections of order k and k - 1 are apart is the
// estimate; the better of the two goes on. Points stand where the steps ended, so the weights are integrals of Lagrange
// polynomials, by a Gauss rule that is exact for them.
#include "integrator/adams.hpp"

#include <fmt/core.h>

#include <array>
#include <span>

#include "hstar/error.hpp"
#include "integrator/bdf_history.hpp"
#include "integrator/multistep_flow.hpp"

namespace hstar::integrator {
namespace {

constexpr std::size_t most_order = 12;
/// The starter of fixed steps, dop853, errs by h^9 a step.
constexpr int most_fixed_order = 8;
constexpr std::size_t most_places = most_order + 1;
using Weights = std::array<double, most_places>;

/// w[i] = integral from a to b of the polynomial that is 1 at places[i] and 0 at the others.
void integrate(std::span<const double> places, double a, double b, Weights& w) {
  // Gauss & Legendre, seven points: exact to degree 13.
  constexpr std::array<double, 4> x{0, 0.4058451513773971669066064, 0.7415311855993944398638648,
                                    0.9491079123427585245261897};
  constexpr std::array<double, 4> weight{0.4179591836734693877551020, 0.3818300505051189449503698,
                                         0.2797053914892766679014678, 0.1294849661688696932706114};
  const double half = 0.5 * (b - a), middle = 0.5 * (a + b);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto lagrange = [&](double t) {
      double value = 1;
      for (std::size_t j = 0; j < places.size(); ++j)
        if (j != i) value *= (t - places[j]) / (places[i] - places[j]);
      return value;
    };
    double sum = weight[0] * lagrange(middle);
    for (std::size_t k = 1; k < x.size(); ++k)
      sum += weight[k] * (lagrange(middle - half * x[k]) + lagrange(middle + half * x[k]));
    w[i] = half * sum;
  }
}

class AdamsFlow final : public MultistepFlow {
 public:
  AdamsFlow(OdeProblem& ode, const FlowOptions& options)
      : MultistepFlow(ode, options.coordinates, options.velocities, options, "dop853",
                      static_cast<std::size_t>(options.max_order), most_order),
        ode_(ode),
        rates_(n_),
        f_(n_),
        accepted_local_(n_),
        f_accepted_(n_) {
    const int most = fixed() ? most_fixed_order : static_cast<int>(most_order);
    if (!(options.max_order >= 1 && options.max_order <= most))
      throw InputError(fmt::format("max_order = {} of ode113 must be between 1 and {}{}", options.max_order, most,
                                   fixed() ? " with a fixed step, whose start is of order 8" : ""));
  }

  StepResult restart(double t, std::span<const double> y) override {
    begin_segment(t, y);
    rates_.clear();
    return begin_start(remember());
  }

 protected:
  StepResult attempt(double t_new) override {
    const StepResult result = advance(0, t1_, y1_, order_, t_new);
    if (result != StepResult::accepted) return result;
    ratio_ = tolerance_ratio(local_);
    return std::isfinite(ratio_) ? StepResult::accepted : StepResult::not_finite;
  }

  void accept(double t_new) override {
    std::swap(accepted_local_, local_);
    std::swap(f_accepted_, f_);
    w_now_ = w_try_;
    take_by_formula(t_new);
  }

  double first_step(double way) override {
    const double to_end = options_.t_end > t1_ ? options_.t_end - t1_ : way;
    y_try_ = rates_.state(0);
    return integrator::first_step({&ode_, &counters_}, t1_, y1_, y_try_, options_, 3, to_end, local_, f_);
  }

  [[nodiscard]] bool has_started() const override { return rates_.count() >= past(order_); }
  bool remember() override {
    if (!rates(t1_, y1_)) return false;
    rates_.push(t1_, f_);
    return true;
  }
  void keep_newest() override { rates_.keep_newest(); }
  [[nodiscard]] std::size_t least_order() const override { return 2; }
  [[nodiscard]] bool can_raise_order() const override { return rates_.count() > order_; }
  [[nodiscard]] double length_for(double ratio, std::size_t k) const override {
    const auto falls = static_cast<double>(std::max<std::size_t>(k, 2));  // the estimate, with this power of h
    return 0.9 * std::pow(std::max(2 * ratio, 1e-12), -1 / falls);
  }

  /// Another correction would add the last term: nothing, unless the step is too long for the iteration to contract.
  void estimate_error() override {
    for (std::size_t i = 0; i < n_; ++i)
      error_[i] = std::abs(accepted_local_[i]) + std::abs(w_now_ * (rates_.state(0)[i] - f_accepted_[i]));
  }

  StepResult finish_by_formula(double t, std::span<double> y) override {
    const StepResult result = advance(1, t0_, y0_, used_order_, t);
    if (result != StepResult::accepted) return result;
    if (departs(t)) return StepResult::too_small;
    std::copy(y_try_.begin(), y_try_.end(), y.begin());
    return result;
  }

  /// What the corrections of order k and k - 1 are apart on the step just taken.
  double neighbour(std::size_t k) override {
    Weights places{}, w{};
    for (std::size_t i = 0; i < k; ++i) places[i] = rates_.time(i);
    std::fill(local_.begin(), local_.end(), 0.0);
    integrate({places.data(), k - 1}, t0_, t1_, w);
    add(w, 0, k - 1, 0, local_);
    for (double& e : local_) e = -e;
    integrate({places.data(), k}, t0_, t1_, w);
    add(w, 0, k, 0, local_);
    y_try_ = y1_;
    return tolerance_ratio(local_);
  }

  /// The integral of the polynomial through the rates at both ends and before, bent to meet the end.
  void fill_rows() override {
    const std::size_t k = used_order_;
    Weights places{};
    for (std::size_t i = 0; i < k; ++i) places[i] = rates_.time(i);
    std::array<double, most_places> x{}, d{};
    x[1] = 1;
    for (std::size_t j = 2; j <= k; ++j) x[j] = static_cast<double>(j - 1) / static_cast<double>(k);
    std::array<Weights, most_places> w{};
    for (std::size_t j = 1; j <= k; ++j) integrate({places.data(), k}, t0_, t0_ + x[j] * (t1_ - t0_), w[j]);
    for (std::size_t i = 0; i < n_; ++i) {
      d.fill(0);
      for (std::size_t j = 1; j <= k; ++j)
        for (std::size_t m = 0; m < k; ++m) d[j] += w[j][m] * rates_.state(m)[i];
      const double bend = y1_[i] - y0_[i] - d[1];
      for (std::size_t j = 0; j <= k; ++j) d[j] += x[j] * bend;
      rows_through(k, x, d, [&](std::size_t r) -> double& { return rows_[r * n_ + i]; });
      rows_[i] = y1_[i] - y0_[i];
    }
  }

 private:
  /// Past rates that a step of order k uses.
  static std::size_t past(std::size_t k) { return std::max<std::size_t>(k - 1, 1); }

  bool rates(double t, const std::vector<double>& y) {
    ++counters_.evaluations;
    return ode_.rates(t, y.data(), f_.data()) &&
           std::all_of(f_.begin(), f_.end(), [](double v) { return std::isfinite(v); });
  }

  /// out += sum w_i f_i over `count` past rates from `from` on.
  void add(const Weights& w, std::size_t first, std::size_t count, std::size_t from, std::vector<double>& out) const {
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<double>& f = rates_.state(from + i);
      for (std::size_t l = 0; l < n_; ++l) out[l] += w[first + i] * f[l];
    }
  }
  void add_now(double w, std::vector<double>& out) const {
    for (std::size_t l = 0; l < n_; ++l) out[l] += w * f_[l];
  }

  /// One step of order k from (t, y), to which the past rates from `from` on belong: y_try_ and local_.
  StepResult advance(std::size_t from, double t, const std::vector<double>& y, std::size_t k, double t_new) {
    Weights places{}, w{};
    places[0] = t_new;
    for (std::size_t i = 0; i < past(k); ++i) places[i + 1] = rates_.time(from + i);
    y_try_ = y;
    integrate({places.data() + 1, past(k)}, t, t_new, w);
    add(w, 0, past(k), from, y_try_);
    if (!rates(t_new, y_try_)) return StepResult::not_finite;
    // The correction of order k - 1; of order 1 the prediction.
    if (k > 1) {
      local_ = y;
      integrate({places.data(), k - 1}, t, t_new, w);
      add_now(w[0], local_);
      add(w, 1, k - 2, from, local_);
    } else {
      local_ = y_try_;
    }
    y_try_ = y;
    integrate({places.data(), k}, t, t_new, w);
    add_now(w[0], y_try_);
    add(w, 1, k - 1, from, y_try_);
    w_try_ = w[0];
    for (std::size_t i = 0; i < n_; ++i) local_[i] = y_try_[i] - local_[i];
    ode_.project(t_new, y_try_.data());
    const bool finite = std::all_of(y_try_.begin(), y_try_.end(), [](double v) { return std::isfinite(v); });
    return finite ? StepResult::accepted : StepResult::not_finite;
  }

  OdeProblem& ode_;
  BdfHistory rates_;  ///< at the ends of steps
  std::vector<double> f_, accepted_local_, f_accepted_;
  double w_try_ = 0, w_now_ = 0;  ///< weight of the predicted rate in the correction
};

}  // namespace

std::vector<double> adams_weights(std::size_t points, bool ends_there) {
  Weights places{}, w{};
  for (std::size_t i = 0; i < points; ++i) places[i] = -static_cast<double>(i);
  integrate({places.data(), points}, ends_there ? -1 : 0, ends_there ? 0 : 1, w);
  return {w.begin(), w.begin() + static_cast<std::ptrdiff_t>(points)};
}

std::unique_ptr<Flow> make_adams(OdeProblem& ode, const FlowOptions& options) {
  return std::make_unique<AdamsFlow>(ode, options);
}

}  // namespace hstar::integrator
