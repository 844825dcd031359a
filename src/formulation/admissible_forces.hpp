// src/formulation/admissible_forces.hpp
//
// All multipliers of the rows of a mode that cause given accelerations and satisfy the laws of contact and dry
// friction:
//   M a = f + G^T lambda + (sliding friction),    lambda_N >= 0 of closed contacts,
//   |lambda_T| <= mu_static N(lambda) of stuck units.
// Cone programs (contact/force_program.hpp). N of a guide is |lambda_n|: both sides are tried unless the mode names
// one. N of a pin is the length of its force: it is replaced by the largest linear function below that touches it at
// the present force, and again at the force found; as its error is of second order the repetition converges
// quadratically (sequential convex approximation: Marks & Wright 1978).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "contact/force_program.hpp"
#include "formulation/mode_equations.hpp"
#include "formulation/tolerances.hpp"

namespace hstar {

class AdmissibleForces {
 public:
  using Vector = Eigen::VectorXd;

  /// At the last evaluated state of the equations, with their rows chosen and filled for the mode. Both must last.
  /// Accelerations by slot, none: all zero. `least_scale`: size of terms that cancel in the applied forces.
  AdmissibleForces(const ModeEquations& equations, const Mode& mode, const std::vector<double>& acceleration,
                   double least_scale = 0);

  /// What is left of the balance whatever the multipliers are, relative to the largest force.
  [[nodiscard]] double imbalance() const { return imbalance_; }
  [[nodiscard]] bool balanced() const { return imbalance_ <= formulation::most_imbalance; }
  /// How far inside all cones the forces can be, relative to the largest force; < 0: outside. 1 at most.
  [[nodiscard]] double slack() const { return slack_; }
  [[nodiscard]] bool admissible() const { return balanced() && slack_ >= -tolerance; }
  /// The forces furthest inside of all cones: the smallest slack largest.
  [[nodiscard]] const Vector& lambda() const { return lambda_; }

  [[nodiscard]] double normal_force(int unit, const Vector& lambda) const;  ///< N, lever included
  [[nodiscard]] double limit(int unit, const Vector& lambda) const;         ///< mu_static N
  /// Smallest and largest value of one multiplier over all admissible forces; infinite where nothing bounds it.
  void range(int row, double& least, double& largest);
  /// The same of goal . lambda.
  void range(const Vector& goal, double& least, double& largest);

  static constexpr double tolerance = contact::ForceProgram::tolerance;

 private:
  /// A cone whose N is the reaction of a joint.
  struct Reaction {
    std::size_t cone;
    int unit;
    bool both_sides;  ///< of a guide whose side is tried
    signed char side;
  };
  void list_cones();
  bool linearise(const Vector& lambda);
  bool repeat(Vector& lambda, const std::function<bool(const contact::ForceProgram&)>& solve);
  [[nodiscard]] int side_choices() const;
  void take_sides(int choice);

  const ModeEquations& equations_;
  const Mode& mode_;
  double least_scale_;
  Vector load_;  ///< M a - f by slot
  Vector lambda_;
  std::vector<contact::ForceCone> cones_;
  std::vector<Reaction> reactions_;
  std::optional<contact::BalancedForces> balanced_;
  bool linear_ = true;  ///< no sliding friction that follows the reaction of a joint
  double imbalance_ = 0, slack_ = -1;
};

}  // namespace hstar
