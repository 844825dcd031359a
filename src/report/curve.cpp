// src/report/curve.cpp
#include "report/curve.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace hstar::report {
namespace {

/// Appends points as "Mx y" or "Lx y", skipping those that would not move the pen.
class Pen {
 public:
  void to(double x, double y) {
    const double px = std::round(10 * x) / 10, py = std::round(10 * y) / 10;
    if (down_ && px == last_x_ && py == last_y_) return;
    fmt::format_to(std::back_inserter(path_), "{}{:.7g} {:.7g}", down_ ? 'L' : 'M', px, py);
    last_x_ = px;
    last_y_ = py;
    down_ = true;
  }
  void lift() { down_ = false; }
  [[nodiscard]] std::string take() { return std::move(path_); }

 private:
  std::string path_;
  double last_x_ = 0, last_y_ = 0;
  bool down_ = false;
};

}  // namespace

Range range_of(const std::vector<std::vector<double>>& rows, std::size_t column) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const auto& row : rows) {
    if (!std::isfinite(row[column])) continue;
    range.low = std::min(range.low, row[column]);
    range.high = std::max(range.high, row[column]);
  }
  return range;
}

std::string curve_path(const std::vector<std::vector<double>>& rows, std::size_t column, const Scale& x,
                       const Scale& y) {
  Pen pen;
  std::size_t i = 0;
  while (i < rows.size()) {
    if (!std::isfinite(rows[i][column])) {
      pen.lift();
      ++i;
      continue;
    }
    // All finite rows that fall on the same pixel of the time axis.
    const double pixel = std::floor(x(rows[i][0]));
    std::size_t last = i, smallest = i, largest = i;
    while (last + 1 < rows.size() && std::isfinite(rows[last + 1][column]) &&
           std::floor(x(rows[last + 1][0])) == pixel) {
      ++last;
      if (rows[last][column] < rows[smallest][column]) smallest = last;
      if (rows[last][column] > rows[largest][column]) largest = last;
    }
    std::array<std::size_t, 4> kept{i, smallest, largest, last};
    std::sort(kept.begin(), kept.end());
    for (const std::size_t k : kept) pen.to(x(rows[k][0]), y(rows[k][column]));
    i = last + 1;
  }
  return pen.take();
}

}  // namespace hstar::report
