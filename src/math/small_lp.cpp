// src/math/small_lp.cpp
#include "math/small_lp.hpp"

#include <algorithm>
#include <cmath>

#include "math/dense.hpp"

namespace hstar::math {
namespace {
constexpr double tiny = 1e-11;
}

void SmallLp::pivot(int row, int entering, int columns) {
  double* p = table_.data() + row * columns;
  const double factor = 1 / p[entering];
  for (int j = 0; j < columns; ++j) p[j] *= factor;
  p[entering] = 1;
  const auto clear = [&](double* r) {
    const double f = r[entering];
    if (f == 0) return;
    subtract_row(r, p, f, columns);
    r[entering] = 0;
  };
  for (int i = 0; i < n_; ++i)
    if (i != row) clear(table_.data() + i * columns);
  clear(cost_.data());
  basis_[static_cast<std::size_t>(row)] = entering;
}

bool SmallLp::pivot_until_optimal(int columns, int allowed) {
  // Minimises; cost_ holds the reduced costs, its last entry minus the value. False: unbounded below.
  const int right = columns - 1;
  for (int count = 0; count < 20 * columns; ++count) {
    int entering = -1;
    for (int j = 0; j < allowed && entering < 0; ++j)
      if (cost_[static_cast<std::size_t>(j)] < -optimality_) entering = j;
    if (entering < 0) return true;
    int leaving = -1;
    double lowest = 0;
    for (int i = 0; i < n_; ++i) {
      const double* row = table_.data() + i * columns;
      if (!(row[entering] > tiny)) continue;
      const double ratio = row[right] / row[entering];
      if (leaving < 0 || ratio < lowest - 1e-14 * (1 + std::abs(lowest)) ||
          (ratio <= lowest && basis_[static_cast<std::size_t>(i)] < basis_[static_cast<std::size_t>(leaving)])) {
        leaving = i;
        lowest = ratio;
      }
    }
    if (leaving < 0) return false;
    pivot(leaving, entering, columns);
  }
  return true;
}

LpStatus SmallLp::maximise(const double* c, const double* A, const double* b, int n, int rows, double* x, double* y) {
  // Dual: minimise b y, A^T y = c, y >= 0; columns y | artificial | right side.
  n_ = n;
  const int columns = rows + n + 1, right = columns - 1;
  table_.assign(static_cast<std::size_t>(n * columns), 0.0);
  cost_.assign(static_cast<std::size_t>(columns), 0.0);
  basis_.resize(static_cast<std::size_t>(n));
  double size = 0;
  for (int i = 0; i < n; ++i) {
    double* row = table_.data() + i * columns;
    const double sign = c[i] < 0 ? -1 : 1;
    for (int j = 0; j < rows; ++j) row[j] = sign * A[j * n + i];
    row[rows + i] = 1;
    row[right] = sign * c[i];
    size += row[right];
    basis_[static_cast<std::size_t>(i)] = rows + i;
    for (int j = 0; j < rows; ++j) cost_[static_cast<std::size_t>(j)] -= row[j];
    cost_[static_cast<std::size_t>(right)] -= row[right];
  }
  pivot_until_optimal(columns, rows);
  if (-cost_[static_cast<std::size_t>(right)] > 1e-9 * (1 + size)) return LpStatus::unbounded;
  // Artificial variables that are still in the basis (at zero) leave it where they can.
  for (int i = 0; i < n; ++i) {
    if (basis_[static_cast<std::size_t>(i)] < rows) continue;
    for (int j = 0; j < rows; ++j)
      if (std::abs(table_[static_cast<std::size_t>(i * columns + j)]) > 1e-9) {
        pivot(i, j, columns);
        break;
      }
  }
  std::fill(cost_.begin(), cost_.end(), 0.0);
  for (int j = 0; j < rows; ++j) cost_[static_cast<std::size_t>(j)] = b[j];
  for (int i = 0; i < n; ++i) {
    const int basic = basis_[static_cast<std::size_t>(i)];
    if (basic >= rows || b[basic] == 0) continue;
    const double* row = table_.data() + i * columns;
    for (int j = 0; j < columns; ++j) cost_[static_cast<std::size_t>(j)] -= b[basic] * row[j];
  }
  if (!pivot_until_optimal(columns, rows)) return LpStatus::infeasible;
  std::fill(y, y + rows, 0.0);
  for (int i = 0; i < n; ++i)
    if (const int basic = basis_[static_cast<std::size_t>(i)]; basic < rows)
      y[basic] = table_[static_cast<std::size_t>(i * columns + right)];
  // The reduced costs of the artificial columns are minus the multipliers of their rows: x.
  for (int i = 0; i < n; ++i) x[i] = -(c[i] < 0 ? -1 : 1) * cost_[static_cast<std::size_t>(rows + i)];
  return LpStatus::solved;
}

}  // namespace hstar::math
