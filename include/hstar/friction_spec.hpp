// include/hstar/friction_spec.hpp: friction of a joint or contact as a model says it, SI.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hstar/error.hpp"
#include "hstar/expression.hpp"

namespace hstar {

using Vec2 = std::array<double, 2>;

/// Friction of a joint or contact. Force -mu(v) N sign(v) when sliding, |lambda_T| <= mu_static N when stuck.
struct FrictionSpec {
  Location where;
  std::string law = "coulomb";               ///< "coulomb" | "stribeck" | "viscous" | "table"
  double mu_static = 0.0, mu_kinetic = 0.0;  ///< mu_static >= mu_kinetic >= 0
  /// In place of the numbers: of time, states, positions and velocities. Negative values count as 0, and what is stuck
  /// holds at least what slides does.
  std::optional<Expression> mu_static_formula, mu_kinetic_formula;
  double stribeck_velocity = 0.0;          ///< [m/s] or [rad/s] > 0 for "stribeck"
  double stribeck_exponent = 1.0;          ///< > 0
  double viscous = 0.0;                    ///< added force per sliding speed [N s/m or N m s/rad], >= 0
  std::vector<Vec2> table;                 ///< (speed, mu) rows, speeds increasing from 0
  std::optional<Expression> normal_force;  ///< prescribed N [N], of the same; none = the reaction itself
  double radius = 0.0;                     ///< of the pin, shaft or ball of a joint that turns [m]; 0: none
  double thrust_radius = 0.0;              ///< spatial revolute joint: where its axial force rubs [m]; 0: nowhere
  /// Of spatial contacts: moments that resist rolling (about the tangents) and spinning (about the normal) are at most
  /// this times the normal force [m]; 0: none.
  double rolling = 0.0, spinning = 0.0;
  /// What the normal force of a revolute joint is multiplied by: N counts at this radius.
  [[nodiscard]] double lever() const { return radius > 0 ? radius : thrust_radius; }
};

}  // namespace hstar
