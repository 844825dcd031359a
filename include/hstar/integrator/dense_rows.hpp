// include/hstar/integrator/dense_rows.hpp
//
// The interpolant of a step in the form of Hairer, Norsett & Wanner (1993, II.6), with s = (t - t0)/h:
//   y = y0 + s (F0 + (1-s)(F1 + s (F2 + (1-s)(F3 + ...)))).
// It is Newton's form with the nodes 0, 1, 0, 1, ...: row r adds one degree, and the first three rows are the
// cubic Hermite polynomial of y and y' at both ends. Every method's dense output is written in these rows.
#pragma once

#include <array>
#include <cstddef>

#include "hstar/integrator/vector.hpp"

namespace hstar::integrator {

/// rows[r][i]: row r, component i. At least the three rows of the cubic.
template <class Vector, int Degree>
using DenseRows = std::array<Vector, static_cast<std::size_t>(Degree < 3 ? 3 : Degree)>;

/// Rows 0 to 2 from the ends of the step.
template <class Vector, class Rows>
inline void hermite_rows(double h, const Vector& y0, const Vector& f0, const Vector& y1, const Vector& f1, Rows& rows) {
  each(
      y0, [&](std::size_t i) __attribute__((always_inline)) {
        const double dy = y1[i] - y0[i];
        rows[0][i] = dy;
        rows[1][i] = h * f0[i] - dy;
        rows[2][i] = 2 * dy - h * (f0[i] + f1[i]);
      });
}

/// y(s) for a polynomial of `Degree` rows.
template <int Degree, class Vector, class Rows>
inline void evaluate_rows(const Rows& rows, const Vector& y0, double s, double* y) {
  const double s1 = 1 - s;
  each(
      y0, [&](std::size_t i) __attribute__((always_inline)) {
        double sum = rows[Degree - 1][i];
        for (int r = Degree - 2; r >= 0; --r) {
          sum = rows[r][i] + (r % 2 == 0 ? s1 : s) * sum;
        }
        y[i] = y0[i] + s * sum;
      });
}

/// y(s) and dy/ds.
template <int Degree, class Vector, class Rows>
inline void evaluate_rows_and_slope(const Rows& rows, const Vector& y0, double s, double* y, double* slope) {
  const double s1 = 1 - s;
  each(
      y0, [&](std::size_t i) __attribute__((always_inline)) {
        double sum = rows[Degree - 1][i];
        double dsum = 0;
        for (int r = Degree - 2; r >= 0; --r) {
          dsum = r % 2 == 0 ? s1 * dsum - sum : s * dsum + sum;
          sum = rows[r][i] + (r % 2 == 0 ? s1 : s) * sum;
        }
        y[i] = y0[i] + s * sum;
        slope[i] = sum + s * dsum;
      });
}

}  // namespace hstar::integrator
