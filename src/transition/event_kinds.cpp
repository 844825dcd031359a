// src/transition/event_kinds.cpp
#include "transition/event_kinds.hpp"

namespace hstar {

std::span<const EventKindEntry> event_kinds() noexcept {
  static constexpr EventKindEntry entries[] = {
      {"stick", "an element that slid is held by friction"},
      {"slip", "an element that was held begins to slide"},
      {"reversal", "an element that slid stops and slides on, in the plane the other way"},
      {"impact", "a contact closes with speed, or a given velocity jumps: an impulse acts"},
      {"jam", "an impulse without collision: no finite forces satisfy the laws (Painleve)"},
      {"touch", "a contact closes without speed"},
      {"liftoff", "a contact opens"},
      {"zeno", "infinitely many impacts have come to their limit"},
      {"vertex", "a contact passes the end of its edge"},
      {"normal_sign", "a guide changes the side that it presses on (told with --all-events)"},
      {"graze", "a gap or guard touches zero and turns back (told with --all-events)"},
      {"painleve_critical_point", "the equations of a sliding contact become singular"},
      {"switch", "a relation in a formula changes its side (told with --all-events)"},
      {"guard_up", "a guard of the model rises through zero"},
      {"guard_down", "a guard of the model falls through zero"},
      {"time", "a time that a guard of the model lists"},
  };
  return entries;
}

}  // namespace hstar
