// src/model/matrix_system.cpp
//
// `[system]`: M x'' + C x' + K x = force with matrices from the model file or from Matrix Market files (Boisvert, Pozo
// & Remington, NISTIR 5935, 1996), written out as states x1, ..., xn and their rates x1_rate, ..., xn_rate.
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hstar/elimination.hpp"
#include "model/reader.hpp"

namespace hstar::model {
namespace {

/// Row-major and square.
struct Matrix {
  std::size_t n = 0;
  std::vector<double> entries;
  [[nodiscard]] double operator()(std::size_t r, std::size_t c) const { return entries[r * n + c]; }
};

constexpr std::size_t most_rows = 1000;

/// A file in the exchange format: coordinates or the array of all entries, whole or one triangle.
class MatrixMarket {
 public:
  MatrixMarket(const Fields& fields, const std::string& key) : fields_(fields), key_(key) {}

  Matrix read() {
    const std::filesystem::path path = std::filesystem::path(fields_.where().file).parent_path() / fields_.text(key_);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) fields_.fail(key_, "is a folder");
    std::ifstream file(path);
    if (!file) fields_.fail(key_, fmt::format("cannot be read ({}: {})", path.string(), std::strerror(errno)));
    header(file);
    Matrix out;
    out.n = static_cast<std::size_t>(size(file));
    out.entries.assign(out.n * out.n, 0.0);
    if (coordinates_)
      read_coordinates(file, out);
    else
      read_array(file, out);
    return out;
  }

 private:
  [[noreturn]] void wrong(const std::string& what) const {
    fields_.fail(key_, fmt::format("line {}: {}", line_, what));
  }

  void header(std::istream& file) {
    std::string line;
    std::getline(file, line);
    line_ = 1;
    std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
    std::istringstream words(line);
    std::string banner, object, format, field, symmetry;
    words >> banner >> object >> format >> field >> symmetry;
    if (banner != "%%matrixmarket" || object != "matrix")
      wrong("must be \"%%MatrixMarket matrix ...\", the first line of a Matrix Market file");
    if (field != "real" && field != "integer" && field != "double")
      wrong(fmt::format("entries are \"{}\"; they must be real or integer", field));
    const bool known = symmetry == "general" || symmetry == "symmetric" || symmetry == "skew-symmetric";
    if (!known || (format != "coordinate" && format != "array"))
      wrong(
          fmt::format("\"{} ... {}\" is not known; give coordinate or array, and general, symmetric or skew-symmetric",
                      format, symmetry));
    coordinates_ = format == "coordinate";
    mirror_ = symmetry == "symmetric" ? 1 : symmetry == "skew-symmetric" ? -1 : 0;
  }

  /// The numbers of the next line that is neither empty nor a comment.
  std::vector<double> numbers(std::istream& file, std::size_t count) {
    std::string line;
    while (std::getline(file, line)) {
      ++line_;
      if (line.find_first_not_of(" \t\r") == std::string::npos || line.front() == '%') continue;
      std::istringstream words(line);
      std::vector<double> all;
      for (double x = 0; words >> x;) all.push_back(x);
      const bool good = all.size() == count && (words >> std::ws).eof() &&
                        std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
      if (!good) wrong(fmt::format("must hold {} numbers", count));
      return all;
    }
    ++line_;
    wrong("the file ends before all entries are there");
  }

  int size(std::istream& file) {
    const std::vector<double> sizes = numbers(file, coordinates_ ? 3 : 2);
    const bool good = sizes[0] >= 1 && sizes[0] <= most_rows && sizes[0] == std::floor(sizes[0]);
    if (!good || sizes[1] != sizes[0])
      wrong(fmt::format("{} rows and {} columns; the matrix must be square, with at most {} rows", sizes[0], sizes[1],
                        most_rows));
    if (coordinates_) entries_ = sizes[2];
    return static_cast<int>(sizes[0]);
  }

  void put(Matrix& out, std::size_t r, std::size_t c, double x) const {
    out.entries[r * out.n + c] += x;
    if (mirror_ != 0 && r != c) out.entries[c * out.n + r] += mirror_ * x;
  }

  void read_coordinates(std::istream& file, Matrix& out) {
    const auto n = static_cast<double>(out.n);
    for (double k = 0; k < entries_; ++k) {
      const std::vector<double> e = numbers(file, 3);
      for (const double index : {e[0], e[1]})
        if (!(index >= 1 && index <= n && index == std::floor(index)))
          wrong(fmt::format("there is no row or column {}; the matrix has {}", index, out.n));
      put(out, static_cast<std::size_t>(e[0]) - 1, static_cast<std::size_t>(e[1]) - 1, e[2]);
    }
  }

  void read_array(std::istream& file, Matrix& out) {
    // Columns one after the other; of a symmetric matrix the lower triangle.
    for (std::size_t c = 0; c < out.n; ++c)
      for (std::size_t r = mirror_ == 0 ? 0 : mirror_ > 0 ? c : c + 1; r < out.n; ++r)
        put(out, r, c, numbers(file, 1)[0]);
  }

  const Fields& fields_;
  const std::string& key_;
  int line_ = 0, mirror_ = 0;
  bool coordinates_ = false;
  double entries_ = 0;
};

Value text_at(std::string text, const Location& where) {
  Value v;
  v.kind = Value::Kind::text;
  v.text = std::move(text);
  v.where = where;
  return v;
}

class SystemWriter {
 public:
  SystemWriter(Context& context, const Value& table)
      : context_(context), table_(table), fields_(context, section("system"), table, "[system]") {
    fields_.check_for("");
  }

