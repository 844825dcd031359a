// src/report/picture.cpp: an SVG file of chosen columns.
#include <algorithm>
#include <cmath>
#include <limits>
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

/// "log(drift.position)" is the column drift.position on an axis of decades.
bool in_decades(std::string& wanted) {
  if (!wanted.starts_with("log(") || !wanted.ends_with(")")) return false;
  wanted = wanted.substr(4, wanted.size() - 5);
  return true;
}

/// log10 of the sizes of a column, as a column of `shown` with the same name and unit. Zero is left out.
std::size_t add_decades(const RunResult& result, std::size_t column, RunResult& shown) {
  shown.columns.push_back("|" + result.columns[column] + "|");
  shown.units.push_back(result.units[column]);
  for (std::size_t r = 0; r < shown.rows.size(); ++r) {
    const double size = std::abs(result.rows[r][column]);
    shown.rows[r].push_back(size > 0 ? std::log10(size) : std::numeric_limits<double>::quiet_NaN());
  }
  return shown.columns.size() - 1;
}

}  // namespace

void check_plot(const std::vector<std::vector<std::string>>& panels, std::span<const std::string> columns) {
  for (const auto& panel : panels)
    for (std::string wanted : panel) {
      (void)in_decades(wanted);
      (void)place_of(wanted, columns);
    }
}

void write_plot(const RunResult& result, const std::vector<std::vector<std::string>>& panels, const std::string& path) {
  report::Figure figure;
  figure.standalone = true;
  RunResult shown = record::without_round_off(result);
  for (const auto& names : panels) {
    std::vector<report::Panel> by_unit;
    for (std::string wanted : names) {
      const bool decades = in_decades(wanted);
      std::size_t column = 1 + place_of(wanted, std::span(result.columns).subspan(1));
      if (decades) figure.decades.push_back(column = add_decades(result, column, shown));
      const auto has_decades = [&](std::size_t c) {
        return std::find(figure.decades.begin(), figure.decades.end(), c) != figure.decades.end();
      };
      // One panel has one axis and so one unit.
      const auto same = std::find_if(by_unit.begin(), by_unit.end(), [&](const report::Panel& panel) {
        return shown.units[panel.front()] == shown.units[column] && has_decades(panel.front()) == decades;
      });
      if (same == by_unit.end())
        by_unit.push_back({column});
      else
        same->push_back(column);
    }
    figure.panels.insert(figure.panels.end(), by_unit.begin(), by_unit.end());
  }
  record::write_text_file(path, report::figure_svg(shown, figure));
}

}  // namespace hstar
