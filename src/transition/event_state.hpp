// src/transition/event_state.hpp
//
// The mechanism at an event: what the stages of the story (transition.cpp) read, and each hands on to the next.
#pragma once

#include <span>
#include <vector>

#include "formulation/consistent_restart.hpp"
#include "transition/books.hpp"
#include "transition/impulses.hpp"
#include "transition/ledger_lines.hpp"
#include "transition/mechanism_guards.hpp"
#include "transition/touching.hpp"

namespace hstar {

/// The call that decides an event, or a part of it: y is changed from the state just before on.
struct EventCall {
  double t;
  std::span<double> y;
  EventLog& log;
  Settled& settled;
};

struct EventState {
  /// `rtol` of error control, 0 with fixed steps.
  EventState(ModeEquations& equations, ConsistentRestart& restart, MechanismGuards& guards,
             const ImpactOptions& impacts, double rtol);

  /// The run begins: all is open, and nothing is known.
  void start();
  /// By so much a restart may change velocities, the error of the integrator [m/s].
  [[nodiscard]] double most_restart() const;

  const System& system;
  ModeEquations& equations;
  ConsistentRestart& restart;
  MechanismGuards& guards;
  const double rtol;             ///< of error control, 0 with fixed steps
  double t_end = 1;              ///< of the run [s]
  Mode mode, before;             ///< now, and before this instant
  std::vector<double> y_before;  ///< the state just before it
  ModeProblem problem;           ///< what is known of contacts and friction units, and is asked
  Instant instant;
  Books books;
  Chatter chatter;
  Impulses impulses;
  ContactRanges ranges;
  Touching touching;
  LedgerLines lines;
  std::vector<double> moved;          ///< what restarts have changed the state by at this instant (Settled::moved)
  bool impacted = false;              ///< impulses of contacts have changed velocities at this instant
  std::vector<char> stuck_in_impact;  ///< by friction unit
  std::vector<char> unsettled;        ///< by contact: its gap came back to zero by error only, no event
};

}  // namespace hstar
