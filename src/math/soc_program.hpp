// src/math/soc_program.hpp
//
// Small second-order cone programs,
//   maximise c x   subject to   h_k + A_k x  in  K = { (u_0, u): |u| <= u_0 }   for every k,
// by a primal-dual interior-point method with the scaling of Nesterov & Todd and Mehrotra's correction (Andersen, Roos
// & Terlaky 2003; Vandenberghe 2010, "The CVXOPT linear and quadratic cone program solvers"). The steps are least
// squares by QR, not normal equations, so that the value is good to round-off. A cone of one entry is an inequality.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace hstar::math {

struct SocProgram {
  std::vector<int> size;  ///< of the cones; their sum is the number of rows of A
  Eigen::MatrixXd A;      ///< of full column rank
  Eigen::VectorXd h, c;   ///< of size 1: h and c decide what round-off is

  void resize(int rows, int variables) {
    size.clear();
    A.setZero(rows, variables);
    h.setZero(rows);
    c.setZero(variables);
  }
};

struct SocSolution {
  bool bounded = false;  ///< false: c x grows beyond 1e7
  Eigen::VectorXd x;     ///< strictly inside all cones
  double gap = 0;        ///< c x is less than the largest value by at most this, up to round-off
  int steps = 0;
};

/// `inside`: a point strictly inside all cones. Where the best point is not unique, one inside the set of best points.
/// Cost O(rows variables^2) a step, some 15 of them. Allocates.
[[nodiscard]] SocSolution maximise(const SocProgram& program, const Eigen::VectorXd& inside);

/// min_k (u_0 - |u|) over the cones at x.
[[nodiscard]] double least_slack(const SocProgram& program, const Eigen::VectorXd& x);

}  // namespace hstar::math
