// tests/laws/spatial_cases.hpp
//
// Random spatial motions with known derivatives, and a few uses of every spatial joint type.
#pragma once

#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "mechanism/spatial/joints.hpp"
#include "support/differences.hpp"
#include "support/random.hpp"

namespace laws::spatial {

using namespace hstar;

inline Vec3 random_vector(support::Random& random, double size = 1) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
inline EulerParameters random_parameters(support::Random& random) {
  EulerParameters p;
  do
    for (double& x : p) x = random.uniform(-1, 1);
  while (std::hypot(std::hypot(p[0], p[1]), std::hypot(p[2], p[3])) < 0.2);
  return normalised(p);
}
inline SpatialMotion random_motion(support::Random& random) {
  SpatialMotion b;
  b.r = random_vector(random, 2);
  b.turn_to(random_parameters(random));
  b.v = random_vector(random, 2);
  b.omega_bar = random_vector(random, 2);
  b.a = random_vector(random, 2);
  b.alpha_bar = random_vector(random, 2);
  return b;
}
/// The body `s` later: r and the rotation vector theta = omega s + alpha s^2 / 2 are quadratic in s. At s = 0 the
/// velocities and accelerations are those of b, since omega_bar = J_r(theta) theta_dot and J_r = I - theta~ / 2 + ...
inline SpatialMotion later(const SpatialMotion& b, double s) {
  SpatialMotion c = b;
  c.r = b.r + s * b.v + (0.5 * s * s) * b.a;
  c.turn_to(turned(b.p, s * b.omega_bar + (0.5 * s * s) * b.alpha_bar));
  return c;
}
/// Displaced by column c of (delta r, delta pi_bar); r_dot and omega_bar as they are.
inline SpatialMotion displaced(const SpatialMotion& b, int c, double s) {
  SpatialMotion moved = b;
  if (c < 3) {
    moved.r[static_cast<std::size_t>(c)] += s;
  } else {
    Vec3 theta{0, 0, 0};
    theta[static_cast<std::size_t>(c - 3)] = s;
    moved.turn_to(turned(b.p, theta));
  }
  return moved;
}
inline SpatialMotion faster(const SpatialMotion& b, int c, double s) {
  SpatialMotion moved = b;
  (c < 3 ? moved.v[static_cast<std::size_t>(c)] : moved.omega_bar[static_cast<std::size_t>(c - 3)]) += s;
  return moved;
}
inline ParameterMotion parameters_motion(const SpatialMotion& b) { return {b.r, b.p, b.v, b.p_rate()}; }
/// The whole world turned by `turn` and shifted.
inline SpatialMotion in_other_world(const SpatialMotion& b, const EulerParameters& turn, const Vec3& shift) {
  SpatialMotion c = b;
  const Mat3 R = rotation_matrix(turn);
  c.r = R * b.r + shift;
  c.v = R * b.v;
  c.a = R * b.a;
  c.turn_to(compose(turn, b.p));
  return c;
}

struct Case {
  JointFrame frame;
  JointNumbers numbers;
};

inline Triad random_axes(support::Random& random) {
  const Mat3 A = rotation_matrix(random_parameters(random));
  return {column(A, 0), column(A, 1), column(A, 2)};
}
inline TimeFunction moving(std::string_view text) { return {Expression::compile(text, {}, {}), "f"}; }

/// A frame and numbers that suit any type; the screw's pitch is so long that its residual does not jump between turns.
inline Case random_case(support::Random& random, bool with_time) {
  Case c;
  c.frame = {random_vector(random), random_vector(random), random_axes(random), random_axes(random)};
  if (with_time) c.numbers.f = moving("0.7 + 0.3*sin(1.3*t) + 0.1*t^2");
  c.numbers.pitch = 40;
  c.numbers.teeth1 = 2;
  c.numbers.teeth2 = -3;
  c.numbers.ground1 = random_axes(random);
  c.numbers.ground2 = random_axes(random);
  c.numbers.direction = random_vector(random);
  return c;
}

}  // namespace laws::spatial
