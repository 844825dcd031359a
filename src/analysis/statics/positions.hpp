// src/analysis/statics/positions.hpp
//
// Positions onto the constraints: the rows of a mode (joints, closed contacts) and coordinates held at given values.
//   close_positions    Levenberg-Marquardt on the residuals (Levenberg 1944; damping ~ |r|^2: Yamashita & Fukushima
//                      2001, quadratic also where the solution is not unique)
//   nearest_positions  of all positions that close, the one nearest to the estimate in weighted coordinates
#pragma once

#include <span>
#include <vector>

#include "analysis/statics/force_balance.hpp"

namespace hstar {

/// A coordinate held at a value.
struct HeldCoordinate {
  int coordinate;
  double value;
};

/// One accepted place on the way: the residual (Euclidean, of the scaled rows) and the state there.
struct PositionIterate {
  double residual;
  std::vector<double> y;
};

struct ClosedPositions {
  bool closed = false;
  double residual = 0;   ///< largest residual relative to the size of its row
  Eigen::VectorXd gaps;  ///< what is left of the mode's rows, then of the held coordinates [m, rad]
  std::vector<PositionIterate> iterates;
};

/// Residuals of rows and held coordinates, scaled to size 1, and their Jacobian by dimensionless displacements of
/// unit weight: displacement = scale * x. `weight` (n entries, > 0): the larger, the less a coordinate moves.
struct ScaledRows {
  Eigen::VectorXd residual, row_size, scale;
  Eigen::MatrixXd jacobian;
};
[[nodiscard]] ScaledRows scaled_rows(ForceBalance& m, std::span<const HeldCoordinate> held,
                                     const Eigen::VectorXd& weight);

/// Moves m.y onto the rows of its mode. Not closed: m.y is where the residuals are least.
ClosedPositions close_positions(ForceBalance& m, std::span<const HeldCoordinate> held, const Eigen::VectorXd& weight);

/// m.y closes: moves it along the constraints to where sum (weight (q - estimate) / size)^2 is least. Stops where
/// that does not converge (far from the estimate); m.y closes in any case. In space the change of an orientation is the
/// angle of the turn; its three weights must be the same.
void nearest_positions(ForceBalance& m, std::span<const HeldCoordinate> held, const Eigen::VectorXd& weight,
                       const std::vector<double>& estimate);

}  // namespace hstar
