// src/mechanism/spatial/shapes.cpp
#include "mechanism/spatial/shapes.hpp"

#include "mechanism/spatial/contacts.hpp"
#include "mechanism/spatial/polyhedron.hpp"

namespace hstar {
namespace {

using Kind = Feature3::Kind;

Feature3 round(std::string name, const Vec3& centre, double radius) {
  Feature3 f;
  f.name = std::move(name);
  f.a[0] = centre;
  f.radius = radius;
  return f;
}

Feature3 edge(std::string name, const Vec3& a, const Vec3& b, double radius) {
  Feature3 f = round(std::move(name), a, radius);
  f.kind = Kind::edge;
  f.a[1] = b;
  return f;
}

Feature3 face(std::string name, const Vec3& point, const Vec3& normal, std::vector<Vec3> corners) {
  Feature3 f = round(std::move(name), point, 0);
  f.kind = Kind::face;
  f.normal = normal;
  f.corners = std::move(corners);
  return f;
}

std::vector<Feature3> parts_of(const Polyhedron& p) {
  std::vector<Feature3> all;
  const std::vector<char> is_vertex = p.is_vertex();
  const auto point = [&](int i) { return p.points[i]; };
  for (std::size_t i = 0; i < p.points.size(); ++i)
    if (is_vertex[i]) all.push_back(round("vertex" + std::to_string(i + 1), p.points[i], 0));
  int number = 0;
  for (const Polyhedron::Edge& e : p.edges()) {
    all.push_back(edge("edge" + std::to_string(++number), point(e.ends[0]), point(e.ends[1]), 0));
    all.back().normals[0] = e.normals[0];
    all.back().normals[1] = e.normals[1];
    all.back().depth = e.depth;
  }
  number = 0;
  for (const Polyhedron::Face& f : p.faces) {
    std::vector<Vec3> corners;
    for (const int c : f.corners) corners.push_back(point(c));
    all.push_back(face("face" + std::to_string(++number), corners[0], f.normal, corners));
  }
  return all;
}

int rank(const Feature3& f) { return f.kind == Kind::face ? 0 : f.kind == Kind::edge ? 1 : 2; }

}  // namespace

std::vector<Feature3> features(const SpatialShapeSpec& s) {
  if (s.shape == "plane") return {face({}, s.point, s.normal, {})};
  if (s.shape == "sphere") return {round({}, s.point, s.radius)};
  if (s.shape == "point") return {round({}, s.point, 0)};
  if (s.shape == "capsule") {
    const Vec3 a = s.point + s.ends[0], b = s.point + s.ends[1];
    return {round("end1", a, s.radius), round("end2", b, s.radius), edge("side", a, b, s.radius)};
  }
  if (s.shape == "box") return parts_of(box(s.point, s.sides));
  if (s.shape == "hull") {
    if (const std::string defect = hull_defect(s.points); !defect.empty()) throw InputError(s.where, defect);
    std::vector<Vec3> points = s.points;
    for (Vec3& p : points) p = s.point + p;
    return parts_of(convex_hull(std::move(points)));
  }
  throw InputError(s.where, "unknown shape \"" + s.shape + "\"");
}

std::vector<ContactPart> contact_parts(const SpatialContactSpec& contact) {
  std::vector<ContactPart> all;
  const std::vector<Feature3> firsts = features(contact.first), seconds = features(contact.second);
  // All shapes are convex: a sphere touches them at one place.
  const auto sphere = [](const std::vector<Feature3>& of, const Feature3& f) {
    return f.kind == Kind::round && f.radius > 0 ? static_cast<int>(&f - of.data()) : -1;
  };
  for (const Feature3& a : firsts)
    for (const Feature3& b : seconds) {
      const bool swapped = rank(b) < rank(a);
      const Feature3 &one = swapped ? b : a, &two = swapped ? a : b;
      if (find_contact(one, two) == nullptr) continue;
      const std::string place = a.name + (a.name.empty() || b.name.empty() ? "" : "_") + b.name;
      all.push_back({contact.name + (place.empty() ? "" : "." + place),
                     one,
                     two,
                     swapped,
                     {sphere(firsts, a), sphere(seconds, b)}});
    }
  return all;
}

bool changes_features(const SpatialContactSpec& contact) {
  const auto one_is = [&](const char* shape) { return contact.first.shape == shape || contact.second.shape == shape; };
  return (one_is("box") || one_is("hull")) && !one_is("plane");
}

}  // namespace hstar
