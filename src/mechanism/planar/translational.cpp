// src/mechanism/planar/translational.cpp: the second body's point stays on an axis of the first body
// and the bodies do not turn relative to each other (Haug 1989, eq. 3.3.13).
// Friction: along the axis, with the guide's normal force |lambda_n|; lambda_n > 0 pushes the second
// body to the left of the axis. The angle row's moment does not enter the friction.
#include <cmath>

#include "mechanism/joint_stops.hpp"
#include "mechanism/planar/geometry.hpp"
#include "mechanism/planar/joints.hpp"

namespace hstar {
namespace {

class Translational final : public Joint, public PlanarCoordinate {
 public:
  Translational(Vec2 axis, double angle, bool hold_angle) : axis_(axis), angle_(angle), hold_angle_(hold_angle) {}

  int rows() const override { return hold_angle_ ? 2 : 1; }
  void position(const Kinematics& k, double* phi) const override {
    const PointPair p(k, first, second);
    phi[0] = dot(perp(p.b1.global(axis_)), p.d);
    if (hold_angle_) phi[1] = p.b2.angle - p.b1.angle - angle_;
  }
  void rows_at(const Kinematics& k, Row* out) const override {
    const PointPair p(k, first, second);
    turning_direction_row(p, perp(p.b1.global(axis_)), out[0]);
    if (hold_angle_) angle_row(out[1]);
  }
  void slopes(const Kinematics& k, RowSlope* out) const override {
    const PointPair p(k, first, second);
    turning_direction_slope(p, perp(p.b1.global(axis_)), out[0]);
    if (hold_angle_) out[1] = RowSlope{};
  }
  std::string_view row_name(int row) const override { return row == 0 ? "normal" : "angle"; }

  bool rows_are_constant(bool first_fixed, bool second_turns) const override {
    return tangent_is_linear(first_fixed, second_turns);
  }

  bool slides() const override { return true; }
  void tangent(const Kinematics& k, Row& row) const override {
    const PointPair p(k, first, second);
    turning_direction_row(p, p.b1.global(axis_), row);
  }
  void tangent_slope(const Kinematics& k, RowSlope& out) const override {
    const PointPair p(k, first, second);
    turning_direction_slope(p, p.b1.global(axis_), out);
  }
  bool tangent_is_linear(bool first_fixed, bool second_turns) const override {
    return first_fixed && (!second_turns || norm(second.local) == 0);
  }
  double coordinate(const Kinematics& k) const override {
    const PointPair p(k, first, second);
    return dot(p.b1.global(axis_), p.d);
  }
  bool is_angle() const override { return false; }
  double coordinate_scale(const Kinematics& k) const override {
    const PointPair p(k, first, second);
    return norm(p.b1.r) + norm(p.b2.r) + norm(p.s1) + norm(p.s2);
  }
  double normal_force(const double* lambda, int side, double* derivative) const override {
    const double sign = side != 0 ? side : (lambda[0] < 0 ? -1.0 : 1.0);
    derivative[0] = sign;
    if (hold_angle_) derivative[1] = 0;
    return sign * lambda[0];
  }
  int side_row() const override { return 0; }

 private:
  Vec2 axis_;
  double angle_;
  bool hold_angle_;
};

}  // namespace

std::unique_ptr<Joint> make_translational(const JointSpec& spec, const JointContext& context) {
  const double length = norm(spec.axis);
  return std::make_unique<Translational>((1 / length) * spec.axis, spec.angle.value_or(0.0), context.second_turns);
}

}  // namespace hstar
