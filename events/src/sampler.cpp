// events/src/sampler.cpp
#include "sampler.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hstar::events::detail {
namespace {

/// Sums of terms with signs by chance are as large as the root of the sum of their squares in the mean; so many of them
/// all fall short of it by this factor once in a hundred times.
constexpr int kLooks = 3;
constexpr double kUnlucky = 4.0;

/// Bits by chance, the same in every run (multiplication by the golden ratio; D. E. Knuth, TAOCP 3, 6.4).
std::uint64_t chance(std::size_t j) { return (static_cast<std::uint64_t>(j) + 1) * 0x9e3779b97f4a7c15U >> 40; }

}  // namespace

Sampler::Sampler(GuardSet& guards, std::size_t state_size)
    : guards_(guards),
      forms_(guards.guard_count(), nullptr),
      grouped_(guards, state_size),
      y_(state_size, 0.0),
      solution_(state_size, 0.0) {}

void Sampler::begin_mode(std::span<const std::size_t> enabled) {
  grouped_.begin(enabled);
  for (const std::size_t g : enabled) forms_[g] = guards_.info(g).degree == 1 ? guards_.linear_form(g) : nullptr;
}

double Sampler::by_form(std::size_t guard, double t, std::span<const double> y) const {
  const double* form = forms_[guard];
  const std::size_t n = y.size();
  double sum = form[n + 1] + form[n] * t;
  for (std::size_t i = 0; i < n; ++i) sum += form[i] * y[i];
  return sum;
}

void Sampler::begin(DenseStep& step) {
  step_ = &step;
  t0_ = step.t0();
  t1_ = step.t1();
  const double t = std::max(std::fabs(t0_), std::fabs(t1_));
  ulp_ = std::nextafter(t, std::numeric_limits<double>::infinity()) - t;
  largest_ = -1.0;
  grouped_.begin_step();
  solution_time_ = std::numeric_limits<double>::quiet_NaN();
  unreached_ = std::numeric_limits<double>::infinity();
}

bool Sampler::at_state(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) {
  counters.guard_evaluations += which.size();
  if (std::all_of(which.begin(), which.end(), [&](std::size_t i) { return forms_[i] != nullptr; })) {
    for (std::size_t k = 0; k < which.size(); ++k) g[k] = by_form(which[k], t, y);
  } else if (!guards_.values(t, y, which, g)) {
    return false;
  }
  for (std::size_t k = 0; k < which.size(); ++k)
    if (!std::isfinite(g[k])) return false;
  return true;
}

bool Sampler::on_interpolant(double tau, std::span<const std::size_t> which, std::span<double> g) {
  const double t = time(tau);
  step_->at(t, y_);
  return at_state(t, y_, which, g);
}

bool Sampler::on_row(int r, std::span<const std::size_t> which, std::span<double> g) {
  step_->at(t0_, y_);
  if (r >= 0) {
    const std::span<const double> row = step_->row(r);
    if (row.size() != y_.size()) return false;
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += row[i];
  }
  return at_state(t0_, y_, which, g);
}

bool Sampler::on_moved(std::size_t j, double by, std::span<const std::size_t> which, std::span<double> g) {
  step_->at(t0_, y_);
  y_[j] += by;
  return at_state(t0_, y_, which, g);
}

bool Sampler::on_solution(double t, std::span<const std::size_t> which, std::span<double> g) {
  if (t != solution_time_) {
    if (t <= t0_) {
      step_->at(t0_, solution_);
    } else {
      ++counters.polish_steps;
      // A step the integrator cannot take is read instead: one far too short for its own resolution, or one that ends
      // beyond what it can reach, and then those that go farther are not tried.
      if (!(t < unreached_) || !step_->finish_at(t, solution_)) {
        if (t - t0_ > kFinest * ulp_) unreached_ = std::min(unreached_, t);
        step_->at(t, solution_);
      }
    }
    solution_time_ = t;
  }
  return at_state(t, solution_, which, g);
}

double Sampler::largest_error() {
  if (largest_ < 0.0) {
    largest_ = 0.0;
    for (const double e : step_->error()) largest_ = std::max(largest_, std::fabs(e));
  }
  return largest_;
}

bool Sampler::error_of(std::size_t guard, double tau, double& error) {
  error = 0.0;
  if (largest_error() == 0.0) return true;
  const std::span<const double> e = step_->error();
  if (const double* form = forms_[guard]) {
    for (std::size_t j = 0; j < e.size(); ++j) error += std::fabs(form[j] * e[j]);
    return true;
  }
  const double t = time(tau);
  const std::size_t which[1] = {guard};
  double base[1], moved[1];
  if (grouped_.has(guard)) {
    const auto evaluate = [&](std::span<const std::size_t> all, std::span<double> g) {
      return at_state(t, y_, all, g);
    };
    if (!grouped_.measured(guard)) step_->at(t, y_);
    if (grouped_.run(guard, y_, e, evaluate)) {
      error = grouped_.error(guard);
      return true;
    }
  }
  step_->at(t, y_);
  if (!at_state(t, y_, which, base)) return false;
  const bool linear = guards_.info(guard).degree == 1;
  const std::span<const std::size_t> only = guards_.depends_on(guard);
  const std::size_t count = only.empty() ? y_.size() : only.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = only.empty() ? i : only[i];
    if (e[j] == 0.0) continue;
    const double keep = y_[j];
    // both ways, because near an extremum in y one of them may cancel; a guard that cannot be evaluated beside the
    // solution does not tell how it moves there
    double change = 0.0;
    y_[j] = keep + e[j];
    if (at_state(t, y_, which, moved)) change = std::fabs(moved[0] - base[0]);
    if (!linear) {
      y_[j] = keep - e[j];
      if (at_state(t, y_, which, moved)) change = std::max(change, std::fabs(moved[0] - base[0]));
    }
    error += change;
    y_[j] = keep;
  }
  return true;
}

double Sampler::glance(std::size_t guard, double tau, double g) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (forms_[guard] != nullptr) return infinity;  // (error_of is quicker)
  const std::span<const double> e = step_->error();
  const std::span<const std::size_t> only = guards_.depends_on(guard);
  const std::size_t count = only.empty() ? e.size() : only.size();
  const double t = time(tau);
  const std::size_t which[1] = {guard};
  double moved[1], most = 0.0;
  for (int look = 0; look < kLooks; ++look) {
    step_->at(t, y_);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t j = only.empty() ? i : only[i];
      y_[j] += (chance(j) >> look & 1) != 0 ? e[j] : -e[j];
    }
    if (!at_state(t, y_, which, moved)) return infinity;
    most = std::max(most, std::fabs(moved[0] - g));
  }
  return kUnlucky * most;
}

double Sampler::round_off_of(std::size_t guard, double t, std::span<const double> y) {
  const std::size_t which[1] = {guard};
  double base[1], moved[1], sum = 0.0;
  if (!at_state(t, y, which, base)) return 0.0;
  if (at_state(t + ulp_, y, which, moved)) sum += std::fabs(moved[0] - base[0]);
  std::copy(y.begin(), y.end(), y_.begin());
  const std::span<const std::size_t> only = guards_.depends_on(guard);
  const std::size_t count = only.empty() ? y_.size() : only.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = only.empty() ? i : only[i];
    y_[j] = std::nextafter(y[j], std::numeric_limits<double>::infinity());
    if (at_state(t, y_, which, moved)) sum += std::fabs(moved[0] - base[0]);
    y_[j] = y[j];
  }
  return sum;
}

}  // namespace hstar::events::detail
