// src/mechanism/spatial/coordinates.hpp
//
// What some elements know of coordinates beyond the bodies': analyses that hold and show positions ask for it.
#pragma once

#include <span>

#include "mechanism/kinematics.hpp"

namespace hstar {

/// Of a joint: what it leaves free along and about its axis, or its two axes. Slides [m] come before angles [rad],
/// which lie in [-pi, pi].
class JointCoordinates {
 public:
  virtual ~JointCoordinates() = default;
  [[nodiscard]] virtual int free_coordinates() const = 0;
  /// "slide", "angle"; "angle1", "angle2".
  [[nodiscard]] virtual const char* free_name(int which) const = 0;
  [[nodiscard]] virtual bool free_is_angle(int which) const = 0;
  [[nodiscard]] virtual double free_value(int which, const Kinematics& k) const = 0;
  virtual void free_row(int which, const Kinematics& k, Row& out) const = 0;
  virtual void free_slope(int which, const Kinematics& k, SpatialRowSlope& out) const = 0;
};

/// Of a joint whose equations hold on every thread or tooth alike: extra states keep it on its own.
class ReadsTurns {
 public:
  virtual ~ReadsTurns() = default;
  /// `states`: indices in y of the angles, one or two, that count. The joint holds on the thread or tooth nearest at
  /// `k`.
  virtual void read_turns(std::span<const int> states, const Kinematics& k) = 0;
};

class System;
/// Extra states that count turns are put where the angles are, whole turns as near as can be to where they were: after
/// y was moved, and before errors of an integration add up to half a turn. `k` is at y.
void follow_turns(const System& system, const Kinematics& k, double* y);
/// Extra states the model is written with; those that count turns, and those that events tell, come behind them.
[[nodiscard]] int written_states(const System& system);

}  // namespace hstar
