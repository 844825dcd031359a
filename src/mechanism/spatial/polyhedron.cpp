// src/mechanism/spatial/polyhedron.cpp
#include "mechanism/spatial/polyhedron.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace hstar {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double extent(const std::vector<Vec3>& points) {
  double size = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    double least = points[0][c], largest = points[0][c];
    for (const Vec3& p : points) {
      least = std::min(least, p[c]);
      largest = std::max(largest, p[c]);
    }
    size = std::max(size, largest - least);
  }
  return size;
}

/// Of the points `on` one plane: the corners of their hull, counterclockwise about the normal (Andrew 1979).
std::vector<int> outline(const std::vector<Vec3>& points, const std::vector<int>& on, const Vec3& normal, double size) {
  const Triad axes = triad_along(normal);
  struct Flat {
    double x, y;
    int index;
  };
  std::vector<Flat> flat;
  for (const int i : on) flat.push_back({dot(axes.f, points[at(i)]), dot(axes.g, points[at(i)]), i});
  std::sort(flat.begin(), flat.end(), [](const Flat& a, const Flat& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.index < b.index;
  });
  const auto left = [&](const Flat& a, const Flat& b, const Flat& c) {
    const double ux = c.x - a.x, uy = c.y - a.y, off = ux * (b.y - a.y) - uy * (b.x - a.x);
    return off < -hull_tolerance * size * std::hypot(ux, uy);  // b is on the right of a c
  };
  std::vector<Flat> ring;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t begin = ring.size();
    for (const Flat& p : flat) {
      while (ring.size() >= begin + 2 && !left(ring[ring.size() - 2], ring.back(), p)) ring.pop_back();
      ring.push_back(p);
    }
    ring.pop_back();
    std::reverse(flat.begin(), flat.end());
  }
  std::vector<int> corners;
  for (const Flat& p : ring) corners.push_back(p.index);
  return corners;
}

class Hull {
 public:
  explicit Hull(Polyhedron& p) : p_(p), size_(extent(p.points)) {
    is_twin_.resize(p.points.size());
    for (std::size_t i = 0; i < p.points.size(); ++i)
      for (std::size_t j = 0; j < i && !is_twin_[i]; ++j)
        is_twin_[i] = norm(p.points[i] - p.points[j]) <= hull_tolerance * size_;
    for (const double least : {1e-2, 1e-4, 1e-6, 1e-8}) look_for_faces(least * size_ * size_);
  }

 private:
  void look_for_faces(double least_area) {
    const int n = static_cast<int>(p_.points.size());
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        for (int k = j + 1; k < n; ++k) try_plane(i, j, k, least_area);
  }
  void try_plane(int i, int j, int k, double least_area) {
    const Vec3& a = p_.points[at(i)];
    Vec3 normal = cross(p_.points[at(j)] - a, p_.points[at(k)] - a);
    const double area = norm(normal);
    if (!(area > least_area)) return;
    normal = (1 / area) * normal;
    const double tolerance = hull_tolerance * size_;
    bool above = false, below = false;
    for (const Vec3& p : p_.points) {
      const double h = dot(normal, p - a);
      above |= h > tolerance;
      below |= h < -tolerance;
      if (above && below) return;
    }
    for (const std::vector<char>& on : on_)
      if (on[at(i)] && on[at(j)] && on[at(k)]) return;  // a face that is known
    if (above) normal = -1.0 * normal;
    std::vector<char> is_on(p_.points.size());
    std::vector<int> on;
    for (std::size_t q = 0; q < p_.points.size(); ++q)
      if (std::abs(dot(normal, p_.points[q] - a)) <= tolerance) {
        is_on[q] = 1;
        if (!is_twin_[q]) on.push_back(static_cast<int>(q));
      }
    std::vector<int> corners = outline(p_.points, on, normal, size_);
    if (corners.size() < 3) return;
    on_.push_back(std::move(is_on));
    p_.faces.push_back({std::move(corners), normal});
  }

  Polyhedron& p_;
  double size_;
  std::vector<std::vector<char>> on_;  ///< by face: the points on it
  std::vector<char> is_twin_;          ///< another point is in the same place
};

}  // namespace

