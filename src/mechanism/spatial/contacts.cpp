// src/mechanism/spatial/contacts.cpp
#include "mechanism/spatial/contacts.hpp"

namespace hstar {

std::span<const SpatialContactEntry> spatial_contacts() {
  using Kind = Feature3::Kind;
  static constexpr std::array<SpatialContactEntry, 4> entries{{
      {Kind::face, Kind::round, "plane or face, and sphere, point, end of a capsule or vertex", make_face_round},
      {Kind::round, Kind::round, "two spheres, points, ends of capsules or vertices", make_round_round},
      {Kind::edge, Kind::round, "side of a capsule or edge, and sphere, point, end of a capsule or vertex",
       make_edge_round},
      {Kind::edge, Kind::edge, "sides of capsules or edges that cross", make_edge_edge},
  }};
  return entries;
}

const SpatialContactEntry* find_contact(const Feature3& first, const Feature3& second) {
  using Kind = Feature3::Kind;
  const bool needs_radius = second.kind == Kind::round && first.kind != Kind::face;
  if (needs_radius && first.radius + second.radius == 0) return nullptr;
  for (const SpatialContactEntry& e : spatial_contacts())
    if (e.first == first.kind && e.second == second.kind) return &e;
  return nullptr;
}

}  // namespace hstar
