// src/mechanism/joint_stops.hpp
//
// Limits of a joint's free coordinate c: at each end a stop, a contact with the gap c - lower or upper - c. Its normal
// force acts along the coordinate; a stop has no friction of its own.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mechanism/elements.hpp"

namespace hstar {

/// One stop as data.
struct JointStop {
  std::string name;  ///< "hinge.lower", of a second coordinate "collar.second_lower"
  const LimitsSpec* limits = nullptr;
  bool is_upper = false;

  [[nodiscard]] double place() const { return is_upper ? limits->upper : limits->lower; }
  [[nodiscard]] double sign() const { return is_upper ? -1.0 : 1.0; }  ///< of the coordinate in the gap
};
/// Those of a joint; what is infinite has none.
[[nodiscard]] std::vector<JointStop> joint_stops(const std::string& joint, std::span<const LimitsSpec> limits);

/// What a contact that is a stop is besides.
class StopsJoint {
 public:
  StopsJoint(std::string joint, const JointStop& stop, bool turning)
      : place_(stop.place()), sign_(stop.sign()), turning_(turning), joint_(std::move(joint)) {}
  virtual ~StopsJoint() = default;
  [[nodiscard]] bool stops_turning() const { return turning_; }  ///< the gap is an angle [rad]
  /// Why a start with this gap < 0 is none.
  [[nodiscard]] std::string refusal(double gap) const;

 protected:
  double place_, sign_;

 private:
  bool turning_;
  std::string joint_;
};

/// Why a start at which a contact has this gap < 0 is none.
[[nodiscard]] std::string start_refusal(const Contact& contact, double gap);

/// Of a planar joint whose one free coordinate has the rate Joint::tangent.
class PlanarCoordinate {
 public:
  virtual ~PlanarCoordinate() = default;
  [[nodiscard]] virtual double coordinate(const Kinematics& k) const = 0;  ///< m or rad
  [[nodiscard]] virtual bool is_angle() const = 0;
  /// Size of the terms that make up the coordinate, for round-off.
  [[nodiscard]] virtual double coordinate_scale(const Kinematics& k) const = 0;
};

/// Of a planar joint with PlanarCoordinate, which must outlive it.
[[nodiscard]] std::unique_ptr<Contact> make_planar_stop(const Joint& joint, const JointStop& stop);
/// Of a spatial joint with JointCoordinates; `measure` gives the coordinate, whole turns and all. Both must outlive it.
[[nodiscard]] std::unique_ptr<Contact> make_spatial_stop(const Joint& joint, const Force& measure,
                                                         const JointStop& stop);

}  // namespace hstar
