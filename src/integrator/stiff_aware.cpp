// src/integrator/stiff_aware.cpp
#include "integrator/stiff_aware.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hstar/integrator/flow_options.hpp"

namespace hstar::integrator {
namespace {

/// So many steps of dop853 are some 800 evaluations, a look costs three.
constexpr int steps_between_looks = 64;
/// Looks in a row that must find it stiff.
constexpr int looks_that_agree = 2;
/// h |lambda| of steps that stability limits: dop853 damps down to -6.1 on the negative axis (Hairer & Wanner 1996,
/// IV.2), and where errors limit its steps it is less.
constexpr double at_limit = 4.5;
/// A Jacobian costs as many evaluations as there are states.
constexpr std::size_t most_states = 256;

/// |lambda| of the fastest motion about the states it is asked at, nearer each time.
class FastestRate {
 public:
  FastestRate(OdeProblem& problem, const FlowOptions& options)
      : problem_(problem), options_(options), v_(problem.size()), f_(v_), moved_(v_), f_moved_(v_), scale_(v_) {}

  void begin() { known_ = false; }

  /// [1/s]; 0 where rates cannot be evaluated.
  double near(double t, std::span<const double> y, FlowCounters& counters) {
    find_scale(y);
    if (!rates(t, y.data(), f_, counters)) return 0;
    if (!known_) v_ = f_;
    known_ = true;
    double found = 0;
    for (int iteration = 0; iteration < 2; ++iteration) {
      const double size = norm(v_);
      if (!(size > 0 && std::isfinite(size))) {
        known_ = false;
        return 0;
      }
      const double step = std::sqrt(std::numeric_limits<double>::epsilon()) / size;
      for (std::size_t i = 0; i < v_.size(); ++i) moved_[i] = y[i] + step * v_[i];
      if (!rates(t, moved_.data(), f_moved_, counters)) return 0;
      for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = (f_moved_[i] - f_[i]) / step;
      found = norm(v_) / size;
    }
    return found;
  }

 private:
  bool rates(double t, const double* y, std::vector<double>& f, FlowCounters& counters) {
    ++counters.evaluations;
    return problem_.rates(t, y, f.data());
  }
  /// Positions, velocities and other states each have one scale: the largest of them.
  void find_scale(std::span<const double> y) {
    const std::size_t ends[] = {options_.coordinates, options_.coordinates + options_.velocities, y.size()};
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      double largest = 0;
      for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::abs(y[i]));
      std::fill(scale_.begin() + static_cast<std::ptrdiff_t>(begin), scale_.begin() + static_cast<std::ptrdiff_t>(end),
                largest > 0 ? largest : 1.0);
      begin = std::max(begin, end);
    }
  }
  [[nodiscard]] double norm(const std::vector<double>& v) const {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += (v[i] / scale_[i]) * (v[i] / scale_[i]);
    return std::sqrt(sum);
  }

  OdeProblem& problem_;
  const FlowOptions options_;
  bool known_ = false;
  std::vector<double> v_, f_, moved_, f_moved_, scale_;
};

class StiffAware final : public Flow {
 public:
  StiffAware(OdeProblem& problem, const FlowOptions& options)
      : problem_(problem),
        options_(options),
        explicit_(find_integrator("dop853")->make(problem, options)),
        now_(explicit_.get()),
        fastest_(problem, options),
        looks_(options.fixed_step <= 0 && problem.size() <= most_states) {}

  StepResult restart(double t, std::span<const double> y) override {
    between_looks_ = steps_between_looks;
    return go_on_with(*explicit_, t, y);
  }

  StepResult step(double t_limit) override {
    const bool stiff = now_ != explicit_.get();
    if (stiff && steps_ >= steps_between_looks && !(t1() - begun_ > length_ * steps_)) {
      if (const StepResult result = give_up(); result != StepResult::accepted) return result;
    } else if (!stiff && looks_ && steps_ >= between_looks_) {
      if (is_stiff()) begin_implicit();
    }
    StepResult result = now_->step(t_limit);
    if (result != StepResult::accepted && now_ != explicit_.get()) {
      result = give_up();
      if (result == StepResult::accepted) result = now_->step(t_limit);
    }
    steps_ += result == StepResult::accepted;
    return result;
  }

  double t0() const override { return now_->t0(); }
  double t1() const override { return now_->t1(); }
  std::span<const double> y0() const override { return now_->y0(); }
  std::span<const double> y1() const override { return now_->y1(); }
  int degree() const override { return now_->degree(); }
  void at(double t, std::span<double> y) override { now_->at(t, y); }
  std::span<const double> row(int r) override { return now_->row(r); }
  std::span<const double> powers() override { return now_->powers(); }
  std::span<const std::size_t> moving() override { return now_->moving(); }
  std::span<const double> error() override { return now_->error(); }
  StepResult finish_at(double t, std::span<double> y) override { return now_->finish_at(t, y); }
  int order() const override { return now_->order(); }

  const FlowCounters& counters() const override {
    all_ = own_;
    for (const Flow* flow : {explicit_.get(), implicit_.get()}) {
      if (!flow) continue;
      const FlowCounters& c = flow->counters();
      all_.steps += c.steps;
      all_.rejected += c.rejected;
      all_.in_vain += c.in_vain;
      all_.evaluations += c.evaluations;
      all_.jacobians += c.jacobians;
      all_.factorisations += c.factorisations;
      all_.iterations += c.iterations;
      all_.restarts += c.restarts;
    }
    return all_;
  }

 private:
  StepResult go_on_with(Flow& flow, double t, std::span<const double> y) {
    now_ = &flow;
    steps_ = agree_ = 0;
    begun_ = t;
    fastest_.begin();
    return flow.restart(t, y);
  }

  bool is_stiff() {
    length_ = (t1() - begun_) / steps_;
    const bool limited = length_ * fastest_.near(t1(), y1(), own_) > at_limit;
    begun_ = t1();
    steps_ = 0;
    agree_ = limited ? agree_ + 1 : 0;
    return agree_ >= looks_that_agree;
  }

  void begin_implicit() {
    if (!implicit_) implicit_ = find_integrator("bdf")->make(problem_, options_);
    const double t = t1();
    y_.assign(y1().begin(), y1().end());
    if (go_on_with(*implicit_, t, y_) != StepResult::accepted) now_ = explicit_.get();
  }

  /// Steps of bdf, which cost a fourth, are no longer: dop853 takes the rest, and looks are rarer.
  StepResult give_up() {
    const double t = t1();
    y_.assign(y1().begin(), y1().end());
    between_looks_ *= 4;
    return go_on_with(*explicit_, t, y_);
  }

  OdeProblem& problem_;
  const FlowOptions options_;
  std::unique_ptr<Flow> explicit_, implicit_;  ///< implicit_: null until it is needed
  Flow* now_;
  FastestRate fastest_;
  bool looks_;
  std::vector<double> y_;
  double begun_ = 0, length_ = 0;  ///< since when steps are counted; of a step of dop853 before
  int steps_ = 0, agree_ = 0, between_looks_ = steps_between_looks;
  FlowCounters own_;
  mutable FlowCounters all_;
};

}  // namespace

std::unique_ptr<Flow> make_stiff_aware(OdeProblem& problem, const FlowOptions& options) {
  return std::make_unique<StiffAware>(problem, options);
}

}  // namespace hstar::integrator
