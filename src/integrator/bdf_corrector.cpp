// src/integrator/bdf_corrector.cpp: the implicit equation of a BDF step, on index-3 equations and on y' = f(t, y).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hstar/integrator/flow_options.hpp"
#include "integrator/bdf.hpp"
#include "integrator/dae_newton.hpp"
#include "integrator/damped_newton.hpp"

namespace hstar::integrator {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Relative changes this small that become no smaller are round-off of the rates. Of the tolerance such a change may be
/// a tenth: the prediction of order 5 multiplies it by 2^6, and its error estimate by some 2^-3 of that.
constexpr double stands_still = 1e-11, unseen = 0.1;

/// v = last_v + (a - past_v) / c0, q = last_q + (v - past_q) / c0; of orientations c0 (p - last_p) + past_p = N(p)
/// omega_bar.
class DaeCorrector final : public BdfCorrector {
 public:
  DaeCorrector(DaeProblem& problem, const FlowOptions& options, FlowCounters& counters)
      : problem_(problem),
        nq_(static_cast<std::size_t>(problem.coordinates())),
        np_(static_cast<std::size_t>(problem.places())),
        ns_(static_cast<std::size_t>(problem.states())),
        newton_(problem, options, counters),
        counters_(counters),
        x_(newton_.most_unknowns()),
        line_(2 * nq_ + ns_),
        past_(np_ == nq_ ? 0 : np_),
        lambda_{std::vector<double>(x_.size() - nq_ - ns_), std::vector<double>(x_.size() - nq_ - ns_)} {}

  bool restart(double t, const std::vector<double>& y) override {
    ++counters_.evaluations;
    if (!problem_.begin(t, y.data())) return false;
    newton_.restart();
    known_ = 0;
    return problem_.solve(t, y.data(), x_.data(), x_.data() + nq_, x_.data() + nq_ + ns_);
  }

  bool solve(double t, const Formula& formula, std::vector<double>& y) override {
    const auto& [c0, past, last] = formula;
    const double b1 = 1 / c0;
    for (std::size_t i = 0; i < nq_ + ns_; ++i) {
      const std::size_t v = np_ + i, line = i < nq_ ? nq_ + i : 2 * nq_ + (i - nq_);
      line_[line] = last[v] - b1 * past[v];
      x_[i] = c0 * (y[v] - last[v]) + past[v];  // of the predicted velocities
    }
    for (std::size_t i = 0; i < nq_ && np_ == nq_; ++i) line_[i] = last[i] + b1 * (line_[nq_ + i] - past[i]);
    for (std::size_t i = 0; i < past_.size(); ++i) past_[i] = past[i] - c0 * last[i];
    predict_multipliers(t);
    const DaeLine line{line_.data(), b1 * b1, b1, nullptr, np_ == nq_ ? nullptr : past_.data()};
    if (!newton_.solve(t, line, x_.data(), y.data())) return false;
    std::swap(lambda_[0], lambda_[1]);
    std::copy(x_.begin() + static_cast<std::ptrdiff_t>(nq_ + ns_), x_.end(), lambda_[0].begin());
    t_[1] = t_[0];
    t_[0] = t;
    known_ = std::min(known_ + 1, 2);
    return true;
  }

 private:
  /// On the line through the last two steps' multipliers; at first those before stay.
  void predict_multipliers(double t) {
    if (known_ > 0 && t <= t_[0]) {  // the last one has not been accepted
      std::swap(lambda_[0], lambda_[1]);
      t_[0] = t_[1];
      --known_;
    }
    if (known_ == 0) return;
    const double s = known_ > 1 ? (t - t_[0]) / (t_[0] - t_[1]) : 0;
    for (std::size_t i = 0; i < newton_.unknowns() - nq_ - ns_; ++i)
      x_[nq_ + ns_ + i] = lambda_[0][i] + s * (lambda_[0][i] - lambda_[1][i]);
  }

