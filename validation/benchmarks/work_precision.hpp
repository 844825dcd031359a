// validation/benchmarks/work_precision.hpp
//
// Error against time: runs one contestant over a range of tolerances and reads off the time at a wanted error.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Point {
  double rtol, error, microseconds;
  std::size_t events;
};

/// A contestant: one whole run at a tolerance gives its event times.
struct Contestant {
  std::string name;
  std::function<std::vector<double>(double rtol)> run;
  /// Does the run without collecting anything, for the clock; empty: `run` itself. `prepare` is not timed.
  std::function<void(double rtol)> prepare, timed;
};

/// Largest error of the event times; infinity if their number is wrong.
[[nodiscard]] double event_error(const std::vector<double>& found, const std::vector<double>& truth);

/// One point a tolerance from 1e-4 down to 1e-13, half a decade apart; time is the least of several repetitions.
[[nodiscard]] std::vector<Point> measure(const Contestant& contestant, const std::vector<double>& truth);

/// Time at the wanted error, between the last point that misses it and the first from which on all points keep it
/// (logarithms interpolated); NaN if no tolerance reaches it.
[[nodiscard]] double time_at_error(const std::vector<Point>& points, double error);

}  // namespace bench
