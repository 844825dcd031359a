// src/mechanism/planar/spring_damper.cpp: translational and rotational spring-damper-actuators
// (Haug 1989, sec. 6.2). The force pulls the points together when
//   stiffness (length - free_length) + damping rate + actuator > 0.
#include <cmath>

#include "mechanism/planar/forces.hpp"
#include "mechanism/planar/geometry.hpp"

namespace hstar {
namespace {

/// The law both kinds share; every coefficient may be a formula of t, length, rate and measured quantities.
struct SpringLaw {
  BoundExpression stiffness, damping, free_length, actuator;

  SpringLaw(const ForceSpec& spec, const ForceContext& c)
      : stiffness(c.bind(spec.stiffness, "stiffness")),
        damping(c.bind(spec.damping, "damping")),
        free_length(c.bind(spec.free_length, "free_length")),
        actuator(c.bind(spec.actuator, "actuator")) {}

  [[nodiscard]] double force(const Kinematics& k, double length, double rate) const {
    return evaluate(stiffness, k, length, rate) * (length - evaluate(free_length, k, length, rate)) +
           evaluate(damping, k, length, rate) * rate + evaluate(actuator, k, length, rate);
  }
  [[nodiscard]] double energy(const Kinematics& k, double length, double rate) const {
    const double stretch = length - evaluate(free_length, k, length, rate);
    return 0.5 * evaluate(stiffness, k, length, rate) * stretch * stretch;
  }
};

/// Along the line between the points. With free_length 0 the spring part is k d even at d = 0.
class SpringDamper : public Force {
 public:
  SpringDamper(const ForceSpec& spec, const ForceContext& c) : law_(spec, c), first_(c.first), second_(c.second) {}

  void apply(const Kinematics& k, double* f) const override {
    const PointPair p(k, first_, second_);
    const double length = norm(p.d);
    Vec2 pull;  // on the first point
    if (length > 0) {
      const double rate = dot(p.d, p.d_rate) / length;
      pull = (law_.force(k, length, rate) / length) * p.d;
    } else {
      // The points coincide: the line's direction is the one in which they part.
      const double speed = norm(p.d_rate);
      if (speed == 0) return;
      pull = (law_.force(k, 0.0, speed) / speed) * p.d_rate;
    }
    add_force(f, first_.body, pull, p.s1);
    add_force(f, second_.body, {-pull[0], -pull[1]}, p.s2);
  }
  double output(int which, const Kinematics& k) const override {
    const PointPair p(k, first_, second_);
    const double length = norm(p.d);
    const double rate = length > 0 ? dot(p.d, p.d_rate) / length : norm(p.d_rate);
    return which == 0 ? length : which == 1 ? rate : law_.force(k, length, rate);
  }
  double potential_energy(const Kinematics& k) const override { return law_.energy(k, output(0, k), output(1, k)); }

 private:
  SpringLaw law_;
  Marker first_, second_;
};

/// Along a direction fixed in the first body; length is the signed coordinate of the second point.
class AxialSpringDamper : public Force {
 public:
  AxialSpringDamper(const ForceSpec& spec, const ForceContext& c, Vec2 axis)
      : law_(spec, c), first_(c.first), second_(c.second), axis_(axis) {}

  void apply(const Kinematics& k, double* f) const override {
    const PointPair p(k, first_, second_);
    const Vec2 e = p.b1.global(axis_);
    const double pull = law_.force(k, dot(e, p.d), rate(p, e));
    // Work-conjugate to the coordinate e . d of an axis that turns with the first body.
    add_force(f, first_.body, pull * e, p.s1 + p.d);
    add_force(f, second_.body, -pull * e, p.s2);
  }
  double output(int which, const Kinematics& k) const override {
    const PointPair p(k, first_, second_);
    const Vec2 e = p.b1.global(axis_);
    return which == 0 ? dot(e, p.d) : which == 1 ? rate(p, e) : law_.force(k, dot(e, p.d), rate(p, e));
  }
  double potential_energy(const Kinematics& k) const override { return law_.energy(k, output(0, k), output(1, k)); }

 private:
  [[nodiscard]] static double rate(const PointPair& p, Vec2 e) {
    return dot(e, p.d_rate) + p.b1.omega * dot(perp(e), p.d);
  }
  SpringLaw law_;
  Marker first_, second_;
  Vec2 axis_;
};

class RotationalSpringDamper final : public Force {
 public:
  RotationalSpringDamper(const ForceSpec& spec, const ForceContext& c)
      : law_(spec, c), first_(c.first.body), second_(c.second.body) {}
  void apply(const Kinematics& k, double* f) const override {
    const double m = law_.force(k, angle(k), rate(k));
    f[3 * first_ + 2] += m;
    f[3 * second_ + 2] -= m;
  }
  double output(int which, const Kinematics& k) const override {
    return which == 0 ? angle(k) : which == 1 ? rate(k) : law_.force(k, angle(k), rate(k));
  }
  double potential_energy(const Kinematics& k) const override { return law_.energy(k, angle(k), rate(k)); }

 private:
  [[nodiscard]] double angle(const Kinematics& k) const { return k.of(second_).angle - k.of(first_).angle; }
  [[nodiscard]] double rate(const Kinematics& k) const { return k.of(second_).omega - k.of(first_).omega; }
  SpringLaw law_;
  int first_, second_;
};

}  // namespace

std::unique_ptr<Force> make_spring_damper(const ForceSpec& spec, const ForceContext& c) {
  if (!spec.axis) return std::make_unique<SpringDamper>(spec, c);
  return std::make_unique<AxialSpringDamper>(spec, c, (1 / norm(*spec.axis)) * *spec.axis);
}

std::unique_ptr<Force> make_rotational_spring_damper(const ForceSpec& spec, const ForceContext& c) {
  return std::make_unique<RotationalSpringDamper>(spec, c);
}

}  // namespace hstar
