// src/integrator/second_order.cpp: y' = f(t, y) as a DaeProblem without constraints, and its flow in the order of y.
#include "integrator/second_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hstar/error.hpp"
#include "integrator/newmark.hpp"

namespace hstar::integrator {
namespace {

/// Place in y of each entry of (x, v, s): positions, their velocities, first-order states.
struct Order {
  std::vector<std::size_t> place;
  std::size_t pairs = 0;

  explicit Order(const OdeProblem& ode) {
    const std::span<const int> velocity_of = ode.velocity_of();
    const std::size_t n = ode.size();
    std::vector<char> taken(n, 0);
    std::vector<std::size_t> velocities;
    for (std::size_t i = 0; i < velocity_of.size(); ++i) {
      if (velocity_of[i] < 0 || taken[i]) continue;
      const auto v = static_cast<std::size_t>(velocity_of[i]);
      if (v == i || taken[v]) continue;
      taken[i] = taken[v] = 1;
      place.push_back(i);
      velocities.push_back(v);
    }
    pairs = place.size();
    place.insert(place.end(), velocities.begin(), velocities.end());
    for (std::size_t i = 0; i < n; ++i)
      if (!taken[i]) place.push_back(i);
    if (pairs == 0)
      throw InputError(
          "newmark, hht and generalized_alpha need second-order equations, but no state's rate is another state; write "
          "x' = v and v' = ... as two states, or use bdf");
  }
};

/// The equations with y in the order (x, v, s), for both sides of the method.
class SecondOrderProblem final : public OdeProblem, public DaeProblem {
 public:
  explicit SecondOrderProblem(OdeProblem& ode)
      : ode_(ode),
        order_(ode),
        n_(ode.size()),
        pairs_(order_.pairs),
        mass_(pairs_, 1.0),
        point_(n_),
        moved_(n_),
        plain_(n_),
        plain_rates_(n_),
        rates_(n_),
        rates_moved_(n_) {}

  std::size_t evaluations = 0;

  void to_plain(const double* y, double* out) const {
    for (std::size_t i = 0; i < n_; ++i) out[order_.place[i]] = y[i];
  }
  void from_plain(const double* y, double* out) const {
    for (std::size_t i = 0; i < n_; ++i) out[i] = y[order_.place[i]];
  }

  // OdeProblem
  [[nodiscard]] std::size_t size() const override { return n_; }
  bool rates(double t, const double* y, double* ydot) override {
    ++evaluations;
    to_plain(y, plain_.data());
    if (!ode_.rates(t, plain_.data(), plain_rates_.data())) return false;
    from_plain(plain_rates_.data(), ydot);
    return true;
  }
  bool project(double t, double* y) override {
    to_plain(y, plain_.data());
    const bool moved = ode_.project(t, plain_.data());
    from_plain(plain_.data(), y);
    return moved;
  }

  // DaeProblem
  [[nodiscard]] int coordinates() const override { return static_cast<int>(pairs_); }
  [[nodiscard]] int states() const override { return static_cast<int>(n_ - 2 * pairs_); }
  [[nodiscard]] int max_rows() const override { return 0; }
  [[nodiscard]] const double* mass() const override { return mass_.data(); }
  bool begin(double, const double*) override { return true; }
  [[nodiscard]] int rows() const override { return 0; }
  [[nodiscard]] DaeRow kind(int) const override { return DaeRow::position; }
  bool solve(double t, const double* y, double* a, double* rate, double*) override {
    if (!rates(t, y, rates_.data())) return false;
    std::copy(rates_.begin() + at(pairs_), rates_.begin() + at(2 * pairs_), a);
    std::copy(rates_.begin() + at(2 * pairs_), rates_.end(), rate);
    return std::all_of(rates_.begin(), rates_.end(), [](double x) { return std::isfinite(x); });
  }
  bool evaluate(double t, const double* y, const double*) override {
    t_ = t;
    std::copy(y, y + n_, point_.begin());
    return rates(t, y, rates_.data());
  }
  [[nodiscard]] const double* force() const override { return rates_.data() + pairs_; }
  [[nodiscard]] const double* rate() const override { return rates_.data() + 2 * pairs_; }
  [[nodiscard]] const double* position() const override { return nullptr; }
  [[nodiscard]] const double* speed() const override { return nullptr; }
  [[nodiscard]] const double* gamma() const override { return nullptr; }
  void jacobian(DaeEntries&) override {}
  void differentiate(const double*, DaeSlopes& out) override {
    for (DaeEntries* entries : {&out.force_q, &out.force_v, &out.force_s, &out.rate_q, &out.rate_v, &out.rate_s})
      entries->clear();
    // A coordinate that is zero for a moment is as large as the others of its kind.
    const auto largest = [&](std::size_t first, std::size_t last) {
      double size = 0;
      for (std::size_t i = first; i < last; ++i) size = std::max(size, std::abs(point_[i]));
      return size;
    };
    const double sizes[3] = {largest(0, pairs_), largest(pairs_, 2 * pairs_), largest(2 * pairs_, n_)};
    DaeEntries* const of_force[3] = {&out.force_q, &out.force_v, &out.force_s};
    DaeEntries* const of_rate[3] = {&out.rate_q, &out.rate_v, &out.rate_s};
    moved_ = point_;
    for (std::size_t j = 0; j < n_; ++j) {
      const std::size_t kind = j < pairs_ ? 0 : j < 2 * pairs_ ? 1 : 2;
      moved_[j] +=
          std::sqrt(std::numeric_limits<double>::epsilon()) * std::max({std::abs(point_[j]), 1e-3 * sizes[kind], 1e-5});
      if (rates(t_, moved_.data(), rates_moved_.data())) {
        const int column = static_cast<int>(j - (kind == 0 ? 0 : kind == 1 ? pairs_ : 2 * pairs_));
        for (std::size_t i = pairs_; i < n_; ++i) {
          const double slope = (rates_moved_[i] - rates_[i]) / (moved_[j] - point_[j]);
          if (slope == 0 || !std::isfinite(slope)) continue;
          if (i < 2 * pairs_)
            of_force[kind]->push_back({static_cast<int>(i - pairs_), column, slope});
          else
            of_rate[kind]->push_back({static_cast<int>(i - 2 * pairs_), column, slope});
        }
      }
      moved_[j] = point_[j];
    }
  }
  void curvature(const double*, DaeEntries&) override {}

