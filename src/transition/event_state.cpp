// src/transition/event_state.cpp
#include "transition/event_state.hpp"

#include <algorithm>

#include "contact/tolerances.hpp"

namespace hstar {

EventState::EventState(ModeEquations& eqs, ConsistentRestart& consistent, MechanismGuards& watched,
                       const ImpactOptions& impacts, double error_control)
    : system(eqs.system()),
      equations(eqs),
      restart(consistent),
      guards(watched),
      rtol(error_control),
      instant(eqs),
      books(eqs),
      chatter(system.contacts.size()),
      impulses(eqs, consistent, instant, books, chatter, impacts),
      ranges(eqs),
      touching(eqs, instant, ranges, chatter, rtol),
      lines(eqs, watched, before, mode) {
  mode.closed.resize(system.contacts.size());
  mode.friction.resize(system.frictions.size());
  before = mode;
  y_before.resize(system.size());
  moved.resize(system.size());
  problem.contacts.resize(system.contacts.size());
  problem.units.resize(system.frictions.size());
  stuck_in_impact.resize(system.frictions.size());
  unsettled.resize(system.contacts.size());
  for (std::size_t c = 0; c < system.contacts.size(); ++c)
    if (system.contact_friction[c] >= 0) chatter.set_rough(c);
}

void EventState::start() {
  std::fill(mode.closed.begin(), mode.closed.end(), 0);
  std::fill(mode.friction.begin(), mode.friction.end(), FrictionMode{});
  std::fill(stuck_in_impact.begin(), stuck_in_impact.end(), 0);
  std::fill(problem.units.begin(), problem.units.end(), UnitKnowledge{});
  std::fill(problem.contacts.begin(), problem.contacts.end(), ContactKnowledge{});
  problem.all = true;
  problem.force_scale = 0;
  impacted = false;
  impulses.solver().start();
}

double EventState::most_restart() const { return std::max(contact::path_end, rtol) * instant.fastest(); }

}  // namespace hstar
