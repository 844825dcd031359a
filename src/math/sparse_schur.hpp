// src/math/sparse_schur.hpp
//
// The Schur complement G M^-1 G^T of many rows, each touching at most two bodies: assembled over shared
// bodies and factorised by a sparse LDL^T whose symbolic part is kept as long as the same bodies are
// coupled. Cost linear in the number of bodies for chains and trees.
#pragma once

#include <memory>
#include <vector>

#include "math/saddle_row.hpp"

namespace hstar::math {

class SparseSchur {
 public:
  /// `columns` of each body: 3 or 6.
  explicit SparseSchur(int columns = 3);
  ~SparseSchur();

  /// Factorises S for the rows rows[kept[0]], ... False if it is not positive definite.
  bool factor(const SaddleRow* rows, const std::vector<int>& kept, const std::vector<double>& inverse_mass);
  /// Solves S x = b in place.
  void solve(double* x) const;
  /// Smallest pivot relative to its diagonal entry: the square of the part of a row that is new to others.
  [[nodiscard]] double smallest_pivot() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hstar::math
