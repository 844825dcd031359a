// src/transition/tolerances.hpp
//
// What counts as zero, dependent or finished in a transition. None has a unit; each multiplies the size of the terms
// that meet in the quantity, so that a model in millimetres and milliseconds has the same events.
#pragma once

#include <limits>

namespace hstar::tolerances {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Of all that has met in a relative velocity at an instant. A sum of k products is known to k eps of its terms; in
/// 1,212 random impacts, with masses over four decades, what was left of true zeros reached a quarter of that. Sixteen
/// times k = 64, the terms of a pile of five.
constexpr double zero_velocity = 1024 * eps;

/// Of the lengths that meet in a gap: two bodies touch.
constexpr double zero_gap = 64 * eps;

/// Residual of an event's books, relative to what is added up: what a backward stable solution leaves is below 1e-12
/// (largest of 1,212 impacts: 1e-13), what a forgotten impulse leaves is of the order of one.
constexpr double books = 1e-9;

/// Of the lengths that meet in a gap: farther behind its surface than this no contact may be found. The limit of an
/// accumulation is extrapolated, and what is neglected on the way to it is of second order: sqrt(eps) of its way.
constexpr double penetration = 1.5e-8;

}  // namespace hstar::tolerances
