// src/formulation/coordinate_partition.hpp
//
// Coordinates split into independent ones, which are integrated, and dependent ones, which the rows of the mode
// determine: positions by Newton-Raphson on Phi(q, t) = 0, velocities from Phi_q v = nu. Rows that exist at
// velocity level only (stuck units) take dependent velocities out of the independent coordinates: such a
// coordinate keeps its position as an integrated one.
//
// The choice (velocity_map.hpp) is pivoted elimination of Phi_q in the metric of kinetic energy, Phi_q M^-1/2, so that
// it depends neither on units nor on lengths. Its growth is the largest entry of v_dependent / v_independent in that
// metric: the reduced mass matrix has a condition number of about growth^2.
#pragma once

#include <memory>
#include <vector>

#include "formulation/mode_equations.hpp"
#include "formulation/velocity_map.hpp"

namespace hstar {

class CoordinatePartition {
 public:
  explicit CoordinatePartition(ModeEquations& equations);

  /// A new segment at consistent (t, y): keeps the choice if the rows are the same and it is still good.
  /// Returns true if other coordinates are independent than before although the rows are the same.
  bool restart(const Mode& mode, double t, const double* y);
  /// At a consistent (t, y): chooses anew if the growth has become too large and another choice is clearly better.
  bool review(double t, const double* y);

  /// Dependent positions and velocities inside y from the independent ones. False if Newton-Raphson does not
  /// converge from the dependent positions that y has as estimates. Leaves the kinematics at the new y.
  bool complete(double t, double* y);

  [[nodiscard]] int dependent_count() const { return map_->choice().rank; }
  /// What partition_full reduces with; null where many rows make the choice sparse.
  [[nodiscard]] DenseVelocityMap* dense() { return dense_; }
  /// Index of column j in vectors with three entries a body.
  [[nodiscard]] std::size_t slot(int j) const { return slot_[j]; }

 private:
  void choose();
  bool positions(double t, double* y);
  /// The correction of dependent positions into x_. False if singular.
  bool correct_positions();
  void move_dependent(double* y);
  /// Dependent velocities into x_. False if singular.
  bool dependent_velocities(const double* v);
  /// Evaluates at (t, y) and fills the map.
  void fill(double t, const double* y);

  ModeEquations& equations_;
  std::unique_ptr<VelocityMap> map_;
  DenseVelocityMap* dense_ = nullptr;
  int holding_ = 0;  ///< rows that hold positions
  double chosen_growth_ = 0;
  bool has_choice_ = false;
  std::vector<char> closed_, stuck_;  ///< the rows the choice was made for
  std::vector<int> old_;
  std::vector<std::size_t> slot_;
  std::vector<double> x_, residual_, displacement_;
};

}  // namespace hstar
