// src/mechanism/plane_between.hpp
//
// Whether a contact of two convex bodies that has no gap is one: touching faces have a plane (in the plane: a line)
// between the bodies. Sides of two boxes beside each other that lie in one plane have none: the bodies lie on the same
// side of it.
#pragma once

#include "mechanism/system.hpp"

namespace hstar {

/// At k: along the contact's normal no other part of the same written contact has one body behind the other. Whether
/// that part lies within its own stretch of the boundary does not matter: its plane ends nowhere.
[[nodiscard]] bool has_plane_between(const System& system, const Kinematics& k, std::size_t contact);

}  // namespace hstar
