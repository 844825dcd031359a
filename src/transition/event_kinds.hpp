// src/transition/event_kinds.hpp: the kinds of events a run may tell, in words.
#pragma once

#include <span>
#include <string_view>

namespace hstar {

struct EventKindEntry {
  std::string_view name, about;
};
/// Without the words that guards of a model give themselves.
[[nodiscard]] std::span<const EventKindEntry> event_kinds() noexcept;

}  // namespace hstar
