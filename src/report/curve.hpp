// src/report/curve.hpp
//
// A recorded column as a line on a canvas: never more points than the eye can tell apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hstar/run.hpp"

namespace hstar::report {

/// Smallest and largest finite value of a column; low > high if there is none.
struct Range {
  double low, high;
};
[[nodiscard]] Range range_of(const std::vector<std::vector<double>>& rows, std::size_t column);

/// Maps [low, high] onto [from, to] pixels.
struct Scale {
  double low, high, from, to;
  [[nodiscard]] double operator()(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

/// The path data of an SVG line. Per pixel of the time axis the first, smallest, largest and last value
/// are kept, so spikes survive however many rows there are. NaN breaks the line.
[[nodiscard]] std::string curve_path(const std::vector<std::vector<double>>& rows, std::size_t column, const Scale& x,
                                     const Scale& y);

}  // namespace hstar::report
