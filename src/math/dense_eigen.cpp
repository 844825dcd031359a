// src/math/dense_eigen.cpp: Eigen's decompositions and products of matrices, compiled here alone.
#include "math/dense_eigen.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace hstar::math {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

}  // namespace

Vector least_norm(const Matrix& a, const Vector& b, double threshold) {
  if (a.size() == 0) return Vector::Zero(a.cols());  // Eigen reads outside of an empty matrix
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  if (threshold > 0) decomposition.setThreshold(threshold);
  decomposition.compute(a);
  return decomposition.solve(Matrix(b));  // as a matrix, of which there are the templates below
}

Matrix null_space(const Matrix& a) {
  const long n = a.cols();
  if (a.rows() == 0) return Matrix::Identity(n, n);
  Matrix rows = a.transpose();
  for (long j = 0; j < rows.cols(); ++j)
    if (const double norm = rows.col(j).norm(); norm > 0) rows.col(j) /= norm;
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(dependent_row);
  qr.compute(rows);
  Matrix q = Matrix::Identity(n, n);
  q.applyOnTheLeft(qr.householderQ());
  return q.rightCols(n - qr.rank());
}

RowSpace::RowSpace(const Matrix& a) {
  if (a.size() == 0) {
    all_.setIdentity(a.cols(), a.cols());
    left_.resize(a.rows(), 0);
    return;
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(dependent_row);
  decomposition.compute(a);
  rank_ = decomposition.rank();
  all_ = decomposition.colsPermutation();
  if (rank_ < a.cols()) all_ *= decomposition.matrixZ().transpose();  // (Eigen has no Z where it is not needed.)
  triangle_ = decomposition.matrixT().topLeftCorner(rank_, rank_);
  left_ = Matrix::Identity(a.rows(), rank_);
  left_.applyOnTheLeft(decomposition.householderQ().setLength(rank_));
}

Vector RowSpace::solve(const Vector& b) const {
  return basis() * triangle_.triangularView<Eigen::Upper>().solve(left_.transpose() * b);
}

Matrix product(const Matrix& a, const Matrix& b) { return a * b; }

Matrix solve_regular(const Matrix& a, const Matrix& b) { return a.fullPivLu().solve(b); }

Vector solve_symmetric(const Matrix& a, const Vector& b) { return a.ldlt().solve(b); }

bool solve_positive(const Matrix& a, const Vector& b, Vector& x) {
  const Eigen::LLT<Matrix> factors(a);
  if (factors.info() != Eigen::Success) return false;
  x = factors.solve(b);
  return true;
}

Matrix kernel(const Matrix& a, double threshold) {
  Eigen::FullPivLU<Matrix> lu(a);
  if (threshold > 0) lu.setThreshold(threshold);
  if (lu.rank() == a.cols()) return {a.cols(), 0};  // Eigen gives one column of zeros
  return lu.kernel();
}

RealModes symmetric_modes(const Matrix& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

RealModes symmetric_modes(const Matrix& K, const Matrix& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector symmetric_eigenvalues(const Matrix& K, const Matrix& M) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(K, M, Eigen::EigenvaluesOnly | Eigen::Ax_lBx).eigenvalues();
}

ComplexModes general_modes(const Matrix& a) {
  const Eigen::EigenSolver<Matrix> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXcd general_eigenvalues(const Matrix& a) { return Eigen::EigenSolver<Matrix>(a, false).eigenvalues(); }

}  // namespace hstar::math
