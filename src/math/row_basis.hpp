// src/math/row_basis.hpp
//
// Rows of G M^-1/2 made orthogonal one after another: Gram-Schmidt with re-orthogonalisation (Daniel, Gragg, Kaufman &
// Stewart 1976). What is new of a row is told to the last digits, of which G M^-1 G^T has only the square.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "math/saddle_row.hpp"

namespace hstar::math {

class RowBasis {
 public:
  /// `mass` and `inverse` by column, as SaddleSolver has them; they stay the caller's.
  RowBasis(const std::vector<double>& mass, const std::vector<double>& inverse, int columns)
      : mass_(mass), inverse_(inverse), columns_(columns) {}

  /// Room for so many rows: as many as are taken, and the one that is looked at.
  void reserve(std::size_t rows) {
    if (basis_.size() < rows * mass_.size()) basis_.resize(rows * mass_.size());
  }
  void begin() { rank_ = 0; }

  struct Look {
    double length = 0, rest = 0;  ///< of the row, and of what is new of it
  };
  /// Cost: O(rank n). `parts`: along the rows taken, added, or null.
  Look look(const SaddleRow& row, double* parts = nullptr) {
    const std::size_t n = mass_.size();
    double* v = basis_.data() + rank_ * n;
    for (std::size_t j = 0; j < n; ++j) v[j] = 0;
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < columns_; ++c) {
        const auto j = static_cast<std::size_t>(columns_ * row.body[b] + c);
        // A massless coordinate weighs like a unit mass here: it counts as freedom.
        if (mass_[j] >= 0) v[j] += row.J[b][c] * (mass_[j] > 0 ? std::sqrt(inverse_[j]) : 1.0);
      }
    const double before = length(v);
    for (int pass = 0; pass < 2 && before > 0; ++pass)
      for (std::size_t r = 0; r < rank_; ++r) {
        const double* u = basis_.data() + r * n;
        double p = 0;
        for (std::size_t j = 0; j < n; ++j) p += u[j] * v[j];
        for (std::size_t j = 0; j < n; ++j) v[j] -= p * u[j];
        if (parts) parts[r] += p;
      }
    return {before, length(v)};
  }
  /// Takes the row looked at last, of which `rest` is new.
  void take(double rest) {
    double* v = basis_.data() + rank_++ * mass_.size();
    for (std::size_t j = 0; j < mass_.size(); ++j) v[j] /= rest;
  }

 private:
  [[nodiscard]] double length(const double* v) const {
    double sum = 0;
    for (std::size_t j = 0; j < mass_.size(); ++j) sum += v[j] * v[j];
    return std::sqrt(sum);
  }

  const std::vector<double>&mass_, &inverse_;
  int columns_;
  std::size_t rank_ = 0;
  std::vector<double> basis_;
};

}  // namespace hstar::math
