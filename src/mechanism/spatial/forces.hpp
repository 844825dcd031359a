// src/mechanism/spatial/forces.hpp
//
// The registry of spatial forces. A new force is one file with a maker and one line in forces.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "mechanism/elements.hpp"

namespace hstar {

/// What a maker needs besides the spec, whose points and axes are those the bodies compute with.
struct SpatialForceContext {
  std::function<BoundExpression(const Expression&, std::string_view what)> bind;
  int first = 0, second = 0;     ///< bodies
  Mat3 second_axes = identity3;  ///< own axes of the second body in the frame the user wrote, by column
  int turn_state = -1;           ///< rotational springs: index in y of the angle integrated from its rate
};

struct SpatialForceEntry {
  std::string_view type, about;
  std::unique_ptr<Force> (*make)(const SpatialForceSpec&, const SpatialForceContext&);
};
[[nodiscard]] std::span<const SpatialForceEntry> spatial_forces();

std::unique_ptr<Force> make_spatial_point_force(const SpatialForceSpec&, const SpatialForceContext&);
std::unique_ptr<Force> make_spatial_torque(const SpatialForceSpec&, const SpatialForceContext&);
std::unique_ptr<Force> make_spatial_spring(const SpatialForceSpec&, const SpatialForceContext&);
std::unique_ptr<Force> make_spatial_rotational_spring(const SpatialForceSpec&, const SpatialForceContext&);
std::unique_ptr<Force> make_bushing(const SpatialForceSpec&, const SpatialForceContext&);

}  // namespace hstar
