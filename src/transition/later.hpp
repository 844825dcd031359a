// src/transition/later.hpp
//
// The equations of motion a moment after now, with the rates of now going on: what an instant alone does not tell.
#pragma once

#include <vector>

#include "formulation/mode_equations.hpp"
#include "transition/mode_problem.hpp"

namespace hstar {

class Later {
 public:
  Later(ModeEquations& equations, ModeSolver& solver);

  /// The rates of now: those of the last solution, at y.
  void begin(const double* y);
  /// Evaluates the equations a moment later.
  void evaluate(double t, const double* y, double moment);
  /// The same, solved in a mode.
  bool solve(const Mode& mode, double t, const double* y, double moment);
  /// Asks there for the mode that follows `asked`: of what has just happened nothing is known then.
  ModeChoice decide(const ModeProblem& problem, const Mode& asked, double t, const double* y, double moment);
  /// The answer.
  [[nodiscard]] const Mode& mode() const { return mode_; }

  /// Of the last mode problem and of the bodies [m/s^2].
  [[nodiscard]] double largest_acceleration() const;
  /// A small part of the time in which such an acceleration goes through the whole mechanism [s].
  [[nodiscard]] double first_moment(double acceleration) const;
  /// What slides in `mode` has not turned by then, at its rates of now: infinity where nothing does [s].
  [[nodiscard]] double before_turn(const Mode& mode, const ModeProblem& problem) const;
  /// The earlier of both, for the largest acceleration [s].
  [[nodiscard]] double moment(const Mode& mode, const ModeProblem& problem) const;

 private:
  ModeEquations& equations_;
  ModeSolver& solver_;
  std::vector<double> y_, ydot_;
  ModeProblem problem_;
  Mode mode_;
};

}  // namespace hstar
