// src/math/elimination.cpp: Gaussian elimination with full pivoting (Golub & Van Loan 2013, sec. 3.4.8), rows scaled
// to unit pivots.
#include "hstar/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "hstar/error.hpp"

namespace hstar {

Elimination::Elimination(std::size_t max_rows, std::size_t max_columns) {
  lu_.reserve(max_rows * max_columns);
  pivots_.reserve(std::min(max_rows, max_columns));
  row_order_.reserve(max_rows);
  column_order_.reserve(max_columns);
}

void Elimination::factor(std::span<const double> a, std::size_t rows, std::size_t columns, const Options& options) {
  if (a.size() != rows * columns)
    throw InputError("elimination: the matrix has " + std::to_string(a.size()) +
                     " entries, it must have rows * columns = " + std::to_string(rows * columns) +
                     "; pass all of it, row by row");
  if (!(options.tolerance >= 0 && options.tolerance < 1))
    throw InputError("elimination: tolerance = " + std::to_string(options.tolerance) +
                     " must be in [0, 1); 1e-12 suits exact matrices");
  if (options.leading_rows > rows)
    throw InputError("elimination: leading_rows = " + std::to_string(options.leading_rows) +
                     " must be at most rows = " + std::to_string(rows) + "; 0 treats all rows alike");
  if (!std::all_of(a.begin(), a.end(), [](double x) { return std::isfinite(x); }))
    throw InputError("elimination: the matrix has an entry that is not finite; every entry must be a number");

  rows_ = rows;
  columns_ = columns;
  lu_.assign(a.begin(), a.end());
  pivots_.clear();
  row_order_.resize(rows);
  column_order_.resize(columns);
  std::iota(row_order_.begin(), row_order_.end(), 0);
  std::iota(column_order_.begin(), column_order_.end(), 0);

  const bool grouped = options.leading_rows > 0 && options.leading_rows < rows;
  std::size_t group_end = grouped ? options.leading_rows : rows;
  leading_rank_ = 0;
  double floor = 0;
  for (std::size_t k = 0; k < std::min(rows, columns);) {
    std::size_t p = k, q = k;
    double largest = 0;
    for (std::size_t j = k; j < columns; ++j)
      for (std::size_t i = k; i < group_end; ++i)
        if (std::abs(lu_[i * columns + j]) > largest) {
          largest = std::abs(lu_[i * columns + j]);
          p = i;
          q = j;
        }
    if (k == 0 && floor == 0) floor = options.tolerance * largest;
    if (!(largest > floor)) {
      if (group_end == rows) break;
      group_end = rows;  // the leading rows are used up
      continue;
    }
    if (p != k) {
      std::swap_ranges(lu_.begin() + static_cast<std::ptrdiff_t>(k * columns),
                       lu_.begin() + static_cast<std::ptrdiff_t>((k + 1) * columns),
                       lu_.begin() + static_cast<std::ptrdiff_t>(p * columns));
      std::swap(row_order_[k], row_order_[p]);
    }
    if (q != k) {
      for (std::size_t i = 0; i < rows; ++i) std::swap(lu_[i * columns + k], lu_[i * columns + q]);
      std::swap(column_order_[k], column_order_[q]);
    }
    double* top = lu_.data() + k * columns;
    const double pivot = top[k];
    pivots_.push_back(pivot);
    for (std::size_t j = k + 1; j < columns; ++j) top[j] /= pivot;
    for (std::size_t i = k + 1; i < rows; ++i) {
      double* row = lu_.data() + i * columns;
      if (row[k] == 0) continue;
      for (std::size_t j = k + 1; j < columns; ++j) row[j] -= row[k] * top[j];
    }
    ++k;
    if (group_end != rows || !grouped) leading_rank_ = k;
    if (k == group_end && group_end != rows) group_end = rows;
  }
}

void Elimination::forward(std::span<double> b) const {
  if (b.size() != rows_)
    throw InputError("elimination: the right-hand side has " + std::to_string(b.size()) +
                     " entries, it must have one a row, " + std::to_string(rows_));
  std::vector<double> permuted(rows_);
  for (std::size_t i = 0; i < rows_; ++i) permuted[i] = b[row_order_[i]];
  for (std::size_t k = 0; k < rank(); ++k) {
    permuted[k] /= pivots_[k];
    for (std::size_t i = k + 1; i < rows_; ++i) permuted[i] -= lu_[i * columns_ + k] * permuted[k];
  }
  std::copy(permuted.begin(), permuted.end(), b.begin());
}

std::vector<double> Elimination::solve(std::span<const double> b) const {
  std::vector<double> c(b.begin(), b.end()), x(columns_, 0.0);
  forward(c);
  for (std::size_t k = rank(); k-- > 0;) {
    for (std::size_t j = k + 1; j < rank(); ++j) c[k] -= lu_[k * columns_ + j] * c[j];
    x[column_order_[k]] = c[k];
  }
  return x;
}

}  // namespace hstar
