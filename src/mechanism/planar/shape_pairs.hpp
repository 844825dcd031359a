// src/mechanism/planar/shape_pairs.hpp
//
// What a contact between two shapes is made of: every shape is a set of features (edges, corners, round
// and hollow arcs), and every pair of features that can touch at one point is a contact of its own, with
// the stretch of the boundary on which it is valid. A new shape is one function that lists its features.
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

/// One smooth piece of a shape's boundary as a shape of the registry of contacts: "line" (of a length, or
/// endless), "circle" (or a corner: "point"), "hole" (or a sector of it).
struct Feature {
  std::string name;  ///< "corner2"; empty if the shape has only this one
  ShapeSpec shape;
  bool corner = false;  ///< touches edges and arcs, never another corner
};
[[nodiscard]] std::vector<Feature> features(const ShapeSpec& shape);

/// The one-point contacts a written contact is made of, in a fixed order, named contact.feature or
/// contact.feature_feature; a contact of simple shapes, or given by formulas, is itself. Empty if the
/// shapes cannot touch at a point.
[[nodiscard]] std::vector<ContactSpec> point_contacts(const ContactSpec& contact);
/// Of all contacts of a model; shapes that cannot touch are left as they are.
[[nodiscard]] std::vector<ContactSpec> point_contacts(const std::vector<ContactSpec>& contacts);

}  // namespace hstar