 private:
  static std::ptrdiff_t at(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  OdeProblem& ode_;
  Order order_;
  std::size_t n_, pairs_;
  std::vector<double> mass_, point_, moved_, plain_, plain_rates_, rates_, rates_moved_;
  double t_ = 0;
};

/// A flow on a SecondOrderProblem, seen in the order of y.
class SecondOrderFlow final : public Flow {
 public:
  SecondOrderFlow(OdeProblem& ode, const FlowOptions& options,
                  std::unique_ptr<Flow> (*make)(OdeProblem&, DaeProblem&, const FlowOptions&))
      : problem_(ode),
        inner_(make(problem_, problem_, options)),
        inside_(ode.size()),
        y0_(ode.size()),
        y1_(ode.size()),
        row_(ode.size()),
        error_(ode.size()) {}

  StepResult restart(double t, std::span<const double> y) override {
    problem_.from_plain(y.data(), inside_.data());
    const StepResult result = inner_->restart(t, inside_);
    take_ends();
    return result;
  }
  StepResult step(double t_limit) override {
    const StepResult result = inner_->step(t_limit);
    take_ends();
    return result;
  }
  [[nodiscard]] double t0() const override { return inner_->t0(); }
  [[nodiscard]] double t1() const override { return inner_->t1(); }
  [[nodiscard]] std::span<const double> y0() const override { return y0_; }
  [[nodiscard]] std::span<const double> y1() const override { return y1_; }
  [[nodiscard]] int degree() const override { return inner_->degree(); }
  [[nodiscard]] int order() const override { return inner_->order(); }
  void at(double t, std::span<double> y) override {
    inner_->at(t, inside_);
    problem_.to_plain(inside_.data(), y.data());
  }
  [[nodiscard]] std::span<const double> row(int r) override {
    problem_.to_plain(inner_->row(r).data(), row_.data());
    return row_;
  }
  std::span<const double> error() override {
    problem_.to_plain(inner_->error().data(), error_.data());
    return error_;
  }
  StepResult finish_at(double t, std::span<double> y) override {
    const StepResult result = inner_->finish_at(t, inside_);
    if (result == StepResult::accepted) problem_.to_plain(inside_.data(), y.data());
    return result;
  }
  [[nodiscard]] const FlowCounters& counters() const override {
    counters_ = inner_->counters();
    counters_.evaluations = problem_.evaluations;  // with those of the differences
    return counters_;
  }

 private:
  void take_ends() {
    problem_.to_plain(inner_->y0().data(), y0_.data());
    problem_.to_plain(inner_->y1().data(), y1_.data());
  }

  SecondOrderProblem problem_;
  std::unique_ptr<Flow> inner_;
  std::vector<double> inside_, y0_, y1_, row_, error_;
  mutable FlowCounters counters_;
};

}  // namespace

std::unique_ptr<Flow> make_second_order_newmark(OdeProblem& ode, const FlowOptions& o) {
  return std::make_unique<SecondOrderFlow>(ode, o, &make_newmark);
}
std::unique_ptr<Flow> make_second_order_hht(OdeProblem& ode, const FlowOptions& o) {
  return std::make_unique<SecondOrderFlow>(ode, o, &make_hht);
}
std::unique_ptr<Flow> make_second_order_generalized_alpha(OdeProblem& ode, const FlowOptions& o) {
  return std::make_unique<SecondOrderFlow>(ode, o, &make_generalized_alpha);
}

}  // namespace hstar::integrator
