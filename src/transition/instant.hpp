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
  [[nodiscard]] bool is_at(double t) const { return t == t_; }
  /// Time passes without an event of the monitor: from now on nothing has jumped.
  void pass();
  /// A user has set the velocities of y.
  void reset(std::span<const double> y);
  /// Impulses have changed the velocities: the sum of the sizes of what each did, by slot.
  void jump(const std::vector<double>& jumps);
  /// Two bodies have struck along a row, at the last evaluated kinematics: the impulse, and what each takes over by it
  /// from the other, is known no better than the other's velocity. (In units of the root of the kinetic energy nothing
  /// grows by that, however often they strike.)
  void strike(const Row& row);
  /// The velocities have been put onto a row that is held: what is left of J v - nu, at the last evaluated kinematics,
  /// is round-off of whatever was solved with it.
  void put_on(const Row& row);
  /// The motion that bodies are given may have jumped: velocities relative to them are to be read anew.
  void given_motion_jumped() { all_jumped_ = true; }
  /// Something has jumped. What nothing has struck at this instant is as it was, by its left limit: no round-off of it
  /// says otherwise.
  [[nodiscard]] bool jumped() const;
  /// One of two bodies has, or its motion relative to the other.
  [[nodiscard]] bool jumped(int first, int second) const { return all_jumped_ || struck_[first] || struck_[second]; }

  /// Size of all that has met in J v - nu of a row at this instant, at the last evaluated kinematics [m/s].
  [[nodiscard]] double speed_size(const Row& row) const;
  /// |J v - nu| up to this is zero [m/s].
  [[nodiscard]] double zero_speed(const Row& row) const { return tolerances::zero_velocity * speed_size(row); }
  /// |gamma_T| of a friction unit up to this is round-off of what has met at this instant.
  [[nodiscard]] double zero_slide(int unit) const;
  /// The largest of all velocities at this instant, given ones too; of rotations at the radius of gyration [m/s].
  [[nodiscard]] double fastest() const;

 private:
  /// Of a rotation: of gyration. 1 for translations; 0 where there is no mass.
  [[nodiscard]] double radius_of(const Freedom& f) const;

  const ModeEquations& equations_;
  std::vector<double> size_;  ///< by velocity: |v-|, of every jump, and what forces have done to it since, added up
  double t_ = 0, span_ = 0;   ///< of the last instant, and between the two [s]
  std::vector<char> struck_;  ///< by body
  bool all_jumped_ = false;
  mutable double given_ = 0;    ///< largest |nu|, and what t leaves open of it, of the rows asked for at this instant
  double fastest_[2] = {0, 0};  ///< largest velocity and angular velocity at any instant so far
};

}  // namespace hstar
