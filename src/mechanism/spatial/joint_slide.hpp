// src/mechanism/spatial/joint_slide.hpp
//
// What rubs in a joint with friction: the components of gamma_T, and the normal force N by the joint's multipliers.
//   * revolute: turning rate about h [rad/s]; N = |F across h| + thrust / radius |F along h|.
//   * translational: speed along h [m/s]; N = |F across h|.
//   * cylindrical: speed along h, and radius times turning rate about h; N = |F across h|.
//   * spherical: radius times the relative angular velocity [m/s]; N = |F|.
// F is the force at the joint's point. What the joint's torques press is not known from its axes alone (it hangs on how
// long a bearing is); a joint that is held by two bearings is written as two joints.
#pragma once

#include <array>
#include <string_view>

#include "mechanism/elements.hpp"
#include "mechanism/spatial/joints.hpp"

namespace hstar {

class JointSlide {
 public:
  /// Of a joint of type `type`; its multipliers are along f, g, h of the first body (JointNumbers::along_axes). Another
  /// type does not slide.
  JointSlide(std::string_view type, const SpatialJoint& joint, const FrictionSpec& friction);

  [[nodiscard]] int directions() const { return (slides_ ? 1 : 0) + turns_; }
  /// Rows of gamma_T.
  void rows(const SpatialMotion& b1, const SpatialMotion& b2, Row* out) const;
  void slopes(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope* out) const;

  [[nodiscard]] int normal_parts(NormalPart* out) const;
  /// N and its derivatives by `count` multipliers. Where F is zero the derivative is that of a force along the first.
  /// `side` continues |lambda[side_row()]| smoothly through zero; 0 takes the absolute value.
  double normal_force(const double* lambda, int count, int side, double* derivative) const;
  /// The multiplier whose size alone is a part of N, which has a kink where it changes sign; -1: none.
  [[nodiscard]] int side_row() const;

 private:
  bool slides_ = false;
  SpatialScalar slide_;
  int turns_ = 0;               ///< axes turned about
  std::array<Vec3, 3> axis_{};  ///< of them, first body's axes
  double factor_ = 1;           ///< gamma_T of a turn, per rad/s
  int part_count_ = 0;
  std::array<NormalPart, 2> part_{};
};

}  // namespace hstar
