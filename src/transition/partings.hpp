// src/transition/partings.hpp
//
// Contacts that touch without load and that the motion which begins leads away from their surface.
//
// A box in a corner that is tipped about its other foot: the foot in the corner leaves the wall as 1 - cos(angle), and
// the angle grows as the third power of time. At the instant nothing tells: the row of that contact depends on those
// of the other foot, and its rate is theirs. Kept closed it would hold the box as soon as the rows differ. What tells
// is the curvature of the motion: bodies at rest are given a speed in the direction of what follows, and where the gap
// of a dependent row then opens faster than at rest, it opens.
#pragma once

#include <vector>

#include "transition/later.hpp"

namespace hstar {

class Partings {
 public:
  Partings(ModeEquations& equations, ModeSolver& solver, Later& later);

  /// Opens those in `mode`. Speeds up to `still` are none [m/s]. True: the equations have been solved elsewhere.
  bool open(double t, const double* y, double still, Mode& mode);

 private:
  /// Neither of its bodies moves.
  [[nodiscard]] bool rests(std::size_t contact, const double* y, double still) const;
  /// Into y_: y with velocities in the direction of what follows, which turn the mechanism by the `largest`
  /// acceleration. False: nothing moves.
  bool set_in_motion(double t, const double* y, double largest, const Mode& mode);
  [[nodiscard]] double rate(std::size_t contact) const;

  ModeEquations& equations_;
  ModeSolver& solver_;
  Later& later_;
  std::vector<std::size_t> touching_;
  std::vector<double> at_rest_;  ///< accelerations of their gaps [m/s^2]
  std::vector<double> y_;
};

}  // namespace hstar
