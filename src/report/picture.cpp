// src/report/picture.cpp: an SVG file of chosen columns.
#include <algorithm>

#include "hstar/report.hpp"
#include "record/round_off.hpp"
#include "record/text_file.hpp"
#include "report/figure.hpp"

namespace hstar {
namespace {

std::size_t column_named(const RunResult& result, const std::string& wanted) {
  const auto found = std::find(result.columns.begin(), result.columns.end(), wanted);
  if (found != result.columns.end()) return static_cast<std::size_t>(found - result.columns.begin());
  std::string known;
  for (std::size_t i = 1; i < result.columns.size(); ++i) known += (i == 1 ? "" : ", ") + result.columns[i];
  throw InputError("no column '" + wanted + "' was recorded; there are: " + known);
}

}  // namespace

void write_plot(const RunResult& result, const std::vector<std::vector<std::string>>& panels, const std::string& path) {
  report::Figure figure;
  figure.standalone = true;
  for (const auto& names : panels) {
    std::vector<report::Panel> by_unit;
    for (const std::string& wanted : names) {
      const std::size_t column = column_named(result, wanted);
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
