// src/mechanism/spatial/principal.hpp: principal moments and axes of an inertia tensor.
#pragma once

#include "mechanism/spatial/vec3.hpp"

namespace hstar {

struct Principal {
  Vec3 moment{0, 0, 0};   ///< in the order of the axes
  Mat3 axes = identity3;  ///< right-handed, by column: J = axes diag(moment) axes^T
};

/// Of a symmetric matrix, by Jacobi rotations (Golub & Van Loan, sec. 8.5). A diagonal one is returned as it is, with
/// axes = 1; each axis is the one that grew out of the coordinate axis of its number.
[[nodiscard]] Principal principal_axes(const Mat3& J);

}  // namespace hstar
