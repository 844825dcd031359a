// include/hstar/spatial_spec.hpp
//
// What a model with `dimension = 3` says about its bodies, joints, forces and contacts: data, checked for shape and
// range, SI.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hstar/error.hpp"
#include "hstar/expression.hpp"
#include "hstar/friction_spec.hpp"
#include "hstar/limits_spec.hpp"

namespace hstar {

using Vec3 = std::array<double, 3>;
using Mat3 = std::array<Vec3, 3>;  ///< rows

struct SpatialBodySpec {
  std::string name;
  Location where;
  double mass = 0.0;                              ///< [kg] > 0 (unless prescribed)
  Mat3 inertia{};                                 ///< about the centre of mass, body axes [kg m^2], positive definite
  Vec3 position{0, 0, 0};                         ///< initial estimate, centre of mass [m]
  std::array<double, 4> orientation{1, 0, 0, 0};  ///< Euler parameters (e0, e1, e2, e3) of the body frame, length 1
  Vec3 velocity{0, 0, 0};                         ///< [m/s]
  Vec3 angular_velocity{0, 0, 0};                 ///< body axes [rad/s]
  /// Prescribed motion: the centre at (x, y, z)(t), the frame turned from `orientation` by angle(t) about `axis` (body
  /// axes); such a body has no mass.
  struct Motion {
    Expression x, y, z, angle;
    Vec3 axis{0, 0, 1};
  };
  std::optional<Motion> motion;
};

/// A point of a body and right-handed axes f, g, h there, all in body axes (for the ground: global).
struct SpatialMarkerSpec {
  std::string body = "ground";
  Location where;
  Vec3 point{0, 0, 0};  ///< [m]
  Vec3 f{1, 0, 0}, g{0, 1, 0}, h{0, 0, 1};
};

struct SpatialJointSpec {
  std::string name, type;  ///< of spatial_joints()
  Location where;
  std::array<SpatialMarkerSpec, 2> markers;
  Expression value;                                  ///< drivers: f(t); distance: length; screw, gear: offset
  double pitch = 0;                                  ///< screw [m]
  int teeth1 = 1, teeth2 = 1;                        ///< gear
  std::array<std::array<Vec3, 3>, 2> ground_axes{};  ///< gear: f, g, h of each wheel at the start, global axes
  Vec3 direction{1, 0, 0};                           ///< cd: global direction
  std::optional<FrictionSpec> friction;              ///< revolute, translational, cylindrical, spherical
  std::vector<LimitsSpec> limits;                    ///< of joints with free_coordinates()
};

struct SpatialForceSpec {
  std::string name, type;
  Location where;
  std::array<SpatialMarkerSpec, 2> markers;  ///< forces on one body act on the second; the first is the ground
  std::array<Expression, 3> vector;          ///< point_force [N], torque [N m]
  bool in_body_frame = false;
  Expression stiffness, damping, free_length, actuator;  ///< as ForceSpec
  std::vector<double> stiffness_matrix, damping_matrix;  ///< bushing: 6 (diagonal) or 36 by rows, axes f, g, h
};

/// A shape fixed in a body, all in body axes and coordinates (of the ground: global ones).
struct SpatialShapeSpec {
  std::string body = "ground";
  Location where;
  std::string shape;           ///< "plane" | "sphere" | "point" | "capsule" | "box" | "hull"
  Vec3 point{0, 0, 0};         ///< of the plane; centre of a sphere or box; added to ends and points [m]
  Vec3 normal{0, 0, 1};        ///< plane: outwards, length 1
  double radius = 0;           ///< sphere, capsule [m]
  std::array<Vec3, 2> ends{};  ///< capsule: of its middle line [m]
  Vec3 sides{0, 0, 0};         ///< box: along x, y, z [m]
  std::vector<Vec3> points;    ///< hull: it is the smallest convex body that contains them [m]
  /// Plane: velocity of the surface relative to the body; its part along the normal counts for nothing [m/s].
  std::optional<std::array<Expression, 3>> surface_velocity;
};

struct SpatialContactSpec {
  std::string name;
  Location where;
  SpatialShapeSpec first, second;
  double restitution = 0.0;           ///< in [0, 1]
  double restitution_tangential = 0;  ///< in [0, 1]
  std::string impact_law = "newton";  ///< "newton" | "whittaker" | "poisson" | "stronge"
  std::optional<FrictionSpec> friction;
};

}  // namespace hstar
