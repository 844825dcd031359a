// src/analysis/statics/reduced.hpp
//
// The linear equations of motion about a state of rest, in the tangent space of all rows that hold there:
//   M x'' + C x' + K x = S s,    s' = R_x x + R_v x' + R_s s,    displacement = basis x.
#pragma once

#include "analysis/statics/force_balance.hpp"

namespace hstar {

struct ReducedSystem {
  Eigen::MatrixXd basis;  ///< n x d
  Eigen::MatrixXd M, C, K, S;
  Eigen::MatrixXd R_x, R_v, R_s;
  double no_stiffness = 0;  ///< eigenvalues of K x = k M x up to this are round-off [1/s^2]
  bool symmetric = true;    ///< M and K symmetric to round-off, no damping, no states
};

/// About m's state with these multipliers of its rows. Derivatives are the elements' own: exact.
[[nodiscard]] ReducedSystem reduce(ForceBalance& m, const Eigen::VectorXd& lambda);

/// Eigenvalues of K x = k M x, ascending by real part; of M = 1 where M is singular (`by_mass` is then false).
[[nodiscard]] Eigen::VectorXcd stiffness_spectrum(const ReducedSystem& r, bool& by_mass);

}  // namespace hstar
