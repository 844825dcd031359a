// src/math/saddle.hpp
//
// The saddle-point system of constrained motion,
//   M a = f + G^T lambda,    G a = rhs,
// for block-diagonal M and rows of G that touch at most two bodies. Knows matrices only: the same
// solve serves accelerations (f forces, rhs gamma) and velocities (f = M v, rhs nu or impact targets).
#pragma once

#include <vector>

#include "math/redundant_rows.hpp"
#include "math/row_basis.hpp"
#include "math/saddle_islands.hpp"
#include "math/saddle_row.hpp"
#include "math/sparse_schur.hpp"
#include "math/tolerances.hpp"

namespace hstar::math {

class SaddleSolver {
 public:
  /// Diagonal of M by body, `columns` entries each: 3 for planar bodies, 6 for spatial ones. An entry < 0 says "no
  /// freedom here" (prescribed bodies, the angle of point masses); 0 a massless coordinate that constraints must
  /// determine.
  explicit SaddleSolver(std::vector<double> mass, int max_rows, int columns = 3);
  SaddleSolver(const SaddleSolver&) = delete;
  SaddleSolver& operator=(const SaddleSolver&) = delete;

  /// Which rows depend linearly on the rows before them, by Gram-Schmidt on G M^-1/2 with
  /// re-orthogonalisation: a row is dependent if less than `tolerance` of its length is new.
  /// The rows found are treated as redundant by factor() until the next call. Returns how many. Rows from
  /// `loose_from` on are judged by `loose` instead. Of rows that move the most independent come first, to a factor of
  /// two, and of equal ones those that are not loose: what is new of a row by r only leaves the error of the others'
  /// 1/r times as large, and is nothing perhaps before the next call. Rows that do not move are taken as they come;
  /// unloaded ones last.
  int find_redundant(const SaddleRow* rows, int m, double tolerance = dependent_row) {
    return find_redundant(rows, m, tolerance, m, tolerance);
  }
  int find_redundant(const SaddleRow* rows, int m, double tolerance, int loose_from, double loose);
  [[nodiscard]] int redundant_count() const { return redundant_count_; }
  /// How often rows have been judged or told redundant, and factorised: whether that is as somebody left it.
  [[nodiscard]] unsigned judgements() const { return judgements_; }
  [[nodiscard]] unsigned factorisations() const { return factorisations_; }
  [[nodiscard]] bool is_redundant(int row) const { return redundant_[row] != 0; }

  /// Says which of the next rows are redundant, in place of find_redundant.
  void take_redundant(const char* redundant, int m);

  /// Factorises for these rows. False if singular (rank lost, or a massless coordinate left free).
  bool factor(const SaddleRow* rows, int m);
  /// a (`columns` per body) and lambda (m). Redundant rows get the minimum-norm multipliers, unloaded ones none; their
  /// rhs is not used. Without `share` none gets one: rows are combinations of others up to a tolerance, and so much of
  /// what they take off those the equations of a do not see.
  void solve(const double* f, const double* rhs, double* a, double* lambda, bool share = true);

  /// How near the factorised rows are to being dependent: the smallest part of a row (relative to its length, in
  /// the metric of M) that is new to the rows before it. 1 for orthogonal rows, 0 where rank is lost. For
  /// massless coordinates the smallest over the largest pivot.
  [[nodiscard]] double independence() const;

 private:
  /// More rows than this are solved island by island; more in one island are factorised sparse.
  [[nodiscard]] std::size_t dense_rows() const { return math::dense_rows(width_); }
  [[nodiscard]] bool is_sparse() const { return !massless_ && kept_.size() > dense_rows(); }
  /// Entry of G M^-1 G^T.
  [[nodiscard]] double couple(int i, int j) const {
    return with_columns(width_, [&](auto c) { return coupling<c>(rows_[i], rows_[j], inverse_.data()); });
  }
  bool factor_schur();
  /// The same factor from the rows themselves, G M^-1/2 = L Q: of what is nearly dependent G M^-1 G^T has lost the
  /// square. False: dependent.
  bool factor_rows();
  /// `by_rows`: the factor of the kept rows comes from factor_rows().
  bool factor_redundant(bool by_rows);
  /// G M^-1 G^T x = b of the kept rows, in place.
  void solve_kept(double* x) const;
  /// Of the whole matrix: smallest over largest pivot.
  [[nodiscard]] double pivot_ratio() const;
  bool factor_full();
  /// Multipliers of the kept rows that lead a onto G a = rhs; a is moved there.
  void correct(const double* rhs, double* a, double* multiplier);
  void spread(double* lambda, bool share);
  /// Room for m rows in the dense kernels; many rows come here only when some are redundant.
  void reserve_dense(std::size_t m);
  void reserve_full(std::size_t m);

  int width_, m_ = 0;  ///< width_: columns by body
  bool massless_ = false;
  std::vector<double> mass_, inverse_;
  std::vector<char> redundant_;
  int redundant_count_ = 0;
  unsigned judgements_ = 0, factorisations_ = 0;
  const SaddleRow* rows_ = nullptr;
  std::vector<int> kept_, dropped_;
  std::vector<double> s_, b_, correction_, full_, x_;
  RowBasis basis_;
  RedundantRows redundant_rows_;
  std::vector<int> pivot_, column_;
  int columns_ = 0;
  SparseSchur sparse_;
  SaddleIslands islands_;
  bool split_ = false;  ///< the factorised rows form several islands
};

}  // namespace hstar::math
