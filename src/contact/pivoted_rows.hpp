// src/contact/pivoted_rows.hpp
//
// Rows of a contact problem in the basis of those among them that are independent: L L^T = G_PP by Cholesky's
// factorization with complete pivoting (Higham 2002, section 10.3), and L_i . L_P = G_iP for every other row i, so that
// J_i = L_i in the basis of the pivots but for what is new in row i. Cost: rows x rank^2.
#pragma once

#include <vector>

#include "contact/problem.hpp"

namespace hstar::contact {

class PivotedRows {
 public:
  void reserve(int rows);
  /// What is independent of `held` gives pivots; the largest of what is left of each diagonal, relative to the whole of
  /// it and of what that is a remainder of, first: a row that is known to few digits tells rows that depend on it to
  /// fewer. Then so does what creeps: it is at rest by others, in some of its directions perhaps by itself. Held rows
  /// have no part in these pivots: near the slip of all that creeps, where xi grows beyond bounds there, they must not
  /// see it.
  void factor(const Problem& p, const std::vector<int>& held, const std::vector<int>& creeping);

  [[nodiscard]] int held_rank() const { return held_rank_; }
  [[nodiscard]] int rank() const { return static_cast<int>(pivot_.size()); }
  [[nodiscard]] const std::vector<int>& pivots() const { return pivot_; }
  [[nodiscard]] bool is_pivot(int row) const;
  /// L_i: rank numbers.
  [[nodiscard]] const double* row(int i) const { return factor_.data() + i * n_; }
  /// The row is a combination of the pivots, to the round-off of all of these.
  [[nodiscard]] bool depends(const Problem& p, int row) {
    return left_[index(row)] <= no_pivot(p, row) || is_combination(p, row);
  }
  /// x of J_i = x . J_P but for what is new in row i: rank numbers, until the next call.
  const double* combination(int row);
  void lower(double* x) const;  ///< x = L_P^-1 x
  /// Of the row's diagonal and of what is left of it: its round-off.
  [[nodiscard]] static double no_pivot(const Problem& p, int row);

 private:
  [[nodiscard]] static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void take(const Problem& p, const std::vector<int>& rows);
  bool is_combination(const Problem& p, int row);

  int n_ = 0, held_rank_ = 0;
  std::vector<int> pivot_;
  std::vector<double> factor_;  ///< n x n: row i is L_i
  std::vector<double> left_;    ///< n: what is new to the pivots of each diagonal
  std::vector<double> x_;
};

}  // namespace hstar::contact
