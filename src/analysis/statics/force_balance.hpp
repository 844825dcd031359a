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
  [[nodiscard]] int freedoms() const { return system_->nv; }  ///< n
  [[nodiscard]] int states() const { return written_states(*system_); }
  /// What one unit of each velocity counts as, dimensionless: the model's length for translations, 1 for rotations.
  [[nodiscard]] const Vector& size() const { return size_; }
  /// Diagonal of M.
  [[nodiscard]] Vector mass() const { return Eigen::Map<const Vector>(dae_.mass(), freedoms()); }

  double t;
  std::vector<double> y;  ///< (q, v, s)
  Mode mode;
  /// To be called after `mode` was changed: chooses the rows.
  void choose_rows();
  [[nodiscard]] int rows() const { return dae_.rows(); }
  [[nodiscard]] std::string row_name(int row) const { return equations_.row_name(row); }
  /// Row of a closed contact or a stuck unit, -1 if it has none.
  [[nodiscard]] int contact_row(int contact) const { return equations_.contact_row(contact); }
  [[nodiscard]] int stick_row(int unit) const { return equations_.stick_row(unit); }

  void stop();                      ///< all velocities zero
  void move(const Vector& change);  ///< of the coordinates, by a displacement of n entries
  /// Displacement from y to the positions of another state.
  [[nodiscard]] Vector away(const std::vector<double>& to) const { return coordinates_.between(y.data(), to.data()); }

  /// Evaluates everything below at (t, y) with these multipliers (rows() entries). False: not finite.
  bool evaluate(const Vector& lambda);
  [[nodiscard]] Vector positions() const;  ///< Phi of the joints and gaps of closed contacts; 0 for stuck units
  [[nodiscard]] Matrix jacobian();         ///< rows() x n
  [[nodiscard]] Vector force() const { return Eigen::Map<const Vector>(dae_.force(), freedoms()); }

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
  [[nodiscard]] Vector rates() const { return Eigen::Map<const Vector>(dae_.rate(), states()); }

  /// Gap at the last evaluated state as it is watched while the contact is open.
  [[nodiscard]] double open_gap(int contact) const;
  [[nodiscard]] bool has_range(int contact) const;  ///< of the boundary
  [[nodiscard]] bool in_range(int contact) const;   ///< the contact lies on its stretch of the boundary
  /// gamma_T by direction of the unit.
  [[nodiscard]] Vector slide_velocity(int unit) const;
  /// gamma_T' with these accelerations (n entries), by direction.
  [[nodiscard]] Vector slide_acceleration(int unit, const Vector& acceleration) const;
  /// The mode of a unit that slides, or begins to slide, in this direction at this speed. Of several directions it is
  /// kept here, and taken where |gamma_T| is not more than `floor`.
  [[nodiscard]] FrictionMode sliding(int unit, const Vector& direction, double speed, double floor);
  /// lambda_T of a sliding unit by direction, at a normal force N.
  [[nodiscard]] Vector sliding_force(int unit, double N) const;
  /// What forces lambda_T (by direction) do on the second body: a force of what slides along, a couple of what turns,
  /// global axes, as matrices of 3 rows; no columns but those of `unit`.
  struct FrictionWrench {
    Matrix force, torque;
  };
  [[nodiscard]] FrictionWrench friction_wrench(int unit) const;
  /// nu of a joint's row: the rate of what a driver drives.
  [[nodiscard]] double row_rate(int row);
  [[nodiscard]] const Kinematics& kinematics() const { return equations_.kinematics(); }

  [[nodiscard]] const Coordinates& coordinates() const { return coordinates_; }
  [[nodiscard]] double coordinate(int i);                  ///< at y
  [[nodiscard]] Eigen::RowVectorXd coordinate_row(int i);  ///< d(coordinate i) by a displacement: n entries
  [[nodiscard]] bool is_rotation(int freedom) const { return rotation_[static_cast<std::size_t>(freedom)] != 0; }
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
  std::vector<char> rotation_;
};

}  // namespace hstar
