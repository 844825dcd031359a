// src/transition/partings.hpp
//
// Contacts that touch without load and that the motion which begins leads away from their surface.
//
// A box in a corner that is tipped about its other foot: the foot in the corner leaves the wall as 1 - cos(angle), and
// the angle grows as the third power of time. At the instant nothing tells: the row of that contact depends on those
// of the other foot, and its rate is theirs. Kept closed it would hold the box as soon as the rows differ. What tells
// is the curvature of the motion: bodies that hardly move are given a speed in the direction of what follows, and where
// the gap of a dependent row then opens faster than it does now, it opens.
#pragma once

#include <vector>

#include "transition/later.hpp"

namespace hstar {

class Partings {
 public:
  Partings(ModeEquations& equations, ModeSolver& solver, Later& later);

  /// Opens those in `mode`. True: the equations have been solved elsewhere.
  bool open(double t, const double* y, Mode& mode);

 private:
  /// Bodies that hardly move beside `speed`: of what moves faster its own rates tell.
  void find_slow(const double* y, double speed);
  /// Into y_: y with slow bodies faster by `speed` in the direction of what follows. False: nothing moves.
  bool set_in_motion(double t, const double* y, double largest, double speed, const Mode& mode);
  /// That of the motion, or what forces would give where all is held [m/s^2].
  [[nodiscard]] double largest_acceleration() const;
  [[nodiscard]] double rate(std::size_t contact) const;

  ModeEquations& equations_;
  ModeSolver& solver_;
  Later& later_;
  std::vector<char> slow_;  ///< by body
  std::vector<std::size_t> touching_;
  std::vector<double> now_;  ///< accelerations of their gaps [m/s^2]
  std::vector<double> y_;
};

}  // namespace hstar
