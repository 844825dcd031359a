// events/include/hstar/events/isolate.hpp
//
// All roots of one scalar function on an interval: the isolation of the event monitor by itself.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "hstar/events/monitor.hpp"

namespace hstar::events {

struct IsolateOptions {
  double g_tol = 0.0;  ///< |g| <= g_tol counts as zero, >= 0 [unit of g]
  /// Bound of |g'| on the interval. Finite: where g is not proven to keep its sign by it, more samples
  /// are taken, down to 2^-14 of the interval; infinite: the error of the sampled polynomial is measured.
  double rate_bound = std::numeric_limits<double>::infinity();
  MonitorOptions monitor;
};

struct Isolated {
  bool complete = true;     ///< false: g could not be evaluated, or is too irregular to tell
  std::vector<Root> roots;  ///< in time order, both directions; direction 0: touches zero
};

/// All changes of sign and touches of g on (a, b]. A function that is zero throughout has none.
/// Cost: 5 to 17 evaluations where g is smooth on the scale of the interval, more where it is not,
/// and a few for each root.
/// @throws std::invalid_argument for a >= b, a bound that is not finite, or a bad option.
[[nodiscard]] Isolated isolate(const std::function<double(double t)>& g, double a, double b,
                               const IsolateOptions& options = {});

}  // namespace hstar::events
