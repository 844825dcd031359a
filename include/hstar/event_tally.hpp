// include/hstar/event_tally.hpp: what the events of a run come to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "hstar/run.hpp"

namespace hstar {

struct EventTally {
  std::vector<std::pair<std::string, std::size_t>> kinds;  ///< how often each, in order of first occurrence
  EventBooks largest;                                      ///< residuals of all books

  void add(const EventRecord& event) {
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == event.kind; });
    if (same == kinds.end())
      kinds.emplace_back(event.kind, 1);
    else
      ++same->second;
    largest.momentum = std::max(largest.momentum, event.books.momentum);
    largest.energy = std::max(largest.energy, event.books.energy);
    largest.cone = std::max(largest.cone, event.books.cone);
  }
};

[[nodiscard]] inline EventTally tally(const std::vector<EventRecord>& events) {
  EventTally sum;
  for (const EventRecord& event : events) sum.add(event);
  return sum;
}

}  // namespace hstar
