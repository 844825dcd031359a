// src/mechanism/friction_law.cpp: Coulomb, Stribeck (Stribeck 1902 in the exponential form of Bo & Pavelescu 1982),
// viscous, table.
#include "mechanism/friction_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar {

FrictionLaw::FrictionLaw(const FrictionSpec& spec)
    : mu_static_(spec.mu_static),
      mu_kinetic_(spec.mu_kinetic),
      stribeck_velocity_(spec.stribeck_velocity),
      exponent_(spec.stribeck_exponent),
      viscous_(spec.viscous),
      dry_(spec.law != "viscous"),
      stribeck_(spec.law == "stribeck") {
  if (spec.law == "table") {
    knots_ = spec.table;
    mu_static_ = std::max(spec.mu_static, knots_.front()[1]);
  }
  if (!dry_) mu_static_ = mu_kinetic_ = 0;
}

double FrictionLaw::mu_kinetic(double speed, int piece) const {
  if (!knots_.empty()) {
    const auto i = static_cast<std::size_t>(piece);
    if (i + 1 == knots_.size()) return knots_[i][1];
    const Vec2 a = knots_[i], b = knots_[i + 1];
    return a[1] + (b[1] - a[1]) * (speed - a[0]) / (b[0] - a[0]);
  }
  if (!stribeck_) return mu_kinetic_;
  const double ratio = speed / stribeck_velocity_;
  if (exponent_ == 1.0) return mu_kinetic_ + (mu_static_ - mu_kinetic_) * std::exp(-ratio);
  if (exponent_ == 2.0) return mu_kinetic_ + (mu_static_ - mu_kinetic_) * std::exp(-ratio * ratio);
  return mu_kinetic_ + (mu_static_ - mu_kinetic_) * std::exp(-std::pow(std::max(ratio, 0.0), exponent_));
}

double FrictionLaw::mu_slope(double speed, int piece) const {
  if (!knots_.empty()) {
    const auto i = static_cast<std::size_t>(piece);
    if (i + 1 == knots_.size()) return 0;
    const Vec2 a = knots_[i], b = knots_[i + 1];
    return (b[1] - a[1]) / (b[0] - a[0]);
  }
  if (!stribeck_) return 0;
  const double ratio = speed / stribeck_velocity_, height = (mu_static_ - mu_kinetic_) / stribeck_velocity_;
  if (exponent_ == 1.0) return -height * std::exp(-ratio);
  if (exponent_ == 2.0) return -2 * height * ratio * std::exp(-ratio * ratio);
  if (ratio <= 0) return 0;
  return -height * exponent_ * std::pow(ratio, exponent_ - 1) * std::exp(-std::pow(ratio, exponent_));
}

int FrictionLaw::piece_of(double speed, int direction) const {
  int piece = 0;
  for (std::size_t i = 1; i < knots_.size(); ++i)
    if (speed > knots_[i][0] || (speed == knots_[i][0] && direction > 0)) piece = static_cast<int>(i);
  return piece;
}

double FrictionLaw::piece_begin(int piece) const {
  return knots_.empty() ? 0.0 : knots_[static_cast<std::size_t>(piece)][0];
}

double FrictionLaw::piece_end(int piece) const {
  return piece + 1 >= pieces() ? std::numeric_limits<double>::infinity()
                               : knots_[static_cast<std::size_t>(piece) + 1][0];
}

}  // namespace hstar
