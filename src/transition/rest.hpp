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

/// Bounds of forces are told of so many rows of a mode. The programs of all take the fourth power of the rows: 2 ms for
/// 18 of them, 7 ms for 30, 0.2 s for 90.
constexpr int most_rows_of_event = 24, most_rows_of_answer = 96;

/// Bounds of the forces of redundant contacts in a mode that has just been solved, of more than `most_rows` rows how
/// many depend on others; "" if all are unique.
[[nodiscard]] std::string range_text(ModeEquations& equations, const Mode& mode, int most_rows);

}  // namespace hstar
