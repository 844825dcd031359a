// src/mechanism/spatial/forces.cpp: the registry of spatial forces.
#include "mechanism/spatial/forces.hpp"

#include <array>

namespace hstar {

std::span<const SpatialForceEntry> spatial_forces() {
  static constexpr std::array<SpatialForceEntry, 5> entries{{
      {"point_force", "force at a point of a body, global or body axes, formulas of t and measured quantities",
       make_spatial_point_force},
      {"torque", "torque on a body, or between two bodies, global or body axes", make_spatial_torque},
      {"spring_damper", "translational spring-damper-actuator (TSDA) between two points", make_spatial_spring},
      {"rotational_spring_damper", "rotational spring-damper-actuator (RSDA) about an axis; counts whole turns",
       make_spatial_rotational_spring},
      {"bushing", "6x6 stiffness and damping between two frames: offsets along, and the rotation vector between, axes",
       make_bushing},
  }};
  return entries;
}

}  // namespace hstar
