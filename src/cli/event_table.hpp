// src/cli/event_table.hpp
//
// The event ledger as text for a terminal: aligned columns, only those that say something.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hstar/run.hpp"

namespace hstar::cli {

/// At most `longest` lines: a longer list is cut in the middle, and the cut says how many of `all` are left out.
[[nodiscard]] std::string event_table(std::span<const EventRecord> events, std::size_t longest, std::size_t all);

/// "81 events: 41 slip, 40 stick"
[[nodiscard]] std::string kind_counts(const std::vector<std::pair<std::string, std::size_t>>& kinds);

}  // namespace hstar::cli
