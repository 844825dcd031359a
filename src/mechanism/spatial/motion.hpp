// src/mechanism/spatial/motion.hpp
//
// How one spatial body moves at an instant, and what an element says about two of them: a row of Phi_q in
// (r_dot, omega_bar), and its derivatives by virtual displacements (delta r, delta pi_bar), delta A = A skew(delta
// pi_bar).
#pragma once

#include <array>

#include "mechanism/row.hpp"
#include "mechanism/spatial/euler_parameters.hpp"

namespace hstar {

/// One spatial body: centre of mass and body frame, all SI. A bar: components in body axes.
struct SpatialMotion {
  Vec3 r{0, 0, 0};                ///< centre of mass, global axes
  EulerParameters p{1, 0, 0, 0};  ///< of the body frame
  Mat3 A = identity3;             ///< rotation of p: a global vector is A times the body one
  Vec3 v{0, 0, 0};                ///< r_dot, global axes
  Vec3 omega_bar{0, 0, 0};        ///< angular velocity, body axes
  Vec3 a{0, 0, 0};                ///< prescribed bodies: given; others: of the last solve
  Vec3 alpha_bar{0, 0, 0};        ///< omega_bar_dot, likewise

  /// Sets p, and A from p / |p|.
  void turn_to(const EulerParameters& parameters) {
    p = parameters;
    A = rotation_matrix(p);
  }
  [[nodiscard]] Vec3 global(const Vec3& bar) const { return A * bar; }
  [[nodiscard]] Vec3 bar(const Vec3& global) const { return transposed_times(A, global); }
  [[nodiscard]] Vec3 point(const Vec3& local) const { return r + A * local; }
  /// Velocity of the point fixed in the body at `local`.
  [[nodiscard]] Vec3 velocity(const Vec3& local) const { return v + A * cross(omega_bar, local); }
  /// p_dot.
  [[nodiscard]] EulerParameters p_rate() const { return parameter_rate(p, omega_bar); }
};

using SpatialRow = Row;

inline double Row::speed(const SpatialMotion& first, const SpatialMotion& second) const {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    sum += J[0][i] * first.v[i] + J[0][3 + i] * first.omega_bar[i] + J[1][i] * second.v[i] +
           J[1][3 + i] * second.omega_bar[i];
  return sum;
}

/// Derivatives of a row by the virtual displacements of its two bodies: columns (delta r, delta pi_bar) of body[0],
/// then of body[1]; r_dot and omega_bar are held. J is not symmetric (delta pi_bar is no differential of coordinates).
struct SpatialRowSlope {
  double J[12][12];  ///< dJ_a by displacement b at [a][b]
  double gamma[12];
};

/// d gamma / d(r_dot, omega_bar) of a row whose nu depends on time alone: gamma = -v^T (dJ) v + d nu/dt.
inline void gamma_by_velocity(const SpatialRowSlope& slope, const SpatialMotion& first, const SpatialMotion& second,
                              double out[12]) {
  double v[12];
  for (std::size_t i = 0; i < 3; ++i) {
    v[i] = first.v[i];
    v[3 + i] = first.omega_bar[i];
    v[6 + i] = second.v[i];
    v[9 + i] = second.omega_bar[i];
  }
  for (int c = 0; c < 12; ++c) {
    out[c] = 0;
    for (int a = 0; a < 12; ++a) out[c] -= v[a] * (slope.J[a][c] + slope.J[c][a]);
  }
}

}  // namespace hstar
