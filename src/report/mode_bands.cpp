// src/report/mode_bands.cpp
#include "report/mode_bands.hpp"

#include <algorithm>
#include <string_view>

namespace hstar::report {
namespace {

void change(std::vector<ModeBand>& bands, const std::string& element, const std::string& before,
            const std::string& after, double t, double t_start, double t_end) {
  auto band = std::find_if(bands.begin(), bands.end(), [&](const ModeBand& b) { return b.element == element; });
  if (band == bands.end()) {
    bands.push_back({element, {{t_start, t_start, before}}});
    band = bands.end() - 1;
  }
  band->intervals.back().to = t;
  if (band->intervals.back().to <= band->intervals.back().from) band->intervals.pop_back();  // several at one instant
  band->intervals.push_back({t, t_end, after});
}

/// use(element, mode) for the others of an event: "also left: stick, right: liftoff; ..."
template <class Use>
void each_other(std::string_view note, const Use& use) {
  constexpr std::string_view also = "also ";
  if (note.substr(0, also.size()) != also) return;
  note = note.substr(also.size(), note.find(';') == note.npos ? note.npos : note.find(';') - also.size());
  while (!note.empty()) {
    const std::string_view one = note.substr(0, note.find(", "));
    note.remove_prefix(std::min(note.size(), one.size() + 2));
    const auto colon = one.rfind(": ");
    if (colon == one.npos) return;
    const std::string_view word = one.substr(colon + 2);
    use(std::string(one.substr(0, colon)), word == "liftoff" ? "open" : word == "stick" ? "stick" : "slip");
  }
}

}  // namespace

std::vector<ModeBand> mode_bands(const RunResult& result, double t_start, double t_end) {
  std::vector<ModeBand> bands;
  for (const EventRecord& e : result.events) {
    if (e.mode_before != e.mode_after) change(bands, e.element, e.mode_before, e.mode_after, e.t, t_start, t_end);
    each_other(e.note, [&](const std::string& element, const char* mode) {
      change(bands, element, "", mode, e.t, t_start, t_end);
    });
  }
  return bands;
}

}  // namespace hstar::report
