// src/mechanism/spatial/inertia.hpp
//
// Mass and inertia of homogeneous shapes, and whether a 3x3 matrix can be the inertia of a body at all.
#pragma once

#include <string>
#include <string_view>

#include "hstar/error.hpp"
#include "mechanism/spatial/vec3.hpp"

namespace hstar {

/// Of a body about its centre of mass, axes of the shape.
struct MassProperties {
  double mass = 0;       ///< [kg]
  Vec3 moment{0, 0, 0};  ///< principal moments [kg m^2]: the shapes' axes are principal
};

/// Homogeneous shapes; density [kg/m^3], lengths [m].
/// @throws InputError at `where` if a length or the density is not a positive number. `owner`: "body \"rotor\"".
[[nodiscard]] MassProperties box_inertia(const Vec3& sides, double density, const Location& where,
                                         std::string_view owner);
/// Axis z.
[[nodiscard]] MassProperties cylinder_inertia(double radius, double length, double density, const Location& where,
                                              std::string_view owner);
[[nodiscard]] MassProperties sphere_inertia(double radius, double density, const Location& where,
                                            std::string_view owner);
/// A round bar along x: a cylinder, exactly, not its slender limit, which would not resist turning about x.
[[nodiscard]] MassProperties rod_inertia(double radius, double length, double density, const Location& where,
                                         std::string_view owner);

/// What keeps J from being an inertia that equations of motion can have, "" if nothing: it must be finite, symmetric
/// and positive definite.
[[nodiscard]] std::string inertia_defect(const Mat3& J);

/// What no body can have, although equations with it can be solved, "" if nothing: a principal moment larger than the
/// sum of the others, that is tr(J)/2 I - J, the second moments of the mass, negative. Flat bodies, where it is an
/// equality, pass. Published robots have such inertias (Corke's Puma 560, link 3).
[[nodiscard]] std::string inertia_doubt(const Mat3& J);

}  // namespace hstar
