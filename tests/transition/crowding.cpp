// Impacts that crowd towards a last instant without getting slower: a ball between a wall and one that comes nearer
// meets it at known times, which fall like 1/n; and what only seems to crowd is told from it.
#include "transition/crowding.hpp"

#include <catch2/catch.hpp>

using namespace hstar;

TEST_CASE("a ball between walls that close in on it: impacts crowd towards the instant at which the gap is gone",
          "[crowding]") {
  // Wall at 2 - t, ball of speed 1 thrown at it from 1 at t = 0: it meets the wall at 2 - 1.5 / n.
  Crowding crowding;
  Crowding::Limit limit;
  bool found = false;
  for (int n = 1; n <= 1000; ++n) {
    const double speed = 2 * n - 1;  // of the ball before impact n; the wall returns it with 2 n + 1
    crowding.add(2 - 1.5 / n, 1, {-1, 1}, speed + 1);
    found = crowding.recognise(limit);
    const double back = 2 - 1.5 / n + 1.5 / n / (speed + 2);
    crowding.add(back, 0, {-1, 1}, speed + 2);
    if (found && n > 20) CHECK(limit.t == Approx(2).margin(0.1 / n));
  }
  REQUIRE(found);
  CHECK(limit.contacts == std::vector<int>{0, 1});
  CHECK(limit.t - (2 - 1.5 / 1000) == Approx(1.5 / 1000).epsilon(1e-2));
}

TEST_CASE("a body that rattles on two corners and is struck into faster cycles twice does not crowd", "[crowding]") {
  // Speeds and intervals of a rattle shrink; two cycles that something else has made faster are no law of all of them.
  Crowding crowding;
  Crowding::Limit limit;
  double t = 0, speed = 1, interval = 0.1;
  for (int cycle = 0; cycle < 12; ++cycle) {
    const double struck = cycle == 4 || cycle == 9 ? 1.02 : 0.9;
    for (const int corner : {0, 1}) {
      crowding.add(t += interval, corner, {-1, 1}, speed);
      CHECK_FALSE(crowding.recognise(limit));
    }
    speed *= struck;
    interval *= 0.8;
  }
}

TEST_CASE("one contact that bounces, and two in no relation, do not crowd", "[crowding]") {
  Crowding crowding;
  Crowding::Limit limit;
  double t = 0, flight = 1;
  for (int i = 0; i < 60; ++i) {
    crowding.add(t, 0, {-1, 1}, 1);
    CHECK_FALSE(crowding.recognise(limit));
    crowding.add(t, 3, {-1, 2}, 1);
    CHECK_FALSE(crowding.recognise(limit));
    t += flight;
    flight *= 0.5;
  }
}
