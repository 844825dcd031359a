// src/mechanism/friction_law.cpp: Coulomb, Stribeck (Stribeck 1902 in the exponential form of Bo & Pavelescu 1982),
// viscous, table.
#include "mechanism/friction_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar {

namespace {

/// The power e of exp(-e) and its derivative by r = speed / stribeck_velocity.
struct Power {
  double e, slope;
};

/// r^p for r >= 0. A step may go past zero speed before the event there is found: the continuation to r < 0 is that of
/// the formula where this is smooth (p a whole number), yet bounded, however long the step. u/(1 + u^8)^(1/8) differs
/// from u by u^9/8 only, less than any method's order sees.
Power stribeck_power(double r, double p) {
  if (r >= 0) {
    if (p == 1.0) return {r, 1};
    if (p == 2.0) return {r * r, 2 * r};
    return {std::pow(r, p), r > 0 ? p * std::pow(r, p - 1) : 0.0};
  }
  const double half = 0.5 * p;
  if (half == std::floor(half)) return {std::pow(-r, p), -p * std::pow(-r, p - 1)};
  if (p != std::floor(p)) return {0, 0};
  const double u = std::min(std::pow(-r, p), 1e30), u8 = u * u * u * u * u * u * u * u;
  return {-u / std::pow(1 + u8, 0.125), p * std::pow(-r, p - 1) * std::pow(1 + u8, -1.125)};
}

/// What is never pressed, or has no coefficient, carries nothing: it neither sticks nor slips.
bool carries(const FrictionSpec& spec) {
  const bool pressed =
      !spec.normal_force || !spec.normal_force->is_constant() || spec.normal_force->constant_value() > 0;
  const bool rough = spec.law == "table" || spec.mu_static_formula || spec.mu_kinetic_formula || spec.mu_static > 0;
  return pressed && rough;
}

}  // namespace

FrictionLaw::FrictionLaw(const FrictionSpec& spec)
    : coefficients_{spec.mu_static, spec.mu_kinetic},
      stribeck_velocity_(spec.stribeck_velocity),
      exponent_(spec.stribeck_exponent),
      viscous_(spec.viscous),
      dry_(spec.law != "viscous" && carries(spec)),
      stribeck_(spec.law == "stribeck") {
  if (spec.law == "table") {
    knots_ = spec.table;
    coefficients_.mu_static = std::max(spec.mu_static, knots_.front()[1]);
  }
  if (!dry_) coefficients_ = {};
}

double FrictionLaw::mu_kinetic(double speed, int piece, const FrictionCoefficients& at) const {
  if (!knots_.empty()) {
    const auto i = static_cast<std::size_t>(piece);
    if (i + 1 == knots_.size()) return knots_[i][1];
    const Vec2 a = knots_[i], b = knots_[i + 1];
    return a[1] + (b[1] - a[1]) * (speed - a[0]) / (b[0] - a[0]);
  }
  return at.mu_kinetic + (at.mu_static - at.mu_kinetic) * share_of_static(speed);
}

double FrictionLaw::share_of_static(double speed) const {
  return stribeck_ ? std::exp(-stribeck_power(speed / stribeck_velocity_, exponent_).e) : 0.0;
}

double FrictionLaw::mu_slope(double speed, int piece, const FrictionCoefficients& at) const {
  if (!knots_.empty()) {
    const auto i = static_cast<std::size_t>(piece);
    if (i + 1 == knots_.size()) return 0;
    const Vec2 a = knots_[i], b = knots_[i + 1];
    return (b[1] - a[1]) / (b[0] - a[0]);
  }
  if (!stribeck_) return 0;
  const Power power = stribeck_power(speed / stribeck_velocity_, exponent_);
  return -(at.mu_static - at.mu_kinetic) / stribeck_velocity_ * std::exp(-power.e) * power.slope;
}

int FrictionLaw::piece_of(double speed, int direction) const {
  int piece = 0;
  for (std::size_t i = 1; i < knots_.size(); ++i)
    if (speed > knots_[i][0] || (speed == knots_[i][0] && direction > 0)) piece = static_cast<int>(i);
  return piece;
}

double FrictionLaw::piece_begin(int piece) const { return knots_.empty() ? 0.0 : knots_[piece][0]; }

double FrictionLaw::piece_end(int piece) const {
  return piece + 1 >= pieces() ? std::numeric_limits<double>::infinity()
                               : knots_[static_cast<std::size_t>(piece) + 1][0];
}

}  // namespace hstar
