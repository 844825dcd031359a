// src/mechanism/spatial/shapes.hpp
//
// What a contact between two spatial shapes is made of: every shape is a set of features (round points, round edges,
// faces), and every pair of features that can touch at one point is a contact of its own, with the stretch of the
// surface on which it is valid. A new shape is one function that lists its features.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "hstar/spatial_spec.hpp"
#include "mechanism/spatial/vec3.hpp"

namespace hstar {

/// One smooth piece of a shape's surface, in body axes.
struct Feature3 {
  enum class Kind : unsigned char {
    round,  ///< all points at `radius` from a[0]; radius 0: a vertex
    edge,   ///< all points at `radius` from the straight piece a[0] a[1]; radius 0: an edge of a polyhedron
    face    ///< the half-plane through a[0] with outward `normal`, endless or within `corners`
  };
  Kind kind = Kind::round;
  std::string name;  ///< "vertex2"; empty if the shape has only this one
  Vec3 a[2] = {{0, 0, 0}, {0, 0, 0}};
  double radius = 0;
  Vec3 normal{0, 0, 1};                      ///< face: length 1
  Vec3 normals[2] = {{0, 0, 0}, {0, 0, 0}};  ///< edge of a polyhedron: of the faces beside it
  double depth = 0;                          ///< edge of a polyhedron: of the body behind it
  std::vector<Vec3> corners{};               ///< face: counterclockwise seen from outside, convex
};

/// @throws InputError for points that are no body.
[[nodiscard]] std::vector<Feature3> features(const SpatialShapeSpec& shape);

/// A contact at one point. The face, or the edge, comes first.
struct ContactPart {
  std::string name;  ///< contact.feature or contact.feature_feature, the first shape's feature first
  Feature3 first, second;
  bool swapped = false;               ///< `first` is of the second shape
  std::array<int, 2> sphere{-1, -1};  ///< Contact::circle
};
/// In a fixed order; empty if the shapes cannot touch at a point.
[[nodiscard]] std::vector<ContactPart> contact_parts(const SpatialContactSpec& contact);
/// A box or hull and anything but a plane: many features, of which one carries what another did a moment before. Such a
/// contact is recorded as a whole (System::whole_contacts).
[[nodiscard]] bool changes_features(const SpatialContactSpec& contact);

}  // namespace hstar
