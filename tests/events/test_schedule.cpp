// tests/events/test_schedule.cpp
//
// Scheduled instants come in time order whatever the order they were added in; entries at one time are
// one instant; nothing is due twice.
#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>

#include "hstar/events/schedule.hpp"

using hstar::events::Schedule;
using Ids = std::vector<std::size_t>;

TEST_CASE("an empty schedule has nothing to come") {
  Schedule s;
  CHECK(s.next() == std::numeric_limits<double>::infinity());
  s.advance(1.0);
  CHECK(s.due().empty());
}

TEST_CASE("instants in order, ties by id, each once") {
  Schedule s;
  s.add(2.0, 7);
  s.add(1.0, 5);
  s.add(2.0, 3);
  s.add(0.5, 1);
  CHECK(s.next() == 0.5);
  s.advance(0.5);
  CHECK(s.due() == Ids{1});
  CHECK(s.next() == 1.0);
  s.advance(0.9);
  CHECK(s.due().empty());
  s.advance(2.0);
  CHECK(s.due() == Ids{5, 3, 7});
  CHECK(s.next() == std::numeric_limits<double>::infinity());
}

TEST_CASE("entries added while it runs: later ones come, passed ones do not") {
  Schedule s;
  s.add(1.0, 1);
  s.advance(1.0);
  s.add(0.5, 2);
  s.add(1.0, 3);
  s.add(3.0, 4);
  CHECK(s.next() == 3.0);
  s.advance(5.0);
  CHECK(s.due() == Ids{4});
}

TEST_CASE("a time that is not finite is refused with its value") {
  Schedule s;
  CHECK_THROWS_AS(s.add(std::numeric_limits<double>::quiet_NaN(), 0), std::invalid_argument);
  CHECK_THROWS_WITH(s.add(std::numeric_limits<double>::infinity(), 4), Catch::Contains("inf") && Catch::Contains("4"));
}
