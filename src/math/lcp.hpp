// src/math/lcp.hpp
//
// Linear complementarity problems  w = M z + q,  w >= 0,  z >= 0,  w^T z = 0,  by Lemke's method with
// covering vector 1 (or another) and lexicographic ratio test (Cottle, Pang & Stone 1992, sec. 4.4). Knows matrices
// only.
#pragma once

#include <vector>

namespace hstar::math {

enum class LcpStatus : unsigned char {
  solved,
  ray,      ///< ended on a secondary ray: for copositive M there is no solution
  too_long  ///< pivot bound reached
};

class Lemke {
 public:
  /// Room for problems of up to `most` unknowns; no allocation afterwards.
  explicit Lemke(int most);
  /// M row-major n x n. z (length n) is overwritten. Cost O(n^2) a pivot.
  /// `cover`: a covering vector, all entries > 0, in the place of 1: another path.
  LcpStatus solve(const double* M, const double* q, int n, double* z, const double* cover = nullptr);
  /// max over i of max(-z, -w, min(z, w)) of a candidate, relative to the size of the terms of w.
  static double residual(const double* M, const double* q, int n, const double* z);

  [[nodiscard]] int pivots() const { return pivots_; }

 private:
  int pivots_ = 0;
  std::vector<double> table_;
  std::vector<int> basis_;  ///< variable that is basic in a row
  std::vector<int> place_;  ///< of a variable: its column, or ~row if it is basic
};

}  // namespace hstar::math
