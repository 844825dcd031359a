// src/analysis/statics/force_balance.hpp
//
// A mechanism at one state as dense matrices: residuals and Jacobian of the rows of a mode, generalised forces with
// their multipliers, and all their derivatives. What the analyses (assemble, equilibrium, inverse, modes) are made of;
// the elements' own derivatives come through MechanismDae. Cost O(n^2) memory, n the number of
// velocities.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/statics/coordinates.hpp"
#include "formulation/admissible_forces.hpp"
#include "formulation/dae_problem.hpp"
#include "mechanism/spatial/coordinates.hpp"

namespace hstar {

class ForceBalance {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  /// All contacts open, no friction, velocities and states of the start.
  ForceBalance(std::shared_ptr<const System> system, double time);

  [[nodiscard]] const System& system() const { return *system_; }
  /// What one unit of each velocity counts as, dimensionless: the model's length for translations, 1 for rotations.
  [[nodiscard]] const Vector& size() const { return size_; }
  /// Diagonal of M.
  [[nodiscard]] Vector mass() const { return Eigen::Map<const Vector>(dae_.mass(), system_->nv); }

  double t;
  std::vector<double> y;  ///< (q, v, s)
  Mode mode;
  /// To be called after `mode` was changed: chooses the rows.
  void choose_rows();
  [[nodiscard]] int rows() const { return dae_.rows(); }
  /// Names of rows, which they are, kinematics: at the last evaluated state.
  [[nodiscard]] const ModeEquations& equations() const { return equations_; }

  /// Of the coordinates, by a displacement of n entries.
  void move(const Vector& change);
  /// Displacement from y to the positions of another state.
  [[nodiscard]] Vector away(const std::vector<double>& to) const { return coordinates_.between(y.data(), to.data()); }

  /// Evaluates everything below at (t, y) with these multipliers (rows() entries). False: not finite.
  bool evaluate(const Vector& lambda);
  [[nodiscard]] Vector positions() const;  ///< Phi of the joints and gaps of closed contacts; 0 for stuck units
  [[nodiscard]] Matrix jacobian();         ///< rows() x n
  [[nodiscard]] Vector force() const { return Eigen::Map<const Vector>(dae_.force(), system_->nv); }

  struct Slopes {
    Matrix force_q, force_v, force_s;  ///< n x n, n x n, n x states
    Matrix force_lambda;               ///< n x rows; the Jacobian's transpose where nothing slides
    Matrix rate_q, rate_v, rate_s;
    double stiffness_size = 0;  ///< largest single entry of F_q times the sizes of both: what cancels in it included
  };
  [[nodiscard]] Slopes slopes();
  /// All multipliers of the rows with these accelerations (n entries; none: rest) that satisfy the laws at (t, y).
  /// Valid as long as this stays where it is.
  [[nodiscard]] AdmissibleForces admissible_forces(const Vector& acceleration = {});
  /// The multipliers of the rows that a run has while it is at rest at (t, y): those of equally stiff contacts
  /// (contact/share.hpp). None: with these it does not stay at rest.
  [[nodiscard]] std::optional<Vector> forces_of_run();
  /// gamma_T by direction of the unit.
  [[nodiscard]] Vector slide_velocity(int unit) const;
  /// gamma_T' with these accelerations (n entries), by direction.
  [[nodiscard]] Vector slide_acceleration(int unit, const Vector& acceleration) const;
  /// The mode of a unit that slides, or begins to slide, in this direction at this speed. Of several directions it is
  /// kept here, and taken where |gamma_T| is not more than `floor`.
  [[nodiscard]] FrictionMode sliding(int unit, const Vector& direction, double speed, double floor);

  [[nodiscard]] const Coordinates& coordinates() const { return coordinates_; }
  [[nodiscard]] double coordinate(int i);                  ///< at y
  [[nodiscard]] Eigen::RowVectorXd coordinate_row(int i);  ///< d(coordinate i) by a displacement: n entries
  /// Force and torque of joint j on its second body with these multipliers, at the last evaluated state: in the plane
  /// (fx, fy, torque), in space (fx, fy, fz, tx, ty, tz), global axes.
  [[nodiscard]] std::vector<double> joint_reaction(int joint, const Vector& lambda);
  [[nodiscard]] std::string unit_name(int unit) const;  ///< of the joint or contact

 private:
  /// n entries by slot of the mechanism.
  [[nodiscard]] std::vector<double> by_slot(const Vector& x) const;

  std::shared_ptr<const System> system_;
  MechanismDae dae_;  ///< reads `mode`
  ModeEquations equations_;
  Coordinates coordinates_;
  Vector size_;
};

}  // namespace hstar
