// src/mechanism/kinematics.hpp
//
// Where every body is and how it moves at one instant: the scratch that elements read.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

inline Vec2 operator+(Vec2 a, Vec2 b) { return {a[0] + b[0], a[1] + b[1]}; }
inline Vec2 operator-(Vec2 a, Vec2 b) { return {a[0] - b[0], a[1] - b[1]}; }
inline Vec2 operator*(double s, Vec2 a) { return {s * a[0], s * a[1]}; }
inline double dot(Vec2 a, Vec2 b) { return a[0] * b[0] + a[1] * b[1]; }
inline double norm(Vec2 a) { return std::hypot(a[0], a[1]); }
/// a turned by +90 degrees.
inline Vec2 perp(Vec2 a) { return {-a[1], a[0]}; }
/// a turned by -90 degrees: the tangent that belongs to a normal.
inline Vec2 tangent_of(Vec2 n) { return {n[1], -n[0]}; }

/// One planar body: position of the centre of mass, angle, and their rates [m, rad, s].
struct BodyMotion {
  Vec2 r{0, 0};
  double angle = 0, c = 1, s = 0;  ///< c, s: cosine and sine of angle
  Vec2 v{0, 0};
  double omega = 0;
  Vec2 a{0, 0};  ///< prescribed bodies: given; others: of the last solve (for measures)
  double alpha = 0;

  /// A body-fixed vector in global axes.
  [[nodiscard]] Vec2 global(Vec2 u) const { return {c * u[0] - s * u[1], s * u[0] + c * u[1]}; }
  [[nodiscard]] Vec2 point(Vec2 local) const { return r + global(local); }
  /// Velocity of the point at global offset d from the centre.
  [[nodiscard]] Vec2 velocity(Vec2 d) const { return v + omega * perp(d); }
};

class Force;

/// All bodies at (t, y); index 0 is the ground.
struct Kinematics {
  double t = 0;
  const double* y = nullptr;
  std::vector<BodyMotion> body;
  const std::vector<std::unique_ptr<Force>>* forces = nullptr;  ///< for formulas that read a spring's length

  [[nodiscard]] const BodyMotion& of(int i) const { return body[static_cast<std::size_t>(i)]; }
};

/// One scalar equation between accelerations of at most two bodies:
///   J[0] a_0 + J[1] a_1 = gamma,   J[0] v_0 + J[1] v_1 = nu,
/// with a_k = (ax, ay, alpha) of body[k]. The multiplier's generalised force is J^T lambda.
/// Elements fill it as if both bodies were free; `fold` moves prescribed motion to the right side.
struct Row {
  std::array<int, 2> body{0, 0};
  double J[2][3] = {{0, 0, 0}, {0, 0, 0}};
  double nu = 0, gamma = 0;

  /// Left side with the velocities of `k`: J v.
  [[nodiscard]] double speed(const Kinematics& k) const {
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
      const BodyMotion& b = k.of(body[static_cast<std::size_t>(i)]);
      sum += J[i][0] * b.v[0] + J[i][1] * b.v[1] + J[i][2] * b.omega;
    }
    return sum;
  }
};

/// Derivatives of a row by the coordinates of its two bodies, unfolded: columns (x, y, angle) of body[0],
/// then of body[1]. For a row that is the derivative of some Phi(q), J is its symmetric Hessian.
struct RowSlope {
  double J[6][6];   ///< dJ_a/dq_b at [a][b]
  double gamma[6];  ///< dgamma/dq_b at given velocities
};

}  // namespace hstar
