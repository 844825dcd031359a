// src/transition/instant.hpp
//
// What one instant has done to the velocities so far. Velocities are the only truth about what is at rest after a
// jump, and what counts as zero of them is the round-off of all that has been added up at this instant: of a velocity
// of 1 m/s that an impact takes away 1e-16 m/s may be left. What forces that balance each other have held at rest since
// the last instant moves by the round-off of their sum.
#pragma once

#include <span>
#include <vector>

#include "formulation/mode_equations.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

class Instant {
 public:
  explicit Instant(const ModeEquations& equations);

  /// The run begins.
  void start(double t);
  /// The state just before, y; nothing has jumped.
  void begin(double t, std::span<const double> y);
  /// A user has set the velocities of y.
  void reset(std::span<const double> y);
  /// Impulses have changed the velocities: the sum of the sizes of what each did, by slot.
  void jump(const std::vector<double>& jumps);
  /// The motion that bodies are given may have jumped: velocities relative to them are to be read anew.
  void given_motion_jumped() { jumped_ = true; }
  [[nodiscard]] bool jumped() const { return jumped_; }

  /// Size of all that has met in J v - nu of a row at this instant, at the last evaluated kinematics [m/s].
  [[nodiscard]] double speed_size(const Row& row) const;
  /// |J v - nu| up to this is zero [m/s].
  [[nodiscard]] double zero_speed(const Row& row) const { return tolerances::zero_velocity * speed_size(row); }
  /// What the largest acceleration of an applied force would have made of a velocity since the last instant.
  [[nodiscard]] double driven(std::size_t velocity) const { return driven_[velocity]; }

 private:
  const ModeEquations& equations_;
  std::vector<double> size_;  ///< by velocity: |v-| and of every jump, added up
  std::vector<double> driven_;
  double t_ = 0, span_ = 0;  ///< of the last instant, and between the two [s]
  bool jumped_ = false;
};

}  // namespace hstar
