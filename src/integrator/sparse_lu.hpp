// src/integrator/sparse_lu.hpp
//
// A sparse matrix of changing values, and its LU factors by KLU (Davis & Palamadai Natarajan 2010). Only an entry at a
// new place makes a new pattern and a new symbolic factorisation. Factors of a known pattern keep their pivots, their
// places and their memory while the pivots are good. Cost of a factorisation and of a solution: linear in the entries
// of the factors, which in chains grow with their length.
#pragma once

#include <memory>

#include "integrator/sparse_columns.hpp"

namespace hstar::integrator {

class SparseLu {
 public:
  SparseLu();
  ~SparseLu();
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  /// Begins a matrix of n unknowns, all zero. The pattern stays if n does.
  void clear(int n) { columns_.clear(n); }
  void forget_pattern() { columns_.forget(); }
  /// Entries of the same place add up.
  void add(int row, int column, double value) { columns_.add(row, column, value); }
  /// False if singular.
  bool factorise();
  /// x: the right-hand side, then the solution; n long.
  void solve(double* x);

 private:
  struct Factors;  ///< KLU's objects

  SparseColumns columns_;
  std::unique_ptr<Factors> factors_;
};

}  // namespace hstar::integrator
