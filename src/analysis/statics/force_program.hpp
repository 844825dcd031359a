// src/analysis/statics/force_program.hpp
//
// Scaled multipliers xi = origin + null w that satisfy the laws of contact and dry friction as cones,
//   (u_0, u) = slope_k xi + value_k,   |u| <= u_0   for every k,
// u of no entry: lambda_N >= 0, of one: friction along a line, of two or three: friction in a plane or of a ball joint.
// Linear programs (math/small_lp) where no u has more than one entry, second-order cone programs (math/soc_program)
// otherwise.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "math/small_lp.hpp"

namespace hstar {

struct ForceCones {
  std::vector<int> size;  ///< entries of (u_0, u); their sum is the number of rows
  Eigen::MatrixXd slope;
  Eigen::VectorXd value;

  [[nodiscard]] bool linear() const;
};

class ForceProgram {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  ForceProgram(const ForceCones& cones, const Vector& origin, const Matrix& null);

  /// The point furthest inside: the least slack u_0 - |u| largest, 1 at most. Of linear programs the next larger slack
  /// is then largest, and so on; of cones with 1 to spare the shortest w. Returns that slack.
  double centre(Vector& xi);
  /// The point where goal xi is largest, quicker from an xi that is well inside; `slack` is that of the centre. False:
  /// nothing bounds it.
  /// Where what is inside has no room, up to `tolerance` outside counts as inside.
  bool push(const Vector& goal, double slack, double tolerance, Vector& xi);

 private:
  double linear_centre(Vector& w);
  double cone_centre(Vector& w) const;
  math::LpStatus linear_push(const Vector& along, double outside, Vector& w);
  math::LpStatus cone_push(const Vector& along, double tolerance, Vector& w) const;
  /// Every cone of two entries is two inequalities.
  void inequalities(Matrix& slope, Vector& value) const;

  bool linear_;
  const std::vector<int>& size_;
  Vector origin_, inside_;  ///< inside_: (u_0, u) by cone at w = 0
  Matrix null_, seen_;      ///< directions that the cones see, and how
  Matrix all_;
  math::SmallLp lp_{1e-15};  ///< its data are of size 1; ends of intervals are roots of its value
};

}  // namespace hstar
