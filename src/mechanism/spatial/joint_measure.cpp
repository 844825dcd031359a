// src/mechanism/spatial/joint_measure.cpp
#include "mechanism/spatial/joint_measure.hpp"

#include "mechanism/spatial/scalar.hpp"
#include "mechanism/spatial/signal_slopes.hpp"

namespace hstar {
namespace {

class JointMeasure final : public Force {
 public:
  JointMeasure(const Joint& joint, int which, int turn_state)
      : joint_(joint), free_(dynamic_cast<const JointCoordinates&>(joint)), which_(which), turn_state_(turn_state) {}
  void apply(const Kinematics&, double*) const override {}
  void slopes(const Kinematics&, ForceSlopes&) const override {}
  [[nodiscard]] bool is_affine(std::span<const BodyFreedom>) const override { return true; }
  void output_slope(int which, const Kinematics& k, OutputSlope& out) const override {
    SpatialRow row;
    SpatialRowSlope slope;
    free_.free_row(which_, k, row);
    free_.free_slope(which_, k, slope);
    out = OutputSlope{};
    out.body = {joint_.first.body, joint_.second.body};
    add_output_slope(which, row, slope, first(k), second(k), out);
  }
  [[nodiscard]] double output(int which, const Kinematics& k) const override {
    if (which == 2) return 0;
    if (which == 0) {
      const double value = free_.free_value(which_, k);
      return turn_state_ < 0 ? value : unwrapped(value, k.y[turn_state_]);
    }
    SpatialRow row;
    free_.free_row(which_, k, row);
    return row.speed(first(k), second(k));
  }

 private:
  [[nodiscard]] const SpatialMotion& first(const Kinematics& k) const { return k.spatial_of(joint_.first.body); }
  [[nodiscard]] const SpatialMotion& second(const Kinematics& k) const { return k.spatial_of(joint_.second.body); }
  const Joint& joint_;
  const JointCoordinates& free_;
  int which_, turn_state_;
};

}  // namespace

std::unique_ptr<Force> make_joint_measure(const Joint& joint, int which, int turn_state) {
  return std::make_unique<JointMeasure>(joint, which, turn_state);
}

}  // namespace hstar
