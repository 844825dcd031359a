// src/mechanism/spatial/contacts.hpp
//
// The registry of spatial contacts: which pair of features is which geometry.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "mechanism/spatial/contact.hpp"
#include "mechanism/spatial/shapes.hpp"
#include "mechanism/time_function.hpp"

namespace hstar {

/// A surface that runs over its face: velocity relative to the body, in axes in which the face's tangents are t[0] and
/// t[1].
struct RunningSurface {
  std::array<TimeFunction, 3> velocity;
  Mat3 axes = identity3;  ///< of the body's coordinates, by column, in the axes `velocity` is written in
  bool runs = false;
};

struct SpatialContactEntry {
  Feature3::Kind first, second;
  std::string_view about;
  std::unique_ptr<SpatialContact> (*make)(const Feature3& first, const Feature3& second, const RunningSurface& surface);
};
[[nodiscard]] std::span<const SpatialContactEntry> spatial_contacts();
/// nullptr if the two cannot touch at one point: two faces, a face and an edge, vertices and edges of polyhedra
/// (but edge and edge).
[[nodiscard]] const SpatialContactEntry* find_contact(const Feature3& first, const Feature3& second);

std::unique_ptr<SpatialContact> make_face_round(const Feature3&, const Feature3&, const RunningSurface&);
std::unique_ptr<SpatialContact> make_round_round(const Feature3&, const Feature3&, const RunningSurface&);
std::unique_ptr<SpatialContact> make_edge_round(const Feature3&, const Feature3&, const RunningSurface&);
std::unique_ptr<SpatialContact> make_edge_edge(const Feature3&, const Feature3&, const RunningSurface&);

}  // namespace hstar
