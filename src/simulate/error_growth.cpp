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
/// Steps looked at after a doubling. Unstable motions are stepped with some tenths of a radian at least: these are a
/// quarter of a swing.
constexpr int looks = 4;
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
    if (size > std::max(states_[i].size, atol_)) states_[i] = {size, steps_, 0, {}, 0, size};
  }
}

bool ErrorGrowth::diverges(Flow& flow) {
  if (!fixed_) return false;
  ++steps_;
  const std::span<const double> y = flow.y1(), before = flow.y0();
  std::span<const double> error;
  const auto error_of = [&](std::size_t i) {
    if (error.empty()) error = flow.error();
    return error[i];
  };
  const double least = faint();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& state = states_[i];
    const double size = std::abs(y[i]);
    largest_ = std::max(largest_, size);
    state.way += std::abs(y[i] - before[i]);
    const bool doubled = size >= 2 * std::max(state.size, least);
    bool over = false;
    if (Doubling& open = state.open; open.looks > 0) {
      open.error = std::max(open.error, error_of(i));
      if (--open.looks == 0 || doubled) {
        over = judge(state, open, open.swings && accounts_for(open));
        open.looks = 0;
      }
    }
    if (doubled) {
      if (state.size > 0 && state.size >= least) {
        const Doubling now{state.size, size, steps_ - state.steps, state.way >= size, error_of(i), looks};
        if (!implicit_ && accounts_for(now))
          over = judge(state, now, true) || over;
        else
          state.open = now;
      }
      state.size = size;
      state.steps = steps_;
      state.way = 0;
    }
    if (over) {
      worst_ = i;
      return true;
    }
  }
  return false;
}

/// Estimates may be half of what they estimate where nothing is resolved.
bool ErrorGrowth::accounts_for(const Doubling& d) {
  return 2 * static_cast<double>(d.steps) * d.error >= d.to - d.from;
}

bool ErrorGrowth::judge(State& state, const Doubling& doubling, bool lost) {
  const int doublings = std::min(most_lost_at_once, std::ilogb(doubling.to / doubling.from));
  if (!lost) {
    state.lost = std::max(state.lost - doublings, 0);
    return false;
  }
  if (state.lost == 0) state.sound = doubling.from;
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
