// src/mechanism/plane_between.hpp
//
// Whether a contact of two convex bodies in space that has no gap is one: touching faces have a plane between the
// bodies. Sides of two boxes beside each other that lie in one plane have none: the bodies lie on the same side of it.
#pragma once

#include "mechanism/system.hpp"

namespace hstar {

/// At k: no other part of the same written contact tells, along the same normal, that the bodies overlap there. Parts
/// behind their surface by up to `tolerance` times their length count as touching.
[[nodiscard]] bool has_plane_between(const System& system, const Kinematics& k, std::size_t contact, double tolerance);

}  // namespace hstar
