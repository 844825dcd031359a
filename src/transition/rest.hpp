// src/transition/rest.hpp
//
// What is said about forces at an instant: that nothing can move any more, with the friction reserve of every contact
// and joint; and between which bounds forces lie that are not unique.
#pragma once

#include <span>
#include <string>

#include "formulation/mode_equations.hpp"

namespace hstar {

class Rest {
 public:
  explicit Rest(const ModeEquations& equations) : equations_(equations) {}

  /// Nothing depends explicitly on time: rest can be told.
  void set_constant_loads(bool constant) { constant_loads_ = constant; }
  /// The run begins.
  void start();
  /// Velocities are those of the last evaluated kinematics.
  void see_motion();
  /// The mode has been solved at the state y just after an event. True: nothing moves any more, and did before.
  [[nodiscard]] bool begins(std::span<const double> y, const Mode& mode);
  /// With the friction reserve of all that sticks.
  [[nodiscard]] std::string text(const Mode& mode) const;

 private:
  [[nodiscard]] bool holds(std::span<const double> y, const Mode& mode) const;

  const ModeEquations& equations_;
  bool constant_loads_ = false, rests_ = false;
  double most_kinetic_ = 0;  ///< largest kinetic energy seen at an event [J]
};

/// Bounds of the forces of redundant contacts in a mode that has just been solved, of many how many of their rows
/// depend on others; "" if all are unique.
[[nodiscard]] std::string range_text(ModeEquations& equations, const Mode& mode);

}  // namespace hstar
