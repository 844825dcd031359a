// src/mechanism/planar/point_force.cpp: applied force at a point, and applied moment.
#include "mechanism/planar/forces.hpp"
#include "mechanism/signal_slopes.hpp"

namespace hstar {
namespace {

class PointForce final : public Force {
 public:
  PointForce(Marker at, BoundExpression fx, BoundExpression fy, bool body_frame)
      : at_(at), fx_(std::move(fx)), fy_(std::move(fy)), body_frame_(body_frame) {}
  void apply(const Kinematics& k, double* f) const override {
    const BodyMotion& b = k.of(at_.body);
    Vec2 force{evaluate(fx_, k), evaluate(fy_, k)};
    if (body_frame_) force = b.global(force);
    add_force(f, at_.body, force, b.global(at_.local));
  }
  void slopes(const Kinematics& k, ForceSlopes& out) const override {
    const BodyMotion& b = k.of(at_.body);
    const Vec2 s = b.global(at_.local);
    const Vec2 force{evaluate(fx_, k), evaluate(fy_, k)};
    const int angle = 3 * at_.body + 2;
    if (body_frame_) {
      const Vec2 turned = perp(b.global(force));
      out.by_position.push_back({angle - 2, angle, turned[0]});
      out.by_position.push_back({angle - 1, angle, turned[1]});  // the moment turns with the body
    } else {
      out.by_position.push_back({angle, angle, -dot(s, force)});
    }
    const auto component = [&](const BoundExpression& e, Vec2 unit) {
      const Vec2 u = body_frame_ ? b.global(unit) : unit;
      const ForceDirection direction{{at_.body, at_.body}, {u[0], u[1], s[0] * u[1] - s[1] * u[0], 0, 0, 0}};
      add_formula(direction, e, k, 0, 0, 1, out);
    };
    component(fx_, {1, 0});
    component(fy_, {0, 1});
  }
  bool is_affine(std::span<const BodyFreedom> bodies) const override {
    const bool turns = bodies[at_.body].turns;
    return !(body_frame_ && turns) && (!turns || norm(at_.local) == 0) && hstar::is_affine(fx_, bodies) &&
           hstar::is_affine(fy_, bodies);
  }

 private:
  Marker at_;
  BoundExpression fx_, fy_;
  bool body_frame_;
};

class Torque final : public Force {
 public:
  Torque(int reacting, int driven, BoundExpression torque)
      : reacting_(reacting), driven_(driven), torque_(std::move(torque)) {}
  void apply(const Kinematics& k, double* f) const override {
    const double m = evaluate(torque_, k);
    f[3 * driven_ + 2] += m;
    f[3 * reacting_ + 2] -= m;
  }
  void slopes(const Kinematics& k, ForceSlopes& out) const override {
    add_formula(ForceDirection{{reacting_, driven_}, {0, 0, -1, 0, 0, 1}}, torque_, k, 0, 0, 1, out);
  }
  bool is_affine(std::span<const BodyFreedom> bodies) const override { return hstar::is_affine(torque_, bodies); }

 private:
  int reacting_, driven_;
  BoundExpression torque_;
};

}  // namespace

std::unique_ptr<Force> make_point_force(const ForceSpec& spec, const ForceContext& c) {
  return std::make_unique<PointForce>(c.second, c.bind(spec.fx, "force"), c.bind(spec.fy, "force"), spec.in_body_frame);
}

std::unique_ptr<Force> make_torque(const ForceSpec& spec, const ForceContext& c) {
  return std::make_unique<Torque>(c.first.body, c.second.body, c.bind(spec.torque, "torque"));
}

}  // namespace hstar
