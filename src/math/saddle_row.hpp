// src/math/saddle_row.hpp: one row of G in body blocks, and the coupling of two rows through M^-1.
#pragma once

#include <array>
#include <cstddef>

namespace hstar::math {

/// One row of G in body blocks of three columns; a block of a body without freedom is ignored.
struct SaddleRow {
  std::array<int, 2> body{0, 0};
  const double (*J)[3] = nullptr;  ///< two blocks
};

/// sum over shared bodies of J_a M^-1 J_b^T; `inverse` has three entries a body, 0 where there is no freedom.
inline double coupling(const SaddleRow& a, const SaddleRow& b, const double* inverse) {
  double sum = 0;
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t l = 0; l < 2; ++l)
      if (a.body[k] == b.body[l]) {
        const double* w = inverse + 3 * a.body[k];
        sum += a.J[k][0] * w[0] * b.J[l][0] + a.J[k][1] * w[1] * b.J[l][1] + a.J[k][2] * w[2] * b.J[l][2];
      }
  return sum;
}

}  // namespace hstar::math
