// src/contact/force_program.hpp
//
// All forces that balance a load and satisfy the laws of contact and dry friction at rest,
//   A lambda = load,    lambda_N >= 0,    |lambda_T| <= mu N(lambda),    N = given + slope . lambda,
// lambda_T of 1 to 3 entries. Where they are not unique the motion takes those of equally stiff contacts (share.hpp);
// these programs tell which others the laws allow. They are second-order cone programs (math/soc_program.hpp) in the
// null space of A.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "contact/tolerances.hpp"
#include "math/soc_program.hpp"

namespace hstar::contact {

/// lambda_N >= 0 if it has no directions, else |lambda_T| <= mu N; both from `row` on.
struct ForceCone {
  int row = 0, directions = 0;
  double mu = 0, given = 0;
  std::vector<int> rows;      ///< those that make N
  std::vector<double> slope;  ///< dN/d lambda, by `rows`; may be longer
};

/// The solutions of A lambda = load: lambda = scale column o (origin + null w), w any.
struct BalancedForces {
  /// `least_scale`: size of the terms that cancel in the load, for round-off.
  BalancedForces(const Eigen::MatrixXd& A, const Eigen::VectorXd& load, double least_scale);
  /// The shortest solution, in scaled forces.
  [[nodiscard]] Eigen::VectorXd shortest() const { return scale * column.cwiseProduct(origin); }

  double scale;                  ///< size of the forces, those that cancel included
  Eigen::VectorXd column;        ///< 1 / length of each column of A
  Eigen::VectorXd origin, left;  ///< left: load - A lambda, what no lambda balances
  Eigen::MatrixXd null;          ///< orthonormal, by columns
};

class ForceProgram {
 public:
  using Vector = Eigen::VectorXd;

  ForceProgram(const std::vector<ForceCone>& cones, const BalancedForces& balanced);

  /// The forces furthest inside: the least slack mu N - |lambda_T| or lambda_N, over the scale, largest. Where more
  /// than 1 can be had (prestress), the shortest that have 1. Returns the slack, 1 at most.
  double centre(Vector& lambda) const;
  /// The forces with the largest goal . lambda, quicker from some that are well inside. False: nothing bounds them.
  bool push(const Vector& goal, Vector& lambda) const;

  /// Slack of forces that are inside for all that is known.
  static constexpr double tolerance = inside_cones;

 private:
  [[nodiscard]] double slack_at(const Vector& w) const;
  double centre_at(Vector& w) const;
  /// Cones h + A (w, x) with one more variable x, and one more cone of `last` entries; nothing of x yet.
  [[nodiscard]] math::SocProgram with_variable(int last) const;
  [[nodiscard]] Vector forces(const Vector& w) const;

  const BalancedForces& balanced_;
  math::SocProgram program_;  ///< the cones over w, along the directions that they see; no goal
  Eigen::MatrixXd seen_;      ///< those directions: orthonormal, in the null space
};

}  // namespace hstar::contact
