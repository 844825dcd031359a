// src/transition/held_motion.hpp
//
// The motion in the mode of the mechanism: that of its equations or, where both sides of a switch drive back to its
// surface, the combination of both sides that stays there (held_surface.hpp).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "formulation/mode_equations.hpp"
#include "hstar/flow.hpp"
#include "transition/held_surface.hpp"

namespace hstar {

class HeldMotion {
 public:
  /// `mode` is that of the mechanism.
  HeldMotion(ModeEquations& equations, Switches& switches, const Mode& mode);

  /// Surfaces are held where both sides drive back (`sliding`).
  void set_allowed(bool allowed) { allowed_ = allowed; }
  [[nodiscard]] bool allowed() const { return allowed_; }
  /// No surface is held.
  void forget() { surface_.forget(); }
  [[nodiscard]] bool any() const { return surface_.any(); }
  /// The formula whose switch is held; only if any().
  [[nodiscard]] const SwitchedFormula& formula() const { return surface_.formula(); }

  /// The shares of both sides of a surface that is held, at (t, y). False: the mode cannot be solved there.
  bool find_share(double t, const double* y);
  /// Evaluates the equations at (t, y) and solves them in the mode. False: they cannot be.
  bool solve(double t, const double* y) { return find_share(t, y) && solve_on_branches(t, y); }
  /// Rates of velocities and states at the last solution.
  void rates(std::vector<double>& ydot) const;

  /// The motion is held on the surface of a switch that both sides drive back to, from (t, y) on. False: it cannot be.
  bool hold(std::size_t pushed_back, double t, std::span<const double> y);
  /// In the mode that has just been decided the surface is held with another share, or no longer: decide again.
  bool holds_otherwise(double t, std::span<const double> y);
  /// Takes out what steps have left of the condition that is held, along what the two sides do differently: that leaves
  /// constraints as they are. `motion` gives the rates of all of y.
  void put_back(double t, std::span<double> y, OdeProblem& motion);
  /// The motion leaves the surface.
  void end() { surface_.end(equations_.motion.kinematics()); }
  /// A reset or an impact may have taken it off, at the last evaluated kinematics.
  void lose_if_left();

 private:
  bool share_sides(double t, const double* y, bool& both_drive_back);
  bool solve_on_branches(double t, const double* y);

  const System& system_;
  ModeEquations& equations_;
  Switches& switches_;
  const Mode& mode_;
  HeldSurface surface_;
  bool allowed_ = false;
  std::array<std::vector<double>, 2> side_rates_;  ///< on the negative side of the surface and on the positive one
  std::vector<double> terms_;                      ///< the largest that these are sums of
};

}  // namespace hstar
