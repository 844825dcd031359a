// src/cli/event_trace.hpp: `hstar run --trace-events`, every event with all that is known of it.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "hstar/run.hpp"

namespace hstar::cli {

/// Prints a paragraph for each event: its bracket, the modes of all elements, the entries of the state that jump, and
/// what the books of its instant left over.
class EventTrace {
 public:
  explicit EventTrace(std::ostream& out) : out_(out) {}
  void begin(std::span<const std::string> columns) { names_.assign(columns.begin(), columns.end()); }
  void event(const EventRecord& record);

 private:
  std::ostream& out_;
  std::vector<std::string> names_;  ///< of the state, and more
};

}  // namespace hstar::cli
