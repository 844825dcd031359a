// src/contact/tolerances.hpp: what counts as zero in the contact problem. All numbers are relative, without unit.
//
// A rate is compared with the size of its terms, |c|-terms + sum |G f|; a force with the force that would cause rates
// of that size, size / G_ii; both are what round-off of the data is proportional to.
#pragma once

#include <limits>

namespace hstar::contact {

/// Round-off of one operation.
constexpr double u = std::numeric_limits<double>::epsilon() / 2;

/// Residual of linear laws that further refinement does not lessen.
constexpr double last_digit = 2 * u;

/// Beyond its bound by less a quantity is at its bound: 2^-35 leaves 18 bits for the condition of G and of the data,
/// which come from the factorised constraints.
constexpr double round_off = 0x1p-35;

/// A quantity so far inside its bound is clearly inside; one known to have reached its bound (a guard fired) and less
/// than that inside has not returned. It stands above the error of a root, which the integrator's dense output limits.
constexpr double clear = 0x1p-30;

/// A force that is off its bound by what counts as nothing moves rates, and what creeps, by a few times as much as it
/// would alone: what else is at its limit leans on it.
constexpr double lean = 4;

/// Of the largest force: so much counts among the terms of every rate, since forces elsewhere reach it by the round-off
/// of what cancels on the way. `clear` times this is 64 round-offs.
constexpr double reached = 0x1p-16;

/// Of its terms: the round-off of a difference of `rows` products.
constexpr double of_products(int rows) { return (rows + 4) * u; }

/// A row of G whose pivot falls below this part of its diagonal, and of what that is a remainder of (Problem::alone),
/// is a combination of the rows before it: the round-off of its products, and 2^6 of reserve for that of G itself.
constexpr double dependent(int rows) { return 64 * of_products(rows); }

/// Rows whose matrix, of diagonal 1, has no pivot below this are independent beyond doubt: half of the digits are left,
/// more than the square root of `dependent`, which a pivot with friction may be of one without.
constexpr double clearly_independent = 0x1p-20;

/// Sinking of what creeps, over that of what is held: it grows without bound towards the load at which all that creeps
/// slips. At 2^40 that load is told to 12 digits, and the direction of the forces still to 4.
constexpr double fastest_creep = 0x1p40;

/// Compliances of the path, of tr G / tr C: at 1 every contact nearly stands alone, each next one is a tenth. From
/// `told` on statuses are read, and once more down to `last`, below which G + eps C has no digits left for shares.
constexpr double first_compliance = 1, next_compliance = 0.1, told = 1e-3, last_compliance = 1e-11;

/// Compliances at which forces are found without the path, of tr G / tr C, each a tenth of the one before, until
/// statuses read off them prove true. At larger ones some that slip still hold: from 1e-6 on piles of 50 contacts take
/// two thirds of the time that they take from 1e-5 on (bench_cones). At smaller ones what creeps, at the rate
/// eps f, is no longer above what `complementary` leaves. Pivoting needs the first and the last alone, sweeps the
/// first.
constexpr double first_leap = 1e-6, last_leap = 1e-9;

/// Forces whose terms are larger than the data by this leave no answer: at 2^25 `round_off` of them is a thousandth of
/// the data. They come from statuses that are nearly singular and that nothing satisfies.
constexpr double lost = 0x1p25;

/// Residual of the path's equations at which a compliance is solved: what is left moves statuses only where eps itself
/// does.
constexpr double solved = 0x1p-30;

/// Steps of the interior-point method go so far towards the next boundary. Ones shorter than that stay shorter
/// (docs/spatial-friction.md), and 60 of a few tenths reach 1e-9.
constexpr double inside_boundary = 0.95, shortest_interior = 1e-3;
/// Where a step is shorter than `long_step`, a tenth less of the slope of |w_T| counts, down to a half of it: with
/// less, or for longer steps, more factors solve fewer of the piles of 100 contacts (docs/spatial-friction.md).
constexpr double long_step = 0.3, turned_less = 0.1;
constexpr int most_turned_less = 5;
/// Sizes of the forces to begin with, of those alone: where steps from one end at the boundary of a cone, those from
/// another often do not.
constexpr double start_sizes[] = {1, 0.1, 10, 0.01};
/// Products of force and rate that are left, of the largest force and the largest rate, first: what slips at 1e-4 of
/// the latter under 1e-4 of the former is told from what is open or held (at 0x1p-30 piles of 50 contacts take three
/// times as many steps, since statuses are read wrong, bench_cones).
constexpr double complementary = 0x1p-42;
/// And in the end, where steps lead there: what moves at `clear` of the largest rate under `clear` of the largest force
/// is told, and by 16 times that. Boxes edge on edge, whose contacts nearly meet in one place, leave each other with
/// 1e-9 of the speeds they had: of six such impacts none was read off at 2^-42, five at 2^-52, the last at 2^-60.
/// (Aimed at from the beginning, 3 % of the piles are not solved at once, in place of less than 2 %.)
constexpr double clearly_complementary = clear * clear / 16;
/// The gap aimed at last, of the one that is asked for.
constexpr double within = 0.1;
constexpr int most_interior = 60;

/// Of speeds over the roots of G_ii: what slides so much faster than anything is pressed is turned by less than a
/// thousandth of its direction. Exchanges in the whole problem find the rest.
constexpr double fast = 0x1p10;

/// Violation of the laws at the end of the path: what `solved` leaves in one law, and the compliance that is left.
constexpr double path_end = 4 * solved;

/// Slack of forces of size 1 in a program of forces that are inside their cones for all that is known: 16 bits for the
/// condition of its rows.
constexpr double inside_cones = 0x1p-37;

}  // namespace hstar::contact
