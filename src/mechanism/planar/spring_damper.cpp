// src/mechanism/planar/spring_damper.cpp: translational and rotational spring-damper-actuators
// (Haug 1989, sec. 6.2). The force pulls the points together when
//   stiffness (length - free_length) + damping rate + actuator > 0.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "mechanism/planar/forces.hpp"
#include "mechanism/planar/geometry.hpp"
#include "mechanism/signal_slopes.hpp"
#include "mechanism/spring_law.hpp"

namespace hstar {
namespace {

/// The law both kinds share; every coefficient may be a formula of t, length, rate and measured quantities.
struct SpringLaw : SpringCoefficients {
  SpringLaw(const ForceSpec& spec, const ForceContext& c)
      : SpringCoefficients{c.bind(spec.stiffness, "stiffness"), c.bind(spec.damping, "damping"),
                           c.bind(spec.free_length, "free_length"), c.bind(spec.actuator, "actuator")} {}

  /// The force is affine in length, rate, t and the coordinates and velocities of bodies.
  [[nodiscard]] bool is_affine(std::span<const BodyFreedom> bodies) const {
    return stiffness.constant && damping.constant && hstar::is_affine(free_length, bodies) &&
           hstar::is_affine(actuator, bodies);
  }

  /// Derivatives of the generalised forces - force * g, where g = d(length)/dq (so that rate = g v) and
  /// `curvature` is its derivative by q.
  void slopes(const Kinematics& k, double length, double rate, const ForceDirection& g, const RowSlope& curvature,
              ForceSlopes& out) const {
    ForceDirection against = g;
    for (double& x : against.g) x = -x;
    const double stretch = length - evaluate(free_length, k, length, rate), hard = evaluate(stiffness, k, length, rate);
    double by_length = hard, by_rate = evaluate(damping, k, length, rate);
    const auto formula = [&](const BoundExpression& e, double factor) {
      const OwnSlope own = add_formula(against, e, k, length, rate, factor, out);
      by_length += own.by_length;
      by_rate += own.by_rate;
    };
    formula(stiffness, stretch);
    formula(free_length, -hard);
    formula(damping, rate);
    formula(actuator, 1);
    add_output(against, length_slope(g), by_length, out);
    add_output(against, rate_slope(k, g, curvature), by_rate, out);
    const double pull = force(k, length, rate);
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b)
        if (curvature.J[a][b] != 0)
          out.by_position.push_back({3 * g.body[a / 3] + a % 3, 3 * g.body[b / 3] + b % 3, -pull * curvature.J[a][b]});
  }
  static OutputSlope length_slope(const ForceDirection& g) {
    OutputSlope slope;
    slope.body = g.body;
    std::copy(std::begin(g.g), std::end(g.g), slope.by_position);
    return slope;
  }
  static OutputSlope rate_slope(const Kinematics& k, const ForceDirection& g, const RowSlope& curvature) {
    OutputSlope slope;
    slope.body = g.body;
    const BodyMotion &b1 = k.of(g.body[0]), &b2 = k.of(g.body[1]);
    const double v[6] = {b1.v[0], b1.v[1], b1.omega, b2.v[0], b2.v[1], b2.omega};
    for (int b = 0; b < 6; ++b) {
      slope.by_velocity[b] = g.g[b];
      for (int a = 0; a < 6; ++a) slope.by_position[b] += v[a] * curvature.J[a][b];
    }
    return slope;
  }
};

/// g of a row between two bodies.
ForceDirection direction_of(const Row& row) {
  ForceDirection g;
  g.body = row.body;
  for (int i = 0; i < 6; ++i) g.g[i] = row.J[i / 3][i % 3];
  return g;
}

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
  void slopes(const Kinematics& k, ForceSlopes& out) const override {
    const PointPair p(k, first_, second_);
    const double length = norm(p.d), speed = norm(p.d_rate);
    Row row;
    RowSlope curvature;
    if (length > 0) {
      geometry(p, length, row, curvature);
      law_.slopes(k, length, dot(p.d, p.d_rate) / length, direction_of(row), curvature, out);
    } else {
      // The points coincide. Only a force that is k d there has a derivative: the same across the line as along it.
      const Vec2 n = speed > 0 ? (1 / speed) * p.d_rate : Vec2{1, 0};
      row.body = {first_.body, second_.body};
      fixed_direction_row(p, n, row);
      curvature = RowSlope{};
      law_.slopes(k, 0, speed, direction_of(row), curvature, out);
      fixed_direction_row(p, perp(n), row);
      const ForceDirection across = direction_of(row);
      ForceDirection against = across;
      for (double& x : against.g) x = -x;
      add_output(against, SpringLaw::length_slope(across), evaluate(law_.stiffness, k, 0, speed), out);
    }
  }
  void output_slope(int which, const Kinematics& k, OutputSlope& out) const override {
    const PointPair p(k, first_, second_);
    Row row;
    RowSlope curvature;
    geometry(p, norm(p.d), row, curvature);
    out = which == 0 ? SpringLaw::length_slope(direction_of(row))
                     : SpringLaw::rate_slope(k, direction_of(row), curvature);
  }
  double output(int which, const Kinematics& k) const override {
    const PointPair p(k, first_, second_);
    const double length = norm(p.d);
    const double rate = length > 0 ? dot(p.d, p.d_rate) / length : norm(p.d_rate);
    return which == 0 ? length : which == 1 ? rate : law_.force(k, length, rate);
  }
  double potential_energy(const Kinematics& k) const override { return law_.energy(k, output(0, k), output(1, k)); }