std::vector<char> Polyhedron::is_vertex() const {
  std::vector<char> is(points.size());
  for (const Face& f : faces)
    for (const int c : f.corners) is[at(c)] = 1;
  return is;
}

std::vector<Polyhedron::Edge> Polyhedron::edges() const {
  std::vector<Edge> all;
  std::map<std::pair<int, int>, std::size_t> known;
  for (const Face& f : faces)
    for (std::size_t i = 0; i < f.corners.size(); ++i) {
      const int a = f.corners[i], b = f.corners[(i + 1) % f.corners.size()];
      const auto [place, fresh] = known.try_emplace({std::min(a, b), std::max(a, b)}, all.size());
      if (fresh)
        all.push_back({{std::min(a, b), std::max(a, b)}, {f.normal, f.normal}, 0});
      else
        all[place->second].normals[1] = f.normal;
    }
  for (Edge& e : all) {
    const Vec3 middle = 0.5 * (points[at(e.ends[0])] + points[at(e.ends[1])]);
    const Vec3 outward = e.normals[0] + e.normals[1], inward = (-1 / norm(outward)) * outward;
    e.depth = std::numeric_limits<double>::infinity();
    for (const Face& f : faces)
      if (const double along = dot(f.normal, inward); along > 1e-9)
        e.depth = std::min(e.depth, dot(f.normal, points[at(f.corners[0])] - middle) / along);
  }
  return all;
}

Polyhedron box(const Vec3& centre, const Vec3& sides) {
  Polyhedron p;
  for (int i = 0; i < 8; ++i) {
    const Vec3 sign{i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
    p.points.push_back(centre + Vec3{sign[0] * sides[0], sign[1] * sides[1], sign[2] * sides[2]});
  }
  p.faces = {{{0, 4, 6, 2}, {-1, 0, 0}}, {{1, 3, 7, 5}, {1, 0, 0}},  {{0, 1, 5, 4}, {0, -1, 0}},
             {{2, 6, 7, 3}, {0, 1, 0}},  {{0, 2, 3, 1}, {0, 0, -1}}, {{4, 5, 7, 6}, {0, 0, 1}}};
  return p;
}

std::string hull_defect(const std::vector<Vec3>& points) {
  if (points.size() < 4) return std::to_string(points.size()) + " points are no body; give four or more";
  if (points.size() > most_hull_points)
    return std::to_string(points.size()) + " points are too many, at most " + std::to_string(most_hull_points) +
           " are allowed; leave out those inside";
  const auto flat = [] {
    return "the points lie in one plane, so they are no body; give points that are not all in one plane";
  };
  const double size = extent(points);
  // The farthest point from the first, from the line through both, from the plane through the three.
  const auto farthest = [&](const auto& distance) {
    return *std::max_element(points.begin(), points.end(),
                             [&](const Vec3& a, const Vec3& b) { return distance(a) < distance(b); });
  };
  const Vec3& a = points[0];
  const Vec3 b = farthest([&](const Vec3& p) { return norm(p - a); }) - a;
  if (!(norm(b) > 0)) return flat();
  const Vec3 c = farthest([&](const Vec3& p) { return norm(cross(b, p - a)); }) - a;
  const Vec3 n = cross(b, c);
  // Thinner than this, faces could not be told from each other.
  if (!(norm(n) > 1e-6 * size * size)) return flat();
  const Vec3 d = farthest([&](const Vec3& p) { return std::abs(dot(n, p - a)); }) - a;
  if (!(std::abs(dot(n, d)) > 1e-6 * size * norm(n))) return flat();
  // Every edge has two faces: Euler's formula holds unless points are so near to each other that planes are mixed up.
  const Polyhedron hull = convex_hull(points);
  const std::vector<char> is = hull.is_vertex();
  const auto vertices = std::count(is.begin(), is.end(), 1), faces = static_cast<std::ptrdiff_t>(hull.faces.size());
  if (vertices - static_cast<std::ptrdiff_t>(hull.edges().size()) + faces != 2)
    return "some points are too near to each other to say which faces they make; leave out points that are nearly the "
           "same";
  return {};
}

Polyhedron convex_hull(std::vector<Vec3> points) {
  Polyhedron p;
  p.points = std::move(points);
  Hull{p};
  return p;
}

}  // namespace hstar
