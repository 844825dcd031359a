// src/mechanism/spatial/joints.hpp
//
// Spatial joints and drivers as rows of SpatialScalar, composed from the basic geometric constraints (Haug 1989,
// sec. 9.4). In the position they hold, no row of one joint depends on the others, whatever the directions of the axes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mechanism/spatial/scalar.hpp"

namespace hstar {

/// Where a joint sits: a point and right-handed axes f, g, h in each body, body axes. h is the joint's axis (the normal
/// of a plane, the direction of a line); f is where its angle is measured from.
struct JointFrame {
  Vec3 point1{0, 0, 0}, point2{0, 0, 0};
  Triad axes1, axes2;
};

/// The frame in body 2 that coincides with axes1 of body 1 in the position given: angle 0 there.
[[nodiscard]] Triad same_axes(const Triad& axes1, const SpatialMotion& b1, const SpatialMotion& b2);

/// Names of the coordinates that a type of joint leaves free: "slide" along and "angle" about its axis, in this order;
/// of a universal joint, and of the wheels of a gear, "angle1", "angle2".
[[nodiscard]] std::span<const std::string_view> free_coordinates(std::string_view type);

/// A joint whose equations hold on every thread (screw) or tooth (gear) alike: its angles are counted over whole turns.
[[nodiscard]] bool holds_by_turns(std::string_view type);

/// Sizes and functions of time that some joints have.
struct JointNumbers {
  TimeFunction f;              ///< drivers, distance, point_on_plane: f(t); screw, gear: offset; dp1, dp2, d, cd: f(t)
  double pitch = 0;            ///< screw: way along h for one turn [m], right-handed positive
  int teeth1 = 1, teeth2 = 1;  ///< gear: see SpatialScalar::gear
  Triad ground1, ground2;      ///< gear: where angles are measured from, global axes; h is each wheel's axis
  Vec3 direction{1, 0, 0};     ///< cd: global direction c
  bool along_axes = false;     ///< points that coincide: rows along f, g, h of the first body in place of x, y, z
};

/// What holds two bodies together: rows, their names, and the coordinates that stay free.
class SpatialJoint {
 public:
  JointFrame frame;
  std::vector<SpatialScalar> scalar;    ///< the rows
  std::vector<std::string_view> names;  ///< by row
  /// Coordinates along and about h that the joint leaves free: what slides, turns, is measured.
  struct Free {
    bool slides = false, turns = false;
    bool crosses = false;        ///< universal: the cross turns about h_1 and the second body about h_2
    SpatialScalar slide, angle;  ///< h_1 . d [m]; angle [rad] in [-pi, pi], of a cross its own about h_1, of a wheel
    SpatialScalar second_angle;  ///< of the second body about h_2 of the cross, of the second wheel [rad]
  } free;

  [[nodiscard]] int rows() const { return static_cast<int>(scalar.size()); }
  /// `turns`: see SpatialScalar::value.
  void position(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now, double* phi,
                const double* turns = nullptr) const;
  /// SpatialScalar::count_from.
  void count_from(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now);
  void rows_at(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now, SpatialRow* out) const;
  void slopes(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope* out) const;

  /// The joint's equations hold with the axes turned over (h_2 = -h_1, or f_2 = -f_1 where the angle is held): a
  /// position that solves Phi = 0 but is not the joint.
  [[nodiscard]] bool turned_over(const SpatialMotion& b1, const SpatialMotion& b2) const;

 private:
  friend SpatialJoint make_spatial_joint(std::string_view, const JointFrame&, const JointNumbers&);
  bool coincident_ = false;                       ///< rows 0, 1, 2: the points coincide
  bool holds_axis_ = false, holds_turn_ = false;  ///< h_2 = h_1; also f_2 = f_1
};

/// Force [N] and torque [N m] that a joint exerts on its second body at the second point.
struct Wrench {
  Vec3 force{0, 0, 0}, torque{0, 0, 0};
};
/// Of the multipliers, global axes. `rows` as rows_at() gave them.
[[nodiscard]] Wrench reaction(std::span<const SpatialRow> rows, const double* lambda, const SpatialMotion& b2,
                              const Vec3& point2);
/// The same in the joint's axes on the first body (f, g, h).
[[nodiscard]] Wrench in_joint_axes(const Wrench& global, const SpatialMotion& b1, const Triad& axes1);

struct SpatialJointEntry {
  std::string_view type, about;
  int rows;
};
/// All types: spherical universal cylindrical revolute translational fixed point_on_plane point_on_line distance screw
/// gear rotation translation dp1 dp2 d cd.
[[nodiscard]] std::span<const SpatialJointEntry> spatial_joints();

/// A joint of a type of spatial_joints(). dp1, dp2 use axes1.h and axes2.h as a_1, a_2; d, cd the points.
/// @throws InputError (without a place) for an unknown type, a screw with pitch 0, a gear with 0 teeth.
[[nodiscard]] SpatialJoint make_spatial_joint(std::string_view type, const JointFrame& frame,
                                              const JointNumbers& numbers);

}  // namespace hstar
