// src/mechanism/kinematics.hpp
//
// Where every body is and how it moves at one instant: the scratch that elements read.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "hstar/model_spec.hpp"
#include "mechanism/moment.hpp"
#include "mechanism/row.hpp"
#include "mechanism/spatial/motion.hpp"

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
struct Body;

/// All bodies at (t, y); index 0 is the ground. A model is planar or spatial: one of `body` and `spatial` is filled.
struct Kinematics {
  double t = 0;
  const double* y = nullptr;
  std::uint64_t version = 0;         ///< of what System::update has set; 0: nothing yet
  const double* branches = nullptr;  ///< of all switches in formulas, by the run; null: each as its condition is
  int columns = 3;                   ///< velocities of one body: 3 in the plane, 6 in space
  std::vector<BodyMotion> body;
  std::vector<SpatialMotion> spatial;
  const std::vector<Body>* bodies = nullptr;                    ///< of the system
  const std::vector<std::unique_ptr<Force>>* forces = nullptr;  ///< for formulas that read a spring's length

  [[nodiscard]] Moment now() const { return {t, branches}; }
  [[nodiscard]] const BodyMotion& of(int i) const { return body[i]; }
  [[nodiscard]] const SpatialMotion& spatial_of(int i) const { return spatial[i]; }

  /// Velocity c of a body: vx, vy, omega, or r_dot, omega_bar.
  [[nodiscard]] double velocity(std::size_t i, int c) const {
    if (columns == 3) return c < 2 ? body[i].v[c] : body[i].omega;
    const auto at = static_cast<std::size_t>(c);
    return c < 3 ? spatial[i].v[at] : spatial[i].omega_bar[at - 3];
  }
  /// Acceleration c of a prescribed body.
  [[nodiscard]] double acceleration(std::size_t i, int c) const {
    if (columns == 3) return c < 2 ? body[i].a[c] : body[i].alpha;
    const auto at = static_cast<std::size_t>(c);
    return c < 3 ? spatial[i].a[at] : spatial[i].alpha_bar[at - 3];
  }
  /// J v of one body.
  [[nodiscard]] double along(const double* J, int i) const {
    if (columns == 3) {
      const BodyMotion& b = of(i);
      return J[0] * b.v[0] + J[1] * b.v[1] + J[2] * b.omega;
    }
    const SpatialMotion& b = spatial_of(i);
    return J[0] * b.v[0] + J[1] * b.v[1] + J[2] * b.v[2] + J[3] * b.omega_bar[0] + J[4] * b.omega_bar[1] +
           J[5] * b.omega_bar[2];
  }
  /// Sum of the sizes of the terms of along(): the scale of its round-off.
  [[nodiscard]] double along_size(const double* J, int i) const {
    double sum = 0;
    for (int c = 0; c < columns; ++c) sum += std::abs(J[c] * velocity(static_cast<std::size_t>(i), c));
    return sum;
  }
  /// Terms of along() that its arm is computed from: how far from the origin the body turns.
  [[nodiscard]] double arm_size(const double* J, int i) const {
    if (columns == 3) return J[2] != 0 ? std::abs(of(i).omega) * std::hypot(of(i).r[0], of(i).r[1]) : 0.0;
    if (J[3] == 0 && J[4] == 0 && J[5] == 0) return 0;
    const SpatialMotion& b = spatial_of(i);
    return norm(b.omega_bar) * norm(b.r);
  }
  /// The largest difference of a coordinate of two bodies' centres [m].
  [[nodiscard]] double distance(int i, int j) const {
    double size = 0;
    for (std::size_t c = 0; c < (columns == 3 ? 2U : 3U); ++c)
      size = std::max(size, std::abs(columns == 3 ? of(i).r[c] - of(j).r[c] : spatial_of(i).r[c] - spatial_of(j).r[c]));
    return size;
  }
  /// The largest coordinate of any body's centre [m].
  [[nodiscard]] double extent() const {
    double size = 0;
    for (const BodyMotion& b : body) size = std::max({size, std::abs(b.r[0]), std::abs(b.r[1])});
    for (const SpatialMotion& b : spatial)
      size = std::max({size, std::abs(b.r[0]), std::abs(b.r[1]), std::abs(b.r[2])});
    return size;
  }
};

inline double Row::speed(const Kinematics& k) const { return k.along(J[0], body[0]) + k.along(J[1], body[1]); }

/// Derivatives of a row by the coordinates of its two bodies, unfolded: columns (x, y, angle) of body[0],
/// then of body[1]. For a row that is the derivative of some Phi(q), J is its symmetric Hessian.
struct RowSlope {
  double J[6][6];   ///< dJ_a/dq_b at [a][b]
  double gamma[6];  ///< dgamma/dq_b at given velocities
};

}  // namespace hstar
