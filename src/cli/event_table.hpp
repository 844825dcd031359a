// src/cli/event_table.hpp
//
// The event ledger as text for a terminal: aligned columns, only those that say something.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "hstar/run.hpp"

namespace hstar::cli {

/// At most `longest` lines: a longer list is cut in the middle, and the cut says how many are left out.
[[nodiscard]] std::string event_table(std::span<const EventRecord> events, std::size_t longest);

/// "81 events: 41 slip, 40 stick"
[[nodiscard]] std::string kind_counts(const std::vector<EventRecord>& events);

}  // namespace hstar::cli
