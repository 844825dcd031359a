// src/mechanism/planar/geometry.hpp
//
// Rows of the relative motion of two points along a direction, with all terms of the second
// derivative (Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems, 1989, ch. 3,
// written for velocities (vx, vy, omega) of the centres of mass).
#pragma once

#include "mechanism/elements.hpp"

namespace hstar {

/// Two marked points at one instant: offsets from the centres of mass in global axes, d = P2 - P1.
struct PointPair {
  const BodyMotion& b1;
  const BodyMotion& b2;
  Vec2 s1, s2, d, d_rate;

  PointPair(const Kinematics& k, const Marker& first, const Marker& second)
      : b1(k.of(first.body)),
        b2(k.of(second.body)),
        s1(b1.global(first.local)),
        s2(b2.global(second.local)),
        d(b2.r + s2 - b1.r - s1),
        d_rate(b2.velocity(s2) - b1.velocity(s1)) {}

  /// The part of d's second derivative along u that does not contain accelerations.
  [[nodiscard]] double centripetal(Vec2 u) const {
    return b1.omega * b1.omega * dot(u, s1) - b2.omega * b2.omega * dot(u, s2);
  }
};

/// u . d for a direction u fixed in global axes: J, gamma (nu = 0).
inline void fixed_direction_row(const PointPair& p, Vec2 u, Row& row) {
  row.J[0][0] = -u[0], row.J[0][1] = -u[1], row.J[0][2] = -dot(u, perp(p.s1));
  row.J[1][0] = u[0], row.J[1][1] = u[1], row.J[1][2] = dot(u, perp(p.s2));
  row.nu = 0;
  row.gamma = -p.centripetal(u);
}

/// u . d for a direction u fixed in the first body (given in global axes).
inline void turning_direction_row(const PointPair& p, Vec2 u, Row& row) {
  fixed_direction_row(p, u, row);
  row.J[0][2] += dot(perp(u), p.d);
  const double w = p.b1.omega;
  row.gamma -= 2 * w * dot(perp(u), p.d_rate) - w * w * dot(u, p.d);
}

/// |d| for d != 0, n = d / |d|: the distance between the points.
inline void distance_row(const PointPair& p, Vec2 n, double length, Row& row) {
  fixed_direction_row(p, n, row);
  const double across = dot(perp(n), p.d_rate);
  row.gamma -= across * across / length;
}

/// angle of the second body minus angle of the first.
inline void angle_row(Row& row) { row = Row{row.body, {{0, 0, -1}, {0, 0, 1}}, 0, 0}; }

}  // namespace hstar
