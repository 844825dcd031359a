// src/mechanism/planar/contacts.cpp: the registry of planar contacts.
#include "mechanism/planar/contacts.hpp"

#include <array>

namespace hstar {

std::span<const ContactEntry> planar_contacts() {
  static constexpr std::array<ContactEntry, 3> entries{{
      {"line", "circle", "half-plane (fixed, moving or on a body; may run like a belt) and circle or point",
       make_line_circle},
      {"circle", "circle", "two circles or points", make_circle_circle},
      {"hole", "circle", "circle or point inside a round hole, or a sector of it: a pin with clearance",
       make_hole_circle},
  }};
  return entries;
}

const ContactEntry* find_contact(std::string_view first, std::string_view second) {
  const auto shape = [](std::string_view s) { return s == "point" ? std::string_view("circle") : s; };
  for (const auto& e : planar_contacts())
    if (e.first == shape(first) && e.second == shape(second)) return &e;
  return nullptr;
}

}  // namespace hstar
