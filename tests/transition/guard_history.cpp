// Events of a guard whose intervals shrink geometrically have a last instant, known in closed form, and the run must
// not slip through it; intervals that stay the same, shrink like 1/k or grow again have none.
#include "transition/guard_history.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace hstar;

TEST_CASE("events at 2 - 2^-k end at 2, told while a 2^-17th of the time is left", "[guard_history]") {
  GuardHistory history;
  for (int k = 0; k < 17; ++k) CHECK_FALSE(history.add(2 - std::pow(0.5, k)));
  bool told = false;
  int k = 17;
  while (!told && k < 20) told = history.add(2 - std::pow(0.5, k++));
  REQUIRE(told);
  CHECK(history.limit().t_limit == Approx(2).epsilon(1e-14));
  CHECK(history.last_interval() == std::pow(0.5, k - 1));
}

TEST_CASE("a clock, the harmonic series and a sequence that begins anew accumulate nowhere", "[guard_history]") {
  GuardHistory clock, harmonic, anew;
  double sum = 0;
  for (int k = 1; k <= 5000; ++k) {
    CHECK_FALSE(clock.add(0.25 * k));
    CHECK_FALSE(harmonic.add(sum += 1.0 / k));
  }
  double t = 0;
  for (int bounce = 0; bounce < 50; ++bounce)
    for (int k = 0; k < 8; ++k) CHECK_FALSE(anew.add(t += std::pow(0.5, k)));
}
