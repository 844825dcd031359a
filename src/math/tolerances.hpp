// src/math/tolerances.hpp: what counts as zero, dependent or finished in linear algebra and its programs. None has a
// unit: each multiplies the size of what meets in the number.
#pragma once

namespace hstar::math {

/// What is not larger is zero, whatever its unit: quotients by it could overflow.
constexpr double vanishes = 1e-300;

/// Rows of length 1 of which less than this is new depend on the others; so do rows of a Jacobian in the metric of
/// kinetic energy whose pivot is below this part of the first.
constexpr double dependent_row = 1e-9;
/// The same of rows that are factored as G M^-1 G^T, where the pivot is the square, and the round-off of a handful of
/// products with six terms reaches 2^-47 (seen: 2^-47.5): the square of this is eight times that.
constexpr double dependent_in_square = 0x1p-22;
/// A pivot of L D L^T over its diagonal entry: less is what subtracting a handful of products from it leaves (4.5 eps).
constexpr double no_pivot = 1e-15;
/// A pivot, the square of what is new of a row: from here on it is no round-off, however many rows have been taken off;
/// below, orthogonalisation tells (new parts under 1e-5 of the length).
constexpr double doubtful_pivot = 1e-10;
/// A pivot over the largest entry of its row: one that is smaller has lost ten of sixteen digits.
constexpr double lost_pivot = 1e-10;
/// Least over largest pivot of a matrix with partial pivoting that has a few digits left.
constexpr double least_pivot_ratio = 1e-13;
/// Rows that do not move come before those that do and of which less than this is new: these may change places.
constexpr double nearly_dependent = 1e-3;
/// Freedoms up to which rows are made orthogonal to one another, n^2 a row; with more of them their matrix is
/// factorised sparse.
constexpr int most_orthogonal = 192;
/// Of a vanishing combination of rows: terms whose square is below that of the round-off of an orthogonalisation do not
/// belong to it, and what two combinations leave of each other's terms has cancelled.
constexpr double no_term = 1e-14, cancelled_term = 1e-10;

/// Lemke's method. The covering variable, of its first value: zero to round-off of some thousand operations.
constexpr double uncovered = 1e-12;
/// Of the data: no inequality is broken.
constexpr double not_broken = 1e-15;
/// Of the largest entry of its column: a pivot.
constexpr double lemke_pivot = 1e-12;
/// Ratios that differ by less than round-off of themselves, or of the data, are equal: ties are broken by order.
constexpr double same_ratio = 1e-13, same_data = 1e-16;

/// Second-order cone programs, of goals and forces of size 1. The gap between primal and dual is round-off; from `near`
/// on there is a bound, and an optimum `beyond` is none.
constexpr double no_gap = 1e-15, near_optimum = 1e-6, beyond_bounds = 1e7;
/// The goal counts as this at least when the first dual point is chosen: without a goal it is not zero.
constexpr double least_goal = 1e-3;
/// Of the way to the boundary: shorter steps lead nowhere.
constexpr double shortest_share = 1e-8;

}  // namespace hstar::math
