// src/formulation/tolerances.hpp: what counts as zero or converged in the equations of one mode and in consistent
// states. None has a unit: each multiplies the size of the terms that meet in the number.
#pragma once

#include <limits>

namespace hstar::formulation {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Consistent states (consistent_restart.hpp).

/// Residual of a row: a sum of up to six products, or two of the twelve in space, has this round-off.
constexpr double row_holds = 8 * eps;
/// Round-off that a chain of rows hands on: so small a residual that does not halve any more is at its floor. Assembly,
/// which begins anywhere, ends at twice the residual of one row.
constexpr double residual_floor = 256 * eps, row_assembled = 16 * eps;
/// A correction is told as one where it is more than the round-off of a sum of 64 terms.
constexpr double correction = 64 * eps;

/// Off the constraints by d, rows that depend on each other there differ by some d: they count as dependent up to so
/// many times d. Units that come to rest together drift by what the integrator leaves of all of them.
constexpr double of_drift = 100, of_drift_at_rest = 1e4;
/// But at most up to this part of a row's length: joints, stuck units, and units that have just come to rest.
constexpr double farthest_joint = 1e-4, farthest_stick = 1e-3, farthest_at_rest = 0.1;

/// Of a mechanism's length L: positions have this round-off, and in it an acceleration a makes the speed
/// sqrt(2 fallen L a). Slower than that a mechanism is at rest.
constexpr double fallen = eps;
/// A redundant row contradicts the others where its velocity equation is off by more than the drift explains; by less
/// than half the digits it does so in no case, by a thousandth in every case.
constexpr double least_contradiction = 1e-8, largest_contradiction = 1e-3;
/// The same of its position: what redundant rows may drift apart by in a long run.
constexpr double positions_contradict = 1e-4;

/// Assembly has ended where the residual is that small and grows; what is left may not be larger than `assembled`, and
/// rows that are violated by ten times that are named.
constexpr double assembly_ends = 1e-13, assembled = 1e-10, violated = 1e-9;

// Linear modes (linear_mode.cpp).

/// Forces on a body that leave so little of their sizes cancel: the round-off of a sum of 64 terms.
constexpr double cancels = 64 * eps;
/// A time over which the rate of forces that are affine in t is taken. Any gives it to round-off of the forces over
/// that time; a power of two divides exactly. [s]
constexpr double affine_over = 1024;

// Coordinate partition (coordinate_partition.hpp).

/// A correction of positions below round-off gains nothing. Newton's method squares the relative error: after one of
/// `last_correction`, half the digits, only round-off is left.
constexpr double no_correction = 1e-16, last_correction = 1e-9;
/// Of a choice whose rows have moved since: entries that have grown by so many times over their pivots, or pivots that
/// are so much less than their rows' entries (two feet meet), have lost four digits, and rows are chosen anew.
constexpr double most_pivot_growth = 1e4;

// Sliding friction (sliding_friction.cpp, element_motion.cpp).

/// 1 - d mu (response): at a pole of the normal force (Painleve) it passes through zero.
constexpr double pole = 1e-12;
/// Newton's steps on the sliding forces, of the forces: round-off (2 eps), and what is accepted after the last step.
constexpr double force_settled = 4e-16, force_found = 1e-12;
/// Below this part of the speed at the beginning of the step gamma_T has no direction of its own any more.
constexpr double stopped = 1e-6;
/// Nor below this part of the largest speed seen: the last of a long creep to the stop, where the direction bends back
/// to its node ever faster and explicit steps would shrink with the speed for ever.
constexpr double crept = 1e-12;
/// gamma_T has the direction d: of its length, no more than this is across (d is held otherwise).
constexpr double across = 1e-9;

// Reactions and admissible forces (contact_reduction.hpp, admissible_forces.hpp).

/// Part of a row's entries that its elimination leaves of a reaction that is zero.
constexpr double reaction_round_off = 1e-13;
/// Relative changes: the repetition has ended, and it may end where it goes no further.
constexpr double ended = 0x1p-50, near_end = 0x1p-30;
/// Relative to the size of the forces: a range that narrow is a number, and a smaller force none.
constexpr double narrow = 0x1p-40, no_force = 0x1p-46;
/// Of the forces: the positions at which they balance are found to 10 digits.
constexpr double most_imbalance = 0x1p-30;

// Baumgarte's feedback (baumgarte.cpp).

/// Rows nearer to dependence than this amplify feedback and multipliers by more than a thousand.
constexpr double near_singular = 1e-3;

}  // namespace hstar::formulation
