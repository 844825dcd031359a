// src/integrator/sparse_columns.hpp
//
// A sparse matrix of changing values in compressed columns, given entry by entry; entries of the same place add up in
// the order in which they come. The pattern is the union of all since it was forgotten, so that an entry that happens
// to be zero now and then changes nothing. Where each entry went last time is remembered: as long as they come in the
// same order, an entry costs one comparison; otherwise the logarithm of its column's length. Only an entry at a new
// place makes a new pattern, in time linear in the entries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hstar/dae.hpp"

namespace hstar::integrator {

class SparseColumns {
 public:
  /// Begins a matrix of n unknowns, all zero. The pattern stays if n does.
  void clear(int n);
  /// The next matrix has a pattern of its own.
  void forget() { n_ = -1; }

  void add(int row, int column, double value) {
    if (next_ < trail_.size()) {
      const auto p = static_cast<std::size_t>(trail_[next_]);
      if (row_[p] == row && column_of_[p] == column) {
        value_[p] += value;
        ++next_;
        return;
      }
    }
    add_elsewhere({row, column, value});
  }
  void add(const DaeEntries& entries) {
    for (const DaeEntry& e : entries) add(e.row, e.column, e.value);
  }
  /// All entries have been added. True if the pattern is not the one of the matrix before.
  bool finish();

  // Compressed columns, valid after finish(): the rows of column c are row()[start()[c]] to row()[start()[c + 1] - 1],
  // ascending.
  [[nodiscard]] std::vector<int>& start() { return start_; }
  [[nodiscard]] std::vector<int>& row() { return row_; }
  [[nodiscard]] std::vector<double>& value() { return value_; }

 private:
  void add_elsewhere(const DaeEntry& entry);

  int n_ = -1;
  std::vector<int> start_, row_, column_of_;
  std::vector<double> value_;
  std::vector<int> trail_;          ///< places in the order in which entries came last time
  std::size_t next_ = 0;            ///< entries so far
  bool changed_ = false;            ///< a new size: also a matrix without entries has a new pattern
  DaeEntries new_, dealt_;          ///< entries at places that the pattern lacks
  std::vector<std::size_t> place_;  ///< while they are sorted
};

}  // namespace hstar::integrator
