// src/integrator/dae_matrix.hpp
//
// The iteration matrix of implicit DAE methods, given entry by entry: dense with partial pivoting for
// small systems, sparse with one symbolic factorisation a pattern for larger ones.
#pragma once

#include "hstar/dae.hpp"
#include "integrator/linear_solve.hpp"
#include "integrator/sparse_lu.hpp"

namespace hstar::integrator {

class DaeMatrix {
 public:
  explicit DaeMatrix(std::size_t largest) : dense_(largest <= kDense ? largest : 0), largest_(largest) {}

  /// Begins a new matrix of `n` unknowns; entries of the same place add up.
  void clear(std::size_t n) {
    if (!small()) return sparse_.clear(static_cast<int>(n));
    for (std::size_t r = 0; r < largest_; ++r)
      for (std::size_t c = 0; c < largest_; ++c) dense_.at(r, c) = r == c && r >= n ? 1.0 : 0.0;
  }
  void add(std::size_t row, std::size_t column, double value) {
    if (small())
      dense_.at(row, column) += value;
    else
      sparse_.add(static_cast<int>(row), static_cast<int>(column), value);
  }
  /// factor * entries, moved to a block.
  void add(const DaeEntries& entries, std::size_t row, std::size_t column, double factor) {
    for (const DaeEntry& e : entries)
      add(row + static_cast<std::size_t>(e.row), column + static_cast<std::size_t>(e.column), factor * e.value);
  }
  /// False if singular.
  bool factorise() { return small() ? dense_.factorise() : sparse_.factorise(); }
  /// Small systems: the rows beyond n are the identity, x must be as long as the largest system.
  void solve(double* x) {
    if (small())
      dense_.solve(x);
    else
      sparse_.solve(x);
  }
  /// A new mode: another pattern.
  void forget_pattern() { sparse_.forget_pattern(); }

 private:
  static constexpr std::size_t kDense = 48;
  [[nodiscard]] bool small() const { return largest_ <= kDense; }

  DenseLu dense_;
  std::size_t largest_;
  SparseLu sparse_;
};

}  // namespace hstar::integrator
