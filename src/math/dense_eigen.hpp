// src/math/dense_eigen.hpp
//
// Decompositions and products of dense matrices as plain functions. Eigen's templates of them are compiled in
// dense_eigen.cpp alone: in every file that uses them they took a quarter of the library's compile time. Matrices may
// be empty.
#pragma once

#include <Eigen/Core>

#include "math/tolerances.hpp"

namespace hstar::math {

/// The shortest x with the least |a x - b|; pivots below `threshold` of the largest count as zero. `threshold` 0: the
/// size of a times machine epsilon.
[[nodiscard]] Eigen::VectorXd least_norm(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                         double threshold = dependent_row);

/// Orthonormal basis of { x : a x = 0 }, by QR of a^T with its columns brought to length 1.
[[nodiscard]] Eigen::MatrixXd null_space(const Eigen::MatrixXd& a);

/// The rows of a, by a complete orthogonal decomposition in which rows that are new by less than `dependent_row` of the
/// largest are combinations of the others.
class RowSpace {
 public:
  explicit RowSpace(const Eigen::MatrixXd& a);
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;  ///< the shortest x with the least |a x - b|
  [[nodiscard]] auto basis() const { return all_.leftCols(rank_); }     ///< orthonormal, by columns
  [[nodiscard]] auto kernel() const { return all_.rightCols(all_.cols() - rank_); }  ///< orthonormal, by columns

 private:
  Eigen::MatrixXd all_;              ///< of the rows, then of the kernel
  Eigen::MatrixXd left_, triangle_;  ///< a = left_ triangle_ basis()^T
  long rank_ = 0;
};

/// a b. (A product of a matrix and a vector is cheap to compile, and of a diagonal one.)
[[nodiscard]] Eigen::MatrixXd product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// a x = b by LU with full pivoting, for every column of b. a is regular.
[[nodiscard]] Eigen::MatrixXd solve_regular(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
/// a x = b by LDL^T. a is symmetric and not negative.
[[nodiscard]] Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
/// a x = b by Cholesky's method. False, x untouched: the symmetric a is not positive definite.
[[nodiscard]] bool solve_positive(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, Eigen::VectorXd& x);

/// Columns x with a x = 0, by LU with full pivoting whose pivots below `threshold` of the largest count as zero; no
/// column: a is regular. `threshold` 0: the size of a times machine epsilon.
[[nodiscard]] Eigen::MatrixXd kernel(const Eigen::MatrixXd& a, double threshold = 0);

/// Of a symmetric problem: eigenvalues ascending, vectors by columns.
struct RealModes {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
struct ComplexModes {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
[[nodiscard]] RealModes symmetric_modes(const Eigen::MatrixXd& a);
/// K x = k M x, K symmetric, M symmetric and positive definite.
[[nodiscard]] RealModes symmetric_modes(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);
[[nodiscard]] ComplexModes general_modes(const Eigen::MatrixXd& a);
[[nodiscard]] Eigen::VectorXcd general_eigenvalues(const Eigen::MatrixXd& a);

}  // namespace hstar::math
