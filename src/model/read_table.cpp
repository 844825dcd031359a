// src/model/read_table.cpp
//
// Tables of a model: rows in the file or in a CSV file, made into curves that formulas call.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "model/curve.hpp"
#include "model/nearest.hpp"
#include "model/reader.hpp"

namespace hstar::model {
namespace {

struct Rows {
  std::vector<double> x, y;
};

std::optional<double> number_in(std::string_view cell) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '+')) cell.remove_prefix(1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\r')) cell.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  const auto separator = [](char c) { return c == ',' || c == ';' || c == '\t'; };
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && !separator(line[i])) continue;
    cells.push_back(line.substr(begin, i - begin));
    begin = i + 1;
  }
  return cells;
}

std::array<std::size_t, 2> columns_of(const Fields& fields) {
  if (!fields.has("columns")) return {0, 1};
  const std::vector<double> given = fields.numbers("columns");
  const auto good = [](double c) { return c >= 1 && c == std::floor(c) && c < 1e6; };
  if (given.size() != 2 || !good(given[0]) || !good(given[1]))
    fields.fail("columns", "must be two whole numbers, counted from 1");
  return {static_cast<std::size_t>(given[0]) - 1, static_cast<std::size_t>(given[1]) - 1};
}

/// Its path is relative to the folder of the file in which the table stands.
Rows read_csv(const Fields& fields) {
  const auto [x_column, y_column] = columns_of(fields);
  const std::string given = fields.text("file");
  const std::filesystem::path path = std::filesystem::path(fields.where().file).parent_path() / given;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fields.fail("file", "is a folder");
  std::ifstream file(path);
  if (!file) fields.fail("file", fmt::format("cannot be read ({}: {})", path.string(), std::strerror(errno)));
  Rows rows;
  std::string line;
  bool first = true;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos || line.front() == '#') continue;
    const std::vector<std::string_view> cells = cells_of(line);
    const auto cell = [&](std::size_t column) {
      return column < cells.size() ? number_in(cells[column]) : std::nullopt;
    };
    const std::optional<double> x = cell(x_column), y = cell(y_column);
    const bool names = first && !x && !y;
    first = false;
    if (names) continue;
    if (!x || !y)
      fields.fail("file", fmt::format("has no number in line {}, column {}", number, (x ? y_column : x_column) + 1));
    if (!rows.x.empty() && !(*x > rows.x.back()))
      fields.fail("file", fmt::format("must have increasing x: line {} has {} after {}", number, *x, rows.x.back()));
    rows.x.push_back(*x);
    rows.y.push_back(*y);
  }
  if (rows.x.size() < 2) fields.fail("file", "must have two rows of numbers at least");
  return rows;
}

Rows read_points(const Fields& fields) {
  Rows rows;
  for (const Vec2& row : fields.pairs("points")) {
    if (!rows.x.empty() && !(row[0] > rows.x.back()))
      fields.fail("points", fmt::format("must have increasing x: {} stands after {}", row[0], rows.x.back()));
    rows.x.push_back(row[0]);
    rows.y.push_back(row[1]);
  }
  if (rows.x.size() < 2) fields.fail("points", "must have two rows at least");
  return rows;
}

Interpolation interpolation_of(const std::string& word) {
  return word == "constant"   ? Interpolation::constant
         : word == "akima"    ? Interpolation::akima
         : word == "monotone" ? Interpolation::monotone
                              : Interpolation::linear;
}

}  // namespace

std::string read_table(Context& context, const Value& table, const std::string& owner) {
  Fields fields(context, section("table"), table, owner);
  fields.check_for("");
  const std::string name = fields.name(NameUse::state);
  const std::vector<std::string> functions = Expression::function_names();
  if (std::find(functions.begin(), functions.end(), name) != functions.end())
    fields.fail_plainly("name", fmt::format("the name \"{}\" is reserved (a function); choose another", name));
  if (context.is_parameter(name))
    fields.fail_plainly("name", fmt::format("the name \"{}\" is taken by a parameter; choose another", name));
  if (fields.has("points") == fields.has("file"))
    fields.fail_plainly("points", "give either points (the rows) or file (a CSV file with them)");
  if (fields.has("columns") && !fields.has("file")) fields.fail_plainly("columns", "columns goes with file; remove it");
  Rows rows = fields.has("file") ? read_csv(fields) : read_points(fields);
  const std::string beyond = fields.word("beyond");
  context.curves[name] = std::make_shared<const Curve>(std::move(rows.x), std::move(rows.y),
                                                       interpolation_of(fields.word("interpolation")),
                                                       beyond == "periodic" ? Beyond::periodic
                                                       : beyond == "error"  ? Beyond::error
                                                                            : Beyond::hold,
                                                       name);
  return name;
}

Value with_points(Context& context, Value table) {
  const Fields fields(context, section("table"), table, "table");
  if (!fields.has("file")) return table;
  const auto number = [&](double x) {
    Value v;
    v.kind = Value::Kind::number;
    v.where = table.where;
    v.number = x;
    return v;
  };
  const auto list = [&] {
    Value v;
    v.kind = Value::Kind::array;
    v.where = table.where;
    return v;
  };
  const Rows rows = read_csv(fields);
  Member points{"points", table.where, list()};
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    points.value.items.push_back(list());
    points.value.items.back().items = {number(rows.x[i]), number(rows.y[i])};
  }
  std::erase_if(table.members, [](const Member& m) { return m.key == "file" || m.key == "columns"; });
  table.members.push_back(std::move(points));
  return table;
}

void Reader::table(const Value& table, std::size_t number) {
  const std::string owner = owner_of("table", table, number);
  claim("plain", read_table(context_, table, owner), table.where, owner);
}

}  // namespace hstar::model