  std::vector<Value> states() {
    const Matrix mass = matrix("M"), damping = matrix("C"), stiffness = matrix("K");
    if (mass.n == 0) fields_.missing("M");
    n_ = mass.n;
    for (const auto& [key, m] : {std::pair{"C", &damping}, std::pair{"K", &stiffness}})
      if (m->n != 0 && m->n != n_)
        fields_.fail_plainly(fields_.has(key) ? key : std::string(key) + "_file",
                             fmt::format("{} has {} rows, M has {}", key, m->n, n_));
    factor(mass);
    const std::vector<double> none(n_, 0.0);
    const auto starts = [&](const char* key) {
      const std::vector<double> all = fields_.has(key) ? fields_.numbers(key) : none;
      if (all.size() != n_) fields_.fail(key, fmt::format("must have {} numbers, one for each row of M", n_));
      return all;
    };
    const std::vector<double> x = starts("initial"), rate = starts("initial_rate");
    std::vector<std::string> rates(n_);
    append(rates, stiffness, "");
    append(rates, damping, "_rate");
    append_forces(rates);
    const std::string name = fields_.text("name");
    std::vector<Value> out;
    for (std::size_t i = 0; i < n_; ++i) {
      const std::string own = fmt::format("{}{}", name, i + 1), own_rate = own + "_rate";
      out.push_back(state(own, x[i], own_rate));
      out.push_back(state(own_rate, rate[i], rates[i].empty() ? "0" : rates[i]));
    }
    return out;
  }

 private:
  /// From `key`, its rows, or from `key_file`; without rows if neither is there.
  Matrix matrix(const std::string& key) const {
    const std::string file = key + "_file";
    if (fields_.has(key) && fields_.has(file)) fields_.fail_plainly(file, "give either the rows or a file");
    if (fields_.has(file)) return MatrixMarket(fields_, file).read();
    Matrix out;
    const Value* given = fields_.find(key);
    if (given == nullptr) return out;
    const auto refuse = [&] { fields_.fail(key, "must be as many rows as columns [[a, b, ...], ...]"); };
    if (!given->is_array() || given->items.empty() || given->items.size() > most_rows) refuse();
    out.n = given->items.size();
    for (const Value& row : given->items) {
      if (!row.is_array() || row.items.size() != out.n) refuse();
      for (const Value& entry : row.items)
        out.entries.push_back(context_.constant(entry, fmt::format("[system]: {}", key)));
    }
    return out;
  }

  void factor(const Matrix& mass) {
    elimination_.factor(mass.entries, n_, n_);
    if (elimination_.rank() == n_) return;
    const int row = elimination_.row_order()[elimination_.rank()];
    fields_.fail_plainly(fields_.has("M") ? "M" : "M_file",
                         fmt::format("M is singular: its row {} depends on others; leave out unknowns without mass "
                                     "(their equations have no rates)",
                                     row + 1));
  }

  /// Adds -M^-1 `by` x to the rates.
  void append(std::vector<std::string>& rates, const Matrix& by, const char* suffix) const {
    if (by.n == 0) return;
    const std::string name = fields_.text("name");
    std::vector<double> column(n_);
    for (std::size_t c = 0; c < n_; ++c) {
      for (std::size_t r = 0; r < n_; ++r) column[r] = by(r, c);
      const std::vector<double> x = elimination_.solve(column);
      for (std::size_t r = 0; r < n_; ++r)
        if (x[r] != 0) rates[r] += fmt::format("{:+}*{}{}{}", -x[r], name, c + 1, suffix);
    }
  }

  void append_forces(std::vector<std::string>& rates) const {
    const Value* given = fields_.find("force");
    if (given == nullptr) return;
    if (!given->is_array() || given->items.size() != n_)
      fields_.fail("force", fmt::format("must have {} formulas, one for each row of M", n_));
    std::vector<double> unit(n_, 0.0);
    for (std::size_t c = 0; c < n_; ++c) {
      const Value& f = given->items[c];
      if (!f.is_number() && !f.is_text()) fields_.fail("force", "must be a list of formulas");
      if (f.is_number() && f.number == 0) continue;
      unit[c] = 1;
      const std::vector<double> x = elimination_.solve(unit);
      unit[c] = 0;
      for (std::size_t r = 0; r < n_; ++r)
        if (x[r] != 0) rates[r] += fmt::format("{:+}*({})", x[r], f.is_text() ? f.text : fmt::format("{}", f.number));
    }
  }

  [[nodiscard]] Value state(const std::string& name, double initial, const std::string& rate) const {
    Value out, number;
    out.where = number.where = table_.where;
    number.kind = Value::Kind::number;
    number.number = initial;
    out.members.push_back({"name", table_.where, text_at(name, table_.where)});
    out.members.push_back({"initial", table_.where, std::move(number)});
    out.members.push_back({"rate", table_.where, text_at(rate, table_.where)});
    return out;
  }

  Context& context_;
  const Value& table_;
  Fields fields_;
  std::size_t n_ = 0;
  Elimination elimination_;
};

}  // namespace

void expand_system(Value& document) {
  const auto given =
      std::find_if(document.members.begin(), document.members.end(), [](const Member& m) { return m.key == "system"; });
  if (given == document.members.end() || !given->value.is_table()) return;
  Context context;
  if (const Member* parameters = document.find("parameters")) context.set_parameters(parameters->value);
  std::vector<Value> states = SystemWriter(context, given->value).states();
  const Location where = given->where;
  document.members.erase(given);
  if (document.find("state") == nullptr) {
    Value list;
    list.kind = Value::Kind::array;
    list.where = where;
    document.members.push_back({"state", where, std::move(list)});
  }
  std::vector<Value>& all = document.find("state")->value.items;
  all.insert(all.begin(), std::make_move_iterator(states.begin()), std::make_move_iterator(states.end()));
}

}  // namespace hstar::model
