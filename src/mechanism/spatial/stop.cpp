// src/mechanism/spatial/stop.cpp: the stop of a spatial joint.
#include <cmath>

#include "mechanism/joint_stops.hpp"
#include "mechanism/spatial/contact.hpp"
#include "mechanism/spatial/coordinates.hpp"

namespace hstar {
namespace {

class SpatialStop final : public SpatialContact, public StopsJoint {
 public:
  SpatialStop(const Joint& joint, const Force& measure, const JointStop& stop)
      : StopsJoint(joint.name, stop,
                   dynamic_cast<const JointCoordinates&>(joint).free_is_angle(stop.limits->coordinate)),
        joint_(joint),
        measure_(measure),
        free_(dynamic_cast<const JointCoordinates&>(joint)),
        which_(stop.limits->coordinate) {}

  double gap(const Kinematics& k) const override { return sign_ * (measure_.output(0, k) - place_); }
  void all_rows_at(const Kinematics& k, Row& normal, Row* tangents) const override {
    free_.free_row(which_, k, normal);
    for (auto& of_body : normal.J)
      for (double& x : of_body) x *= sign_;
    normal.nu *= sign_;
    normal.gamma *= sign_;
    for (int i = 0; i < 2; ++i) tangents[i] = Row{tangents[i].body, {}, 0, 0};
  }
  void slopes(const Kinematics& k, SpatialRowSlope* out) const override {
    free_.free_slope(which_, k, out[0]);
    for (auto& row : out[0].J)
      for (double& x : row) x *= sign_;
    for (double& x : out[0].gamma) x *= sign_;
    out[1] = out[2] = SpatialRowSlope{};
  }
  void turning_rows_at(const Kinematics&, bool spinning, Row* out) const override {
    for (int i = 0; i < (spinning ? 1 : 2); ++i) out[i] = Row{out[i].body, {}, 0, 0};
  }
  void turning_slopes(const Kinematics&, bool spinning, SpatialRowSlope* out) const override {
    for (int i = 0; i < (spinning ? 1 : 2); ++i) out[i] = SpatialRowSlope{};
  }
  /// The second body's centre; the normal is the direction of the stop's force, none of a torque.
  [[nodiscard]] ContactPoint place(const Kinematics& k) const override {
    Row normal, tangents[2];
    all_rows_at(k, normal, tangents);
    return {k.spatial_of(second).r, {normal.J[1][0], normal.J[1][1], normal.J[1][2]}, {0, 0, 0}};
  }
  [[nodiscard]] double length_scale(const Kinematics& k) const override {
    const double value = std::abs(measure_.output(0, k)) + std::abs(place_);
    // (An angle is known up to the round-off of directions, whose length is 1.)
    return stops_turning() ? value + 1 : value + joint_.length() + k.distance(joint_.first.body, joint_.second.body);
  }

 private:
  const Joint& joint_;
  const Force& measure_;
  const JointCoordinates& free_;
  int which_;
};

}  // namespace

std::unique_ptr<Contact> make_spatial_stop(const Joint& joint, const Force& measure, const JointStop& stop) {
  return std::make_unique<SpatialStop>(joint, measure, stop);
}

}  // namespace hstar
