// src/transition/impact/slide_piece.hpp
//
// One contact in space along its normal impulse p (Keller 1986): while it slips with the velocity w = s u, |u| = 1,
//   dw/dp = g - mu B u,   d gamma_N/dp = G_NN - mu g . u,   d Lambda_T/dp = -mu u,      g = G_TN,  B = G_TT,
// piece by piece, each piece polynomials of a parameter x in [0, end]. Where the direction u does not turn, x is the
// impulse itself and the piece is exact. Where it turns, x is tau with dp = s d tau, in which the equations
//   dw/dtau = s g - mu B w
// stay regular as s falls to zero, and the polynomials are Taylor's, to round-off (Jorba & Zou 2005).
#pragma once

#include <array>
#include <cstddef>

namespace hstar {

using Vector2 = std::array<double, 2>;

/// In principal axes of B.
struct SlideInertia {
  double nn = 0;    ///< G_NN
  Vector2 g{0, 0};  ///< G_TN
  Vector2 b{0, 0};  ///< B; 0 in a direction in which the contact cannot move
  double mu = 0;

  /// dw/dp for a tangential impulse of t for each unit of normal impulse, or slipping along u.
  [[nodiscard]] Vector2 rate(const Vector2& t) const { return {g[0] + b[0] * t[0], g[1] + b[1] * t[1]}; }
  [[nodiscard]] Vector2 slip_rate(const Vector2& u) const { return rate({-mu * u[0], -mu * u[1]}); }
  /// Size of the terms of dw/dp.
  [[nodiscard]] double scale() const;
  /// Sticking: dw/dp = 0.
  [[nodiscard]] Vector2 sticking() const;
  [[nodiscard]] bool sticks() const;
  /// Where w = 0 and it cannot stick: the one direction u with dw/dp = nu u, nu > 0, in which slip begins.
  [[nodiscard]] Vector2 leaving() const;
};

struct SlideState {
  Vector2 w{0, 0};                                ///< gamma_T
  double gap_velocity = 0, normal = 0, work = 0;  ///< gamma_N, Lambda_N, integral of gamma_N dp
  Vector2 tangential{0, 0};                       ///< Lambda_T
};

class SlidePiece {
 public:
  /// Constant d Lambda_T/dp = t over the normal impulse `length`; w stays zero where `sticks`.
  static SlidePiece straight(const SlideInertia& inertia, const SlideState& from, const Vector2& t, bool sticks,
                             double length);
  /// Slip whose direction turns, by less than a right angle.
  static SlidePiece turning(const SlideInertia& inertia, const SlideState& from);

  [[nodiscard]] double end() const { return end_; }
  [[nodiscard]] SlideState at(double x) const;
  [[nodiscard]] double gap_velocity(double x) const { return value(gap_velocity_, x); }
  [[nodiscard]] double normal(double x) const { return value(normal_, x); }
  [[nodiscard]] double work(double x) const { return value(work_, x); }
  /// Points 0 = x_0 < x_1 < ... = end between which gamma_N does not change its sign; their number.
  int split_by_sign(std::array<double, 10>& x) const;
  /// Where an increasing quantity reaches `target` in [from, to]; `to` if it does not.
  [[nodiscard]] double where_normal(double target, double from, double to) const {
    return where(normal_, target, from, to);
  }
  [[nodiscard]] double where_work(double target, double from, double to) const {
    return where(work_, target, from, to);
  }

 private:
  static constexpr int order = 20;
  using Polynomial = std::array<double, order + 2>;
  [[nodiscard]] double value(const Polynomial& a, double x) const;
  [[nodiscard]] double slope(const Polynomial& a, double x) const;
  [[nodiscard]] double curvature(const Polynomial& a, double x) const;
  [[nodiscard]] double where(const Polynomial& a, double target, double from, double to) const;
  [[nodiscard]] double step() const;

  std::array<Polynomial, 2> w_{}, tangential_{};
  Polynomial gap_velocity_{}, normal_{}, work_{};
  int degree_ = 0;
  double end_ = 0;
  bool turns_ = false;
  Vector2 g_{0, 0};
};

}  // namespace hstar
