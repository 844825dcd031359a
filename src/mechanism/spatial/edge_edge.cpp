// src/mechanism/spatial/edge_edge.cpp: two straight edges that cross. n is across both, h = n . d with d from one line
// to the other. Between round ones (a capsule's side among them) n points from the first to the second and g_N = |h| -
// R1 - R2. Between edges of two polyhedra n points out of the first and into the second and g_N = h, negative when they
// have passed through each other. The contact ends where the nearest points of the lines leave the edges. Nearly
// parallel edges touch with their ends: that is the business of other features.
#include <algorithm>

#include "mechanism/spatial/contacts.hpp"
#include "mechanism/spatial/shape_contact.hpp"

namespace hstar {
namespace {

using namespace geometry;

/// Sine of the angle below which edges count as parallel: the ends' gaps then differ from h by less than round-off.
constexpr double parallel = 1e-6;
/// Cosine by which the normal may lie outside the normals of the faces beside an edge: round-off of boxes lying flat.
constexpr double flat = 1e-6;
/// Of the lengths that meet: what crosses at the end of an edge crosses it (an edge along the border of a face).
constexpr double round_off = 0x1p-40;

struct EdgeEdge {
  Vec3 begin[2], along[2];  ///< `along` of length 1
  double length[2];
  double radius[2];
  bool sharp;
  Vec3 outward[2];    ///< between the faces beside a sharp edge
  Vec3 facing[2][2];  ///< in those faces, out of the body across the edge, length 1
  double depth = 0;   ///< h below minus this is nearness of the far sides

  template <class S>
  [[nodiscard]] Touch<S> touch(const Carrier<S>& first, const Carrier<S>& second) const {
    Touch<S> t;
    const Vector<S> e1 = first.direction(along[0]), e2 = second.direction(along[1]);
    const Vector<S> a1 = first.point(begin[0]), a2 = second.point(begin[1]), d = a2 - a1;
    const Vector<S> c = cross(e1, e2);
    const S square = dot(c, c);
    if (!(plain(square) > parallel * parallel)) return beside(first, a1, e1, second);
    t.normal = inverse(root(square)) * c;
    const Vec3 toward = sharp ? plain(first.direction(outward[0])) - plain(second.direction(outward[1])) : plain(d);
    if (dot(plain(t.normal), toward) < 0) t.normal = times(-1.0, t.normal);
    t.tangent = across(t.normal);
    t.gap = dot(t.normal, d) - S(radius[0] + radius[1]);
    const S divided = inverse(square);
    t.on_first = a1 + (dot(cross(d, e2), c) * divided) * e1 + times(radius[0], t.normal);
    t.on_second = a2 + (dot(cross(d, e1), c) * divided) * e2 - times(radius[1], t.normal);
    return t;
  }
  /// Of parallel edges: from the first edge's line to the middle of the second edge.
  template <class S>
  [[nodiscard]] Touch<S> beside(const Carrier<S>& first, const Vector<S>& a1, const Vector<S>& e1,
                                const Carrier<S>& second) const {
    Touch<S> t;
    const Vector<S> middle = second.point(begin[1] + 0.5 * length[1] * along[1]), d = middle - a1;
    const Vector<S> foot = dot(e1, d) * e1, off = d - foot;
    const S square = dot(off, off);
    S distance(0);
    t.normal = first.direction(triad_along(along[0]).f);
    if (plain(square) > 0) {
      distance = root(square);
      t.normal = inverse(distance) * off;
    }
    if (sharp && dot(plain(t.normal), plain(first.direction(outward[0])) - plain(second.direction(outward[1]))) < 0) {
      t.normal = times(-1.0, t.normal);
      distance = S(0) - distance;
    }
    t.tangent = across(t.normal);
    t.gap = distance - S(radius[0] + radius[1]);
    t.on_first = a1 + foot + times(radius[0], t.normal);
    t.on_second = middle - times(radius[1], t.normal);
    return t;
  }

