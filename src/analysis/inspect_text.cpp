// src/analysis/inspect_text.cpp: an inspection as aligned tables, as JSON and as NumPy's archive.
#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "hstar/error.hpp"
#include "hstar/inspect.hpp"
#include "record/json_writer.hpp"
#include "record/npz.hpp"

namespace hstar {
namespace {

/// Wider matrices are printed in blocks of columns.
constexpr std::size_t columns_at_once = 8;

std::string cell(double x) { return x == 0 ? "0" : fmt::format("{:.8g}", x); }

void print_table(const NamedTable& table, std::ostream& out) {
  out << fmt::format("\n{}: {}\n", table.name, table.about);
  std::size_t label = 0;
  for (const std::string& row : table.rows) label = std::max(label, row.size());
  for (std::size_t from = 0; from < table.width(); from += columns_at_once) {
    const std::size_t to = std::min(from + columns_at_once, table.width());
    std::vector<std::size_t> width(to - from, 1);
    for (std::size_t c = from; c < to; ++c) {
      if (!table.columns.empty()) width[c - from] = table.columns[c].size();
      for (std::size_t r = 0; r < table.rows.size(); ++r)
        width[c - from] = std::max(width[c - from], cell(table.at(r, c)).size());
    }
    if (!table.columns.empty()) {
      out << fmt::format("  {:{}}", "", label);
      for (std::size_t c = from; c < to; ++c) out << fmt::format("  {:>{}}", table.columns[c], width[c - from]);
      out << '\n';
    }
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      out << fmt::format("  {:{}}", table.rows[r], label);
      for (std::size_t c = from; c < to; ++c) out << fmt::format("  {:>{}}", cell(table.at(r, c)), width[c - from]);
      out << '\n';
    }
  }
}

void write_names(record::JsonWriter& json, const char* key, const std::vector<std::string>& names) {
  json.open(key, '[');
  for (const std::string& name : names) json.item("", name);
  json.close(']');
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "none" : out;
}

}  // namespace

void print_inspection(const Inspection& inspection, std::ostream& out) {
  out << inspection.title << fmt::format("\nt = {:.17g} s", inspection.t);
  if (!inspection.mode.empty()) out << ", mode " << inspection.mode;
  out << '\n';
  for (const NamedTable& table : inspection.tables) print_table(table, out);
  if (inspection.find("Phi_q") == nullptr) return;
  out << "\npartition by full-pivot elimination of Phi_q M^-1/2\n"
      << "  dependent:   " << joined(inspection.dependent) << "\n  independent: " << joined(inspection.independent)
      << '\n';
  if (!inspection.redundant.empty())
    out << "  rows that depend on the others: " << joined(inspection.redundant) << '\n';
}

std::string inspection_json(const Inspection& inspection) {
  record::JsonWriter json;
  json.open("", '{');
  json.item("title", inspection.title);
  json.item("t", inspection.t);
  json.item("mode", inspection.mode);
  json.open("tables", '{');
  for (const NamedTable& table : inspection.tables) {
    json.open(table.name, '{');
    json.item("about", table.about);
    write_names(json, "rows", table.rows);
    if (!table.columns.empty()) write_names(json, "columns", table.columns);
    json.open("values", '[');
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      if (!table.columns.empty()) json.open("", '[');
      for (std::size_t c = 0; c < table.width(); ++c) json.item("", table.at(r, c));
      if (!table.columns.empty()) json.close(']');
    }
    json.close(']');
    json.close('}');
  }
  json.close('}');
  write_names(json, "dependent", inspection.dependent);
  write_names(json, "independent", inspection.independent);
  write_names(json, "redundant", inspection.redundant);
  json.close('}');
  return json.text() + "\n";
}

void write_inspection_npz(const Inspection& inspection, const std::string& path) {
  record::NpzWriter npz;
  npz.add("t", {}, {&inspection.t, 1});
  for (const NamedTable& table : inspection.tables) {
    std::vector<std::size_t> shape{table.rows.size()};
    if (!table.columns.empty()) shape.push_back(table.columns.size());
    npz.add(table.name, shape, table.values);
    npz.add(table.name + ".rows", table.rows);
    if (!table.columns.empty()) npz.add(table.name + ".columns", table.columns);
  }
  npz.add("dependent", inspection.dependent);
  npz.add("independent", inspection.independent);
  npz.write(path);
}

}  // namespace hstar
