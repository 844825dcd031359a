// src/formulation/mode_equations.hpp
//
// The equations of motion of a mechanism in one mode, solved for accelerations and multipliers:
//   M a = f + Phi_q^T lambda + W_N lambda_N + W_T lambda_T,   all rows of the mode held at acceleration level,
// with sliding friction lambda_T = -d mu(|gamma_T|) N(lambda) - viscous gamma_T resolved implicitly where N is
// a reaction. Owns its scratch; allocates only when constructed.
#pragma once

#include <memory>
#include <vector>

#include "formulation/element_motion.hpp"
#include "formulation/mode_rows.hpp"
#include "formulation/sliding_friction.hpp"

namespace hstar {

class ContactShares;
enum class Linearity : unsigned char;
class LinearMode;
class LinearModes;

class ModeEquations {
 public:
  /// `linear_modes`: modes whose equations are linear are tabulated (linear_mode.hpp).
  explicit ModeEquations(std::shared_ptr<const System> system, bool linear_modes = true);
  ~ModeEquations();

  [[nodiscard]] const System& system() const { return motion.system(); }

  /// Kinematics, applied forces and joint rows at (t, y). Independent of the mode.
  void evaluate(double t, const double* y);
  /// The state is that at which other equations of the same system were evaluated last, with their sliding directions.
  void stand_where(const ModeEquations& other);

  /// Solves the mode at the last evaluated state, by `solver` if there is one. `gamma_shift`, one entry a chosen
  /// row, is added to gamma. Of redundant contacts forces are those of contact_shares.hpp if they are wanted.
  /// False if singular or friction does not converge.
  bool solve(const Mode& mode, RowSolver* solver = nullptr, const double* gamma_shift = nullptr,
             bool forces_wanted = true);
  /// evaluate() and solve() in one; a linear mode by its matrix, and the applied forces stay as they were.
  bool solve_at(const Mode& mode, double t, const double* y);
  /// Rates of q and v at (t, y), nq + nv entries of ydot; in a linear mode nothing else is computed.
  bool rates_at(const Mode& mode, double t, const double* y, double* ydot);
  /// Of the mode whose rows are chosen.
  [[nodiscard]] Linearity linearity(const Mode& mode) const;
  /// The matrices of a mode; nullptr if it is not linear, or has too many coordinates.
  [[nodiscard]] const LinearMode* linear(const Mode& mode) const;
  /// The mode with other forces, by slot, other right-hand sides, by chosen row, and sliding friction of reactions
  /// alone, with mu by friction unit.
  bool solve_for(const Mode& mode, const double* f, const double* rhs, const double* mu);

  /// q_dot = N(q) v and the accelerations of the last solve into ydot (nq + nv entries).
  void store_rates(const double* y, double* ydot) const;

  // Results of solve, valid until the next.
  /// System::slots(); 0 for prescribed bodies.
  [[nodiscard]] const std::vector<double>& acceleration() const { return a_; }
  /// By chosen row.
  [[nodiscard]] const std::vector<double>& multipliers() const { return lambda_; }
  [[nodiscard]] const double* joint_multipliers(int joint) const { return lambda_.data() + system().joint_row[joint]; }
  [[nodiscard]] double contact_force(int contact) const;  ///< lambda_N; 0 if open
  [[nodiscard]] double friction_force(int unit) const {
    return friction_[unit];
  }  ///< lambda_T (moment for pins); of several directions along d, and |lambda_T| if the unit sticks
  /// lambda_T by direction of the unit.
  void friction_forces(int unit, double* lambda) const;
  [[nodiscard]] double normal_force(int unit) const { return normal_[unit]; }  ///< N >= 0 times the lever
  /// [N, N m] until a stuck unit breaks away in the direction of +1 (mu_static N - lambda_T) or of -1; with several
  /// directions in any (mu_static N - |lambda_T|). Of one that creeps: +1 until it is held by itself again, -1 (several
  /// directions) until it slides. Of one whose contact skims: until all of its viscous friction is needed.
  [[nodiscard]] double stick_reserve(int unit, int direction) const;
  /// lambda_N, or of a contact that touches how far it is from being pressed, of one that skims how much viscous
  /// friction it needs [N].
  [[nodiscard]] double press_reserve(int contact) const;
  /// Scale of the force terms of a unit, for round-off.
  [[nodiscard]] double force_scale() const { return force_scale_; }
  /// Applied forces with gravity at the last evaluated state, System::slots().
  [[nodiscard]] const std::vector<double>& load() const { return f_; }

  ElementMotion motion;  ///< where the equations were evaluated last
  ModeRows rows;         ///< the chosen ones
  SlidingFriction sliding;
  std::size_t solves = 0;  ///< counted for the summary

 private:
  bool finish(const Mode& mode, RowSolver& solver, bool forces_wanted);
  /// Forces of contacts that depend on each other, and what they move.
  void take_shares(RowSolver& solver);

  std::unique_ptr<LinearModes> linear_;  ///< null: no mode of this system is linear
  std::vector<double> f_, a_, lambda_, rhs_;
  std::vector<double> load_;                                          ///< f and known friction
  std::vector<double> friction_, normal_;                             ///< by unit, as slide_direction_
  std::vector<std::array<double, most_directions>> slide_direction_;  ///< d of the last solution
  std::vector<double> change_a_, change_lambda_, zero_, derivative_, product_;
  double force_scale_ = 0;
  std::unique_ptr<ContactShares> shares_;  ///< made when contacts first depend on each other
  bool shared_ = false;                    ///< the last solution has forces of shares_
};

}  // namespace hstar
