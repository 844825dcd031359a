// src/cli/event_table.cpp
#include "cli/event_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hstar/record.hpp"

namespace hstar::cli {
namespace {

/// Twelve significant digits at the largest time, the same number of decimals in every line.
int time_decimals(std::span<const EventRecord> events) {
  double largest = 1.0;
  for (const EventRecord& e : events) largest = std::max(largest, std::abs(e.t));
  return std::clamp(11 - static_cast<int>(std::floor(std::log10(largest))), 0, 11);
}

struct Column {
  std::string title;
  bool left;  ///< words stand left, numbers right
  std::vector<std::string> cells;
};

/// Width on the terminal: bytes less the continuation bytes of UTF-8.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string aligned(const std::string& cell, std::size_t wide, bool left) {
  const std::string space(wide - std::min(wide, width(cell)), ' ');
  return left ? cell + space : space + cell;
}

/// Sliding velocity is zero where friction changes its mode; the table leaves out the round-off it has.
bool velocity_is_zero(const EventRecord& e) { return e.kind == "stick" || e.kind == "slip" || e.kind == "reversal"; }

std::string unless_zero(double value) { return value == 0.0 ? std::string() : fmt::format("{:.6g}", value); }

std::vector<Column> columns_of(std::span<const EventRecord> shown, int decimals) {
  std::vector<Column> columns{{"#", false, {}},         {"t [s]", false, {}},    {"+/-", false, {}},
                              {"kind", true, {}},       {"element", true, {}},   {"mode", true, {}},
                              {"v before", false, {}},  {"v after", false, {}},  {"impulse n", false, {}},
                              {"impulse t", false, {}}, {"loss [J]", false, {}}, {"note", true, {}}};
  for (const EventRecord& e : shown) {
    std::string mode = e.mode_before;
    if (e.mode_before != e.mode_after) mode += " -> " + e.mode_after;
    const std::string cells[] = {std::to_string(e.index),
                                 fmt::format("{:.{}f}", e.t, decimals),
                                 e.dt_error > 0 ? fmt::format("{:.0e}", e.dt_error) : std::string(),
                                 e.kind,
                                 e.element,
                                 mode,
                                 velocity_is_zero(e) ? std::string() : unless_zero(e.gap_velocity_before),
                                 velocity_is_zero(e) ? std::string() : unless_zero(e.gap_velocity_after),
                                 unless_zero(e.impulse_n),
                                 unless_zero(e.impulse_t),
                                 unless_zero(e.energy_loss),
                                 e.note};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back(cells[c]);
  }
  std::erase_if(columns, [](const Column& column) {
    return std::all_of(column.cells.begin(), column.cells.end(), [](const std::string& cell) { return cell.empty(); });
  });
  return columns;
}

}  // namespace

std::string event_table(std::span<const EventRecord> events, std::size_t longest, std::size_t all) {
  if (events.empty()) return {};
  std::size_t head = events.size(), tail = 0;
  std::vector<EventRecord> shown(events.begin(), events.end());
  if (events.size() > longest && longest >= 3) {
    head = 2 * (longest - 1) / 3;
    tail = longest - 1 - head;
    shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(head), shown.end() - static_cast<std::ptrdiff_t>(tail));
  }
  const std::vector<Column> columns = columns_of(shown, time_decimals(shown));

  std::string text;
  const auto line = [&](auto&& cell) {
    std::string row;
    for (const Column& column : columns) {
      std::size_t wide = width(column.title);
      for (const std::string& other : column.cells) wide = std::max(wide, width(other));
      row += "  " + aligned(cell(column), wide, column.left);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  };
  line([](const Column& column) { return column.title; });
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i == head && tail > 0) {
      text += fmt::format("  ... {} more; --all-events prints them, events.csv has them\n", all - head - tail);
    }
    line([i](const Column& column) { return column.cells[i]; });
  }
  return text;
}

std::string kind_counts(const std::vector<std::pair<std::string, std::size_t>>& kinds) {
  std::size_t all = 0;
  for (const auto& [kind, count] : kinds) all += count;
  if (all == 0) return "no events";
  std::string text = fmt::format("{} event{}:", all, all == 1 ? "" : "s");
  const char* separator = " ";
  for (const auto& [kind, count] : kinds) {
    text += fmt::format("{}{} {}", separator, count, kind);
    separator = ", ";
  }
  return text;
}

}  // namespace hstar::cli
