// src/report/picture.cpp: an SVG file of chosen columns.
#include <algorithm>
#include <span>

#include "hstar/report.hpp"
#include "record/round_off.hpp"
#include "record/text_file.hpp"
#include "report/figure.hpp"

namespace hstar {
namespace {

/// Place of a column after t. @throws InputError naming those there are.
std::size_t place_of(const std::string& wanted, std::span<const std::string> columns) {
  const auto found = std::find(columns.begin(), columns.end(), wanted);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  std::string known;
  for (const std::string& column : columns) known += (known.empty() ? "" : ", ") + column;
  throw InputError("no column '" + wanted + "' is recorded; there are: " + known);
}

}  // namespace

void check_plot(const std::vector<std::vector<std::string>>& panels, std::span<const std::string> columns) {
  for (const auto& panel : panels)
    for (const std::string& wanted : panel) (void)place_of(wanted, columns);
}

void write_plot(const RunResult& result, const std::vector<std::vector<std::string>>& panels, const std::string& path) {
  report::Figure figure;
  figure.standalone = true;
  for (const auto& names : panels) {
    std::vector<report::Panel> by_unit;
    for (const std::string& wanted : names) {
      const std::size_t column = 1 + place_of(wanted, std::span(result.columns).subspan(1));
      // One panel has one axis and so one unit.
      const auto same = std::find_if(by_unit.begin(), by_unit.end(), [&](const report::Panel& panel) {
        return result.units[panel.front()] == result.units[column];
      });
      if (same == by_unit.end())
        by_unit.push_back({column});
      else
        same->push_back(column);
    }
    figure.panels.insert(figure.panels.end(), by_unit.begin(), by_unit.end());
  }
  record::write_text_file(path, report::figure_svg(record::without_round_off(result), figure));
}

}  // namespace hstar
