// src/transition/state_place.hpp: the signals of formulas that are entries of the state.
#pragma once

#include "mechanism/system.hpp"

namespace hstar {

/// Place in y of a signal that is an entry of the state; -1: it is none.
[[nodiscard]] int place_in_state(const SignalRef& r, const System& s);

}  // namespace hstar
