// src/math/lcp.cpp
#include "math/lcp.hpp"

#include <algorithm>
#include <cmath>

#include "math/dense.hpp"
#include "math/tolerances.hpp"

namespace hstar::math {

Lemke::Lemke(int most) {
  const auto n = static_cast<std::size_t>(most);
  table_.resize(n * (n + 2));
  basis_.resize(n);
  place_.resize(2 * n + 1);
}

LcpStatus Lemke::solve(const double* M, const double* q, int n, double* z, const double* covering) {
  // Only the columns of nonbasic variables are stored (variables: w 0..n-1, z n..2n-1, the covering one 2n), then the
  // right side; a pivot exchanges the entering column for that of the variable that leaves.
  const int columns = n + 2, cover = 2 * n, right = n + 1;
  double* a = table_.data();
  double scale = 0;
  for (int i = 0; i < n; ++i) scale = std::max(scale, std::abs(q[i]));
  std::fill(z, z + n, 0.0);
  pivots_ = 0;
  int leaving = 0;
  for (int i = 0; i < n; ++i) {
    double* row = a + i * columns;
    for (int j = 0; j < n; ++j) row[j] = -M[i * n + j];
    row[n] = covering ? -covering[i] : -1;
    row[right] = q[i];
    basis_[i] = i;
    place_[i] = ~i;  // basic in row i
    place_[n + i] = i;
    if (covering ? q[i] / covering[i] < q[leaving] / covering[leaving] : q[i] < q[leaving]) leaving = i;
  }
  place_[cover] = n;
  if (n == 0 || q[leaving] >= -not_broken * scale) return LcpStatus::solved;
  // Entry of row i in the column of w_j.
  const auto first_basis = [&](int i, int j) {
    const int p = place_[j];
    return p >= 0 ? a[i * columns + p] : ~p == i ? 1.0 : 0.0;
  };

  const double first = -q[leaving] / (covering ? covering[leaving] : 1.0);
  int entering = n;  // a column
  const int bound = 50 * n + 100;
  for (;;) {
    // Pivot: the variable of column `entering` becomes basic in row `leaving`.
    double* pivot = a + leaving * columns;
    const double factor = 1.0 / pivot[entering];
    for (int j = 0; j < columns; ++j) pivot[j] *= factor;
    pivot[entering] = factor;
    for (int i = 0; i < n; ++i) {
      if (i == leaving) continue;
      double* row = a + i * columns;
      const double f = row[entering];
      if (f == 0) continue;
      row[entering] = 0;
      subtract_row(row, pivot, f, columns);
    }
    const int left = basis_[leaving];
    int entered = 0;
    while (place_[entered] != entering) ++entered;
    basis_[leaving] = entered;
    place_[entered] = ~leaving;
    place_[left] = entering;
    ++pivots_;
    if (left == cover) break;
    if (pivots_ > bound) return LcpStatus::too_long;
    entering = place_[left < n ? left + n : left - n];  // the complement of what left

    // Ratio test, lexicographic over the columns of the first basis against cycling; the covering
    // variable leaves whenever it can.
    double largest = 0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(a[i * columns + entering]));
    leaving = -1;
    double other = 0;  // ratio of the row that leaves as far as is known
    for (int i = 0; i < n; ++i) {
      const double p = a[i * columns + entering];
      if (!(p > lemke_pivot * largest)) continue;
      const double ratio = a[i * columns + right] / p;
      const double tie = same_ratio * (std::abs(ratio) + std::abs(other)) + same_data * scale;
      if (leaving < 0 || ratio < other - tie) {
        leaving = i;
        other = ratio;
      } else if (ratio <= other + tie) {
        if (basis_[leaving] == cover) continue;
        const double best = a[leaving * columns + entering];
        bool smaller = basis_[i] == cover;
        for (int j = 0; !smaller && j < n; ++j) {
          const double l = first_basis(i, j) / p, r = first_basis(leaving, j) / best;
          if (l == r) continue;
          smaller = l < r;
          break;
        }
        if (!smaller) continue;
        leaving = i;
        other = ratio;
      }
    }
    if (leaving < 0) return LcpStatus::ray;
    // Where the covering variable ends at zero many others do (those with q = 0): it leaves first.
    if (const int row = ~place_[cover]; leaving != row) {
      if (a[row * columns + right] <= uncovered * first) break;
      const double step = a[leaving * columns + right] / a[leaving * columns + entering];
      if (a[row * columns + right] - step * a[row * columns + entering] <= uncovered * first) leaving = row;
    }
  }
  for (int i = 0; i < n; ++i) {
    const int b = basis_[i];
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
