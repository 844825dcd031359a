// src/transition/flight_height.hpp
//
// How high a contact flies that leaves its surface, from the accelerations of the mechanism without it.
#pragma once

#include <span>
#include <vector>

#include "hstar/flow.hpp"
#include "transition/event_state.hpp"

namespace hstar {

class FlightHeight {
 public:
  /// `motion` is that of the mechanism in its mode.
  FlightHeight(EventState& at, OdeProblem& motion) : at_(at), motion_(motion), ydot_(at.system.size()) {}

  /// It leaves for a flight that its gap can show.
  [[nodiscard]] bool shows(double t, std::span<const double> y, std::size_t contact);

 private:
  EventState& at_;
  OdeProblem& motion_;
  std::vector<double> ydot_;
};

}  // namespace hstar
