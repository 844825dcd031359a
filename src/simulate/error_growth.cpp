// src/simulate/error_growth.cpp
#include "hstar/simulate/error_growth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/short_number.hpp"

namespace hstar {
namespace {
constexpr int most_lost = 10;
constexpr int most_lost_at_once = 5;
}  // namespace

ErrorGrowth::ErrorGrowth(std::size_t states, const FlowOptions& options, bool implicit)
    : fixed_(options.fixed_step > 0),
      implicit_(implicit),
      atol_(options.atol),
      h_(options.fixed_step),
      states_(fixed_ ? states : 0) {}

double ErrorGrowth::faint() const {
  return std::max(atol_, std::sqrt(std::numeric_limits<double>::epsilon()) * largest_);
}

void ErrorGrowth::begin(std::span<const double> y) {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const double size = std::abs(y[i]);
    largest_ = std::max(largest_, size);
    if (size > std::max(states_[i].size, atol_)) states_[i] = {size, steps_, 0, size};
  }
}

bool ErrorGrowth::diverges(Flow& flow) {
  if (!fixed_) return false;
  ++steps_;
  const std::span<const double> y = flow.y1();
  std::span<const double> error;
  const double least = faint();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& state = states_[i];
    const double size = std::abs(y[i]);
    largest_ = std::max(largest_, size);
    if (!(size >= 2 * std::max(state.size, least))) continue;
    if (state.size > 0 && state.size >= least) {
      if (error.empty()) error = flow.error();
      if (judge(state, size, error[i], std::abs(y[i] - flow.y0()[i]))) {
        worst_ = i;
        return true;
      }
    }
    state.size = size;
    state.steps = steps_;
  }
  return false;
}

bool ErrorGrowth::judge(State& state, double size, double error, double change) const {
  const int doublings = std::min(most_lost_at_once, std::ilogb(size / state.size));
  const auto steps = static_cast<double>(steps_ - state.steps);
  // Estimates may be half of what they estimate where nothing is resolved. exp(t) grows from a half to its size by less
  // than that size, the last change taken for all.
  const bool lost = 2 * steps * error >= size - state.size && (!implicit_ || steps * change >= size);
  if (!lost) {
    state.lost = std::max(state.lost - doublings, 0);
    return false;
  }
  if (state.lost == 0) state.sound = state.size;
  state.lost += doublings;
  return state.lost >= most_lost;
}

std::string ErrorGrowth::message(const std::vector<std::string>& names) const {
  const State& state = states_[worst_];
  return "the steps of " + short_number(h_, 6) + " s are too long for this method: " + names[worst_] +
         " has grown beyond " + short_number(state.size, 3) + ", from " + short_number(state.sound, 3) +
         ", by errors of the steps alone; a shorter fixed_step, error control (no fixed_step) or an implicit method "
         "with damping (radau, backward_euler) helps";
}

}  // namespace hstar
