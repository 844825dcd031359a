// tests/laws/spatial_polyhedra.cpp
//
// What a convex hull must be, whatever the points: no point is outside a face, every face is flat, convex and
// counterclockwise seen from outside, every edge has two faces (Euler: V - E + F = 2), and the divergence theorem gives
// the same volume as a count of random points does. Points inside, in faces, on edges and given twice change nothing.
#include <catch2/catch.hpp>

#include <algorithm>

#include "laws/spatial_cases.hpp"
#include "mechanism/spatial/polyhedron.hpp"

using namespace hstar;
using namespace laws::spatial;
using support::Random;

namespace {

double volume(const Polyhedron& p) {
  double sum = 0;
  for (const Polyhedron::Face& f : p.faces)
    for (std::size_t i = 2; i < f.corners.size(); ++i) {
      const auto at = [&](std::size_t c) { return p.points[static_cast<std::size_t>(f.corners[c])]; };
      sum += dot(at(0), cross(at(i - 1), at(i))) / 6;
    }
  return sum;
}

void check(const Polyhedron& p, double size) {
  const auto is_vertex = p.is_vertex();
  const auto vertices = std::count(is_vertex.begin(), is_vertex.end(), 1);
  CHECK(vertices - static_cast<long>(p.edges().size()) + static_cast<long>(p.faces.size()) == 2);
  for (const Polyhedron::Face& f : p.faces) {
    const std::size_t n = f.corners.size();
    const auto at = [&](std::size_t c) { return p.points[static_cast<std::size_t>(f.corners[c % n])]; };
    CHECK(norm(f.normal) == Approx(1).epsilon(1e-14));
    for (const Vec3& x : p.points) CHECK(dot(f.normal, x - at(0)) <= 1e-8 * size);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(std::abs(dot(f.normal, at(i) - at(0))) <= 1e-8 * size);
      CHECK(dot(f.normal, cross(at(i + 1) - at(i), at(i + 2) - at(i + 1))) > 0);
    }
  }
  for (const Polyhedron::Edge& e : p.edges()) {
    const Vec3 a = p.points[static_cast<std::size_t>(e.ends[0])], b = p.points[static_cast<std::size_t>(e.ends[1])],
               middle = 0.5 * (a + b), outward = e.normals[0] + e.normals[1];
    for (const Vec3& n : e.normals) {
      CHECK(std::abs(dot(n, b - a)) <= 1e-8 * size);
      for (const Vec3& x : p.points) CHECK(dot(n, x - middle) <= 1e-8 * size);  // no point lies farther out
    }
    // Depth: there the surface is, and up to there is body.
    const auto outside = [&](double depth) {
      const Vec3 x = middle - (depth / norm(outward)) * outward;
      double most = -1e300;
      for (const Polyhedron::Face& f : p.faces)
        most = std::max(most, dot(f.normal, x - p.points[static_cast<std::size_t>(f.corners[0])]));
      return most;
    };
    CHECK(std::abs(outside(e.depth)) <= 1e-8 * size);
    CHECK(outside(0.5 * e.depth) < 0);
  }
}

}  // namespace

TEST_CASE("hulls of random points") {
  Random random(11);
  for (const int n : {4, 5, 8, 20, 60}) {
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) points.push_back(random_vector(random));
    REQUIRE(hull_defect(points).empty());
    const Polyhedron p = convex_hull(points);
    check(p, 2);
    int inside = 0;
    constexpr int count = 20000;
    for (int i = 0; i < count; ++i) {
      const Vec3 x = random_vector(random);
      inside += std::all_of(p.faces.begin(), p.faces.end(), [&](const Polyhedron::Face& f) {
        return dot(f.normal, x - p.points[static_cast<std::size_t>(f.corners[0])]) <= 0;
      });
    }
    CHECK(volume(p) == Approx(8.0 * inside / count).margin(0.1));
  }
}

TEST_CASE("a box and the hull of its corners, turned and with points that do not matter") {
  Random random(12);
  for (int i = 0; i < 20; ++i) {
    const Vec3 sides{random.uniform(0.1, 2), random.uniform(0.1, 2), random.uniform(0.1, 2)};
    const Polyhedron own = box({0.3, -0.2, 0.1}, sides);
    check(own, 2);
    CHECK(volume(own) == Approx(sides[0] * sides[1] * sides[2]));
    const Mat3 R = rotation_matrix(random_parameters(random));
    std::vector<Vec3> points;
    for (const Vec3& p : own.points) points.push_back(R * p);
    const auto middle = [&](std::size_t a, std::size_t b) { return 0.5 * (points[a] + points[b]); };
    points.insert(points.begin(), middle(0, 1));  // on an edge
    points.push_back(middle(1, 4));               // in a face, x = -
    points.push_back(middle(1, 8));               // inside
    points.push_back(points[3]);                  // twice
    REQUIRE(hull_defect(points).empty());
    const Polyhedron hull = convex_hull(points);
    check(hull, 2);
    CHECK(hull.faces.size() == 6);
    CHECK(hull.edges().size() == 12);
    CHECK(volume(hull) == Approx(sides[0] * sides[1] * sides[2]).epsilon(1e-12));
    const auto is_vertex = hull.is_vertex();
    CHECK(std::count(is_vertex.begin(), is_vertex.end(), 1) == 8);
    CHECK_FALSE(is_vertex[0]);
    CHECK_FALSE(is_vertex[9]);
    CHECK_FALSE(is_vertex[10]);
  }
}

TEST_CASE("points that are no body are told") {
  CHECK(hull_defect({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) == "3 points are no body; give four or more");
  const std::string flat =
      "the points lie in one plane, so they are no body; give points that are not all in one plane";
  CHECK(hull_defect({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}) == flat);
  CHECK(hull_defect({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}}) == flat);
  CHECK(hull_defect({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1 + 1e-9}, {0.5, 0.2, 1}}) == flat);
  CHECK(hull_defect(std::vector<Vec3>(401, Vec3{0, 0, 0})) ==
        "401 points are too many, at most 400 are allowed; leave out those inside");
}
