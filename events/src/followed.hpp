// events/src/followed.hpp
//
// A guard as the engine uses it: what is known of it from step to step.
#pragma once

#include <limits>

#include "hstar/events/guard.hpp"
#include "scan.hpp"

namespace hstar::events::detail {

/// Times the error of g that the step's own error makes, as estimated in another place: no error of g is larger.
constexpr double kReachMargin = 100.0;

struct Followed {
  Track track;
  GuardInfo const* info = nullptr;
  double reach_ratio = -1.0;  ///< (error of g) / (largest error of y) seen in this mode; < 0: not yet
  bool rough = false;         ///< needed halving in this mode
  int sign_after = 0;         ///< just after the last event, if it left the guard at zero and did not fire it
  /// The last event that fired it, if that event has left the state alone and has declared no side: time and direction.
  double fired_t = std::numeric_limits<double>::quiet_NaN();
  int fired_direction = 0;
  double left_t = std::numeric_limits<double>::quiet_NaN();  ///< the last event that it fired where its step began
};

}  // namespace hstar::events::detail
