// tests/oracle/solver/linear_solve.hpp: small dense systems by Gaussian elimination with row pivots.
#pragma once

#include <utility>
#include <vector>

#include "solver/number.hpp"

namespace oracle {

/// Solves S X = B in place: B becomes X, row by row. False if S is singular to round-off.
template <class R>
bool solve_in_place(std::vector<Vector<R>>& s, std::vector<Vector<R>>& b) {
  const std::size_t n = s.size();
  R largest = 0;
  for (const Vector<R>& row : s)
    for (const R& x : row) largest = absolute(x) > largest ? absolute(x) : largest;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (absolute(s[i][k]) > absolute(s[pivot][k])) pivot = i;
    if (absolute(s[pivot][k]) <= Precision<R>::zero() * largest) return false;
    std::swap(s[k], s[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const R factor = s[i][k] / s[k][k];
      if (factor == 0) continue;
      add(s[i], R(-factor), s[k]);
      add(b[i], R(-factor), b[k]);
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t i = k + 1; i < n; ++i) add(b[k], R(-s[k][i]), b[i]);
    for (R& x : b[k]) x /= s[k][k];
  }
  return true;
}

}  // namespace oracle
