// src/integrator/exact.cpp
#include "integrator/exact.hpp"

#include <algorithm>
#include <cmath>

#include "hstar/affine_rates.hpp"
#include "hstar/integrator/flow_options.hpp"
#include "integrator/arc.hpp"
#include "integrator/stiff_aware.hpp"

namespace hstar::integrator {
namespace {

class Exact final : public Flow {
 public:
  Exact(OdeProblem& problem, const FlowOptions& options)
      : affine_(dynamic_cast<AffineRatesProblem*>(&problem)),
        elsewhere_(make_stiff_aware(problem, options)),
        longest_(options.fixed_step > 0 ? options.fixed_step : options.max_step),
        arc_(problem.size()),
        y0_(problem.size()),
        y1_(problem.size()) {}

  StepResult restart(double t, std::span<const double> y) override {
    rates_ = affine_ ? affine_->affine_rates() : nullptr;
    if (!rates_) return elsewhere_->restart(t, y);
    ++own_.restarts;
    std::copy(y.begin(), y.end(), y1_.begin());
    y0_ = y1_;
    t0_ = t1_ = t;
    h_ = 0;
    arc_.begin(*rates_, y1_);
    return finite() ? StepResult::accepted : StepResult::not_finite;
  }

  StepResult step(double t_limit) override {
    if (!rates_) return elsewhere_->step(t_limit);
    const double way = t_limit - t1_, h = arc_.follow(t1_, y1_, way, longest_);
    if (!(h > 0)) return StepResult::too_small;
    y0_.swap(y1_);
    arc_.at(1.0, y1_);
    if (!finite()) {
      y0_.swap(y1_);
      return StepResult::not_finite;
    }
    t0_ = t1_;
    t1_ = h < way ? t1_ + h : t_limit;
    h_ = h;
    ++own_.steps;
    return StepResult::accepted;
  }

  double t0() const override { return rates_ ? t0_ : elsewhere_->t0(); }
  double t1() const override { return rates_ ? t1_ : elsewhere_->t1(); }
  std::span<const double> y0() const override { return rates_ ? std::span<const double>(y0_) : elsewhere_->y0(); }
  std::span<const double> y1() const override { return rates_ ? std::span<const double>(y1_) : elsewhere_->y1(); }

  int degree() const override { return !rates_ ? elsewhere_->degree() : h_ > 0 ? arc_.degree() : 1; }
  std::span<const double> row(int r) override {
    if (!rates_) return elsewhere_->row(r);
    return h_ > 0 ? arc_.row(r) : std::span<const double>{};
  }
  std::span<const double> powers() override {
    if (!rates_) return elsewhere_->powers();
    return h_ > 0 ? arc_.powers() : std::span<const double>{};
  }
  std::span<const std::size_t> moving() override { return rates_ ? arc_.moving() : elsewhere_->moving(); }
  std::span<const double> error() override {
    if (!rates_) return elsewhere_->error();
    if (h_ > 0) return arc_.error();
    no_error_.assign(y1_.size(), 0.0);
    return no_error_;
  }

  void at(double t, std::span<double> y) override {
    if (!rates_)
      elsewhere_->at(t, y);
    else
      read(t, y);
  }
  StepResult finish_at(double t, std::span<double> y) override {
    if (!rates_) return elsewhere_->finish_at(t, y);
    read(t, y);
    return StepResult::accepted;
  }

  const FlowCounters& counters() const override {
    all_ = elsewhere_->counters();
    all_.steps += own_.steps;
    all_.restarts += own_.restarts;
    return all_;
  }
  int order() const override { return elsewhere_->order(); }

 private:
  [[nodiscard]] bool finite() const {
    return std::all_of(y1_.begin(), y1_.end(), [](double x) { return std::isfinite(x); });
  }
  void read(double t, std::span<double> y) const {
    if (t >= t1_ || t <= t0_) {  // the ends exactly
      const std::vector<double>& end = t >= t1_ ? y1_ : y0_;
      std::copy(end.begin(), end.end(), y.begin());
    } else {
      arc_.at((t - t0_) / h_, y);
    }
  }

  AffineRatesProblem* affine_;
  std::unique_ptr<Flow> elsewhere_;
  double longest_;
  const AffineRates* rates_ = nullptr;  ///< of this mode
  mutable Arc arc_;                     ///< its rows are found when they are first asked for
  std::vector<double> y0_, y1_, no_error_;
  double t0_ = 0, t1_ = 0, h_ = 0;
  FlowCounters own_;
  mutable FlowCounters all_;
};

}  // namespace

std::unique_ptr<Flow> make_exact(OdeProblem& problem, const FlowOptions& options) {
  return std::make_unique<Exact>(problem, options);
}

}  // namespace hstar::integrator
