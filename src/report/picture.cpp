// src/report/picture.cpp: an SVG file of chosen columns.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "hstar/report.hpp"
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
  std::ofstream file(path, std::ios::binary);
  file << report::figure_svg(result, figure);
  file.close();
  if (!file) throw InputError("cannot write '" + path + "': " + std::strerror(errno));
}

}  // namespace hstar
