// src/report/panels.cpp: which columns share a plot.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/curve.hpp"
#include "report/page_data.hpp"

namespace hstar::report {
namespace {
constexpr std::size_t most_curves = 6;  // in one panel
}

std::vector<Panel> panels_of(const RunResult& result, std::vector<std::string>& constants) {
  std::vector<Panel> panels;
  const auto quantity = [&](std::size_t column) {
    const std::string& name = result.columns[column];
    const auto dot = name.rfind('.');
    return (dot == std::string::npos ? name : name.substr(dot)) + "|" + result.units[column];
  };
  std::map<std::string, double> largest;  // of all columns in a unit: what round-off is measured by
  std::vector<Range> ranges{{0, 0}};
  for (std::size_t column = 1; column < result.columns.size(); ++column) {
    const Range range = range_of(result.rows, column);
    ranges.push_back(range);
    double& size = largest[result.units[column]];
    if (range.low <= range.high) size = std::max({size, std::abs(range.low), std::abs(range.high)});
  }
  for (std::size_t column = 1; column < result.columns.size(); ++column) {
    const Range& range = ranges[column];
    if (range.low > range.high) {
      constants.push_back(result.columns[column] + " (no finite value)");
      continue;
    }
    if (range.high - range.low <= 1e-13 * largest[result.units[column]]) {
      const double unit = 1e-12 * largest[result.units[column]];
      const bool exact = range.high == range.low;
      const double value = exact ? range.low : std::round(range.low / unit) * unit + 0.0;
      constants.push_back(fmt::format("{} = {:.12g} {}{}", result.columns[column], value, result.units[column],
                                      exact ? "" : " (to round-off)"));
      continue;
    }
    const auto same = std::find_if(panels.begin(), panels.end(), [&](const Panel& panel) {
      return panel.size() < most_curves && quantity(panel.front()) == quantity(column);
    });
    if (same != panels.end()) {
      same->push_back(column);
    } else {
      panels.push_back({column});
    }
  }
  return panels;
}

}  // namespace hstar::report
