// src/mechanism/planar/circle_circle.cpp: two circles (or points), beside each other or one inside the other.
// Outside: g_N = |d| - R1 - R2, n = d / |d|. Inside a hole: g_N = R1 - R2 - |d|, n = -d / |d|, which is the same
// with both signs and that of R1 turned round. The contact point wanders over both boundaries, gamma_T is the
// material velocity difference there. A hole may be a sector only: an arc.
#include <cmath>

#include "mechanism/planar/contacts.hpp"
#include "mechanism/planar/geometry.hpp"

namespace hstar {
namespace {

/// The sector of a hole: around `middle` (first body's frame), up to the angle whose cosine is `cosine`.
struct Sector {
  Vec2 middle{1, 0};
  double cosine = -2;
  [[nodiscard]] bool bounded() const { return cosine >= -1; }
};

class CircleCircle final : public Contact {
 public:
  /// `side` +1: outside each other; -1: the second inside the first, whose radius is then given as -R1.
  CircleCircle(double side, Marker a, double ra, Marker b, double rb, Sector sector = {})
      : side_(side), a_(a), b_(b), ra_(ra), rb_(rb), sector_(sector) {}

  double gap(const Kinematics& k) const override { return side_ * norm(PointPair(k, a_, b_).d) - ra_ - rb_; }
  void rows_at(const Kinematics& k, Row& normal, Row& tangent) const override {
    const PointPair p(k, a_, b_);
    double length;
    const Vec2 u = direction(p, length), n = side_ * u, t = tangent_of(n);
    distance_row(p, u, length, normal);
    for (int i = 0; i < 3; ++i) normal.J[0][i] *= side_, normal.J[1][i] *= side_;
    normal.gamma *= side_;
    fixed_direction_row(p, t, tangent);
    tangent.J[0][2] += ra_;
    tangent.J[1][2] += rb_;
    const double turning = -side_ * dot(t, p.d_rate) / length;  // rate of the angle of d, and of n
    tangent.gamma -= turning * dot(n, p.d_rate);
  }
  void slopes(const Kinematics& k, RowSlope& normal, RowSlope& tangent) const override {
    const PointPair p(k, a_, b_);
    double length;
    const Vec2 n = direction(p, length), e = perp(n), t = tangent_of(n);
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
    for (RowSlope* slope : {&normal, &tangent})
      for (int b = 0; b < 6; ++b) {
        for (int a = 0; a < 6; ++a) slope->J[a][b] *= side_;
        slope->gamma[b] *= side_;
      }
  }
  double reach(int side) const override { return norm(side == 0 ? a_.local : b_.local); }
  bool has_range() const override { return sector_.bounded(); }
  double range(const Kinematics& k) const override {
    if (!sector_.bounded()) return 1;
    const PointPair p(k, a_, b_);
    double length;
    const Vec2 u = direction(p, length);
    return std::abs(ra_) * (dot(p.b1.global(sector_.middle), u) - sector_.cosine);
  }
  bool gap_is_linear(bool, bool) const override { return false; }
  double length_scale(const Kinematics& k) const override {
    const PointPair p(k, a_, b_);
    return norm(p.b1.r) + norm(p.s1) + norm(p.b2.r) + norm(p.s2) + std::abs(ra_) + rb_;
  }

 private:
  /// d / |d|; any direction for centres that coincide, where nothing touches (the gap is far from zero).
  static Vec2 direction(const PointPair& p, double& length) {
    length = norm(p.d);
    if (length > 0) return (1 / length) * p.d;
    length = 1;
    return {1, 0};
  }

  double side_;
  Marker a_, b_;
  double ra_, rb_;
  Sector sector_;
};

}  // namespace

std::unique_ptr<Contact> make_circle_circle(const ContactSpec& spec, Marker first, Marker second) {
  return std::make_unique<CircleCircle>(1.0, first, spec.first.radius, second, spec.second.radius);
}

std::unique_ptr<Contact> make_hole_circle(const ContactSpec& spec, Marker first, Marker second) {
  Sector sector;
  const auto [from, to] = spec.first.angles;
  if (to > from) {
    const double middle = 0.5 * (from + to);
    sector = {{std::cos(middle), std::sin(middle)}, std::cos(0.5 * (to - from))};
  }
  return std::make_unique<CircleCircle>(-1.0, first, -spec.first.radius, second, spec.second.radius, sector);
}

}  // namespace hstar
