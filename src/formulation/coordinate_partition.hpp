// src/formulation/coordinate_partition.hpp
//
// Coordinates split into independent ones, which are integrated, and dependent ones, which the rows of the mode
// determine: positions by Newton-Raphson on Phi(q, t) = 0, velocities from Phi_q v = nu. Rows that exist at
// velocity level only (stuck units) take dependent velocities out of the independent coordinates: such a
// coordinate keeps its position as an integrated one.
//
// The choice is full-pivot elimination of Phi_q in the metric of kinetic energy, Phi_q M^-1/2, so that it
// depends neither on units nor on lengths. `growth()` is the largest entry of v_dependent / v_independent in that
// metric: the reduced mass matrix has a condition number of about growth^2.
//
// Mechanisms of many rows are partitioned sparse (coordinate_partition_sparse.cpp): pivots are then chosen with a
// threshold, and every cost here is linear for chains, trees and chains of loops.
#pragma once

#include <vector>

#include "formulation/mode_equations.hpp"
#include "hstar/elimination.hpp"
#include "math/sparse_elimination.hpp"

namespace hstar {

class CoordinatePartition {
 public:
  explicit CoordinatePartition(ModeEquations& equations);

  /// A new segment at consistent (t, y): keeps the choice if the rows are the same and it is still good.
  /// Returns true if other coordinates are independent than before although the rows are the same.
  bool restart(const Mode& mode, double t, const double* y);
  /// At a consistent (t, y): chooses anew if growth() has become too large and another choice is clearly better.
  bool review(double t, const double* y);

  /// Dependent positions and velocities inside y from the independent ones. False if Newton-Raphson does not
  /// converge from the dependent positions that y has as estimates. Leaves the kinematics at the new y.
  bool complete(double t, double* y);

  /// Many rows: the choice is sparse, and there is no velocity_map().
  [[nodiscard]] bool is_sparse() const { return sparse_; }
  [[nodiscard]] int dependent_count() const { return r_; }

  // What partition_full reduces with, unless is_sparse(); columns are indices into q.
  /// The chosen rows' coefficients at the last evaluated state: Phi_d factorised, B = -Phi_d^-1 Phi_i.
  bool velocity_map();
  [[nodiscard]] double growth() const;  ///< after velocity_map()
  [[nodiscard]] int independent_count() const { return n_ - r_; }
  [[nodiscard]] int dependent(int k) const { return columns_[k]; }
  [[nodiscard]] int independent(int k) const { return columns_[r_ + k]; }
  /// Chosen rows in the order of the pivots; from dependent_count() on: redundant ones.
  [[nodiscard]] int row(int k) const { return rows_[k]; }
  [[nodiscard]] int row_count() const { return m_; }
  /// d v_dependent(k) / d v_independent(l).
  [[nodiscard]] double map(int k, int l) const { return b_[k * (n_ - r_) + l]; }
  /// Coefficient of chosen row i in column j of q, as filled by velocity_map().
  [[nodiscard]] double coefficient(int i, int j) const { return phi_[i * n_ + j]; }
  /// Phi_d x = b and Phi_d^T x = b in place, dependent_count() entries.
  void solve(double* x) const;
  void solve_transposed(double* x) const;
  /// Index of column j in vectors with three entries a body, and its mass.
  [[nodiscard]] std::size_t slot(int j) const { return slot_[j]; }
  [[nodiscard]] double mass(int j) const { return equations_.motion.mass()[slot(j)]; }

 private:
  void reserve_dense(std::size_t m);
  void fill();
  void eliminate();
  void choose();
  bool rank_is_back();
  bool positions(double t, double* y);
  /// The correction of dependent positions into x_. False if singular.
  bool correct_positions();
  void move_dependent(double* y);
  /// Dependent velocities into x_. False if singular.
  bool dependent_velocities(const double* v);
  /// growth() at the last evaluated state; infinite where Phi_d is singular.
  double growth_here();
  // coordinate_partition_sparse.cpp
  void fill_sparse();
  void choose_sparse();
  [[nodiscard]] int sparse_rank() const;
  double growth_sparse();
  double largest_in_column(int column, int* row);
  double largest_in_row(int row, int* column);
  void transposed_map(int* column, double* largest);

  ModeEquations& equations_;
  int n_ = 0, m_ = 0, holding_ = 0;  ///< columns; chosen rows; those of them that hold positions
  int rp_ = 0, r_ = 0;               ///< rank of the rows that hold positions; of all
  double chosen_growth_ = 0;
  bool has_choice_ = false;
  bool sparse_ = false;
  math::SparseRows sparse_rows_;
  math::SparseElimination sparse_elimination_;
  std::vector<double> z_;             ///< by column
  std::vector<char> closed_, stuck_;  ///< the rows the choice was made for
  std::vector<int> columns_, rows_, pivot_, old_;
  std::vector<std::size_t> slot_;
  std::vector<double> phi_, scaled_, lu_, position_lu_, b_, x_, residual_, root_, displacement_;
  Elimination elimination_;
};

}  // namespace hstar
