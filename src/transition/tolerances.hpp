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

// Chatter (chatter.hpp).

/// Flights lower than so many round-offs of their gaps (or shorter, of the time) are followed here. An impact found by
/// the monitor is late by the round-off of its gap over its speed u; what is left out here is of fourth order in the
/// flight, about u^4. At 2^20 both are below 1e-11 s for what moves in seconds and metres. (Far from the origin such
/// flights are long: they are followed while less is left out than the monitor would miss.)
constexpr double magnified = 0x1p20;

/// Flights this much shorter than the time since the first impact are followed too, wherever the gap has no round-off
/// (a surface at zero): what is left out is of the size of eps there.
constexpr double brief = 0x1p-26;

/// The last impact of several that strike in turn leaves one of them with a part of what was more than nothing just
/// before: with so many times that at most.
constexpr double hardly = 64;

/// Ratios of successive flights differ by no more than this part of what they are below one: a geometric sequence.
constexpr double same_ratio = 0.1;

/// Crowding: a cycle of impacts that is slower than the one before by less than this part keeps its speed. A chatter
/// with 2^20 cycles to go, more than are followed, would be taken for one.
constexpr double same_speed = 0x1p-20;

/// Cycles that get shorter like k^-p have a last instant for p > 1; one that is told from no end has p > 1 / slowest.
constexpr double slowest = 0.9;

/// Velocities of a slender body change by so many times the speed that a contact beside its centre loses, at most.
constexpr double levers = 64;

/// Part of the time seen that may be left when impacts crowd: they come ever more slowly to their last instant.
constexpr double most_left_crowding = 0x1p-16;

}  // namespace hstar::tolerances
