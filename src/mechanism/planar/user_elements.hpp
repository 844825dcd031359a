// src/mechanism/planar/user_elements.hpp: elements of a program's own (hstar/elements.hpp) as ours.
#pragma once

#include <memory>
#include <vector>

#include "hstar/elements.hpp"
#include "mechanism/elements.hpp"

namespace hstar {

constexpr std::size_t most_user_bodies = 8;
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

/// Step of a central difference at x: the error of second order is that of round-off.
[[nodiscard]] inline double difference_step(double x) { return 6e-6 * std::max(1e-3, std::abs(x)); }

}  // namespace hstar
