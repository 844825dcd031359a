// src/analysis/statics/relax.hpp
//
// Static equilibrium of a mechanism on its constraints: Newton's method in the tangent space, along directions in
// which the forces do work, with the line search on that work (Crisfield 1991, ch. 9.2; Bonet & Wood 2008, 9.6): no
// potential is needed. Coordinates may be held, units of friction may stick.
#pragma once

#include <span>
#include <string>

#include "analysis/statics/positions.hpp"

namespace hstar {

/// The tangent space at a state: displacements that the rows, held coordinates and stuck units allow, dimensionless
/// (displacement = size * Z x), and the forces and stiffness along it.
struct Tangent {
  Eigen::MatrixXd Z;          ///< n x d, orthonormal: G size Z = 0
  Eigen::MatrixXd Y;          ///< n x d: Y^T size F_lambda = 0, Z^T Y = 1; Z where nothing slides
  Eigen::VectorXd lambda;     ///< multipliers of the mode's rows, then of the held coordinates; least norm
  Eigen::VectorXd residual;   ///< F(lambda), N and N m times size: what is left is along Y
  Eigen::VectorXd along;      ///< Y^T residual
  Eigen::MatrixXd stiffness;  ///< d x d: -Y^T size F_q size Z
  double force_size = 0;      ///< largest generalised force that is balanced
  bool symmetric = true;      ///< Y = Z: nothing slides
};
[[nodiscard]] Tangent tangent(ForceBalance& m, std::span<const HeldCoordinate> held);

struct RelaxOptions {
  bool nearest = false;  ///< the nearest stationary point, stable or not; otherwise downhill
};
struct Relaxed {
  bool found = false;
  std::string why;  ///< if not found
  int iterations = 0;
};
/// Moves m.y to an equilibrium. m.y must close before.
Relaxed relax(ForceBalance& m, std::span<const HeldCoordinate> held, const RelaxOptions& options = {});

}  // namespace hstar