  DaeProblem& problem_;
  std::size_t nq_, np_, ns_;  ///< nq_: velocities, np_: length of q
  DaeNewton newton_;
  FlowCounters& counters_;
  std::vector<double> x_, line_, past_;
  std::array<std::vector<double>, 2> lambda_;  ///< multipliers of the last steps, newest first
  std::array<double, 2> t_{};
  int known_ = 0;
};

/// y = last + b (f(t, y) - past), b = 1 / c0, by functional iteration or Newton with a difference Jacobian.
class OdeCorrector final : public BdfCorrector {
 public:
  OdeCorrector(OdeProblem& problem, const FlowOptions& options, FlowCounters& counters)
      : rates_{&problem, &counters},
        options_(options),
        counters_(counters),
        n_(problem.size()),
        matrix_(n_),
        jacobian_(n_ * n_),
        f_(n_),
        f_moved_(n_),
        moved_(n_),
        change_(n_),
        start_(n_),
        damped_(options.fixed_step > 0 ? n_ : 0),
        damped_at_(options.fixed_step > 0 ? n_ : 0) {}

  bool restart(double t, const std::vector<double>& y) override {
    have_jacobian_ = have_matrix_ = false;
    if (!rates_(t, y.data(), f_.data())) return false;
    return std::all_of(f_.begin(), f_.end(), [](double x) { return std::isfinite(x); });
  }

  bool solve(double t, const Formula& formula, std::vector<double>& y) override {
    const double c0 = formula.c0;
    const bool kept = options_.newton != Newton::full && options_.newton != Newton::functional && have_jacobian_;
    start_ = y;
    if (std::abs(c0 - matrix_c0_) > 0.2 * std::abs(c0)) have_matrix_ = false;
    const bool functional = options_.newton == Newton::functional;
    if (iterate(t, formula, y, options_.newton == Newton::full)) return true;
    if (functional) return false;
    // (Of where iterates went that did not converge the next step must not keep a Jacobian: with slopes of 1e15 any
    // residual is a small correction.)
    const auto start_again = [&] {
      have_jacobian_ = have_matrix_ = false;
      y = start_;
    };
    start_again();
    if (options_.newton != Newton::full) {
      if (kept && iterate(t, formula, y, false)) return true;
      start_again();
      if (iterate(t, formula, y, true)) return true;
      start_again();
    }
    // Under error control a shorter step is the cheaper way out; a fixed step has no other.
    if (options_.fixed_step <= 0) return false;
    Damped system{*this, t, formula};
    const bool solved = damped_.solve(system, n_, y.data()) == NewtonEnd::solved;
    have_jacobian_ = have_matrix_ = false;
    return solved;
  }

  void damp(std::vector<double>& e) override {
    if (have_matrix_) matrix_.solve(e.data());
  }

 private:
  /// The equation as damped_newton.hpp asks for it.
  struct Damped {
    OdeCorrector& corrector;
    double t;
    const Formula& formula;
    double scale = 1;

    bool residual(const double* y, double* r) {
      OdeCorrector& c = corrector;
      if (!c.rates_(t, y, c.f_.data())) return false;
      for (std::size_t i = 0; i < c.n_; ++i) r[i] = -c.off(formula, i, y[i]);
      return true;
    }
    bool linearise(const double* y) {
      OdeCorrector& c = corrector;
      c.have_jacobian_ = c.have_matrix_ = false;
      c.damped_at_.assign(y, y + c.n_);
      scale = std::numeric_limits<double>::min();
      for (const double value : c.damped_at_) scale = std::max(scale, std::abs(value));
      return c.prepare(t, formula.c0, c.damped_at_);
    }
    void solve(double* r) {
      ++corrector.counters_.iterations;
      corrector.matrix_.solve(r);
    }
    [[nodiscard]] double size(const double* change) const {
      double out = 0, poison = 0;  // 0 * inf and 0 * nan are nan
      for (std::size_t i = 0; i < corrector.n_; ++i) {
        out = std::max(out, std::abs(change[i]) / scale);
        poison += 0 * change[i];
      }
      return out + poison;
    }
  };

