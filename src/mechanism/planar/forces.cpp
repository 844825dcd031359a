// src/mechanism/planar/forces.cpp: the registry of planar forces.
#include "mechanism/planar/forces.hpp"

#include <array>

namespace hstar {

std::span<const ForceEntry> planar_forces() {
  static constexpr std::array<ForceEntry, 4> entries{{
      {"point_force", "force at a point of a body, global or body axes, formulas of t and measured quantities",
       make_point_force},
      {"torque", "moment on a body, or between two bodies", make_torque},
      {"spring_damper", "translational spring-damper-actuator (TSDA) between two points, or along a given axis",
       make_spring_damper},
      {"rotational_spring_damper", "rotational spring-damper-actuator (RSDA) between two bodies",
       make_rotational_spring_damper},
  }};
  return entries;
}

double Force::output(int, const Kinematics&) const { return 0.0; }

}  // namespace hstar
