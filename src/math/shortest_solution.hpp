// src/math/shortest_solution.hpp
//
// Least-squares solution of minimum norm of a square system of any rank: complete orthogonal decomposition by
// Householder reflections (Golub & Van Loan 2013, sec. 5.4.7). Eigen's own takes heap memory in every solve.
#pragma once

#include <vector>

namespace hstar::math {

class ShortestSolution {
 public:
  void reserve(int n);
  /// Where the matrix of size n goes, by columns; overwritten by factor().
  double* matrix(int n);
  /// Pivots below `tolerance` of the largest count as none. Cost 4/3 n^3, twice that if the rank is less than n.
  void factor(double tolerance = 1e-13);
  /// b is overwritten with the solution, n.
  void solve(double* b);
  /// The k-th of n - rank orthonormal vectors that the matrix makes zero.
  void null(int k, double* x);
  [[nodiscard]] int rank() const { return rank_; }
  /// |R_rr| / |R_00|: 1 / condition, roughly; 0 if the rank is less than n.
  [[nodiscard]] double smallest_pivot() const { return smallest_; }

 private:
  int n_ = 0, rank_ = 0;
  double smallest_ = 0;
  std::vector<double> a_, tau_, norm_, first_norm_, right_, right_tau_, x_;
  std::vector<int> column_;
};

}  // namespace hstar::math
