// src/formulation/mode_slopes.hpp
//
// The derivatives of a mode's accelerations, and with them those of y' = f(t, y), from the derivatives of forces and
// rows: with M a = F(q, v, s, lambda) and J a = gamma,
//   M da - F_lambda dlambda = F_q dq + F_v dv + F_s ds,      J da = -(J a - gamma)_q dq - (J a - gamma)_v dv.
// Exact where difference quotients are not: what a joint holds has a rate of zero made of large forces that cancel.
// In the plane, where q' = v; not for rows that depend on others.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "formulation/dae_problem.hpp"

namespace hstar {

class ModeSlopes {
 public:
  /// `mode` and `from` are those of the process that owns this object.
  ModeSlopes(std::shared_ptr<const System> system, const Mode& mode, const ModeEquations& from);
  ~ModeSlopes();

  /// A new segment or mode: its rows are chosen at the next evaluation.
  void restart() { begun_ = false; }
  /// df/dy, row-major, and df/dt at (t, y), the latter by differences over dt of forces and rows: what does not depend
  /// on t is then 0, and not the round-off of large forces that balance. False where they are not known.
  bool evaluate(double t, const double* y, double dt, double* by_y, double* by_t);

 private:
  /// F, J a - gamma and s' at another time into `out`, with the accelerations and multipliers of now.
  bool sample(double t, const double* y, std::vector<double>& out);
  std::size_t nv_, ns_;
  MechanismDae dae_;
  bool known_, begun_ = false;
  DaeSlopes slopes_;
  std::vector<double> a_, rate_, lambda_, later_, earlier_;
  DaeEntries rows_;
  Eigen::MatrixXd matrix_, by_,
      solution_;  ///< [M, -F_lambda; J, 0]; right-hand sides and (da, dlambda) by (q, v, s, t)
  struct Factors;
  std::unique_ptr<Factors> factors_;  ///< LU of matrix_
};

}  // namespace hstar
