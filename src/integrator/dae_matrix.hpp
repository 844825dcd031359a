// src/integrator/dae_matrix.hpp
//
// The iteration matrix of implicit DAE methods, given entry by entry: dense with partial pivoting for
// small systems, sparse (Eigen) with one symbolic factorisation a pattern for larger ones.
#pragma once

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <vector>

#include "hstar/dae.hpp"
#include "integrator/linear_solve.hpp"

namespace hstar::integrator {

class DaeMatrix {
 public:
  explicit DaeMatrix(std::size_t largest) : dense_(largest <= kDense ? largest : 0), largest_(largest) {}

  /// Begins a new matrix of `n` unknowns; entries of the same place add up.
  void clear(std::size_t n) {
    n_ = n;
    if (small()) {
      for (std::size_t r = 0; r < largest_; ++r)
        for (std::size_t c = 0; c < largest_; ++c) dense_.at(r, c) = r == c && r >= n ? 1.0 : 0.0;
    } else {
      entries_.clear();
    }
  }
  void add(std::size_t row, std::size_t column, double value) {
    if (small())
      dense_.at(row, column) += value;
    else
      entries_.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  }
  /// factor * entries, moved to a block.
  void add(const DaeEntries& entries, std::size_t row, std::size_t column, double factor) {
    for (const DaeEntry& e : entries)
      add(row + static_cast<std::size_t>(e.row), column + static_cast<std::size_t>(e.column), factor * e.value);
  }
  /// False if singular.
  bool factorise() {
    if (small()) return dense_.factorise();
    const auto n = static_cast<Eigen::Index>(n_);
    sparse_.resize(n, n);
    sparse_.setFromTriplets(entries_.begin(), entries_.end());
    sparse_.makeCompressed();
    if (pattern_entries_ != sparse_.nonZeros() || pattern_size_ != n_) {
      solver_.analyzePattern(sparse_);
      pattern_entries_ = sparse_.nonZeros();
      pattern_size_ = n_;
    }
    solver_.factorize(sparse_);
    return solver_.info() == Eigen::Success;
  }
  void solve(double* x) {
    if (small()) {
      // The rows beyond n are the identity: x must be as long as the largest system.
      dense_.solve(x);
      return;
    }
    Eigen::Map<Eigen::VectorXd> b(x, static_cast<Eigen::Index>(n_));
    right_ = b;
    b = solver_.solve(right_);
  }
  /// A new mode: another pattern.
  void forget_pattern() { pattern_entries_ = -1; }

 private:
  static constexpr std::size_t kDense = 48;
  [[nodiscard]] bool small() const { return largest_ <= kDense; }

  DenseLu dense_;
  std::size_t largest_, n_ = 0, pattern_size_ = 0;
  Eigen::Index pattern_entries_ = -1;
  std::vector<Eigen::Triplet<double>> entries_;
  Eigen::SparseMatrix<double> sparse_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> solver_;
  Eigen::VectorXd right_;
};

}  // namespace hstar::integrator
