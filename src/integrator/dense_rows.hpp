// src/integrator/dense_rows.hpp
//
// The interpolant of a step in the form of Hairer, Norsett & Wanner (1993, II.6), with s = (t - t0)/h:
//   y = y0 + s (F0 + (1-s)(F1 + s (F2 + (1-s)(F3 + ...)))).
// It is Newton's form with the nodes 0, 1, 0, 1, ...: row r adds one degree, and the first three rows are the
// cubic Hermite polynomial of y and y' at both ends. Every method's dense output is written in these rows.
#pragma once

#include <cstddef>
#include <vector>

namespace hstar::integrator {

/// Rows stored one after the other; row r, component i at [r * n + i].
using DenseRows = std::vector<double>;

/// Rows 0 to 2 from the ends of the step.
inline void hermite_rows(double h, const std::vector<double>& y0, const std::vector<double>& f0,
                         const std::vector<double>& y1, const std::vector<double>& f1, DenseRows& rows) {
  const std::size_t n = y0.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double dy = y1[i] - y0[i];
    rows[i] = dy;
    rows[n + i] = h * f0[i] - dy;
    rows[2 * n + i] = 2 * dy - h * (f0[i] + f1[i]);
  }
}

/// y(s) for a polynomial of `Degree` rows.
template <int Degree>
inline void evaluate_rows(const DenseRows& rows, const std::vector<double>& y0, double s, double* y) {
  const std::size_t n = y0.size();
  const double s1 = 1 - s;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = rows[(Degree - 1) * n + i];
    for (int r = Degree - 2; r >= 0; --r) {
      sum = rows[static_cast<std::size_t>(r) * n + i] + (r % 2 == 0 ? s1 : s) * sum;
    }
    y[i] = y0[i] + s * sum;
  }
}

/// y(s) and dy/ds.
template <int Degree>
inline void evaluate_rows_and_slope(const DenseRows& rows, const std::vector<double>& y0, double s, double* y,
                                    double* slope) {
  const std::size_t n = y0.size();
  const double s1 = 1 - s;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = rows[(Degree - 1) * n + i];
    double dsum = 0;
    for (int r = Degree - 2; r >= 0; --r) {
      dsum = r % 2 == 0 ? s1 * dsum - sum : s * dsum + sum;
      sum = rows[static_cast<std::size_t>(r) * n + i] + (r % 2 == 0 ? s1 : s) * sum;
    }
    y[i] = y0[i] + s * sum;
    slope[i] = sum + s * dsum;
  }
}

}  // namespace hstar::integrator
