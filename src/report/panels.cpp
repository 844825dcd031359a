// src/report/panels.cpp: which columns share a plot.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "record/round_off.hpp"
#include "report/curve.hpp"
#include "report/page_data.hpp"

namespace hstar::report {
namespace {
constexpr std::size_t most_curves = 6;  // in one panel

using Components = std::array<std::string_view, 4>;  // of one vector in space
constexpr Components euler{"e0", "e1", "e2", "e3"};
constexpr Components vectors[] = {{"x", "y", "z"},    {"vx", "vy", "vz"},
                                  {"wx", "wy", "wz"}, euler,
                                  {"fx", "fy", "fz"}, {"slip_x", "slip_y", "slip_z"},
                                  {"tx", "ty", "tz"}};
bool has(const Components& vector, std::string_view word) {
  return std::find(vector.begin(), vector.end(), word) != vector.end();
}

struct Name {
  std::string_view owner, word;
};
Name parts(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == name.npos ? Name{{}, name} : Name{name.substr(0, dot), name.substr(dot + 1)};
}

/// What two columns of one panel have in common. In the plane a quantity of several bodies stands together, in space
/// the components of one body's vector.
std::string kind_of(std::string_view name, std::string_view unit, bool spatial) {
  const Name column = parts(name);
  for (const Components& vector : vectors)
    if (spatial && has(vector, column.word)) return fmt::format("{}.{}|{}", column.owner, vector[0], unit);
  return fmt::format("{}|{}", column.word, unit);
}
}  // namespace

std::vector<Panel> panels_of(const RunResult& result, std::vector<std::string>& constants) {
  std::vector<Panel> panels;
  const auto is_euler = [&](std::size_t column) { return has(euler, parts(result.columns[column]).word); };
  bool spatial = false;
  for (std::size_t column = 1; column < result.columns.size(); ++column) spatial |= is_euler(column);
  const auto quantity = [&](std::size_t column) {
    return kind_of(result.columns[column], result.units[column], spatial);
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
  // How a body is turned says little in Euler parameters: they come last.
  std::stable_partition(panels.begin(), panels.end(), [&](const Panel& panel) { return !is_euler(panel.front()); });
  return panels;
}

}  // namespace hstar::report
