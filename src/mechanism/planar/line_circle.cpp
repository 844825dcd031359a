// src/mechanism/planar/line_circle.cpp: a half-plane on the first body and a circle (or point) on the
// second. g_N = n . d - R, d from a point of the line to the centre. gamma_T is the velocity of the
// circle's material at the contact point relative to the line's, along t = n turned by -90 degrees,
// less the speed with which the surface itself runs along t (belt). An edge is a line with a length.
#include <algorithm>
#include <cmath>

#include "mechanism/planar/contacts.hpp"
#include "mechanism/planar/geometry.hpp"
#include "mechanism/planar/joints.hpp"

namespace hstar {
namespace {

class LineCircle final : public Contact {
 public:
  LineCircle(Marker line, Vec2 normal, double length, Marker centre, double radius, TimeFunction belt)
      : line_(line), centre_(centre), normal_(normal), length_(length), radius_(radius), belt_(std::move(belt)) {}

  double gap(const Kinematics& k) const override {
    const PointPair p(k, line_, centre_);
    return dot(p.b1.global(normal_), p.d) - radius_;
  }
  void rows_at(const Kinematics& k, Row& normal, Row& tangent) const override {
    const PointPair p(k, line_, centre_);
    const Vec2 n = p.b1.global(normal_);
    turning_direction_row(p, n, normal);
    turning_direction_row(p, tangent_of(n), tangent);
    tangent.J[0][2] -= radius_;
    tangent.J[1][2] += radius_;
    if (!belt_.is_constant()) {
      const auto w = belt_.at(k.now());
      tangent.nu += w.value;
      tangent.gamma += w.rate;
    } else {
      tangent.nu += belt_.at(k.now()).value;
    }
  }
  void slopes(const Kinematics& k, RowSlope& normal, RowSlope& tangent) const override {
    const PointPair p(k, line_, centre_);
    const Vec2 n = p.b1.global(normal_);
    turning_direction_slope(p, n, normal);
    turning_direction_slope(p, tangent_of(n), tangent);
  }
  bool gap_is_linear(bool first_fixed, bool second_turns) const override {
    return first_fixed && (!second_turns || norm(centre_.local) == 0);
  }
  bool rows_are_constant(bool first_fixed, bool second_turns) const override {
    return gap_is_linear(first_fixed, second_turns) && belt_.is_constant();
  }
  double running_size(const Kinematics& k) const override { return belt_.sizes(k.now()).value; }
  double reach(int side) const override {
    if (side == 1) return norm(centre_.local);
    if (length_ <= 0) return Contact::reach(0);
    return std::max(norm(line_.local), norm(line_.local + length_ * tangent_of(normal_)));
  }
  bool is_flat() const override { return length_ <= 0; }
  double apart(const Kinematics& k) const override {
    if (length_ <= 0) return Contact::apart(k);
    const PointPair p(k, line_, centre_);
    const Vec2 along = tangent_of(p.b1.global(normal_));
    return std::abs(norm(p.d - std::clamp(dot(along, p.d), 0.0, length_) * along) - radius_);
  }
  bool has_range() const override { return length_ > 0; }
  double range(const Kinematics& k) const override {
    if (length_ <= 0) return 1;
    const PointPair p(k, line_, centre_);
    const double along = dot(tangent_of(p.b1.global(normal_)), p.d);
    return along * (length_ - along) / length_;
  }
  double length_scale(const Kinematics& k) const override {
    // Only what adds up along the normal has a part in the gap's round-off.
    const PointPair p(k, line_, centre_);
    const Vec2 n = p.b1.global(normal_);
    double sum = radius_;
    for (const Vec2 u : {p.b1.r, p.s1, p.b2.r, p.s2}) sum += std::abs(n[0] * u[0]) + std::abs(n[1] * u[1]);
    return sum;
  }
  double gap_scale(const Kinematics& k) const override {
    // What lies flat has no height, and is known to the round-off of its angle.
    const PointPair p(k, line_, centre_);
    const Vec2 t = tangent_of(p.b1.global(normal_));
    return length_scale(k) + std::abs(p.b1.angle * dot(t, p.d + p.s1)) + std::abs(p.b2.angle * dot(t, p.s2));
  }

 private:
  Marker line_, centre_;
  Vec2 normal_;
  double length_;  ///< of the edge, along the tangent from its point; 0: endless
  double radius_;
  TimeFunction belt_;
};

}  // namespace

std::unique_ptr<Contact> make_line_circle(const ContactSpec& spec, Marker first, Marker second) {
  TimeFunction belt;
  if (spec.first.surface_velocity)
    belt = TimeFunction(*spec.first.surface_velocity, "contact \"" + spec.name + "\": surface_velocity");
  const Vec2 n = spec.first.normal;
  return std::make_unique<LineCircle>(first, (1 / norm(n)) * n, spec.first.length, second, spec.second.radius,
                                      std::move(belt));
}

}  // namespace hstar
