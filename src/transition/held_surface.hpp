// src/transition/held_surface.hpp
//
// The surface of a switch that both sides drive back to, held as Filippov says: the motion stays on it under the
// combination of both one-sided values that leaves the condition g at zero. All switches of that surface have the same
// share. The process solves the motion on one side and on the other, this tells the share. Where forces change g'' and
// not g' (the switch reads a position), the combination leaves g'' at zero.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "transition/switches.hpp"

namespace hstar {

class HeldSurface {
 public:
  HeldSurface(const System& system, Switches& switches) : system_(system), switches_(switches) {}

  [[nodiscard]] bool any() const { return !members_.empty(); }
  /// The formula whose switch was held first; only if any().
  [[nodiscard]] const SwitchedFormula& formula() const { return leader().formula; }

  /// Holds switch `first`, whose condition is zero at (t, y), with all switches of the same surface; rates of
  /// velocities and states there in ydot. Leaves k there. False: conditions of this kind are not held.
  bool begin(std::size_t first, double t, std::span<const double> y, const std::vector<double>& ydot, Kinematics& k);
  /// The side of the condition that is positive has this share of the motion.
  void share(double of_positive);
  [[nodiscard]] double share() const { return share_; }
  /// How the motion drives the condition at k, whose rates are ydot. False: it reads what has no rates here.
  bool push(const Kinematics& k, const double* ydot, double& driven) const {
    return derivative(degree_, k, ydot, driven);
  }
  /// The condition and, if forces change g'' only, its rate: what steps have left of them.
  [[nodiscard]] double left(const Kinematics& k) const { return leader().condition(k); }
  [[nodiscard]] double left_rate(const Kinematics& k, const double* ydot) const;
  [[nodiscard]] bool is_second_order() const { return degree_ == 2; }
  /// What the side that is positive drives more than the other one.
  [[nodiscard]] double jump() const { return jump_; }
  /// The share by how the other side (share 0) and the positive one (share 1) drive. Whether both drive back, by more
  /// than round-off of the terms of ydot (what sticks is driven by neither).
  bool settle(double by_negative, double by_positive, const Kinematics& k, const double* terms);
  /// Forces do not change g': g'' tells. False: so it did already.
  bool look_deeper();

  /// A reset or an impact has taken the motion off the surface.
  [[nodiscard]] bool is_left(const Kinematics& k) const;
  void lose(const Kinematics& k);
  /// The motion leaves the surface, to the side whose share is all of it.
  void end(const Kinematics& k);
  void forget() { members_.clear(); }

 private:
  [[nodiscard]] const Switch& leader() const { return switches_[members_.front().first]; }
  /// A derivative of the condition. False: it reads what has none here.
  bool derivative(int degree, const Kinematics& k, const double* ydot, double& value) const;
  bool rates(int degree, const Kinematics& k, const double* ydot, double* of_variables) const;

  const System& system_;
  Switches& switches_;
  std::vector<std::pair<std::size_t, double>> members_;  ///< switch, and its side on the positive side of the first
  double share_ = 0;
  int degree_ = 1;  ///< the derivative of the condition that forces change
  double jump_ = 0;
};

}  // namespace hstar