  struct Crossing {
    double s[2];  ///< nearest points of the two lines, from the beginnings of the edges
    double sine;
  };
  [[nodiscard]] Crossing crossing(const SpatialMotion& b1, const SpatialMotion& b2) const {
    const Vec3 e1 = b1.global(along[0]), e2 = b2.global(along[1]), d = b2.point(begin[1]) - b1.point(begin[0]);
    const Vec3 c = cross(e1, e2);
    const double square = dot(c, c);
    if (!(square > parallel * parallel)) return {{0, 0}, 0};
    return {{dot(cross(d, e2), c) / square, dot(cross(d, e1), c) / square}, std::sqrt(square)};
  }
  [[nodiscard]] static bool has_range() { return true; }
  [[nodiscard]] double range(const SpatialMotion& b1, const SpatialMotion& b2) const {
    const Crossing x = crossing(b1, b2);
    double least = (x.sine - parallel) * std::min(length[0], length[1]);
    if (!(least > 0)) return least;
    // Distances of the ends from the other line: where the lines cross is known to round-off / sine only.
    for (int k = 0; k < 2; ++k) least = std::min(least, x.sine * x.s[k] * (length[k] - x.s[k]) / length[k]);
    return least;
  }
  [[nodiscard]] double open_gap(const SpatialMotion& b1, const SpatialMotion& b2) const {
    const double h = touch(Carrier<double>(b1, 0), Carrier<double>(b2, 1)).gap;
    if (!sharp) return h;
    const double end = round_off * length_scale(b1, b2);
    return h > -depth && h <= 0 && range(b1, b2) >= -end && face_each_other(b1, b2) ? h : apart(b1, b2);
  }
  /// n is one of the outward normals at the first edge, and -n at the second.
  [[nodiscard]] bool face_each_other(const SpatialMotion& b1, const SpatialMotion& b2) const {
    const Vec3 n = plain(touch(Carrier<double>(b1, 0), Carrier<double>(b2, 1)).normal);
    for (int i = 0; i < 2; ++i)
      if (dot(n, b1.global(facing[0][i])) < -flat || dot(n, b2.global(facing[1][i])) > flat) return false;
    return true;
  }
  /// Distance of the edges themselves.
  [[nodiscard]] double apart(const SpatialMotion& b1, const SpatialMotion& b2) const {
    const Vec3 a1 = b1.point(begin[0]), a2 = b2.point(begin[1]), u = length[0] * b1.global(along[0]),
               w = length[1] * b2.global(along[1]);
    const Crossing x = crossing(b1, b2);
    double least = 1e300;
    const auto try_points = [&](double s, double t) {
      s = std::clamp(s, 0.0, 1.0), t = std::clamp(t, 0.0, 1.0);
      least = std::min(least, norm(a2 + t * w - a1 - s * u));
    };
    const bool inside = x.sine > 0 && std::min(x.s[0], x.s[1]) >= 0 && x.s[0] <= length[0] && x.s[1] <= length[1];
    if (inside) try_points(x.s[0] / length[0], x.s[1] / length[1]);
    for (const double end : {0.0, 1.0}) {  // an end of one and its nearest point on the other
      try_points(end, dot(w, a1 + end * u - a2) / dot(w, w));
      try_points(dot(u, a2 + end * w - a1) / dot(u, u), end);
    }
    return std::abs(least - radius[0] - radius[1]);
  }
  [[nodiscard]] double reach(int side) const {
    return std::max(norm(begin[side]), norm(begin[side] + length[side] * along[side]));
  }
  [[nodiscard]] double length_scale(const SpatialMotion& b1, const SpatialMotion& b2) const {
    return norm(b1.r) + reach(0) + norm(b2.r) + reach(1) + radius[0] + radius[1];
  }
};

class EdgeEdgeContact final : public ShapeContact<EdgeEdge> {
 public:
  using ShapeContact::ShapeContact;
  [[nodiscard]] double open_gap(const Kinematics& k) const override {
    return geometry().open_gap(k.spatial_of(first), k.spatial_of(second));
  }
};

}  // namespace

std::unique_ptr<SpatialContact> make_edge_edge(const Feature3& first, const Feature3& second, const RunningSurface&) {
  EdgeEdge x{};
  x.sharp = first.radius == 0 && second.radius == 0;
  int k = 0;
  for (const Feature3* f : {&first, &second}) {
    const Vec3 d = f->a[1] - f->a[0];
    x.begin[k] = f->a[0];
    x.length[k] = norm(d);
    x.along[k] = (1 / norm(d)) * d;
    x.radius[k] = f->radius;
    x.outward[k] = f->normals[0] + f->normals[1];
    for (int i = 0; i < 2 && f->radius == 0; ++i) {
      const Vec3 &own = f->normals[i], &other = f->normals[1 - i], out = other - dot(own, other) * own;
      x.facing[k][i] = (1 / norm(out)) * out;
    }
    ++k;
  }
  x.depth = 0.5 * std::min(first.depth, second.depth);
  return std::make_unique<EdgeEdgeContact>(x);
}

}  // namespace hstar
