// src/math/saddle_row.hpp: one row of G in body blocks, and the coupling of two rows through M^-1.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace hstar::math {

/// Room for the columns of one body: planar bodies have three (x, y, angle), spatial ones six.
constexpr int most_columns = 6;

/// Up to so many rows a dense factorisation costs less than a sparse one; spatial joints have five rows or so, and one
/// body more of them.
constexpr std::size_t dense_rows(int columns) { return columns == 3 ? 24 : 48; }

/// One row of G in body blocks of `columns` columns; a block of a body without freedom is ignored.
struct SaddleRow {
  std::array<int, 2> body{0, 0};
  const double (*J)[most_columns] = nullptr;  ///< two blocks
  bool moves = false;     ///< between factorisations, in its own way: where redundant, the most independent are kept
  bool unloaded = false;  ///< where it is redundant its multiplier is zero
};

/// use(std::integral_constant<int, columns>): kernels are compiled for 3 and for 6 columns.
template <class Use>
decltype(auto) with_columns(int columns, Use&& use) {
  if (columns == 3) return use(std::integral_constant<int, 3>{});
  return use(std::integral_constant<int, 6>{});
}

template <int C>
double block_product(const double* a, const double* b) {
  double sum = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  if constexpr (C == 6) sum += a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
  return sum;
}

/// sum over shared bodies of J_a M^-1 J_b^T; `inverse` has C entries a body, 0 where there is no freedom.
template <int C>
double coupling(const SaddleRow& a, const SaddleRow& b, const double* inverse) {
  double sum = 0;
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t l = 0; l < 2; ++l)
      if (a.body[k] == b.body[l]) {
        const double* w = inverse + C * a.body[k];
        const double *p = a.J[k], *q = b.J[l];
        double part = p[0] * w[0] * q[0] + p[1] * w[1] * q[1] + p[2] * w[2] * q[2];
        if constexpr (C == 6) part += p[3] * w[3] * q[3] + p[4] * w[4] * q[4] + p[5] * w[5] * q[5];
        sum += part;
      }
  return sum;
}

}  // namespace hstar::math
