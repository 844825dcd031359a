// src/transition/critical_point.hpp
//
// Painleve's critical point (Painleve 1895; Genot & Brogliato 1999): the determinant p = G_NN - d mu G_NT of a sliding
// contact passes through zero, its normal force has a pole, and the laws say nothing about what follows.
#pragma once

#include <span>

#include "hstar/flow.hpp"
#include "transition/event_state.hpp"
#include "transition/next_mode.hpp"

namespace hstar {

class CriticalPoint {
 public:
  /// `motion` is that of the mechanism in its mode.
  CriticalPoint(EventState& at, OdeProblem& motion) : at_(at), motion_(motion) {}

  /// The motion has come to one, where this guard fired (null: none): the run ends as `settled` says.
  bool is_reached(const EventCall& call, const events::Root* root);
  /// At (t, y), where a motion cannot be followed further, one may be near.
  [[nodiscard]] bool is_near(double t, const double* y);
  /// Whether the motion that cannot be followed further from (t, y) runs into one; then (t, y) is there. (Not if what
  /// slides hardly does: it stops.)
  Settled follow(double& t, std::span<double> y, EventLog& log, const NextMode& next);

 private:
  /// The sliding contact whose determinant is nearest to zero, -1 if none slides.
  int least_regular(double& regularity) const;
  /// Of a unit that slides in the island of this one. `is` by unit.
  template <class Is>
  [[nodiscard]] bool any_beside(int unit, const Is& is) const;

  EventState& at_;
  OdeProblem& motion_;
};

}  // namespace hstar
