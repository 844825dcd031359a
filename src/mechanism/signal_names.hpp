// src/mechanism/signal_names.hpp
//
// Names that formulas use ("t", "sled.x", "pin.fx", a state) resolved to signals when a system is built.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

#include "mechanism/signals.hpp"

namespace hstar {

/// What a formula may read.
enum class Access { time_only, place, kinematic, own_spring, solved };

/// Indices of all elements by name.
struct SignalNames {
  std::map<std::string, int> bodies, joints, forces, contacts, whole_contacts, states;
  std::map<std::string, SignalRef> coordinates;  ///< in space: "hinge.angle", "guide.slide_rate", ...
  bool spatial = false;
  int first_state = 0;  ///< place of the first extra state in y

  /// What a name stands for; nothing if it is unknown or not to be read there.
  [[nodiscard]] std::optional<SignalRef> find(const std::string& name, Access access) const;
  /// A formula with its variables bound. @throws InputError at the name that is unknown; `what` says whose formula it
  /// is.
  [[nodiscard]] BoundExpression bind(const Expression& e, Access access, const std::string& what) const;
  /// The bodies whose coordinates formulas read, first and second; the ground is the first of one alone.
  /// @throws InputError if they are none or more than two.
  [[nodiscard]] static std::array<int, 2> bodies_of(std::initializer_list<const BoundExpression*> formulas,
                                                    const Location& where, const std::string& owner);
};

}  // namespace hstar
