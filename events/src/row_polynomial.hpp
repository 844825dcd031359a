// events/src/row_polynomial.hpp
//
// A guard that is linear in t and y is a polynomial on the whole step, known from its rows (linear_bound.hpp): its
// Bernstein coefficients and its root without a sample of the interpolant.
#pragma once

#include <span>

#include "bernstein.hpp"
#include "hstar/events/linear_bound.hpp"

namespace hstar::events::detail {

/// The rows of a guard given by its change with each power of s, c_1 s + c_2 s^2 + ..., as many rows as there may be:
/// those beyond are below 2^-16 of the powers that they stand for. Overwrites the powers.
void add_rows_of(std::span<double> powers, LinearBound& guard);

/// The guard on the step's own time [0, 1], all rows given; its ends are the given values exactly.
void piece_of(const LinearBound& guard, Piece& piece);

/// Where it goes from `sign` to the other, and its slope there by tau. Call it only where it has opposite signs at the
/// ends and one root between them. Newton's method from the end in the rows' own form, inside a bracket.
double root_of(const LinearBound& guard, int sign, double& slope);

}  // namespace hstar::events::detail
