// src/mechanism/planar/drivers.cpp: one coordinate is a prescribed function of time. Absolute drivers
// act between the ground (first) and a body (second); relative ones between two bodies.
#include "mechanism/planar/geometry.hpp"
#include "mechanism/planar/joints.hpp"

namespace hstar {
namespace {

/// Adds the prescribed function to a row already filled: Phi = coordinate - f(t).
class Driver : public Joint {
 public:
  explicit Driver(const JointSpec& spec) : f_(*spec.value, "joint \"" + spec.name + "\": value") {}
  int rows() const override { return 1; }
  void position(const Kinematics& k, double* phi) const final { phi[0] = coordinate(k) - f_.at(k.now()).value; }
  void rows_at(const Kinematics& k, Row* out) const final {
    coordinate_row(k, out[0]);
    const auto f = f_.at(k.now());
    out[0].nu += f.rate;
    out[0].gamma += f.acceleration;
  }
  void slopes(const Kinematics& k, RowSlope* out) const final { coordinate_slope(k, out[0]); }
  std::string_view row_name(int) const override { return "value"; }

 protected:
  virtual double coordinate(const Kinematics& k) const = 0;
  virtual void coordinate_row(const Kinematics& k, Row& row) const = 0;
  virtual void coordinate_slope(const Kinematics& k, RowSlope& slope) const = 0;

 private:
  TimeFunction f_;
};

class AbsolutePosition final : public Driver {
 public:
  AbsolutePosition(const JointSpec& spec, Vec2 direction) : Driver(spec), u_(direction) {}

 protected:
  double coordinate(const Kinematics& k) const override { return dot(u_, k.of(second.body).point(second.local)); }
  void coordinate_row(const Kinematics& k, Row& row) const override {
    fixed_direction_row(PointPair(k, first, second), u_, row);
  }
  void coordinate_slope(const Kinematics& k, RowSlope& slope) const override {
    fixed_direction_slope(PointPair(k, first, second), u_, slope);
  }

 private:
  Vec2 u_;
};

class RelativeAngle final : public Driver {
 public:
  using Driver::Driver;

 protected:
  double coordinate(const Kinematics& k) const override { return k.of(second.body).angle - k.of(first.body).angle; }
  void coordinate_row(const Kinematics&, Row& row) const override { angle_row(row); }
  void coordinate_slope(const Kinematics&, RowSlope& slope) const override { slope = RowSlope{}; }
};

class RelativeTranslation final : public Driver {
 public:
  RelativeTranslation(const JointSpec& spec, Vec2 axis) : Driver(spec), axis_(axis) {}

 protected:
  double coordinate(const Kinematics& k) const override {
    const PointPair p(k, first, second);
    return dot(p.b1.global(axis_), p.d);
  }
  void coordinate_row(const Kinematics& k, Row& row) const override {
    const PointPair p(k, first, second);
    turning_direction_row(p, p.b1.global(axis_), row);
  }
  void coordinate_slope(const Kinematics& k, RowSlope& slope) const override {
    const PointPair p(k, first, second);
    turning_direction_slope(p, p.b1.global(axis_), slope);
  }

 private:
  Vec2 axis_;
};

}  // namespace

std::unique_ptr<Joint> make_absolute_x(const JointSpec& spec, const JointContext&) {
  return std::make_unique<AbsolutePosition>(spec, Vec2{1, 0});
}
std::unique_ptr<Joint> make_absolute_y(const JointSpec& spec, const JointContext&) {
  return std::make_unique<AbsolutePosition>(spec, Vec2{0, 1});
}
std::unique_ptr<Joint> make_absolute_angle(const JointSpec& spec, const JointContext&) {
  return std::make_unique<RelativeAngle>(spec);
}
std::unique_ptr<Joint> make_relative_angle(const JointSpec& spec, const JointContext&) {
  return std::make_unique<RelativeAngle>(spec);
}
std::unique_ptr<Joint> make_relative_translation(const JointSpec& spec, const JointContext&) {
  return std::make_unique<RelativeTranslation>(spec, (1 / norm(spec.axis)) * spec.axis);
}

}  // namespace hstar
