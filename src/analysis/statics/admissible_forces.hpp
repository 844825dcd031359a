// src/analysis/statics/admissible_forces.hpp
//
// All multipliers that balance given generalised forces and satisfy the laws of contact and dry friction:
//   F(lambda) = target,    lambda_N >= 0 of closed contacts,    |lambda_T| <= mu_static N(lambda) of stuck units.
// A program in the null space of F_lambda: linear, or with exact cones where friction has several directions
// (force_program.hpp). N of a guide is |lambda_n|: both sides are tried. N of a pin is the length of its force: it is
// replaced by the largest linear function below that touches it at the present force, and again at the force found; as
// its error is of second order the repetition converges quadratically (sequential convex approximation: Marks & Wright
// 1978).
#pragma once

#include <functional>
#include <vector>

#include "analysis/statics/force_balance.hpp"
#include "analysis/statics/force_program.hpp"

namespace hstar {

class AdmissibleForces {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  /// The rows of m.mode at m's state; units that stick are those of the mode.
  AdmissibleForces(ForceBalance& m, Vector target);

  /// What is left of the balance whatever the multipliers are, relative to the largest force.
  [[nodiscard]] double imbalance() const { return imbalance_; }
  [[nodiscard]] const Vector& unbalanced() const { return unbalanced_; }  ///< the same, generalised forces [N, N m]
  [[nodiscard]] bool balanced() const { return imbalance_ <= 1e-9; }
  /// How far inside all cones the forces can be, relative to the largest force; < 0: outside. 1 at most.
  [[nodiscard]] double slack() const { return slack_; }
  [[nodiscard]] bool admissible() const { return balanced() && slack_ >= -tolerance; }
  /// The forces furthest inside of all cones: the smallest slack largest, then the next.
  [[nodiscard]] const Vector& lambda() const { return lambda_; }

  [[nodiscard]] double normal_force(int unit, const Vector& lambda) const;  ///< N, lever included
  [[nodiscard]] double limit(int unit, const Vector& lambda) const;         ///< mu_static N
  /// lambda_T of a unit that sticks; |lambda_T| where it has several directions.
  [[nodiscard]] double friction_force(int unit, const Vector& lambda) const;
  /// Smallest and largest value of one multiplier over all admissible forces; infinite where nothing bounds it.
  void range(int row, double& least, double& largest);
  /// The same of goal . lambda.
  void range(const Vector& goal, double& least, double& largest);

  static constexpr double tolerance = 1e-11;

 private:
  struct Cone {
    int unit = -1;              ///< friction; -1: lambda_N >= 0
    int row = 0;                ///< first of lambda_T, or lambda_N
    int directions = 0;         ///< of lambda_T
    std::vector<int> rows;      ///< multipliers that make N
    std::vector<double> slope;  ///< dN/d lambda at the present force
    double mu = 0, given = 0;   ///< given: mu_static times a prescribed normal force
    bool guide = false;
    signed char side = 0;
  };
  /// A problem in scaled unknowns: multipliers = column_scale * (base + null w).
  bool linearise(const Vector& lambda);
  void aim(Cone& cone, const Vector& lambda) const;
  [[nodiscard]] ForceCones force_cones() const;
  bool repeat(Vector& lambda, const std::function<bool(ForceProgram&, Vector& xi)>& solve);
  bool centre(Vector& lambda, double& slack);
  bool push(const Vector& goal, Vector& lambda);
  [[nodiscard]] int side_choices() const;
  void take_sides(int choice);

  ForceBalance& m_;
  Vector target_, lambda_, unbalanced_, column_scale_, base_;
  Matrix null_;
  std::vector<Cone> cones_;
  bool linear_ = true;  ///< no sliding friction that follows a reaction
  bool pins_ = false;
  double scale_ = 0, imbalance_ = 0, slack_ = -1;
};

}  // namespace hstar
