// src/transition/watch.hpp: what a guard of a mechanism stands for.
#pragma once

namespace hstar {

enum class Watch : unsigned char {
  slide_stops,   ///< d gamma_T: sliding velocity reaches zero; with several directions gamma_T . d_ref
  stick_upper,   ///< mu_static N - lambda_T; with several directions mu_static N - |lambda_T|
  stick_lower,   ///< mu_static N + lambda_T
  side,          ///< side * lambda_n: the guide's normal force passes through zero
  piece_slower,  ///< |gamma_T| - begin of the law's piece
  piece_faster,  ///< end of the law's piece - |gamma_T|
  gap,           ///< g_N
  range,         ///< where on its stretch of the boundary a contact is
  flush,         ///< in place of the range: how far an open contact is from leaving the plane of the other's side
  normal_force,  ///< lambda_N
  regularity,    ///< determinant of sliding friction: at zero normal forces have a pole (Painleve's critical point)
  branch,        ///< distance of a switch's condition from zero, of floor from the whole number below
  branch_upper,  ///< of floor: from the whole number above
  room,          ///< a body inside the room in which its far contacts stay open (broad_phase.hpp)
  user           ///< a [[guard]] of the model
};

struct WatchRef {
  Watch what;
  int index;  ///< friction unit, contact, switch, body or user guard
};

}  // namespace hstar
