// src/mechanism/spatial/dot_product.hpp
//
// u . w of two vectors that two bodies carry: every basic geometric constraint of the textbooks is one
// (Haug 1989, sec. 9.4; Negrut, ME751 notes):
//   DP1: a_1 . a_2      DP2: a_1 . d      D: d . d      CD: c . d,      d = (r_2 + A_2 s_2) - (r_1 + A_1 s_1).
// Value, first and second derivatives, and the quadratic term of the acceleration, in (r_dot, omega_bar) and in
// (r_dot, p_dot).
#pragma once

#include "mechanism/spatial/motion.hpp"

namespace hstar {

/// A global vector u = constant + sum over both bodies of m_k r_k + A_k c_k.
struct VectorField {
  Vec3 constant{0, 0, 0};
  double m[2] = {0, 0};
  Vec3 c[2] = {{0, 0, 0}, {0, 0, 0}};
  bool turns[2] = {false, false};  ///< c_k is not zero

  static VectorField fixed(const Vec3& global);
  /// Fixed in body k (0 first, 1 second), body axes.
  static VectorField direction(int k, const Vec3& a);
  /// From the first body's point s1 to the second's s2.
  static VectorField between(const Vec3& s1, const Vec3& s2);
};

struct DotProduct {
  VectorField u, w;
};

/// One body in the r-p description: p of any length, p_dot of any direction.
struct ParameterMotion {
  Vec3 r{0, 0, 0};
  EulerParameters p{1, 0, 0, 0};
  Vec3 v{0, 0, 0};
  EulerParameters p_dot{0, 0, 0, 0};
};
/// The r-p description: columns (r_dot, p_dot) of both bodies.
struct ParameterRow {
  double J[2][7] = {{0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0}};
  double nu = 0, gamma = 0;
};
struct ParameterRowSlope {
  double J[14][14];  ///< symmetric: second derivatives of Phi by (r, p) of both bodies
  double gamma[14];  ///< at given p_dot
};

[[nodiscard]] double value(const DotProduct& x, const SpatialMotion& b1, const SpatialMotion& b2);
/// J, and gamma = -(J_dot v); nu = 0. row.body is left alone.
void fill_row(const DotProduct& x, const SpatialMotion& b1, const SpatialMotion& b2, SpatialRow& row);
void fill_slope(const DotProduct& x, const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope& slope);

/// A(p) = (e0^2 - e . e) I + 2 (e e^T + e0 e~) = E G^T, not normalised: what Phi_p is the derivative of.
[[nodiscard]] Mat3 quadratic_rotation(const EulerParameters& p);
/// B(p, c) = d(A(p) c)/dp, 3 x 4; linear in p, and B(p, c) p_dot = B(p_dot, c) p.
[[nodiscard]] Mat34 matrix_B(const EulerParameters& p, const Vec3& c);

/// The same in the r-p description, with quadratic_rotation(p).
[[nodiscard]] double value(const DotProduct& x, const ParameterMotion& b1, const ParameterMotion& b2);
void fill_row(const DotProduct& x, const ParameterMotion& b1, const ParameterMotion& b2, ParameterRow& row);
void fill_slope(const DotProduct& x, const ParameterMotion& b1, const ParameterMotion& b2, ParameterRowSlope& slope);

}  // namespace hstar
