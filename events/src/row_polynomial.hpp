// events/src/row_polynomial.hpp
//
// A guard that is linear in t and y is a polynomial on the whole step, known from its rows (linear_bound.hpp): its
// Bernstein coefficients and its root without a sample of the interpolant.
#pragma once

#include "bernstein.hpp"
#include "hstar/events/linear_bound.hpp"

namespace hstar::events::detail {

/// The guard on the step's own time [0, 1], all rows given; its ends are the given values exactly.
void piece_of(const LinearBound& guard, Piece& piece);

/// Where it goes from `sign` to the other, and its slope there by tau. Call it only where it has opposite signs at the
/// ends and one root between them. Newton's method from the end in the rows' own form, inside a bracket.
double root_of(const LinearBound& guard, int sign, double& slope);

}  // namespace hstar::events::detail
