// src/mechanism/spatial/user_elements.hpp
//
// Elements of a program's own (hstar/elements.hpp) in space, as ours. They see every body in the axes the model gives,
// the system computes in principal axes; derivatives are central differences.
#pragma once

#include <memory>
#include <vector>

#include "mechanism/elements.hpp"
#include "mechanism/user_elements.hpp"

namespace hstar {

constexpr int most_spatial_user_rows = 6;

/// `bodies`: 1 to most_user_bodies indices.
std::unique_ptr<Force> make_spatial_user_force(std::shared_ptr<const UserForce> force, std::vector<int> bodies);
std::unique_ptr<Joint> make_spatial_user_joint(std::shared_ptr<const UserJoint> joint);

[[nodiscard]] SpatialBodyView spatial_view(const Kinematics& k, int body);
/// The view of `body` displaced along component c of (delta r, delta pi_bar), or moving faster along component c - 6 of
/// (r_dot, omega_bar), by h; components in the axes that the system computes with.
[[nodiscard]] SpatialBodyView moved(const SpatialBodyView& view, const Body& body, int c, double h);
/// Step of a central difference in that direction.
[[nodiscard]] double spatial_step(const SpatialBodyView& view, int c);
/// Torque or Pi_bar of the axes the model gives, in those the system computes with.
[[nodiscard]] Vec3 to_system_axes(const Body& body, const Vec3& bar);

}  // namespace hstar
