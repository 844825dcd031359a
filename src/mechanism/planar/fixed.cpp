// src/mechanism/planar/fixed.cpp: two bodies are one (points coincide, relative angle constant).
#include "mechanism/planar/geometry.hpp"
#include "mechanism/planar/joints.hpp"

namespace hstar {
namespace {

class Fixed final : public Joint {
 public:
  Fixed(double angle, bool hold_angle) : angle_(angle), hold_angle_(hold_angle) {}
  int rows() const override { return hold_angle_ ? 3 : 2; }
  void position(const Kinematics& k, double* phi) const override {
    const PointPair p(k, first, second);
    phi[0] = p.d[0];
    phi[1] = p.d[1];
    if (hold_angle_) phi[2] = p.b2.angle - p.b1.angle - angle_;
  }
  void rows_at(const Kinematics& k, Row* out) const override {
    const PointPair p(k, first, second);
    fixed_direction_row(p, {1, 0}, out[0]);
    fixed_direction_row(p, {0, 1}, out[1]);
    if (hold_angle_) angle_row(out[2]);
  }
  void slopes(const Kinematics& k, RowSlope* out) const override {
    const PointPair p(k, first, second);
    fixed_direction_slope(p, {1, 0}, out[0]);
    fixed_direction_slope(p, {0, 1}, out[1]);
    if (hold_angle_) out[2] = RowSlope{};
  }
  std::string_view row_name(int row) const override { return row == 0 ? "x" : row == 1 ? "y" : "angle"; }
  bool rows_are_constant(bool first_fixed, bool second_turns) const override {
    return first_fixed && (!second_turns || norm(second.local) == 0);
  }

 private:
  double angle_;
  bool hold_angle_;
};

}  // namespace

std::unique_ptr<Joint> make_fixed(const JointSpec& spec, const JointContext& context) {
  return std::make_unique<Fixed>(spec.angle.value_or(0.0), context.second_turns);
}

}  // namespace hstar
