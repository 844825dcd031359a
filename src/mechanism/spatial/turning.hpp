// src/mechanism/spatial/turning.hpp
//
// How implicit methods turn a body: the orientation at the end of a step as a function of a rotation vector or of
// omega_bar there, and its derivatives as virtual rotations delta pi_bar. Pure functions.
#pragma once

#include "mechanism/spatial/euler_parameters.hpp"

namespace hstar {

/// Derivative of turned(p, theta) by theta: delta pi_bar = T(theta) delta theta, T = 1 - (1 - cos a)/a^2 theta~ +
/// (a - sin a)/a^3 theta~^2, a = |theta| (Bruels & Cardona 2010). Exact for any |theta|.
[[nodiscard]] Mat3 turned_slope(const Vec3& theta);

/// Step of a BDF: the direction of the p for which c0 p + past = p_dot = 1/2 G(p)^T omega_bar, as a unit vector. That
/// equation is linear in p and has the solution p = -(c0 + Omega/2) past / (c0^2 + |omega_bar|^2/4), Omega p =
/// p (0, omega_bar) as quaternions; c0 > 0 [1/s].
[[nodiscard]] EulerParameters settled(const EulerParameters& past, double c0, const Vec3& omega_bar);
/// Its derivative by omega_bar, times c0: delta pi_bar = slope / c0 delta omega_bar. Tends to 1 with the step.
[[nodiscard]] Mat3 settled_slope(double c0, const Vec3& omega_bar);

}  // namespace hstar
