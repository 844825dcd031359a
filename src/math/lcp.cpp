// src/math/lcp.cpp
#include "math/lcp.hpp"

#include <algorithm>
#include <cmath>

namespace hstar::math {

Lemke::Lemke(int most) {
  const auto n = static_cast<std::size_t>(most);
  table_.resize(n * (2 * n + 2));
  basis_.resize(n);
}

LcpStatus Lemke::solve(const double* M, const double* q, int n, double* z) {
  // Columns: w_0..w_n-1 | z_0..z_n-1 | covering variable | right side.
  const int columns = 2 * n + 2, cover = 2 * n, right = 2 * n + 1;
  double* a = table_.data();
  double scale = 0;
  for (int i = 0; i < n; ++i) scale = std::max(scale, std::abs(q[i]));
  std::fill(z, z + n, 0.0);
  pivots_ = 0;
  int leaving = 0;
  for (int i = 0; i < n; ++i) {
    double* row = a + i * columns;
    std::fill(row, row + columns, 0.0);
    row[i] = 1;
    for (int j = 0; j < n; ++j) row[n + j] = -M[i * n + j];
    row[cover] = -1;
    row[right] = q[i];
    basis_[static_cast<std::size_t>(i)] = i;
    if (q[i] < q[leaving]) leaving = i;
  }
  if (n == 0 || q[leaving] >= -1e-15 * scale) return LcpStatus::solved;

  int entering = cover;
  const int bound = 50 * n + 100;
  for (;;) {
    // Pivot: `entering` becomes basic in row `leaving`.
    double* pivot = a + leaving * columns;
    const double factor = 1.0 / pivot[entering];
    for (int j = 0; j < columns; ++j) pivot[j] *= factor;
    for (int i = 0; i < n; ++i) {
      if (i == leaving) continue;
      double* row = a + i * columns;
      const double f = row[entering];
      if (f == 0) continue;
      for (int j = 0; j < columns; ++j) row[j] -= f * pivot[j];
      row[entering] = 0;
    }
    const int left = basis_[static_cast<std::size_t>(leaving)];
    basis_[static_cast<std::size_t>(leaving)] = entering;
    ++pivots_;
    if (left == cover) break;
    if (pivots_ > bound) return LcpStatus::too_long;
    entering = left < n ? left + n : left - n;  // the complement of what left

    // Ratio test, lexicographic over the columns of the first basis against cycling; the covering
    // variable leaves whenever it can.
    double largest = 0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(a[i * columns + entering]));
    leaving = -1;
    for (int i = 0; i < n; ++i) {
      const double p = a[i * columns + entering];
      if (!(p > 1e-12 * largest)) continue;
      if (leaving < 0) {
        leaving = i;
        continue;
      }
      const double* mine = a + i * columns;
      const double* best = a + leaving * columns;
      const double ratio = mine[right] / p, other = best[right] / best[entering];
      const double tie = 1e-13 * (std::abs(ratio) + std::abs(other)) + 1e-16 * scale;
      if (ratio < other - tie) {
        leaving = i;
      } else if (ratio <= other + tie) {
        if (basis_[static_cast<std::size_t>(leaving)] == cover) continue;
        bool smaller = basis_[static_cast<std::size_t>(i)] == cover;
        for (int j = 0; !smaller && j < n; ++j) {
          const double l = mine[j] / p, r = best[j] / best[entering];
          if (l == r) continue;
          smaller = l < r;
          break;
        }
        if (smaller) leaving = i;
      }
    }
    if (leaving < 0) return LcpStatus::ray;
  }
  for (int i = 0; i < n; ++i) {
    const int b = basis_[static_cast<std::size_t>(i)];
    if (b >= n && b < cover) z[b - n] = std::max(a[i * columns + right], 0.0);
  }
  return LcpStatus::solved;
}

double Lemke::residual(const double* M, const double* q, int n, const double* z) {
  double worst = 0, size = 0;
  for (int i = 0; i < n; ++i) {
    double w = q[i], terms = std::abs(q[i]);
    for (int j = 0; j < n; ++j) {
      w += M[i * n + j] * z[j];
      terms += std::abs(M[i * n + j] * z[j]);
    }
    size = std::max(size, terms);
    worst = std::max({worst, -z[i], -w, std::min(z[i], w)});
  }
  return size > 0 ? worst / size : worst;
}

}  // namespace hstar::math
