// src/math/sparse_elimination.hpp
//
// What Elimination (hstar/elimination.hpp) does for small matrices, for large sparse ones with few entries a row: which
// rows are independent and which columns can be solved for, and their factors P A Q = L U, whose pattern is kept
// for other values of the same entries. Pivots are at least `threshold` times the largest entry of what is left of
// their row (in the given column scales); among those the one with the smallest (row entries - 1)(column entries - 1)
// is taken (Markowitz 1957; Duff, Erisman & Reid 2017, ch. 7), of rows that elimination has left hardly smaller first.
// So |U_kj / U_kk| <= 1 / threshold, which bounds the growth of the elimination and of the dependent unknowns by the
// independent ones. Cost: linear for chains, trees and chains of loops.
#pragma once

#include <vector>

namespace hstar::math {

/// Compressed rows: entries first[i] .. first[i + 1) of column and value. A column may be named twice: entries add up.
struct SparseRows {
  std::vector<int> first{0}, column;
  std::vector<double> value;
  [[nodiscard]] int rows() const { return static_cast<int>(first.size()) - 1; }
  void clear() {
    first.assign(1, 0);
    column.clear();
    value.clear();
  }
};

class SparseElimination {
 public:
  static constexpr double threshold = 0.5;

  /// Chooses pivots for `a` with its columns divided by `scale` (one a column): from the first `leading_rows` rows
  /// until these are used up, then from the rest. A row with no entry larger than `tolerance` times the largest of all
  /// depends on the others. Entries that are zero keep their place: with other values they need not be. Allocates.
  void choose(const SparseRows& a, const std::vector<double>& scale, int leading_rows, double tolerance);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int leading_rank() const { return leading_rank_; }
  /// Pivots first, in the order taken; then dependent rows, and independent columns in ascending order.
  [[nodiscard]] const std::vector<int>& row_order() const { return row_order_; }
  [[nodiscard]] const std::vector<int>& column_order() const { return column_order_; }
  /// Place of a column in column_order().
  [[nodiscard]] int place(int column) const { return place_[column]; }

  /// Factorises the pivot rows and columns of `a`, which has the entries that choose() saw, with other values.
  /// False if a pivot is lost.
  bool factor(const SparseRows& a);
  /// Largest |U_kj / U_kk| of the last factor(), scaled, among the pivot columns.
  [[nodiscard]] double pivot_growth() const { return pivot_growth_; }
  /// Likewise the largest entry that a row had over its pivot: what elimination has cancelled.
  [[nodiscard]] double pivot_loss() const { return pivot_loss_; }
  /// Solves the first `count` pivot equations (rank(), or fewer: leading_rank()) for as many pivot columns, in place.
  void solve(double* x, int count) const;
  /// The same with the transposed matrix.
  void solve_transposed(double* x, int count) const;

 private:
  struct Work;
  void pattern(const Work& work);

  int rank_ = 0, leading_rank_ = 0;
  double pivot_growth_ = 0, pivot_loss_ = 0;
  std::vector<int> row_order_, column_order_, place_;
  std::vector<double> scale_;                                   ///< of the pivot columns, in their order
  std::vector<int> first_lower_, lower_, first_upper_, upper_;  ///< pattern of L and of U without diagonals, by row
  std::vector<double> l_, u_, diagonal_, x_;
};

}  // namespace hstar::math
