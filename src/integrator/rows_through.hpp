// src/integrator/rows_through.hpp: the rows of hstar/integrator/dense_rows.hpp from points of a polynomial.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace hstar::integrator {

/// The polynomial of degree k through the values d at the places x, of which x[0] = 0 and x[1] = 1 are the ends of the
/// step. `row(r)`, r < k, is where row r goes; d is overwritten.
template <std::size_t Places, class Row>
void rows_through(std::size_t k, const std::array<double, Places>& x, std::array<double, Places>& d, Row&& row) {
  // Newton's form on all places.
  for (std::size_t level = 1; level <= k; ++level)
    for (std::size_t j = k; j >= level; --j) d[j] = (d[j] - d[j - 1]) / (x[j] - x[j - level]);
  row(0) = d[1];
  // What multiplies s (1 - s), as a polynomial in s.
  std::array<double, Places> c{};
  for (std::size_t j = k; j >= 2; --j) {
    for (std::size_t m = k - j; m > 0; --m) c[m] = c[m - 1] - x[j] * c[m];
    c[0] = -x[j] * c[0] - d[j];
  }
  for (std::size_t r = 1; r < k; ++r) {
    const std::size_t length = k - r;
    double value = c[0];
    if (r % 2 == 1) {
      for (std::size_t m = 0; m + 1 < length; ++m) c[m] = c[m + 1];
    } else {
      // Divided by 1 - s.
      double carry = 0;
      for (std::size_t m = length; m-- > 0;) {
        const double sum = c[m] + carry;
        c[m] = -carry;
        carry = sum;
      }
      value = carry;
    }
    row(r) = value;
  }
}

/// Its value at s, from `degree` rows that stand one after the other.
inline void evaluate_row_block(const std::vector<double>& rows, std::size_t degree, const std::vector<double>& y0,
                               double s, double* y) {
  const std::size_t n = y0.size();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = rows[(degree - 1) * n + i];
    for (std::size_t r = degree - 1; r-- > 0;) sum = rows[r * n + i] + (r % 2 == 0 ? 1 - s : s) * sum;
    y[i] = y0[i] + s * sum;
  }
}

}  // namespace hstar::integrator
