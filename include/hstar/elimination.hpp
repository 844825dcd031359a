// include/hstar/elimination.hpp
//
// Gaussian elimination with full pivoting, P A Q = L U, of matrices of any shape and rank: which rows are
// independent, which columns can be solved for (the pivots), and which stay free. On a constraint Jacobian
// the pivot columns are the dependent coordinates and the others the independent ones.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hstar {

class Elimination {
 public:
  struct Options {
    /// Elimination ends when no remaining entry is larger than tolerance times the first pivot; those entries count
    /// as zero. In [0, 1).
    double tolerance = 1e-12;
    /// Pivots are taken from the first `leading_rows` rows until these are used up, then from the rest: of two
    /// groups of equations the first keeps its pivots whatever the second is. 0: all rows alike.
    std::size_t leading_rows = 0;
  };

  Elimination() = default;
  /// Memory for matrices up to this size; factor() then allocates nothing.
  Elimination(std::size_t max_rows, std::size_t max_columns);

  /// Eliminates the row-major matrix `a`. The pivot is the largest absolute value of what remains; ties go to
  /// the first column, then to the first row, in the order of that moment.
  /// @throws InputError if a does not have rows * columns finite entries or the options are out of bounds.
  void factor(std::span<const double> a, std::size_t rows, std::size_t columns, const Options& options);
  void factor(std::span<const double> a, std::size_t rows, std::size_t columns) { factor(a, rows, columns, {}); }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rank() const { return pivots_.size(); }
  /// Rank of the leading rows (all rows, if no group was named).
  [[nodiscard]] std::size_t leading_rank() const { return leading_rank_; }
  /// Pivots in the order taken, with sign.
  [[nodiscard]] std::span<const double> pivots() const { return pivots_; }
  /// Row i of the echelon form is row row_order()[i] of A; from rank() on: rows that depend on the ones before.
  [[nodiscard]] std::span<const int> row_order() const { return row_order_; }
  /// Column j of the echelon form is column column_order()[j] of A.
  [[nodiscard]] std::span<const int> column_order() const { return column_order_; }
  [[nodiscard]] std::span<const int> dependent() const { return column_order().first(rank()); }
  [[nodiscard]] std::span<const int> independent() const { return column_order().subspan(rank()); }

  /// Echelon form, i < rank: unit diagonal, zero below it.
  [[nodiscard]] double echelon(std::size_t i, std::size_t j) const {
    return j < i ? 0.0 : j == i ? 1.0 : lu_[i * columns_ + j];
  }
  /// What multiplied the echelon row j when it was taken from row i > j; the pivot for i == j.
  [[nodiscard]] double multiplier(std::size_t i, std::size_t j) const { return lu_[i * columns_ + j]; }

  /// Turns b (one entry a row of A, in A's order) into the right-hand side of the echelon form, in its order.
  /// From rank() on: what is left over, zero where A x = b can be solved.
  void forward(std::span<double> b) const;
  /// Solves A x = b with zero for the independent columns; x in A's order. Equations of dependent rows are not used.
  [[nodiscard]] std::vector<double> solve(std::span<const double> b) const;

 private:
  std::size_t rows_ = 0, columns_ = 0, leading_rank_ = 0;
  std::vector<double> lu_;  ///< permuted: L with its pivots below and on the diagonal, unit U above
  std::vector<double> pivots_;
  std::vector<int> row_order_, column_order_;
};

}  // namespace hstar
