// src/mechanism/held_branch.hpp
//
// A switch that is held on its surface (Filippov): neither branch holds, but a share of both, and a formula has that
// share of its two one-sided values. In the table of branches such a one is a number that no branch is, so that all who
// read the table (forces, rates, slopes, residuals) agree. Not of floor, whose branches are all whole numbers.
#pragma once

#include <cmath>

namespace hstar {

/// Shares go from 0 to 1, and beyond where a step looks past the end of its mode: there they need a number, but none in
/// particular. The offset costs a share 4 eps at most.
constexpr double kHeld = 4, kLeastShare = -2.5;

/// `share` of the side of the condition that is `side`, -1 or +1.
inline double held_branch(double share, double side) { return side * (kHeld + std::fmax(share, kLeastShare)); }
inline bool is_held_branch(double branch) { return std::abs(branch) > 1; }
inline double share_of(double branch) { return std::abs(branch) - kHeld; }
/// The side that has the share, or the other one.
inline double side_of(double branch, bool other) { return std::copysign(1.0, branch) * (other ? -1 : 1); }

}  // namespace hstar
