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

  // (A call of it costs as much as what it computes.)
  [[gnu::always_inline]] PointPair(const Kinematics& k, const Marker& first, const Marker& second)
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

/// Derivatives of d and of its rate by the six coordinates of both bodies.
struct PairSlope {
  Vec2 d[6], d_rate[6];
  explicit PairSlope(const PointPair& p)
      : d{{-1, 0}, {0, -1}, -1 * perp(p.s1), {1, 0}, {0, 1}, perp(p.s2)}, d_rate{{0, 0}, {0, 0}, p.b1.omega * p.s1,
                                                                                 {0, 0}, {0, 0}, -p.b2.omega * p.s2} {}
};

inline void fixed_direction_slope(const PointPair& p, Vec2 u, RowSlope& slope) {
  slope = RowSlope{};
  slope.J[2][2] = dot(u, p.s1);
  slope.J[5][5] = -dot(u, p.s2);
  slope.gamma[2] = -p.b1.omega * p.b1.omega * dot(u, perp(p.s1));
  slope.gamma[5] = p.b2.omega * p.b2.omega * dot(u, perp(p.s2));
}

inline void turning_direction_slope(const PointPair& p, Vec2 u, RowSlope& slope) {
  slope = RowSlope{};
  const Vec2 across = perp(u);
  for (int i = 0; i < 2; ++i) {
    slope.J[2][i] = slope.J[i][2] = -across[i];
    slope.J[2][3 + i] = slope.J[3 + i][2] = across[i];
  }
  slope.J[2][2] = -dot(u, p.d) - dot(u, p.s1);
  slope.J[2][5] = slope.J[5][2] = dot(u, p.s2);
  slope.J[5][5] = -dot(u, p.s2);
  const double w1 = p.b1.omega, w2 = p.b2.omega;
  for (int i = 0; i < 2; ++i) {
    slope.gamma[i] = -w1 * w1 * u[i];
    slope.gamma[3 + i] = w1 * w1 * u[i];
  }
  slope.gamma[2] = w2 * w2 * dot(across, p.s2) + 2 * w1 * dot(u, p.d_rate) - 2 * w1 * w1 * dot(across, p.s1) +
                   w1 * w1 * (dot(across, p.d) - dot(u, perp(p.s1)));
  slope.gamma[5] = (w2 * w2 + w1 * w1) * dot(u, perp(p.s2)) + 2 * w1 * w2 * dot(across, p.s2);
}

inline void distance_slope(const PointPair& p, Vec2 n, double length, RowSlope& slope) {
  fixed_direction_slope(p, n, slope);
  const PairSlope by(p);
  const Vec2 e = perp(n);
  const double w1 = p.b1.omega, w2 = p.b2.omega, across = dot(e, p.d_rate), along = dot(n, p.d_rate);
  for (int b = 0; b < 6; ++b) {
    const double turn = dot(e, by.d[b]) / length;  // of n
    for (int a = 0; a < 6; ++a) slope.J[a][b] += dot(e, by.d[a]) * turn;
    slope.gamma[b] += (w2 * w2 * dot(e, p.s2) - w1 * w1 * dot(e, p.s1)) * turn -
                      2 * across / length * (dot(e, by.d_rate[b]) - along * turn) +
                      across * across / (length * length) * dot(n, by.d[b]);
  }
}

}  // namespace hstar
