// src/math/dense.hpp
//
// Small dense factorisations on caller's memory, row-major, no allocation: the kernels of mechanisms
// with few constraints. Larger ones go through Eigen (saddle.cpp decides).
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

#include "math/tolerances.hpp"

namespace hstar::math {

/// r -= f p. By fours, which the compiler makes vector operations of: the inner loop of every elimination.
inline void subtract_row(double* __restrict r, const double* __restrict p, double f, int n) {
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    r[j] -= f * p[j];
    r[j + 1] -= f * p[j + 1];
    r[j + 2] -= f * p[j + 2];
    r[j + 3] -= f * p[j + 3];
  }
  for (; j < n; ++j) r[j] -= f * p[j];
}

/// A = L L^T in place (lower triangle). False if A is not positive definite to round-off.
inline bool cholesky(double* a, int n) {
  for (int j = 0; j < n; ++j) {
    double* row_j = a + j * n;
    double d = row_j[j];
    const double scale = d;
    for (int k = 0; k < j; ++k) d -= row_j[k] * row_j[k];
    if (!(d > no_pivot * scale)) return false;
    const double root = std::sqrt(d), inverse = 1.0 / root;
    row_j[j] = root;
    for (int i = j + 1; i < n; ++i) {
      double* row_i = a + i * n;
      double s = row_i[j];
      for (int k = 0; k < j; ++k) s -= row_i[k] * row_j[k];
      row_i[j] = s * inverse;
    }
  }
  return true;
}

/// Solves L^T x = b in place.
inline void cholesky_back(const double* l, int n, double* x) {
  for (int i = n - 1; i >= 0; --i) {
    double s = x[i];
    for (int k = i + 1; k < n; ++k) s -= l[k * n + i] * x[k];
    x[i] = s / l[i * n + i];
  }
}

/// Solves L L^T x = b in place.
inline void cholesky_solve(const double* l, int n, double* x) {
  for (int i = 0; i < n; ++i) {
    double s = x[i];
    for (int k = 0; k < i; ++k) s -= l[i * n + k] * x[k];
    x[i] = s / l[i * n + i];
  }
  cholesky_back(l, n, x);
}

/// P A = L U in place with partial pivoting; `pivot` has length n. False if A is singular: a pivot is `least` or less.
inline bool lu(double* a, int n, int* pivot, double least = vanishes) {
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[p * n + k])) p = i;
    pivot[k] = p;
    if (!(std::abs(a[p * n + k]) > least)) return false;
    if (p != k)
      for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[p * n + j]);
    for (int i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      a[i * n + k] = factor;
      if (factor != 0) subtract_row(a + i * n + k + 1, a + k * n + k + 1, factor, n - k - 1);
    }
  }
  return true;
}

inline void lu_solve(const double* a, int n, const int* pivot, double* x) {
  for (int k = 0; k < n; ++k)
    if (pivot[k] != k) std::swap(x[k], x[pivot[k]]);
  for (int i = 1; i < n; ++i) {
    double sum = x[i];
    for (int j = 0; j < i; ++j) sum -= a[i * n + j] * x[j];
    x[i] = sum;
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = x[i];
    for (int j = i + 1; j < n; ++j) sum -= a[i * n + j] * x[j];
    x[i] = sum / a[i * n + i];
  }
}

/// Solves A^T x = b in place with the factors of A.
inline void lu_solve_transposed(const double* a, int n, const int* pivot, double* x) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) x[i] -= a[j * n + i] * x[j];
    x[i] /= a[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i)
    for (int j = i + 1; j < n; ++j) x[i] -= a[j * n + i] * x[j];
  for (int k = n - 1; k >= 0; --k)
    if (pivot[k] != k) std::swap(x[k], x[pivot[k]]);
}

}  // namespace hstar::math
