// src/report/axis.cpp
#include "report/axis.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace hstar::report {
namespace {

/// 1, 2 or 5 times a power of ten, nearest to what gives the wanted number of ticks.
double tick_step(double range, int wanted) {
  const double rough = range / std::max(wanted, 1);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double digit = rough / power;
  return power * (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0);
}

std::string label_of(double value, double step) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);  // no "-0.0"
  return text;
}

}  // namespace

Axis make_axis(double low, double high, int wanted, bool padded) {
  const double largest = std::max(std::abs(low), std::abs(high));
  // A constant, perhaps with round-off on it, gets a range of its own size.
  if (!(high - low > 1e-13 * largest) || !(high - low > 1e-300)) {
    const double half = largest > 0 ? 0.1 * largest : 1.0;
    const double middle = 0.5 * (low + high);
    low = middle - half;
    high = middle + half;
  } else if (padded) {
    const double pad = 0.06 * (high - low);
    low -= pad;
    high += pad;
  }

  Axis axis;
  axis.low = low;
  axis.high = high;
  const double step = tick_step(high - low, wanted);
  // Labels of many digits are unreadable: a common offset or a common power of ten is said once.
  double offset = 0.0, scale = 1.0;
  if (step < 1e-5 * largest) {
    offset = std::round(0.5 * (low + high) / step) * step;
    axis.note = fmt::format("{:+.15g}", offset);
  }
  const double shown = offset != 0.0 ? high - low : largest;
  if (shown >= 1e5 || shown < 1e-2) {
    const int exponent = static_cast<int>(std::floor(std::log10(shown)));
    scale = std::pow(10.0, exponent);
    axis.note = fmt::format("\u00d7 1e{}{}{}", exponent, axis.note.empty() ? "" : " ", axis.note);
  }
  const double base = offset != 0.0 ? 0.0 : std::ceil(low / step - 1e-9);
  for (double k = offset != 0.0 ? std::ceil((low - offset) / step) : base;; ++k) {
    const double tick = offset + k * step;
    if (tick > high + 1e-9 * step) break;
    axis.ticks.push_back(tick);
    axis.labels.push_back(label_of(k * step / scale, step / scale));
  }
  return axis;
}

Axis make_log_axis(double low, double high, int wanted, bool padded) {
  if (!(high - low > 1e-9)) {
    low -= 0.5;
    high += 0.5;
  } else if (padded) {
    const double pad = 0.06 * (high - low);
    low -= pad;
    high += pad;
  }
  Axis axis;
  axis.low = low;
  axis.high = high;
  const double decades = high - low, apart = std::max(1.0, std::ceil(decades / wanted));
  const auto between = [&](int digit) { return digit == 1 || (decades < 3 && (digit == 2 || digit == 5)); };
  for (double power = apart * std::floor(low / apart); power <= high; power += apart)
    for (int digit = 1; digit < 10; ++digit) {
      const double tick = power + std::log10(digit);
      if (!between(digit) || tick < low - 1e-9 || tick > high + 1e-9) continue;
      axis.ticks.push_back(tick);
      axis.labels.push_back(fmt::format("{}e{:.0f}", digit, power));
    }
  return axis;
}

}  // namespace hstar::report
