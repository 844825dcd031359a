// src/math/cone_friction.hpp
//
// Contacts with Coulomb friction in space as one complementarity problem over exact circular cones, no pyramid: k
// contacts, each with a normal (row 3i) and two tangents (3i + 1, 3i + 2), whose rates answer forces by
//   a = c + G f,    f = (lambda_N, lambda_T1, lambda_T2) by contact,
//   0 <= a_N  _|_  lambda_N >= 0,
//   stick: a_T = 0, |lambda_T| <= mu_static lambda_N,    slip: lambda_T = -mu_kinetic lambda_N a_T / |a_T|,
// or, for a contact that slides already, lambda_T = -mu_kinetic lambda_N d with d given. a are accelerations at
// gamma_T = 0, or velocities after an impact with f impulses. G = W^T M^-1 W, symmetric, not negative, of any rank:
// where it is singular, f is one of many and a is what counts.
//
// Method: projected Gauss-Seidel on the cones (De Saxce & Feng 1998), then semismooth Newton on the equations of
// Alart & Curnier (1991), with minimum-norm steps. Existence is not guaranteed (Painleve), nor uniqueness: the residual
// says whether what is returned is a solution. Knows matrices only; no heap memory.
#pragma once

#include <array>

namespace hstar::math {

constexpr int most_cones = 8;

struct Cone {
  double mu_static = 0, mu_kinetic = 0;   ///< mu_static >= mu_kinetic >= 0
  bool slides = false;                    ///< gamma_T != 0: `direction` is gamma_T / |gamma_T|
  std::array<double, 2> direction{1, 0};  ///< unit; not used unless slides
};

struct ConeProblem {
  int count = 0;  ///< k, 1 .. most_cones
  std::array<Cone, most_cones> cone;
  std::array<double, 9 * most_cones * most_cones> G{};  ///< 3k x 3k, by rows
  std::array<double, 3 * most_cones> c{};
};

enum class ConeHold : unsigned char { open, stick, slip };

struct ConeAnswer {
  bool found = false;   ///< residual <= 1e-12
  double residual = 0;  ///< of the laws above as equations in f, relative to the size of the forces
  int newton_steps = 0;
  std::array<double, 3 * most_cones> f{}, a{};
  std::array<ConeHold, most_cones> hold{};
  /// slip: direction of the sliding that begins, -lambda_T / |lambda_T|, or `direction` where given.
  std::array<std::array<double, 2>, most_cones> direction{};
};

/// Solves the problem; cost O(k^3) a Newton step, usually fewer than 20. `guess`: forces to start from, 3k, or null.
[[nodiscard]] ConeAnswer solve_cones(const ConeProblem& problem, const double* guess = nullptr);

}  // namespace hstar::math
