// src/report/mode_bands.cpp
#include "report/mode_bands.hpp"

#include <algorithm>

namespace hstar::report {

std::vector<ModeBand> mode_bands(const RunResult& result, double t_start, double t_end) {
  std::vector<ModeBand> bands;
  for (const EventRecord& e : result.events) {
    if (e.mode_before == e.mode_after) continue;
    auto band = std::find_if(bands.begin(), bands.end(), [&](const ModeBand& b) { return b.element == e.element; });
    if (band == bands.end()) {
      bands.push_back({e.element, {{t_start, t_start, e.mode_before}}});
      band = bands.end() - 1;
    }
    band->intervals.back().to = e.t;
    if (band->intervals.back().to <= band->intervals.back().from) band->intervals.pop_back();  // several at one instant
    band->intervals.push_back({e.t, t_end, e.mode_after});
  }
  return bands;
}

}  // namespace hstar::report
