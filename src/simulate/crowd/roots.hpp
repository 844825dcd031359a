// src/simulate/crowd/roots.hpp
//
// First roots of gaps between discs that all fall alike. None is a difference of nearly equal numbers: what a root is
// off by is the round-off of the positions, over the speed of approach.
#pragma once

#include <array>

namespace hstar::crowd {

/// The first x >= 0 at which c + b x + a x^2 / 2 has come down to zero, and goes on down; infinity: none. At c <= 0 the
/// gap has been zero just before, and only a way down counts.
[[nodiscard]] double first_fall(double c, double b, double a);

/// Two discs whose centres are `d` apart and move with `w` relative to each other.
struct Approach {
  std::array<double, 2> d, w;
  double reach;  ///< sum of the radii [m]
  double size;   ///< of the lengths that meet in d, of which some round-off is left [m]
  double speed;  ///< the same of w [m/s]
};

/// When they touch, from now on [s]; infinity: never. Those that pass each other by no more than the round-off of their
/// positions do not touch: their impact would be slower than the square root of it.
[[nodiscard]] double first_touch(const Approach& a);

}  // namespace hstar::crowd
