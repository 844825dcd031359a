// src/integrator/sparse_lu.hpp
//
// A sparse matrix of changing values, and its LU factors by KLU (Davis & Palamadai Natarajan 2010). Values are added
// where they belong in compressed columns; only an entry at a new place makes a new pattern and a new symbolic
// factorisation. Factors of a known pattern keep their pivots, their places and their memory while the pivots are good.
// Cost of a factorisation and of a solution: linear in the entries of the factors, which in chains grow with their
// length.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "hstar/dae.hpp"

namespace hstar::integrator {

class SparseLu {
 public:
  SparseLu();
  ~SparseLu();
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  /// Begins a matrix of n unknowns, all zero. The pattern stays if n does.
  void clear(int n);
  void forget_pattern() { n_ = -1; }
  /// Entries of the same place add up.
  void add(int row, int column, double value) {
    const int end = column_[static_cast<std::size_t>(column) + 1];
    for (int p = column_[static_cast<std::size_t>(column)]; p < end; ++p)
      if (row_[static_cast<std::size_t>(p)] == row) {
        value_[static_cast<std::size_t>(p)] += value;
        return;
      }
    new_entries_.push_back({row, column, value});
  }
  /// False if singular.
  bool factorise();
  /// x: the right-hand side, then the solution; n long.
  void solve(double* x);

 private:
  struct Factors;  ///< KLU's objects
  void extend_pattern();

  int n_ = -1;
  std::vector<int> column_, row_;  ///< compressed columns
  std::vector<double> value_;
  DaeEntries new_entries_;  ///< at places that the pattern lacks
  std::unique_ptr<Factors> factors_;
};

}  // namespace hstar::integrator