  /// b (f(t, y) - past) - (y - last) of entry i, with the rates of the last evaluation.
  [[nodiscard]] double off(const Formula& formula, std::size_t i, double y) const {
    return (f_[i] - formula.past[i]) / formula.c0 - (y - formula.last[i]);
  }

  /// `always`: a new Jacobian in each iteration.
  bool iterate(double t, const Formula& formula, std::vector<double>& y, bool always) {
    const bool exact = options_.fixed_step > 0, functional = options_.newton == Newton::functional;
    double before = 0;
    for (int iteration = 0; iteration < (functional ? 1000 : 30); ++iteration) {
      if (!rates_(t, y.data(), f_.data())) return false;
      for (std::size_t i = 0; i < n_; ++i) change_[i] = off(formula, i, y[i]);
      if (!functional) {
        if (always) have_jacobian_ = have_matrix_ = false;
        if (!prepare(t, formula.c0, y)) return false;
        matrix_.solve(change_.data());
      }
      ++counters_.iterations;
      double relative = 0, weighted = 0, poison = 0;  // 0 * inf and 0 * nan are nan
      for (std::size_t i = 0; i < n_; ++i) {
        y[i] += change_[i];
        poison += 0 * y[i];
        relative = std::max(relative, std::abs(change_[i]) / (std::abs(y[i]) + options_.atol));
        weighted = std::max(weighted, std::abs(change_[i]) / (options_.atol + options_.rtol * std::abs(y[i])));
      }
      if (!std::isfinite(relative + poison)) return false;
      const double rate = iteration == 0 ? 0.5 : std::min(relative / before, 1.0);
      const bool stands = relative <= stands_still && rate >= (functional ? 0.95 : 0.5);
      if (relative <= 2 * kEps || (stands && (exact || weighted <= unseen))) return true;
      if (!exact && (iteration > 0 || weighted <= 1e-3) && rate < 1 && weighted * rate / (1 - rate) <= 0.01)
        return true;
      if (iteration > 2 && relative > 2 * before) return false;
      before = relative + std::numeric_limits<double>::min();
    }
    return false;
  }

  bool prepare(double t, double c0, const std::vector<double>& y) {
    if (!have_jacobian_) {
      ++counters_.jacobians;
      moved_ = y;
      for (std::size_t j = 0; j < n_; ++j) {
        const double step = std::sqrt(kEps) * std::max(std::abs(y[j]), 1e-5);
        moved_[j] = y[j] + step;
        if (!rates_(t, moved_.data(), f_moved_.data())) return false;
        for (std::size_t i = 0; i < n_; ++i) jacobian_[i * n_ + j] = (f_moved_[i] - f_[i]) / (moved_[j] - y[j]);
        moved_[j] = y[j];
      }
      have_jacobian_ = true;
      have_matrix_ = false;
    }
    if (!have_matrix_) {
      ++counters_.factorisations;
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j) matrix_.at(i, j) = (i == j ? 1.0 : 0.0) - jacobian_[i * n_ + j] / c0;
      if (!matrix_.factorise()) return false;
      have_matrix_ = true;
      matrix_c0_ = c0;
    }
    return true;
  }

  Rates rates_;
  const FlowOptions& options_;
  FlowCounters& counters_;
  std::size_t n_;
  DenseLu matrix_;
  std::vector<double> jacobian_, f_, f_moved_, moved_, change_, start_;
  DampedNewton damped_;
  std::vector<double> damped_at_;
  bool have_jacobian_ = false, have_matrix_ = false;
  double matrix_c0_ = 0;
};

}  // namespace

std::unique_ptr<BdfCorrector> make_dae_corrector(OdeProblem&, DaeProblem* dae, const FlowOptions& o, FlowCounters& c) {
  return std::make_unique<DaeCorrector>(*dae, o, c);
}
std::unique_ptr<BdfCorrector> make_ode_corrector(OdeProblem& ode, DaeProblem*, const FlowOptions& o, FlowCounters& c) {
  return std::make_unique<OdeCorrector>(ode, o, c);
}

}  // namespace hstar::integrator