 private:
  void geometry(const PointPair& p, double length, Row& row, RowSlope& curvature) const {
    const Vec2 n = (1 / length) * p.d;
    row.body = {first_.body, second_.body};
    fixed_direction_row(p, n, row);
    distance_slope(p, n, length, curvature);
  }
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
  void slopes(const Kinematics& k, ForceSlopes& out) const override {
    const PointPair p(k, first_, second_);
    const Vec2 e = p.b1.global(axis_);
    Row row;
    RowSlope curvature;
    geometry(p, e, row, curvature);
    law_.slopes(k, dot(e, p.d), rate(p, e), direction_of(row), curvature, out);
  }
  void output_slope(int which, const Kinematics& k, OutputSlope& out) const override {
    const PointPair p(k, first_, second_);
    Row row;
    RowSlope curvature;
    geometry(p, p.b1.global(axis_), row, curvature);
    out = which == 0 ? SpringLaw::length_slope(direction_of(row))
                     : SpringLaw::rate_slope(k, direction_of(row), curvature);
  }
  double output(int which, const Kinematics& k) const override {
    const PointPair p(k, first_, second_);
    const Vec2 e = p.b1.global(axis_);
    return which == 0 ? dot(e, p.d) : which == 1 ? rate(p, e) : law_.force(k, dot(e, p.d), rate(p, e));
  }
  double potential_energy(const Kinematics& k) const override {
    const PointPair p(k, first_, second_);
    const Vec2 e = p.b1.global(axis_);
    return law_.energy(k, dot(e, p.d), rate(p, e));
  }
  bool is_affine(std::span<const BodyFreedom> bodies) const override {
    const BodyFreedom &a = bodies[first_.body], &b = bodies[second_.body];
    return !a.turns && a.affine && b.affine && (!b.turns || norm(second_.local) == 0) && law_.is_affine(bodies);
  }

 private:
  [[nodiscard]] static double rate(const PointPair& p, Vec2 e) {
    return dot(e, p.d_rate) + p.b1.omega * dot(perp(e), p.d);
  }
  void geometry(const PointPair& p, Vec2 e, Row& row, RowSlope& curvature) const {
    row.body = {first_.body, second_.body};
    turning_direction_row(p, e, row);
    turning_direction_slope(p, e, curvature);
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
  void slopes(const Kinematics& k, ForceSlopes& out) const override {
    law_.slopes(k, angle(k), rate(k), direction(), RowSlope{}, out);
  }
  void output_slope(int which, const Kinematics& k, OutputSlope& out) const override {
    out = which == 0 ? SpringLaw::length_slope(direction()) : SpringLaw::rate_slope(k, direction(), RowSlope{});
  }
  double output(int which, const Kinematics& k) const override {
    return which == 0 ? angle(k) : which == 1 ? rate(k) : law_.force(k, angle(k), rate(k));
  }
  double potential_energy(const Kinematics& k) const override { return law_.energy(k, angle(k), rate(k)); }
  bool is_affine(std::span<const BodyFreedom> bodies) const override {
    return bodies[first_].affine && bodies[second_].affine && law_.is_affine(bodies);
  }

 private:
  [[nodiscard]] ForceDirection direction() const { return {{first_, second_}, {0, 0, -1, 0, 0, 1}}; }
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
