// src/formulation/consistent_restart.hpp
//
// Consistent restart: positions and velocities put back onto the rows of a mode, moving as little as
// possible in the metric of the mass matrix (mass-orthogonal projection; Eich-Soellner & Fuehrer 1998, ch. 5).
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "formulation/mode_equations.hpp"

namespace hstar {

class ConsistentRestart {
 public:
  /// `dependent`: rows of which less is new are left out of corrections, which they would make large.
  explicit ConsistentRestart(ModeEquations& equations, double dependent = math::dependent_in_square);

  /// Newton on Phi(q, t) = 0 and the gaps of closed contacts; q inside y is moved. False if it does
  /// not converge; `why()` then names the row that is worst.
  bool positions(const Mode& mode, double t, double* y, int max_iterations = 4);
  /// Velocities onto Phi_q v = nu, gamma_N = 0 of closed contacts, gamma_T = 0 of stuck units.
  /// Residuals below round-off are left alone, and so are rows of which so little is new that they could be met only by
  /// changing velocities by more than `most` [m/s].
  bool velocities(const Mode& mode, double t, double* y, double most = any_change);
  /// The same, and round-off removed too: units that stick stand still to the last bit.
  bool stop(const Mode& mode, double t, double* y, double most = any_change);
  /// The same where the mode has not been chosen yet and units of `mode` that "stick" may only be passing through zero
  /// speed: at a dead centre the row of such a unit depends on the constraints, and y that has drifted off them is a
  /// little way from it. Imposed there it would stop the mechanism. left_moving() then; stop() once the mode is known.
  bool come_to_rest(const Mode& mode, double t, double* y, double most = any_change);
  /// positions(), then velocities(), at the cost of one evaluation less. moved() by either.
  void positions_and_velocities(const Mode& mode, double t, double* y);
  /// Assembly from rough estimates: damped Newton with many iterations. @throws InputError that names
  /// the constraints that contradict each other or cannot be closed.
  void assemble(const Mode& mode, double t, double* y);

  /// Redundant rows are never imposed: true while the motion keeps them all the same, up to the drift a
  /// loose tolerance may have (1e-4 of the mechanism's size). False: why() names the row.
  bool redundant_rows_hold(double t, const double* y);
  /// What sticks stands still at the last evaluated kinematics, up to a thousandth of the mechanism's speeds or of
  /// `meant` [m/s, rad/s], below which error control tells speeds from zero no more. False: why() names what moves.
  bool stuck_units_stand(const Mode& mode, double t, double meant);
  /// The first joint row whose position is off by more than `limit` of the size of its bodies; empty if there is none.
  [[nodiscard]] std::string far_off(double t, const double* y, double limit);

  /// The mechanism has these velocities: a contradiction is measured by the largest so far. Returns that of y.
  double see_speeds(const double* y);
  /// The largest so far, and no less than what forces alone do in the round-off of positions, and in a `span` of time.
  [[nodiscard]] double fastest(double span) const;
  /// Impulse of a chosen row by which the last velocities() moved y.
  [[nodiscard]] double impulse(int row) const { return lambda_[row]; }
  /// The last call has not stopped some unit: its row depends on the others, or the drift is too large to tell.
  [[nodiscard]] bool left_moving() const { return left_moving_; }
  [[nodiscard]] bool moved() const { return moved_; }  ///< by the last call, more than round-off
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  /// Residuals of the chosen rows at y into phi_ (stick rows 0); largest relative to its length scale.
  double position_residual(double t, const double* y);
  static constexpr double any_change = std::numeric_limits<double>::infinity();
  /// How velocities are put onto rows.
  struct Care {
    double allowed;          ///< residuals up to this are left alone
    double stick_tolerance;  ///< rows of stuck units of which less is new are dependent
    double most;             ///< [m/s] rows that could be met only by larger changes are dependent
  };
  bool velocities(const Mode& mode, double t, double* y, const Care& care);
  /// The same with the rows of the mode chosen and filled at y.
  bool velocities_here(double t, double* y, const Care& care);
  /// As last solved, or that of applied forces alone, which may balance.
  [[nodiscard]] double largest_acceleration() const;
  /// Factorises the chosen rows, for the change of positions that puts them onto phi_ = 0. False: singular.
  bool solve_correction();
  [[nodiscard]] bool only_redundant_rows_are_off() const;
  [[nodiscard]] double largest_residual() const;
  bool fail(std::string why) {
    why_ = std::move(why);
    return false;
  }
  void note_drift(double position_residual, const double* y);
  ModeEquations& equations_;
  double position_drift_ = 0, velocity_drift_ = 0;  ///< relative residuals before the last positions()
  double dependent_;                                ///< what of rows is new is more
  double fastest_ = 0;                              ///< the largest speed so far
  std::vector<double> phi_, target_, momentum_, delta_, lambda_, scale_;
  bool moved_ = false, left_moving_ = false;
  std::string why_;
};

}  // namespace hstar
