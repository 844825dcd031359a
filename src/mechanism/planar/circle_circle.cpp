// src/mechanism/planar/circle_circle.cpp: two circles (or points). g_N = |d| - R1 - R2, n = d / |d|;
// the contact point wanders over both boundaries, gamma_T is the material velocity difference there.
#include <cmath>

#include "mechanism/planar/contacts.hpp"
#include "mechanism/planar/geometry.hpp"

namespace hstar {
namespace {

class CircleCircle final : public Contact {
 public:
  CircleCircle(Marker a, double ra, Marker b, double rb) : a_(a), b_(b), ra_(ra), rb_(rb) {}

  double gap(const Kinematics& k) const override { return norm(PointPair(k, a_, b_).d) - ra_ - rb_; }
  void rows_at(const Kinematics& k, Row& normal, Row& tangent) const override {
    const PointPair p(k, a_, b_);
    const double length = norm(p.d);
    const Vec2 n = (1 / length) * p.d;
    const Vec2 t = tangent_of(n);
    distance_row(p, n, length, normal);
    fixed_direction_row(p, t, tangent);
    tangent.J[0][2] += ra_;
    tangent.J[1][2] += rb_;
    const double turning = -dot(t, p.d_rate) / length;  // rate of the angle of n
    tangent.gamma -= turning * dot(n, p.d_rate);
  }
  void slopes(const Kinematics& k, RowSlope& normal, RowSlope& tangent) const override {
    const PointPair p(k, a_, b_);
    const double length = norm(p.d);
    const Vec2 n = (1 / length) * p.d, e = perp(n), t = tangent_of(n);
    distance_slope(p, n, length, normal);
    fixed_direction_slope(p, t, tangent);
    const PairSlope by(p);
    const double w1 = p.b1.omega, w2 = p.b2.omega, across = dot(e, p.d_rate), along = dot(n, p.d_rate);
    for (int b = 0; b < 6; ++b) {
      const double turn = dot(e, by.d[b]) / length;  // of n, and of t with it
      for (int a = 0; a < 6; ++a) tangent.J[a][b] += dot(n, by.d[a]) * turn;
      tangent.gamma[b] +=
          (w2 * w2 * dot(n, p.s2) - w1 * w1 * dot(n, p.s1)) * turn -
          (along * (dot(e, by.d_rate[b]) - along * turn) + across * (across * turn + dot(n, by.d_rate[b]))) / length +
          across * along / (length * length) * dot(n, by.d[b]);
    }
  }
  bool gap_is_linear(bool, bool) const override { return false; }
  double length_scale(const Kinematics& k) const override {
    const PointPair p(k, a_, b_);
    return norm(p.b1.r) + norm(p.s1) + norm(p.b2.r) + norm(p.s2) + ra_ + rb_;
  }

 private:
  Marker a_, b_;
  double ra_, rb_;
};

}  // namespace

std::unique_ptr<Contact> make_circle_circle(const ContactSpec& spec, Marker first, Marker second) {
  return std::make_unique<CircleCircle>(first, spec.first.radius, second, spec.second.radius);
}

}  // namespace hstar
