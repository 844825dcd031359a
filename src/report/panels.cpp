// src/report/panels.cpp: which columns share a plot.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "record/round_off.hpp"
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
  record::RoundOff round_off(std::span(result.units).subspan(1));
  for (const auto& row : result.rows) round_off.see(row[0], std::span(row).subspan(1));
  for (std::size_t column = 1; column < result.columns.size(); ++column) {
    const Range range = range_of(result.rows, column);
    if (range.low > range.high) {
      constants.push_back(result.columns[column] + " (no finite value)");
      continue;
    }
    if (range.high - range.low <= round_off.of(column - 1)) {
      const double unit = 10 * round_off.of(column - 1);
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
