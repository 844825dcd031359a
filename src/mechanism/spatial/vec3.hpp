// src/mechanism/spatial/vec3.hpp
//
// Three-vectors and 3x3 matrices as plain arrays: what the spatial elements compute with.
#pragma once

#include <array>
#include <cmath>

#include "hstar/spatial_spec.hpp"

namespace hstar {

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double norm(const Vec3& a) { return std::hypot(a[0], a[1], a[2]); }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline constexpr Mat3 identity3 = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

inline Vec3 operator*(const Mat3& m, const Vec3& a) { return {dot(m[0], a), dot(m[1], a), dot(m[2], a)}; }
/// m^T a.
inline Vec3 transposed_times(const Mat3& m, const Vec3& a) {
  return {m[0][0] * a[0] + m[1][0] * a[1] + m[2][0] * a[2], m[0][1] * a[0] + m[1][1] * a[1] + m[2][1] * a[2],
          m[0][2] * a[0] + m[1][2] * a[1] + m[2][2] * a[2]};
}
inline Mat3 transposed(const Mat3& m) {
  return {Vec3{m[0][0], m[1][0], m[2][0]}, Vec3{m[0][1], m[1][1], m[2][1]}, Vec3{m[0][2], m[1][2], m[2][2]}};
}
inline Mat3 operator+(const Mat3& a, const Mat3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Mat3 operator-(const Mat3& a, const Mat3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Mat3 operator*(double s, const Mat3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 c;
  for (std::size_t i = 0; i < 3; ++i) c[i] = a[i][0] * b[0] + a[i][1] * b[1] + a[i][2] * b[2];
  return c;
}
/// a~, the matrix of the cross product: a~ b = a x b.
inline Mat3 skew(const Vec3& a) { return {Vec3{0, -a[2], a[1]}, Vec3{a[2], 0, -a[0]}, Vec3{-a[1], a[0], 0}}; }
/// a b^T.
inline Mat3 outer(const Vec3& a, const Vec3& b) { return {a[0] * b, a[1] * b, a[2] * b}; }
inline double determinant(const Mat3& m) { return dot(m[0], cross(m[1], m[2])); }
inline Vec3 column(const Mat3& m, std::size_t j) { return {m[0][j], m[1][j], m[2][j]}; }

/// Right-handed orthonormal axes f, g, h with h along a given direction: the frame of a joint.
struct Triad {
  Vec3 f{1, 0, 0}, g{0, 1, 0}, h{0, 0, 1};
};
/// Axes with h along `axis` (any length but zero) and f in the plane of `axis` and the coordinate axis least along
/// it: a fixed choice that never degenerates.
[[nodiscard]] inline Triad triad_along(const Vec3& axis) {
  Triad frame;
  frame.h = (1 / norm(axis)) * axis;
  std::size_t least = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (std::abs(frame.h[i]) < std::abs(frame.h[least])) least = i;
  Vec3 e{0, 0, 0};
  e[least] = 1;
  const Vec3 across = cross(frame.h, e);
  frame.g = (1 / norm(across)) * across;
  frame.f = cross(frame.g, frame.h);
  return frame;
}

}  // namespace hstar
