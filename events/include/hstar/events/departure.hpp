// events/include/hstar/events/departure.hpp
//
// Which side of zero a function goes to that begins there.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace hstar::events {

/// The motion just after a restart: where a guard that begins at zero goes is told by the rates of the state there, not
/// by a step that may be longer than the flight it begins.
class Beginning {
 public:
  virtual ~Beginning() = default;
  /// Writes the state a moment after the restart, at t; false if it cannot be computed.
  virtual bool at(double t, std::span<double> y) = 0;
  /// Length of what may follow [s], > 0: moments are parts of it.
  [[nodiscard]] virtual double longest() const = 0;
};

/// A departure is clear of zero this many times over: what it overlooks before, nobody may take for a crossing after
/// it.
constexpr double kClearDeparture = 8.0;

/// +1 or -1: where g(t + dt) first clearly goes, |g(t)| <= zero; 0 if it does not go clearly within 2^-10 of `longest`.
/// `value(t, g)` writes g at t and returns false if it cannot be evaluated. A function that leaves zero grows at least
/// in proportion to time, so by kStride from one moment to the next, less what round-off takes: three moments in a row
/// on the same side, each kGrowth times farther and the last clear of zero, are no round-off.
template <class Value>
int departure(double t, double longest, double zero, const Value& value) {
  constexpr double kStride = 4.0, kGrowth = 2.0;
  constexpr int kMoments = 3, kFirst = 52, kLast = 10;  // moments are 2^-52 to 2^-10 of what may follow
  const double ulp = std::nextafter(std::fabs(t), HUGE_VAL) - std::fabs(t);
  double before = 0.0;
  int side = 0, grown = 0;
  for (double dt = std::max(std::ldexp(longest, -kFirst), kStride * ulp); dt <= std::ldexp(longest, -kLast);
       dt *= kStride) {
    double g = 0.0;
    if (!value(t + dt, g) || !std::isfinite(g)) return 0;
    const int now = g > 0.0 ? 1 : g < 0.0 ? -1 : 0;
    grown = now == 0 ? 0 : now == side && std::fabs(g) >= kGrowth * before ? grown + 1 : 1;
    if (grown >= kMoments && std::fabs(g) > kClearDeparture * zero) return now;
    side = now;
    before = std::fabs(g);
  }
  return 0;
}

}  // namespace hstar::events
