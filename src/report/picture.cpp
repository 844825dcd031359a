// src/report/picture.cpp: an SVG file of chosen columns.
#include <algorithm>

#include "hstar/report.hpp"
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
    report::Panel panel;
    for (const std::string& wanted : names) panel.push_back(column_named(result, wanted));
    if (!panel.empty()) figure.panels.push_back(panel);
  }
  record::write_text_file(path, report::figure_svg(result, figure));
}

}  // namespace hstar
