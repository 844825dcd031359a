// src/analysis/inspect_series.cpp: inspections of one run as columns over time, and how its partition changes.
#include <fmt/core.h>
#include <fmt/format.h>

#include <map>
#include <ostream>

#include "hstar/inspect.hpp"

namespace hstar {
namespace {

/// Column of each component of a vector, in the order in which they first appear: rows come and go with the mode.
struct Columns {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> places;

  std::size_t place(const std::string& name) {
    const auto [at, is_new] = places.try_emplace(name, names.size());
    if (is_new) names.push_back(name);
    return at->second;
  }
};

template <class Visit>
void each_component(const Inspection& inspection, Visit&& visit) {
  for (const NamedTable& table : inspection.tables)
    if (table.columns.empty() && table.name != "pivots")
      for (std::size_t row = 0; row < table.rows.size(); ++row)
        visit(table.name + " " + table.rows[row], table.at(row));
}

}  // namespace

std::string inspections_csv(std::span<const Inspection> inspections) {
  Columns columns;
  for (const Inspection& i : inspections)
    each_component(i, [&](const std::string& name, double) { (void)columns.place(name); });
  std::string out = "t,mode,dependent";
  for (const std::string& name : columns.names) out += ",\"" + name + "\"";
  out += '\n';
  std::vector<std::string> cells(columns.names.size());
  for (const Inspection& i : inspections) {
    cells.assign(cells.size(), "");
    each_component(
        i, [&](const std::string& name, double value) { cells[columns.place(name)] = fmt::format("{}", value); });
    out += fmt::format("{},\"{}\",\"{}\",{}\n", i.t, i.mode, fmt::join(i.dependent, " "), fmt::join(cells, ","));
  }
  return out;
}

void print_partitions(std::span<const Inspection> inspections, std::ostream& out) {
  const Inspection* before = nullptr;
  for (const Inspection& i : inspections) {
    if (before == nullptr || i.independent != before->independent)
      out << fmt::format("t = {:g} s: dependent {}; independent {}\n", i.t, fmt::join(i.dependent, ", "),
                         fmt::join(i.independent, ", "));
    before = &i;
  }
}

}  // namespace hstar
