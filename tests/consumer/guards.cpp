// hstar::events alone: a schedule and a function guard, linked without hstar::hstar.
#include <array>

#include "hstar/events/guard.hpp"
#include "hstar/events/schedule.hpp"

int main() {
  hstar::events::Schedule schedule;
  schedule.add(2.0, 7);
  schedule.add(1.0, 3);

  hstar::events::FunctionGuards guards;
  hstar::events::GuardInfo floor;
  floor.name = "floor";
  const std::size_t which = guards.add(floor, [](double, std::span<const double> y) { return y[0] - 1.0; });
  const std::array<double, 1> y{4.0};
  const std::array<std::size_t, 1> wanted{which};
  std::array<double, 1> g{};
  const bool read = guards.values(0.0, y, wanted, g);
  return read && g[0] == 3.0 && schedule.next() == 1.0 ? 0 : 1;
}
