// src/analysis/statics/tolerances.hpp: what counts as zero or converged in statics. None has a unit: positions are
// dimensionless (divided by the model's length, angles by one radian), forces are compared with those that balance.
#pragma once

namespace hstar::statics {

/// Round-off of a position, 2 eps, and of a sum of forces, eps.
constexpr double position_round_off = 4e-16, force_round_off = 2e-16;

// Positions (positions.hpp).

/// Damped steps end, and all rows of a mode hold: a tenth of what is accepted after the last digits were sought.
constexpr double nearly_closed = 1e-11, closed = 1e-10;
/// Newton's method takes over from the damped one: it squares the residual, so that two steps leave round-off.
constexpr double near_solution = 1e-6;
/// The residual has no slope left: a least distance that is not zero.
constexpr double no_slope = 1e-13;
/// Damping of the first step, over the square of the residual, the least one, and what keeps the matrix positive.
constexpr double first_damping = 1e-3, least_damping = 1e-8, least_shift = 1e-15;
/// A step is taken if it gains this part of what the linear equations promise (Armijo).
constexpr double enough_gained = 1e-4;
/// Steps towards the nearest positions are halved ten times; those so short are trusted to Newton's method, where the
/// distance changes by less than its round-off, and after the last ones only round-off is left.
constexpr double shortest_part = 1e-3, trusted_step = 1e-6, last_step = 1e-9;

// Equilibrium (relax.hpp).

/// Forces are balanced to ten digits.
constexpr double balanced_at = 1e-10;
/// Of the largest stiffness, one that is next to none; and of the force, the least that a step is divided by.
constexpr double no_stiffness = 1e-9, least_stiffness = 1e-3;
/// The shortest part of a step that is tried: twenty halvings.
constexpr double shortest_step = 1e-6;
/// Part of a change over the mechanism's size that counts among forces that cancel.
constexpr double cancelled = 1e-4;
/// Matrices that differ by less are the same: round-off of their products, of rows and of stiffnesses.
constexpr double same_rows = 1e-14, same_matrix = 1e-12;
/// Eigenvalues of stiffness over mass up to this are round-off of the stiffness.
constexpr double stiffness_round_off = 1e-13;

// States of rest (rest.hpp).

/// Of the model's length: contacts of an estimate touch, since estimates have few digits.
constexpr double touches = 1e-6;
/// The same where positions have been solved: a contact that is penetrated, and one at the end of its stretch.
constexpr double penetrated = 1e-10, end_of_range = 1e-12;
/// Of the model's length a second: the other side of a contact moves.
constexpr double moves = 1e-12;
/// Cosine of the angle between two normals that are the same, up to the square root of this.
constexpr double same_normal = 1e-9;
/// Of the force that is balanced: a contact pulls.
constexpr double pulls = 1e-11;
/// Of the limit: elements so near to it give way together; and of the forces, contacts without force.
constexpr double at_limit = 1e-6, without_force = 1e-9;
/// Of length 1: a coordinate feels something new that others do not.
constexpr double felt = 1e-6;

/// Angle below which phi/2 cot(phi/2) = 1 - phi^2/12 is one to nine digits.
constexpr double no_turn = 1e-4;

}  // namespace hstar::statics
