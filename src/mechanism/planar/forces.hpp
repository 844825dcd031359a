// src/mechanism/planar/forces.hpp
//
// The registry of planar forces. A new force is one file with a maker and one line in forces.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "mechanism/elements.hpp"

namespace hstar {

/// Names to signals, and markers to bodies: what a maker needs besides the spec.
struct ForceContext {
  std::function<BoundExpression(const Expression&, std::string_view what)> bind;
  Marker first, second;
};

struct ForceEntry {
  std::string_view type, about;
  std::unique_ptr<Force> (*make)(const ForceSpec&, const ForceContext&);
};
[[nodiscard]] std::span<const ForceEntry> planar_forces();

std::unique_ptr<Force> make_point_force(const ForceSpec&, const ForceContext&);
std::unique_ptr<Force> make_torque(const ForceSpec&, const ForceContext&);
std::unique_ptr<Force> make_spring_damper(const ForceSpec&, const ForceContext&);
std::unique_ptr<Force> make_rotational_spring_damper(const ForceSpec&, const ForceContext&);

/// Adds force F at global offset s from the centre of body b.
inline void add_force(double* f, int b, Vec2 force, Vec2 s) {
  f[3 * b] += force[0];
  f[3 * b + 1] += force[1];
  f[3 * b + 2] += s[0] * force[1] - s[1] * force[0];
}

}  // namespace hstar
