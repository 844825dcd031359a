// src/mechanism/row.hpp: one scalar equation between the motions of two bodies.
#pragma once

#include <array>

namespace hstar {

struct SpatialMotion;
struct Kinematics;

/// One scalar equation between accelerations of at most two bodies:
///   J[0] a_0 + J[1] a_1 = gamma,   J[0] v_0 + J[1] v_1 = nu,
/// with a_k = (ax, ay, alpha) of body[k] in the plane; in space v_k = (r_dot, omega_bar), a_k = (r_ddot,
/// omega_bar_dot), and J[k] is (Phi_r, Pi_bar). The multiplier's generalised force is J^T lambda: in space a force in
/// global axes and a torque about the centre in body axes. Elements fill it as if both bodies were free; System::fold
/// moves prescribed motion to the right side.
struct Row {
  std::array<int, 2> body{0, 0};
  double J[2][6] = {{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}};  ///< in the plane the first three columns
  double nu = 0, gamma = 0;

  /// J v with the velocities of `k`.
  [[nodiscard]] double speed(const Kinematics& k) const;
  /// J v of a spatial row.
  [[nodiscard]] double speed(const SpatialMotion& first, const SpatialMotion& second) const;
  /// J a, a by slot with so many columns a body.
  [[nodiscard]] double times(const double* a, int columns) const {
    double sum = 0;
    for (int i = 0; i < 2; ++i)
      for (int c = 0; c < columns; ++c) sum += J[i][c] * a[columns * body[i] + c];
    return sum;
  }
  /// J a - gamma: what J v - nu changes by.
  [[nodiscard]] double rate(const double* a, int columns) const {
    double sum = -gamma;
    for (int i = 0; i < 2; ++i) {
      double block = 0;
      for (int c = 0; c < columns; ++c) block += J[i][c] * a[columns * body[i] + c];
      sum += block;
    }
    return sum;
  }
  /// f += J^T multiplier, f by slot.
  void add(double multiplier, double* f, int columns) const {
    for (int i = 0; i < 2; ++i)
      for (int c = 0; c < columns; ++c) f[columns * body[i] + c] += J[i][c] * multiplier;
  }
};

}  // namespace hstar
