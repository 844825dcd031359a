// src/cli/eliminate_verb.cpp: `hstar eliminate`.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "cli/verb.hpp"
#include "hstar/elimination.hpp"
#include "hstar/error.hpp"

namespace hstar::cli {
namespace {

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> a, b;
};

Matrix read_matrix(const std::string& file, bool right_side) {
  std::ifstream in(file);
  if (!in) throw InputError("cannot read the matrix '" + file + "'");
  Matrix out;
  std::size_t width = 0;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line.erase(std::find(line.begin(), line.end(), '#'), line.end());
    std::vector<double> row;
    for (std::size_t from = 0;;) {
      from = line.find_first_not_of(" \t\r,;", from);
      if (from == std::string::npos) break;
      char* end = nullptr;
      row.push_back(std::strtod(line.c_str() + from, &end));
      const auto to = static_cast<std::size_t>(end - line.c_str());
      const bool ends = to == line.size() || std::string_view(" \t\r,;").find(line[to]) != std::string_view::npos;
      if (to == from || !ends)
        throw InputError(fmt::format("{}:{}:{}: '{}' must be a number", file, number, from + 1,
                                     line.substr(from, line.find_first_of(" \t\r,;", from) - from)));
      from = to;
    }
    if (row.empty()) continue;
    if (width == 0) width = row.size();
    if (row.size() != width)
      throw InputError(fmt::format("{}:{}: {} numbers, the rows before have {}", file, number, row.size(), width));
    if (right_side) {
      out.b.push_back(row.back());
      row.pop_back();
    }
    out.a.insert(out.a.end(), row.begin(), row.end());
    ++out.rows;
  }
  out.columns = out.rows == 0 ? 0 : width - (right_side ? 1 : 0);
  if (out.columns == 0)
    throw InputError(
        fmt::format("{}: there is no matrix; give one row a line{}", file, right_side ? ", b as its last number" : ""));
  return out;
}

std::string number(double x) { return fmt::format("{:>14}", fmt::format("{:.8g}", x == 0 ? 0.0 : x)); }

/// Rows and columns count from 1, as in the file.
void print_matrix(const std::vector<double>& a, const std::vector<double>& b, const Elimination& e) {
  std::cout << fmt::format("  {:>6} ", "");
  for (const int c : e.column_order()) std::cout << fmt::format("{:>14}", fmt::format("column {}", c + 1));
  if (!b.empty()) std::cout << fmt::format("{:>14}", "b");
  std::cout << '\n';
  for (std::size_t i = 0; i < e.rows(); ++i) {
    std::cout << fmt::format("  {:>6} ", fmt::format("row {}", e.row_order()[i] + 1));
    for (std::size_t j = 0; j < e.columns(); ++j) std::cout << number(a[i * e.columns() + j]);
    if (!b.empty()) std::cout << number(b[i]);
    std::cout << '\n';
  }
}

/// A and b in the order of the pivots, and what each step makes of them.
void print_steps(const Matrix& m, const Elimination& e) {
  std::vector<double> a(m.a.size()), b(m.b.size());
  const std::size_t n = e.columns();
  for (std::size_t i = 0; i < e.rows(); ++i) {
    const auto row = static_cast<std::size_t>(e.row_order()[i]);
    if (!b.empty()) b[i] = m.b[row];
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] = m.a[row * n + e.column_order()[j]];
  }
  std::cout << "the matrix, rows and columns in the order in which pivots are taken\n";
  print_matrix(a, b, e);
  for (std::size_t k = 0; k < e.rank(); ++k) {
    const double pivot = a[k * n + k];
    std::cout << fmt::format("\nstep {}: pivot {:.8g} in row {}, column {}; the row is divided by it\n", k + 1, pivot,
                             e.row_order()[k] + 1, e.column_order()[k] + 1);
    for (std::size_t j = k; j < n; ++j) a[k * n + j] /= pivot;
    if (!b.empty()) b[k] /= pivot;
    for (std::size_t i = k + 1; i < e.rows(); ++i) {
      const double factor = a[i * n + k];
      std::cout << fmt::format("  row {} minus {:.8g} times row {}\n", e.row_order()[i] + 1, factor,
                               e.row_order()[k] + 1);
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      a[i * n + k] = 0;
      if (!b.empty()) b[i] -= factor * b[k];
    }
    print_matrix(a, b, e);
  }
  std::cout << '\n';
}

std::string list(std::span<const int> numbers) {
  std::string out;
  for (const int i : numbers) out += fmt::format("{}{}", out.empty() ? "" : " ", i + 1);
  return out.empty() ? "none" : out;
}

int eliminate(const std::string& file, bool right_side, bool steps, std::size_t leading_rows) {
  const Matrix m = read_matrix(file, right_side);
  Elimination e;
  Elimination::Options options;
  options.leading_rows = leading_rows;
  e.factor(m.a, m.rows, m.columns, options);
  std::cout << fmt::format("{} rows, {} columns, rank {}\n", m.rows, m.columns, e.rank());
  if (steps) print_steps(m, e);
  std::cout << "pivots:";
  for (const double p : e.pivots()) std::cout << fmt::format(" {:.10g}", p);
  std::cout << "\norder of rows: " << list(e.row_order()) << "\norder of columns: " << list(e.column_order())
            << "\ndependent columns (pivots): " << list(e.dependent())
            << "\nindependent columns: " << list(e.independent()) << "\nechelon form\n";
  std::vector<double> a(m.rows * m.columns), b = m.b;
  for (std::size_t i = 0; i < e.rank(); ++i)
    for (std::size_t j = 0; j < m.columns; ++j) a[i * m.columns + j] = e.echelon(i, j);
  if (!b.empty()) e.forward(b);
  print_matrix(a, b, e);
  if (m.b.empty()) return 0;
  const std::vector<double> x = e.solve(m.b);
  for (std::size_t j = 0; j < x.size(); ++j) std::cout << fmt::format("x{} = {:.15g}\n", j + 1, x[j]);
  double left = 0, largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    largest = std::max(largest, std::abs(m.b[i]));
    if (i >= e.rank()) left = std::max(left, std::abs(b[i]));
  }
  if (left > options.tolerance * largest)
    std::cout << fmt::format("the rows beyond the rank contradict the others: {:.3g} is left of b\n", left);
  return 0;
}

class EliminateVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    app.add_option("FILE", file_, "one row a line, blanks or commas between, # begins a comment")->required();
    app.add_flag("--rhs", right_side_, "the last column is b of A x = b");
    app.add_flag("--steps", steps_, "print the matrix after each step");
    app.add_option("--leading-rows", leading_rows_, "pivots come from these first rows until they are used up");
  }
  int run() override { return eliminate(file_, right_side_, steps_, leading_rows_); }

 private:
  std::string file_;
  bool right_side_ = false, steps_ = false;
  std::size_t leading_rows_ = 0;
};

const VerbEntry eliminate_entry(
    VerbGroup::look_up, "eliminate", "full-pivot elimination of a matrix",
    "Prints pivots, the order of rows and columns, the echelon form, and of A x = b the solution with zero for the\n"
    "independent columns.\n"
    "Examples:\n"
    "  hstar eliminate jacobian.txt\n"
    "  hstar eliminate system.txt --rhs --steps",
    make_verb<EliminateVerb>);

}  // namespace
}  // namespace hstar::cli
