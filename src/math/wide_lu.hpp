// src/math/wide_lu.hpp
//
// LU of dense matrices too large for the plain loops of dense.hpp (some 50 rows on): four pivots a sweep over what is
// left, so that each of its numbers is fetched a quarter as often. Caller's memory, row-major, no allocation.
#pragma once

namespace hstar::math {

/// P A = L U in place with partial pivoting, read by lu_solve() of dense.hpp; `pivot` has length n. Returned: the sign
/// of the determinant, 0 if A is singular to round-off. Cost 2/3 n^3.
int wide_lu(double* a, int n, int* pivot);

}  // namespace hstar::math
