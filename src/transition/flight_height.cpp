// src/transition/flight_height.cpp
#include "transition/flight_height.hpp"

#include <algorithm>
#include <utility>

#include "transition/flights.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {
/// A flight no higher than so many round-offs of its gap is none.
constexpr double no_flight = 64;
}  // namespace

bool FlightHeight::shows(double t, std::span<const double> y, std::size_t contact) {
  const System& s = at_.system;
  const char closed = std::exchange(at_.mode.closed[contact], 0);
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (s.frictions[u].contact >= 0 && !at_.mode.closed[s.frictions[u].contact]) at_.mode.friction[u] = FrictionMode{};
  at_.equations.evaluate(t, y.data());
  at_.equations.rows.take(at_.mode);
  const bool known = motion_.rates(t, y.data(), ydot_.data());
  at_.mode.closed[contact] = closed;
  if (!known) return true;
  const Row row = at_.equations.motion.normal_row(static_cast<int>(contact));
  const double falls = -acceleration_along(s, row, ydot_), speed = at_.touching.gap_velocity()[contact];
  const double round_off =
      no_flight * tolerances::eps * s.contacts[contact]->gap_scale(at_.equations.motion.kinematics());
  return !(falls > 0) || 0.5 * speed * speed > falls * std::max(round_off, at_.guards.gap_tolerance(contact));
}

}  // namespace hstar
