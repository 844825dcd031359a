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

struct Change {
  std::string before, after;
};
/// The modes before and after what a note says of an element: "slip+ -> slip-", or the word of an event.
Change change_of(std::string_view said) {
  if (const auto arrow = said.find(" -> "); arrow != said.npos)
    return {std::string(said.substr(0, arrow)), std::string(said.substr(arrow + 4))};
  if (said == "liftoff") return {"closed", "open"};
  return said == "stick" ? Change{"slip", "stick"} : said == "slip" ? Change{"stick", "slip"} : Change{"slip", "slip"};
}

std::vector<std::string_view> parts_of(std::string_view mode) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= mode.size();) {
    const std::size_t to = std::min(mode.find('/', from), mode.size());
    parts.push_back(mode.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

/// Notes leave out in which direction the others of an event slide. Those parts of the system's mode that changed tell
/// it, if they agree.
Change with_directions(const EventRecord& e, Change said) {
  const auto before = parts_of(e.system_mode_before), after = parts_of(e.system_mode_after);
  if (before.size() != after.size()) return said;
  const auto tell = [&](std::string& word, const std::vector<std::string_view>& modes) {
    if (word != "slip") return;
    std::string_view told;
    bool own = true;  // The element itself is one of those that changed.
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if (before[i] == after[i]) continue;
      if (own && before[i] == e.mode_before && after[i] == e.mode_after) {
        own = false;
      } else if (modes[i].starts_with("slip")) {
        if (!told.empty() && told != modes[i]) return;
        told = modes[i];
      }
    }
    if (!told.empty()) word = told;
  };
  tell(said.before, before);
  tell(said.after, after);
  return said;
}

/// use(element, change) for the others of an event: "also left: stick, right: liftoff; leaves plate: slip+ -> slip-".
template <class Use>
void each_other(std::string_view note, const Use& use) {
  while (!note.empty()) {
    std::string_view part = note.substr(0, note.find("; "));
    note.remove_prefix(std::min(note.size(), part.size() + 2));
    const std::size_t word = part.starts_with("also ") ? 5 : part.starts_with("leaves ") ? 7 : part.size();
    part.remove_prefix(word);
    while (!part.empty()) {
      const std::string_view one = part.substr(0, part.find(", "));
      part.remove_prefix(std::min(part.size(), one.size() + 2));
      if (const auto colon = one.rfind(": "); colon != one.npos)
        use(std::string(one.substr(0, colon)), change_of(one.substr(colon + 2)));
    }
  }
}

}  // namespace

std::vector<ModeBand> mode_bands(const RunResult& result, double t_start, double t_end) {
  std::vector<ModeBand> bands;
  for (const EventRecord& e : result.events) {
    if (e.mode_before != e.mode_after) change(bands, e.element, e.mode_before, e.mode_after, e.t, t_start, t_end);
    each_other(e.note, [&](const std::string& element, const Change& c) {
      const Change whole = with_directions(e, c);
      change(bands, element, whole.before, whole.after, e.t, t_start, t_end);
    });
  }
  return bands;
}

}  // namespace hstar::report
