// src/math/wide_lu.cpp
#include "math/wide_lu.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "math/dense.hpp"

namespace hstar::math {
namespace {

constexpr int width = 4;

/// Columns k .. end - 1 of the rows from k on, the rows below changed in these columns only. Returned: the sign of the
/// pivots and of the exchanges, 0 if there is none.
int factor_panel(double* a, int n, int k, int end, int* pivot) {
  int sign = 1;
  for (int c = k; c < end; ++c) {
    int p = c;
    for (int i = c + 1; i < n; ++i)
      if (std::abs(a[i * n + c]) > std::abs(a[p * n + c])) p = i;
    pivot[c] = p;
    if (p != c) {
      std::swap_ranges(a + c * n, a + (c + 1) * n, a + p * n);
      sign = -sign;
    }
    const double* row = a + c * n;
    if (!(std::abs(row[c]) > 1e-300)) return 0;
    if (row[c] < 0) sign = -sign;
    const double inverse = 1 / row[c];
    for (int i = c + 1; i < n; ++i) {
      double* r = a + i * n;
      r[c] *= inverse;
      for (int j = c + 1; j < end; ++j) r[j] -= r[c] * row[j];
    }
  }
  return sign;
}

/// r -= f_0 p_0 + .. + f_3 p_3, rows of p `stride` apart.
void subtract_rows(double* __restrict r, const double* __restrict p, const double* f, std::ptrdiff_t stride, int n) {
  const double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
  const double* __restrict p0 = p, * __restrict p1 = p + stride, * __restrict p2 = p1 + stride, * __restrict p3 = p2 + stride;
  int j = 0;
  for (; j + 2 <= n; j += 2) {  // by twos, which the compiler makes vector operations of
    const double a = r[j] - ((f0 * p0[j] + f1 * p1[j]) + (f2 * p2[j] + f3 * p3[j]));
    const double b = r[j + 1] - ((f0 * p0[j + 1] + f1 * p1[j + 1]) + (f2 * p2[j + 1] + f3 * p3[j + 1]));
    r[j] = a;
    r[j + 1] = b;
  }
  for (; j < n; ++j) r[j] -= (f0 * p0[j] + f1 * p1[j]) + (f2 * p2[j] + f3 * p3[j]);
}

}  // namespace

int wide_lu(double* a, int n, int* pivot) {
  int sign = 1;
  for (int k = 0; k < n; k += width) {
    const int end = std::min(k + width, n);
    sign *= factor_panel(a, n, k, end, pivot);
    if (sign == 0) return 0;
    if (end == n) break;
    for (int i = k + 1; i < end; ++i)  // the pivot rows themselves
      for (int c = k; c < i; ++c) subtract_row(a + i * n + end, a + c * n + end, a[i * n + c], n - end);
    for (int i = end; i < n; ++i) subtract_rows(a + i * n + end, a + k * n + end, a + i * n + k, n, n - end);
  }
  return sign;
}

}  // namespace hstar::math
