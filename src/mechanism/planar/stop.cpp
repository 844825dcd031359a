// src/mechanism/planar/stop.cpp: the stop of a planar joint.
#include <cmath>

#include "mechanism/joint_stops.hpp"

namespace hstar {
namespace {

class PlanarStop final : public Contact, public StopsJoint {
 public:
  PlanarStop(const Joint& joint, const JointStop& stop)
      : StopsJoint(joint.name, stop, dynamic_cast<const PlanarCoordinate&>(joint).is_angle()),
        joint_(joint),
        free_(dynamic_cast<const PlanarCoordinate&>(joint)) {}

  double gap(const Kinematics& k) const override { return sign_ * (free_.coordinate(k) - place_); }
  void rows_at(const Kinematics& k, Row& normal, Row& tangent) const override {
    joint_.tangent(k, normal);
    for (auto& of_body : normal.J)
      for (double& x : of_body) x *= sign_;
    normal.nu *= sign_;
    normal.gamma *= sign_;
    tangent = Row{tangent.body, {}, 0, 0};
  }
  void slopes(const Kinematics& k, RowSlope& normal, RowSlope& tangent) const override {
    joint_.tangent_slope(k, normal);
    for (auto& row : normal.J)
      for (double& x : row) x *= sign_;
    for (double& x : normal.gamma) x *= sign_;
    tangent = RowSlope{};
  }
  bool gap_is_linear(bool first_fixed, bool second_turns) const override {
    return joint_.tangent_is_linear(first_fixed, second_turns);
  }
  bool rows_are_constant(bool first_fixed, bool second_turns) const override {
    return first_fixed && joint_.tangent_is_linear(first_fixed, second_turns);
  }
  double length_scale(const Kinematics& k) const override { return free_.coordinate_scale(k) + std::abs(place_); }

 private:
  const Joint& joint_;
  const PlanarCoordinate& free_;
};

}  // namespace

std::unique_ptr<Contact> make_planar_stop(const Joint& joint, const JointStop& stop) {
  return std::make_unique<PlanarStop>(joint, stop);
}

}  // namespace hstar
