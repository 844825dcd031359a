// src/integrator/flow_options.cpp
//
// Checks of the options, the words for StepResult, and the first step size.
#include "hstar/integrator/flow_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "hstar/error.hpp"

namespace hstar {

std::string_view describe(StepResult result) noexcept {
  switch (result) {
    case StepResult::accepted:
      return "The step was accepted.";
    case StepResult::too_small:
      return "The step size needed for the tolerance fell below the resolution of the time.";
    case StepResult::not_finite:
      return "The rates of change could not be evaluated (NaN, infinity or a singular system) even for the smallest "
             "step.";
    case StepResult::not_converged:
      return "The iteration of the implicit method did not converge, not even at the smallest step (or at the fixed "
             "one).";
  }
  return "Unknown step result.";
}

namespace integrator {
namespace {

[[noreturn]] void refuse(std::string_view name, double value, std::string_view bound, std::string_view remedy) {
  throw InputError(fmt::format("{} = {} must be {}; {}", name, value, bound, remedy));
}

double scaled_norm(std::span<const double> x, std::span<const double> y, const FlowOptions& o) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::abs(x[i]) / (o.atol + o.rtol * std::abs(y[i])));
  }
  return worst;
}

}  // namespace

void check_options(const FlowOptions& o) {
  // Written so that NaN fails every test.
  if (!(o.rtol >= 1e-14 && o.rtol <= 1e-1)) {
    refuse("rtol", o.rtol, "between 1e-14 and 1e-1", "use 1e-6 for a first look, 1e-10 for exact event times");
  }
  if (!(o.atol > 0 && std::isfinite(o.atol))) {
    refuse("atol", o.atol, "positive and finite", "use rtol times the smallest state that matters, for instance 1e-9");
  }
  if (!(o.max_step > 0)) {
    refuse("max_step", o.max_step, "positive", "leave it out for no limit");
  }
  if (!(o.first_step >= 0 && std::isfinite(o.first_step))) {
    refuse("first_step", o.first_step, "zero or positive", "leave it out to let the method choose");
  }
  if (!(o.fixed_step >= 0 && std::isfinite(o.fixed_step))) {
    refuse("fixed_step", o.fixed_step, "zero or positive", "leave it out for error-controlled steps");
  }
  if (o.fixed_step > o.max_step) {
    refuse("fixed_step", o.fixed_step, fmt::format("at most max_step = {}", o.max_step), "give only one of them");
  }
  if (!std::isfinite(o.t_end)) {
    refuse("t_end", o.t_end, "finite", "give the time at which the run ends");
  }
}

double first_step(const Rates& rates, double t, std::span<const double> y, std::span<const double> f,
                  const FlowOptions& options, int order, double longest, std::span<double> y_try,
                  std::span<double> f_try) {
  const double size = scaled_norm(y, y, options);
  const double slope = scaled_norm(f, y, options);
  double h = (size < 1e-5 || slope < 1e-5) ? 1e-6 : 0.01 * size / slope;
  h = std::min(h, longest);
  for (std::size_t i = 0; i < y.size(); ++i) {
    y_try[i] = y[i] + h * f[i];
  }
  if (!rates(t + h, y_try.data(), f_try.data())) {
    return h;
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    f_try[i] = (f_try[i] - f[i]) / h;
  }
  const double curvature = scaled_norm(f_try, y, options);
  const double largest = std::max(slope, curvature);
  if (!std::isfinite(largest)) {
    return h;
  }
  const double by_order = largest <= 1e-15 ? std::max(1e-6, 1e-3 * h) : std::pow(0.01 / largest, 1.0 / (order + 1));
  return std::min({100 * h, by_order, longest});
}

}  // namespace integrator
}  // namespace hstar
