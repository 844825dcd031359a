// src/simulate/column_words.hpp
//
// The columns that an element of a mechanism has, after its name: words, units, what they are.
#pragma once

#include <span>
#include <string_view>

#include "mechanism/signals.hpp"

namespace hstar {

enum class ColumnOwner : unsigned char {
  planar_joint,
  spatial_joint,
  joint_friction,
  contact,
  contact_friction,
  spatial_contact,  ///< in space, in every contact
  spatial_contact_friction,
  contact_as_whole,  ///< in space, of a contact of many features, in place of its parts
  mechanism,
  constraints  ///< of the whole mechanism, where there are joints
};

struct ColumnEntry {
  ColumnOwner owner;
  SignalKind kind;
  int component;  ///< of the signals that have several
  std::string_view name, unit, about;
  std::string_view turning_unit = {};  ///< where it is another about an axis
};
/// In the order in which a run records them.
[[nodiscard]] std::span<const ColumnEntry> column_words() noexcept;
[[nodiscard]] std::string_view name(ColumnOwner owner) noexcept;

/// States that are there if a formula reads them.
struct AskedColumnEntry {
  std::string_view name, unit, about;
};
[[nodiscard]] std::span<const AskedColumnEntry> asked_column_words() noexcept;

/// The columns of a body's state.
struct BodyColumnEntry {
  std::string_view name, unit, about;
  bool spatial;
};
[[nodiscard]] std::span<const BodyColumnEntry> body_column_words() noexcept;

}  // namespace hstar
