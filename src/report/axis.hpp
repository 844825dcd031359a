// src/report/axis.hpp
//
// Where the ticks of an axis stand and what is written at them.
#pragma once

#include <string>
#include <vector>

namespace hstar::report {

struct Axis {
  double low = 0, high = 1;         ///< range shown
  std::vector<double> ticks;        ///< inside the range
  std::vector<std::string> labels;  ///< of the ticks, in units of `unit_text`
  std::string note;                 ///< what the labels leave out: "x 10^-6", "+ 9.81", or ""
};

/// An axis that shows [low, high], with about `wanted` ticks at multiples of 1, 2 or 5 times a power
/// of ten. `padded` widens the range a little, so that a curve does not touch the frame.
[[nodiscard]] Axis make_axis(double low, double high, int wanted, bool padded);

/// The same for values of which log10 is drawn: `low` and `high` are decades, ticks stand at powers of ten, or between
/// them too where these are few, and are labelled with the values themselves.
[[nodiscard]] Axis make_log_axis(double low, double high, int wanted, bool padded);

}  // namespace hstar::report
