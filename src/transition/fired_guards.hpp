// src/transition/fired_guards.hpp
//
// What the guards that have fired tell about the mode that ends.
#pragma once

#include <span>

#include "transition/mode_problem.hpp"
#include "transition/touching.hpp"

namespace hstar {

struct FiredGuards {
  bool may_jump = false;     ///< velocities may jump at this instant
  bool pole = false;         ///< of the friction of what slides (Painleve's critical point)
  bool unloaded = false;     ///< a normal force is zero, or passes through a pole
  bool look = false;         ///< a body has left the room of the broad phase
  bool contradicts = false;  ///< a contact that fell back onto its surface at this instant loses its force again
};

/// At (t, y), just before the event; `again`: at the instant of the last one. Contacts that leave their stretch of a
/// boundary are opened in `mode`, those that take over closed; `problem` is what is known of contacts and units.
FiredGuards read_fired(double t, std::span<const double> y, std::span<const events::Root> fired, bool again,
                       const MechanismGuards& guards, ModeEquations& equations, ContactRanges& ranges,
                       Touching& touching, Mode& mode, ModeProblem& problem);

}  // namespace hstar
