// src/transition/tolerances.hpp
//
// What counts as zero, dependent or finished in a transition. None has a unit; each multiplies the size of the terms
// that meet in the quantity, so that a model in millimetres and milliseconds has the same events.
#pragma once

#include <limits>

#include "contact/tolerances.hpp"
#include "formulation/tolerances.hpp"

namespace hstar::tolerances {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Of all that has met in a relative velocity at an instant. A sum of k products is known to k eps of its terms; in
/// 1,212 random impacts, with masses over four decades, what was left of true zeros reached a quarter of that. Sixteen
/// times k = 64, the terms of a pile of five.
constexpr double zero_velocity = 1024 * eps;
/// Below this, in whatever unit, products with masses lose digits, down to none: no velocity of an impact is that
/// small. (The only absolute one: of the arithmetic, not of a model.)
constexpr double underflow = std::numeric_limits<double>::min() / (eps * eps);
/// Of the fastest speed in an impact: size of the terms of each speed in it. What contact::round_off leaves of that is
/// zero_velocity of the fastest.
constexpr double of_speeds = zero_velocity / contact::round_off;
/// Of the fastest velocity in the mechanism, as such terms: contact::clear of that is what a restart may leave in a
/// row.
constexpr double of_rows = formulation::row_holds / contact::clear;

/// Of the lengths that meet in a gap: two bodies touch.
constexpr double zero_gap = 64 * eps;
/// Normals that are off each other by less are one.
constexpr double one_normal = 64 * eps;

/// Of the forces that meet: a normal force, a reserve of friction or a determinant is zero. A sum of 64 terms.
constexpr double zero_force = 64 * eps;
/// Of the largest force: a reserve of friction is the round-off of at least so much. One term of its eight.
constexpr double reserve_share = 0x1p-3;

/// Of the terms of a guard or of a switch's condition: its value is round-off. A sum of eight products; what is found
/// of the terms of a whole mechanism (reactions) has 64.
constexpr double guard_round_off = 8 * eps;
/// Times round-off: a condition that was zero is no longer.
constexpr double clear_of_zero = 16;

/// Of the variables of a divisor: nearer to zero it is beside its pole, where a condition is more than a thousand times
/// as steep as it is large.
constexpr double beside_pole = 0x1p-10;

/// Of a condition with poles as a guard, which is a product of a root and four quotients: its round-off.
constexpr double softening = 8 * eps;

/// Of the terms of gamma_T: what is left of it where nothing slides, and of its rate; a sum of 64 products.
constexpr double slide_round_off = 64 * eps;

/// Of what a guard reads of forces: sqrt(eps) (2^-26). Looking for a root leaves less, a mode that ends changes more.
constexpr double jump = 0x1p-26;
/// And what a force may change by in the last place of t: that of a slide of 1e-9 m/s, whose friction turns at
/// g / 1e-9 m/s = 2^33 / s, at t = 1 s (seen: 2^-23).
constexpr double steepest = 0x1p-20;

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

/// Of a mechanism's length: while nothing flies farther, flights are followed that leave contacts open which the
/// monitor would not see so. What is left out, of fourth order, is of the size of eps.
constexpr double short_flight = 0x1p-13;
/// Of the fastest speed: where accelerations of what flies along change speeds by more the flight is the monitor's,
/// which sees events of all else. (A step of order 4 is off by less than a millionth of this.)
constexpr double most_bent = 1e-3;

/// Of the largest of such: the acceleration of a gap that others which are closed may hold. Drift of the constraints
/// and forces that cancel leave 1e-12 (seen); the rows tell whether they do hold it.
constexpr double held_by_others = 0x1p-30;

/// The last impact of several that strike in turn leaves one of them with a part of what was more than nothing just
/// before: with so many times that at most.
constexpr double hardly = 64;

/// A followed gap that forces have let go is no lower [m], however short the flight: which contacts are open decides
/// the order of impacts, and how far no more. What follows from it, a time at any speed, is above the least double,
/// 2^-1074.
constexpr double lowest_gap = 0x1p-900;

/// After a flight shorter than this [s] no time is left: of those to come none might be above the least double. (Above
/// it: lowest_gap at any speed that a mechanism has.)
constexpr double shortest_flight = 0x1p-1000;

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

// Positions and ranges.

/// Of the lengths that meet in a gap: neighbouring stretches of a boundary meet in the same place, a prescribed
/// position has not jumped. Positions of different formulas agree to some hundred thousand round-offs.
constexpr double same_place = 0x1p-33;

/// Of the lengths that meet in a range: at the end of the stretch. What has rolled to it through many steps is off by
/// more than the round-off of one evaluation.
constexpr double at_end = 0x1p-40;

/// Of the lengths that meet in a gap, and of the speeds of its bodies: a contact of the start touches and is at rest.
/// Model files write lengths with nine digits or more.
constexpr double start_gap = 0x1p-30;
constexpr double start_speed = 0x1p-40;

/// Of the lengths that meet in a gap: farther behind its surface than this no event has pushed a contact.
constexpr double pushed = 0x1p-17;

/// Of a state of the start and the largest of its kind: more than this assembly says that it has moved it.
constexpr double moved = 0x1p-40;

/// Of an error that projections leave: farther off its constraints a formulation without them says so.
constexpr double far_off = 1e-2;

/// Putting a state back moves it by so many tolerances of the step at most: twice what it did in 400 models, 8.4. By
/// more, and by more than this part of the step's own change, it is no error.
constexpr double projected = 16, unaccounted = 0x1p-10;

// Sliding.

/// Of a sliding velocity that the constraints allow, a restart leaves more.
constexpr double annihilated = 0x1p-20;

/// At the root of gamma_T . d_ref: what is left of gamma_T after a stop, relative to the speed at the beginning of the
/// step, and to the largest speed seen, what the integrator's error makes of it (a turn taken for a stop would be an
/// error of this size; a stop taken for a turn is followed by the true stop at once). Steps of fixed length do not
/// resolve how the direction turns at the stop.
constexpr double across = 1e-3, across_fixed = 0.1, velocity_error = 1e-12, error_of_rtol = 10;

/// The direction of sliding is held (slide_ends.cpp) until the acceleration is this part of what friction alone gives;
/// with less than slow_part what it is off by is soon bent back.
constexpr double small_part = 1e-3, slow_part = 0.1;
/// Or until the load has turned by this, where sliding begins slowly and at once [rad].
constexpr double angle_slow = 3e-4, angle_fast = 1e-7;
/// Speeds of which the integrator's error is such a part: a direction known to 1 in 100, and one near to none.
constexpr double clear_of_error = 100, near_error = 10;
/// What a step may bring a speed down by; by more, and it comes there without being held.
constexpr double one_step = 10;
/// A search for directions that gets so many times farther from them than it has been does not find them.
constexpr double lost_way = 1e3;
/// A guess of a moment is changed by this factor at most; the first one is no smaller a part of the longest.
constexpr double most_guess = 1e3, first_guess = 1e-6;

/// Ties (ties.cpp) are told by a change of the rates, relative to their terms: sqrt(eps) would be lost in what the
/// rates themselves are known to, much more is no moment.
constexpr double least_change = 1e-7, wanted_change = 1e-6, most_change = 1e-5;

/// Moments of `wanted_change` after which the direction of a motion that begins is read: loads that grow in the time in
/// which the mechanism falls apart have then grown by 1e-3.
constexpr double until_parted = 1e3;
/// Nor may what slides stop or turn round by then: the moment is this part of the time in which it would, in which
/// directions and with them rates change by as much, far above the round-off that tells what lifts from what is
/// pressed.
constexpr double before_stop = 1e-3;
/// Where nothing changes by then, what slides is given a hundred times as long: it is still far from its stop.
constexpr double near_stop = 0.1;
/// They are looked for within so many times the time in which the mechanism's accelerations go through it: round-off of
/// what does not change is 1e-12 of it by then.
constexpr double latest = 1e2;
/// Where a mode leads no further another is looked for from this part of that moment on, ten times later each time:
/// what moves by then has moved by 1e-24 of the length, and shows by nothing but its velocity.
constexpr double first_part = 1e-6;

/// Painleve's critical point: determinants below this, at a root of a normal force, belong to a pole and not to a
/// contact that lifts off; breakdown is looked into where it is below near_enough, each step taking a part of what
/// remains.
constexpr double near_pole = 1e-6, near_enough = 1e-3, step_to_pole = 0.1;

/// Contacts that jam together are pushed by such parts of the largest speed: what is linear in them is taken out again.
/// From 16 times what contact::clear leaves of the solver's digits, up to where a slide is no longer hardly any.
constexpr double pushes[] = {0x1p-34, 0x1p-27, 0x1p-20};

/// A mechanism leaves its dead centre with speeds of second order in what it has moved: after this part of the time in
/// which its accelerations go through it they are above `leaves` of the largest velocity, where a body moves as slowly
/// as 2^-10 of it; the rows' round-off, 2^-44, grows by 2^11 in what nearly depends.
constexpr double soon = 0x1p-4, leaves = 0x1p-30;
/// Such a departure, as part of the largest acceleration: clear of contact::clear, and little beside the forces.
constexpr double departs = 0x1p-20;

// Rest.

/// Of the forces that meet: accelerations of what stays at rest; and of the largest kinetic energy, velocities squared.
constexpr double no_force = 0x1p-36, no_energy = 0x1p-80;

// Impacts.

/// Of the terms of the work of an impact: less is round-off of impulses that are solved for.
constexpr double no_work = 0x1p-36;

/// Answers of the equations of an impact law: of its terms, by a solver that is backward stable.
constexpr double impact_round_off = 0x1p-43;
/// Of the fastest approach: slower ones are round-off of the reduction, a sum of 64 products. Friction that turns the
/// sliding by less than half of that, of what acts, goes on straight.
constexpr double slow_approach = 64 * eps, straight = 32 * eps;
/// The same of what comes out of a system that may be singular, or of the sum of impulses of very different size.
constexpr double impact_residual = 0x1p-33;
/// Of an approach speed: restored, or inside the cone.
constexpr double restored = 0x1p-40;

/// Enumeration of modes: a quantity this far from its bound, of its terms, is clearly inside; beyond the bound by less
/// than round_off it is on it.
constexpr double clearly_inside = 0x1p-30, mode_round_off = 0x1p-36;

// Ends of a run.

/// Part of the time seen that may be left when events of a guard accumulate.
constexpr double most_left_guard = 0x1p-17;

/// Constraints lose rank (rank_watch.hpp): steps shorter than this part of the longest creep, and rows with less new
/// than `lost` are one; the parts at which error control has begun to creep, and at which a step may have failed.
constexpr double short_step = 0x1p-17, lost = 0x1p-20, creeping = 1e-3, failing = 3e-2;

}  // namespace hstar::tolerances
