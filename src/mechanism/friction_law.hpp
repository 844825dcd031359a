// src/mechanism/friction_law.hpp
//
// mu as a function of sliding speed: one smooth function between knots. The mode knows in which
// piece the motion is, so that within a mode the law is smooth and may be continued past its ends.
#pragma once

#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

/// What holds at low and at high speed.
struct FrictionCoefficients {
  double mu_static = 0, mu_kinetic = 0;
};

class FrictionLaw {
 public:
  FrictionLaw() = default;
  explicit FrictionLaw(const FrictionSpec& spec);

  /// Those of the model, where they are numbers.
  [[nodiscard]] const FrictionCoefficients& coefficients() const { return coefficients_; }
  /// mu at sliding speed >= 0, by the formula of `piece` (may be called slightly outside of it).
  [[nodiscard]] double mu_kinetic(double speed, int piece, const FrictionCoefficients& at) const;
  /// Derivative of mu_kinetic by speed.
  [[nodiscard]] double mu_slope(double speed, int piece, const FrictionCoefficients& at) const;
  /// The same where the coefficients are the numbers of the model.
  [[nodiscard]] double mu_static() const { return coefficients_.mu_static; }
  [[nodiscard]] double mu_kinetic(double speed, int piece) const { return mu_kinetic(speed, piece, coefficients_); }
  [[nodiscard]] double mu_slope(double speed, int piece) const { return mu_slope(speed, piece, coefficients_); }
  /// Derivative of mu_kinetic by the coefficient mu_static; the rest of 1 is that by mu_kinetic.
  [[nodiscard]] double share_of_static(double speed) const;
  /// mu_kinetic does not depend on speed.
  [[nodiscard]] bool is_constant() const { return knots_.empty() && !stribeck_; }
  /// Force per sliding speed that is added to the dry part [N s/m or N m s/rad].
  [[nodiscard]] double viscous() const { return viscous_; }
  [[nodiscard]] bool dry() const { return dry_; }  ///< false: purely viscous or nothing at all, and nothing sticks

  [[nodiscard]] int pieces() const { return knots_.empty() ? 1 : static_cast<int>(knots_.size()); }
  /// The piece that holds a speed just above (direction +1) or just below (-1) the given one.
  [[nodiscard]] int piece_of(double speed, int direction) const;
  /// Speeds where a piece begins and ends (infinity after the last).
  [[nodiscard]] double piece_begin(int piece) const;
  [[nodiscard]] double piece_end(int piece) const;

 private:
  FrictionCoefficients coefficients_;
  double stribeck_velocity_ = 0, exponent_ = 1, viscous_ = 0;
  bool dry_ = true, stribeck_ = false;
  std::vector<Vec2> knots_;  ///< table rows (speed, mu)
};

}  // namespace hstar
