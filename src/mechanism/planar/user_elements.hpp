// src/mechanism/planar/user_elements.hpp: elements of a program's own (hstar/elements.hpp) in the plane, as ours.
#pragma once

#include <memory>
#include <vector>

#include "mechanism/elements.hpp"
#include "mechanism/user_elements.hpp"

namespace hstar {

constexpr int most_user_rows = 3;

/// `bodies`: 1 to most_user_bodies indices.
std::unique_ptr<Force> make_user_force(std::shared_ptr<const UserForce> force, std::vector<int> bodies);
std::unique_ptr<Joint> make_user_joint(std::shared_ptr<const UserJoint> joint);

[[nodiscard]] inline BodyView view(const BodyMotion& b) { return {b.r[0], b.r[1], b.angle, b.v[0], b.v[1], b.omega}; }

/// Coordinate or velocity c (x, y, angle, vx, vy, omega) of a view.
[[nodiscard]] inline double& component(BodyView& b, int c) {
  double* const all[] = {&b.x, &b.y, &b.angle, &b.vx, &b.vy, &b.omega};
  return *all[c];
}

}  // namespace hstar
