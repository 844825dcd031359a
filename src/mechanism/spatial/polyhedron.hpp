// src/mechanism/spatial/polyhedron.hpp: convex polyhedra, from a box's sides or as the hull of points.
#pragma once

#include <string>
#include <vector>

#include "mechanism/spatial/vec3.hpp"

namespace hstar {

struct Polyhedron {
  struct Face {
    std::vector<int> corners;  ///< of `points`, counterclockwise seen from outside
    Vec3 normal;               ///< outward, length 1
  };
  struct Edge {
    int ends[2];
    Vec3 normals[2];  ///< of its two faces
    double depth;     ///< from its middle straight into the body and out again
  };
  std::vector<Vec3> points;
  std::vector<Face> faces;
  [[nodiscard]] std::vector<char> is_vertex() const;  ///< by point: not inside, nor in the middle of a face or edge
  [[nodiscard]] std::vector<Edge> edges() const;
};

/// Around `centre`, sides along x, y, z. Points: -x -y -z first, x changing fastest; faces: -x, +x, -y, +y, -z, +z.
[[nodiscard]] Polyhedron box(const Vec3& centre, const Vec3& sides);

/// Points that are less than this times the largest coordinate difference off a plane or a line count as on it.
inline constexpr double hull_tolerance = 1e-9;
inline constexpr std::size_t most_hull_points = 400;
/// What is wrong with points as the corners of a body: too few, too many, flat; empty if nothing.
[[nodiscard]] std::string hull_defect(const std::vector<Vec3>& points);
/// The convex hull; coplanar points make one face. Every plane through three points with all others on one side is a
/// face, triangles of large area first: O(n^3), n^4 at worst, exact in what it decides up to hull_tolerance.
[[nodiscard]] Polyhedron convex_hull(std::vector<Vec3> points);

}  // namespace hstar
