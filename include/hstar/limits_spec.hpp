// include/hstar/limits_spec.hpp: how far a joint's free coordinate may go, as a model says it.
#pragma once

#include <limits>

#include "hstar/error.hpp"

namespace hstar {

/// Stops at both ends of a free coordinate of a joint; an infinite end has none.
struct LimitsSpec {
  Location where;
  int coordinate = 0;  ///< 0, or 1 of a joint with two free ones
  double lower = -std::numeric_limits<double>::infinity(),
         upper = std::numeric_limits<double>::infinity();  ///< m or rad
  double restitution = 0.0;                                ///< of the stops, in [0, 1]
};

}  // namespace hstar
