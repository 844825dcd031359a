// src/mechanism/spatial/euler_parameters.hpp
//
// Euler parameters p = (e0, e), |p| = 1 (Haug 1989, sec. 9.3): a turn by chi about the unit axis u is
// e0 = cos(chi/2), e = u sin(chi/2). What a user may write for an orientation is turned into them here.
#pragma once

#include <array>
#include <string_view>

#include "hstar/error.hpp"
#include "mechanism/spatial/vec3.hpp"

namespace hstar {

using EulerParameters = std::array<double, 4>;
using Mat34 = std::array<EulerParameters, 3>;  ///< rows

/// The rotation A of p / |p|, global = A body: with |p| = 1, A = (2 e0^2 - 1) I + 2 (e e^T + e0 e~).
/// Depends on the direction of p only, so that round-off in |p| does not scale the body.
[[nodiscard]] Mat3 rotation_matrix(const EulerParameters& p);

/// E(p) = [-e, e~ + e0 I]: omega (global axes) = 2 E p_dot.
[[nodiscard]] Mat34 matrix_E(const EulerParameters& p);
/// G(p) = [-e, -e~ + e0 I]: omega_bar = 2 G p_dot, and A = E G^T.
[[nodiscard]] Mat34 matrix_G(const EulerParameters& p);
/// p_dot = 1/2 G^T omega_bar, orthogonal to p; for |p| != 1 it turns p / |p| at omega_bar.
[[nodiscard]] EulerParameters parameter_rate(const EulerParameters& p, const Vec3& omega_bar);
/// p of A(p) A(q).
[[nodiscard]] EulerParameters compose(const EulerParameters& p, const EulerParameters& q);
/// p turned by the finite rotation vector theta in body axes: A(p) exp(theta~). Exact for any |theta|; keeps |p|.
[[nodiscard]] EulerParameters turned(const EulerParameters& p, const Vec3& theta);
/// p / |p|, p != 0.
[[nodiscard]] EulerParameters normalised(const EulerParameters& p);

/// How far what a user writes may be from a unit length or from orthogonality: three digits must do.
inline constexpr double orientation_tolerance = 1e-3;

/// p as written, normalised. @throws InputError if a number is not finite or |p| is off 1 by more than
/// orientation_tolerance. `owner` stands in front: "body \"rotor\"".
[[nodiscard]] EulerParameters parameters_from(const EulerParameters& written, const Location& where,
                                              std::string_view owner);
/// A turn by `angle` [rad] about `axis` (any length). @throws InputError if the axis is zero or not finite.
[[nodiscard]] EulerParameters parameters_from_axis(const Vec3& axis, double angle, const Location& where,
                                                   std::string_view owner);
/// Of a rotation matrix (rows as written), made orthogonal. @throws InputError if it is not orthogonal within
/// orientation_tolerance or is a reflection.
[[nodiscard]] EulerParameters parameters_from_matrix(const Mat3& written, const Location& where,
                                                     std::string_view owner);
/// Intrinsic angles [rad]: turns about the body's own axes, one after the other, in the order of `sequence`: "zxz",
/// "xyz", ... (also "313", "123"), all twelve. @throws InputError for any other sequence.
[[nodiscard]] EulerParameters parameters_from_angles(const Vec3& angles, std::string_view sequence,
                                                     const Location& where, std::string_view owner);
/// Of an orthogonal matrix, e0 >= 0 (Shepperd 1978: the largest of the four is divided by).
[[nodiscard]] EulerParameters parameters_of(const Mat3& A);

}  // namespace hstar
