// src/transition/mode_decision.hpp
//
// What follows at an instant: impacts, the next mode and a consistent restart in it, until it settles.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "formulation/formulation.hpp"
#include "transition/guard_dependence.hpp"
#include "transition/impacts.hpp"
#include "transition/jams.hpp"
#include "transition/next_mode.hpp"

namespace hstar {

class ModeDecision {
 public:
  /// `motion` is that of the mechanism in its mode, by `formulation`.
  ModeDecision(EventState& at, GivenMotion& given, Formulation& formulation, OdeProblem& motion,
               const FormulationOptions& options, bool energy_error);

  /// The run begins.
  void start();
  /// Whether anyone looks at the guards on steps.
  void set_looked_at(bool looked_at) { looked_at_ = looked_at; }
  /// Positions may have left the room of the broad phase.
  void look() { look_ = true; }
  /// A contact that fell back onto its surface at this instant loses its force again.
  void set_contradiction(bool contradicts) { contradicts_ = contradicts; }
  /// `count`: also how many other modes are consistent.
  bool decide(const EventCall& call, std::span<const events::Root> fired, bool count);
  /// The guards of the mode, in which the equations have been solved.
  void watch();
  /// Bodies have left their rooms, and nothing else: the mode stays, others of its contacts are watched. False: it has
  /// no solution at this state.
  bool look_around(double t, const double* y);
  /// The consistent modes at the start, preferred first.
  bool find_modes(const EventCall& call, std::vector<Mode>& modes);

  [[nodiscard]] NextMode& next() { return next_; }
  [[nodiscard]] std::span<const std::size_t> depends_on(const WatchRef& ref) const { return dependence_.of(ref); }

 private:
  /// The next mode, and a consistent start in it.
  bool settle(const EventCall& call, bool count);
  /// Writes the states that tell what has become of contacts and friction.
  void tell_states(std::span<double> y) const;

  EventState& at_;
  Formulation& formulation_;
  Impacts impacts_;
  Jams jams_;
  NextMode next_;
  GuardDependence dependence_;
  bool look_ = true, contradicts_ = false, looked_at_ = true;
};

}  // namespace hstar
