// src/mechanism/spatial/edge_round.cpp: a straight edge (the side of a capsule, or of radius 0 an edge of a
// polyhedron) of the first body and a round point of the second. g_N = |d| - R1 - R2, d from the nearest point of the
// edge's line to the centre, n = d / |d|. It ends where that point leaves the edge.
#include <algorithm>

#include "mechanism/spatial/contacts.hpp"
#include "mechanism/spatial/shape_contact.hpp"

namespace hstar {
namespace {

using namespace geometry;

struct EdgeRound {
  Vec3 begin, along;  ///< `along` of length 1
  double length;
  Vec3 centre;
  double radius[2];

  template <class S>
  [[nodiscard]] Touch<S> touch(const Carrier<S>& first, const Carrier<S>& second) const {
    Touch<S> t;
    const Vector<S> e = first.direction(along), a = first.point(begin), c = second.point(centre), d = c - a;
    const Vector<S> foot = dot(e, d) * e, off = d - foot;
    const S square = dot(off, off);
    S distance(0);
    t.normal = first.direction(triad_along(along).f);  // a centre on the edge: nothing touches
    if (plain(square) > 0) {
      distance = root(square);
      t.normal = inverse(distance) * off;
    }
    t.tangent = across(t.normal);
    t.gap = distance - S(radius[0] + radius[1]);
    t.on_first = a + foot + times(radius[0], t.normal);
    t.on_second = c - times(radius[1], t.normal);
    return t;
  }
  [[nodiscard]] static bool has_range() { return true; }
  /// How far the centre's foot is along the edge.
  [[nodiscard]] double foot(const SpatialMotion& b1, const SpatialMotion& b2) const {
    return dot(along, b1.bar(b2.point(centre) - b1.r) - begin);
  }
  [[nodiscard]] double range(const SpatialMotion& b1, const SpatialMotion& b2) const {
    const double s = foot(b1, b2);
    return s * (length - s) / length;
  }
  [[nodiscard]] double apart(const SpatialMotion& b1, const SpatialMotion& b2) const {
    const double s = std::clamp(foot(b1, b2), 0.0, length);
    return std::abs(norm(b2.point(centre) - b1.point(begin + s * along)) - radius[0] - radius[1]);
  }
  [[nodiscard]] double reach(int side) const {
    return side == 1 ? norm(centre) : std::max(norm(begin), norm(begin + length * along));
  }
  [[nodiscard]] double length_scale(const SpatialMotion& b1, const SpatialMotion& b2) const {
    return norm(b1.r) + reach(0) + norm(b2.r) + norm(centre) + radius[0] + radius[1];
  }
};

}  // namespace

std::unique_ptr<SpatialContact> make_edge_round(const Feature3& edge, const Feature3& round, const RunningSurface&) {
  const Vec3 d = edge.a[1] - edge.a[0];
  return std::make_unique<ShapeContact<EdgeRound>>(
      EdgeRound{edge.a[0], (1 / norm(d)) * d, norm(d), round.a[0], {edge.radius, round.radius}});
}

}  // namespace hstar
