// src/mechanism/spatial/round_round.cpp: two round points beside each other. g_N = |d| - R1 - R2, n = d / |d|, d from
// centre to centre; the point of contact wanders over both.
#include "mechanism/spatial/contacts.hpp"
#include "mechanism/spatial/shape_contact.hpp"

namespace hstar {
namespace {

using namespace geometry;

struct RoundRound {
  Vec3 centre[2];
  double radius[2];

  template <class S>
  [[nodiscard]] Touch<S> touch(const Carrier<S>& first, const Carrier<S>& second) const {
    Touch<S> t;
    const Vector<S> c1 = first.point(centre[0]), c2 = second.point(centre[1]), d = c2 - c1;
    const S square = dot(d, d);
    S length(0);
    t.normal = constant<S>({0, 0, 1});  // centres that coincide: nothing touches, the gap is far from zero
    if (plain(square) > 0) {
      length = root(square);
      t.normal = inverse(length) * d;
    }
    t.tangent = across(t.normal);
    t.gap = length - S(radius[0] + radius[1]);
    t.on_first = c1 + times(radius[0], t.normal);
    t.on_second = c2 - times(radius[1], t.normal);
    return t;
  }
  [[nodiscard]] static bool has_range() { return false; }
  [[nodiscard]] static double range(const SpatialMotion&, const SpatialMotion&) { return 1; }
  [[nodiscard]] double apart(const SpatialMotion& b1, const SpatialMotion& b2) const {
    return std::abs(norm(b2.point(centre[1]) - b1.point(centre[0])) - radius[0] - radius[1]);
  }
  [[nodiscard]] double reach(int side) const { return norm(centre[side]); }
  [[nodiscard]] double length_scale(const SpatialMotion& b1, const SpatialMotion& b2) const {
    return norm(b1.r) + norm(centre[0]) + norm(b2.r) + norm(centre[1]) + radius[0] + radius[1];
  }
};

}  // namespace

std::unique_ptr<SpatialContact> make_round_round(const Feature3& first, const Feature3& second, const RunningSurface&) {
  return std::make_unique<ShapeContact<RoundRound>>(
      RoundRound{{first.a[0], second.a[0]}, {first.radius, second.radius}});
}

}  // namespace hstar
