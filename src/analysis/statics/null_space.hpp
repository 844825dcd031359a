// src/analysis/statics/null_space.hpp: the rank of matrices of rows of constraints is decided here.
#pragma once

#include <Eigen/QR>

namespace hstar {

/// Rows of length 1 of which less than this is new count as dependent.
inline constexpr double dependent_row = 1e-9;

[[nodiscard]] inline Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decompose(const Eigen::MatrixXd& a) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> out;
  out.setThreshold(dependent_row);
  out.compute(a);
  return out;
}

/// Orthonormal basis of { x : a x = 0 }, by QR of a^T with its columns brought to length 1.
[[nodiscard]] inline Eigen::MatrixXd null_space(const Eigen::MatrixXd& a) {
  const long n = a.cols();
  if (a.rows() == 0) return Eigen::MatrixXd::Identity(n, n);
  Eigen::MatrixXd rows = a.transpose();
  for (long j = 0; j < rows.cols(); ++j)
    if (const double norm = rows.col(j).norm(); norm > 0) rows.col(j) /= norm;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(dependent_row);
  qr.compute(rows);
  Eigen::MatrixXd q = Eigen::MatrixXd::Identity(n, n);
  q.applyOnTheLeft(qr.householderQ());
  return q.rightCols(n - qr.rank());
}

}  // namespace hstar
