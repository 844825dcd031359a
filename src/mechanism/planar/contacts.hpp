// src/mechanism/planar/contacts.hpp
//
// The registry of planar contacts: which pair of shapes is which geometry.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "mechanism/elements.hpp"

namespace hstar {

struct ContactEntry {
  std::string_view first, second, about;  ///< shapes
  std::unique_ptr<Contact> (*make)(const ContactSpec&, Marker first, Marker second);
};
[[nodiscard]] std::span<const ContactEntry> planar_contacts();
/// The entry for two shapes ("point" is a circle of radius 0); nullptr if the pair is not known.
[[nodiscard]] const ContactEntry* find_contact(std::string_view first, std::string_view second);

std::unique_ptr<Contact> make_line_circle(const ContactSpec&, Marker first, Marker second);
std::unique_ptr<Contact> make_circle_circle(const ContactSpec&, Marker first, Marker second);
std::unique_ptr<Contact> make_hole_circle(const ContactSpec&, Marker first, Marker second);
/// A contact given by formulas of t and the coordinates of two bodies; `second` is the second of them.
std::unique_ptr<Contact> make_generalized_contact(BoundExpression gap, BoundExpression slide, int second);

}  // namespace hstar
