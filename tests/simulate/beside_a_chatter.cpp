// tests/simulate/beside_a_chatter.cpp
//
// A chatter too low for the monitor is followed to its limit, and all else goes on meanwhile: it moves as if alone, and
// its events are at their times. A ball is pressed on a ledge by 1e-9 N and comes down on it at 1e-9 m/s: it bounces
// for 2.3 s, lower than 1.3e-10 m. Beside it a mass swings on a spring, passes a guard, is pushed until it slips, or
// waits for a clock; all of it by hand.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

using namespace hstar;

namespace {

RunResult beside_ball(const std::string& body, const std::string& rest) {
  return run(parse_model(R"(
    [simulation]
    end = 5
    rtol = 1e-9
    [[body]]
    name = "ball"
    mass = 1
    position = [0, 1.0000000001]
    velocity = [0, -1e-9]
    [[contact]]
    name = "ledge"
    restitution = 0.5
    between = [{ body = "ground", shape = "line", point = [0, 1] }, { body = "ball", shape = "point" }]
    [[force]]
    name = "press"
    type = "point_force"
    body = "ball"
    force = ["0", "-1e-9"]
    [[body]]
    name = "other"
    mass = 1
  )" + body + rest,
                         "beside"));
}

/// The first event of this element, or one at infinity.
double time_of(const RunResult& result, const std::string& element) {
  for (const EventRecord& event : result.events)
    if (event.element == element) return event.t;
  return HUGE_VAL;
}

}  // namespace

TEST_CASE("a mass on a spring swings on beside a chatter") {
  const RunResult result = beside_ball("position = [3, 1.5]", R"(
    [[force]]
    name = "spring"
    type = "spring_damper"
    stiffness = 40
    free_length = 1
    between = [{ body = "ground", point = [3, 0] }, { body = "other" }]
  )");
  REQUIRE(result.outcome.success());
  CHECK(std::abs(result.y_end[3] - (1 + 0.5 * std::cos(5 * std::sqrt(40.0)))) < 1e-7);  // 100 rtol
}

TEST_CASE("a guard, a clock and the limit of friction have their times beside a chatter") {
  const RunResult guard = beside_ball("position = [3, 0]\nvelocity = [1, 0]", R"(
    [[guard]]
    name = "pass"
    when = "other.x - 3.6"
  )"),
                  clock = beside_ball("position = [3, 0]", R"(
    [[state]]
    name = "count"
    initial = 0.0
    rate = "0"
    [[guard]]
    name = "tick"
    every = 0.3
    reset = { count = "count + 1" }
  )"),
                  push = beside_ball("position = [3, 0]", R"(
    [[contact]]
    name = "rub"
    friction = { mu = 0.2 }
    between = [{ body = "ground", shape = "line" }, { body = "other", shape = "point" }]
    [[force]]
    name = "load"
    type = "point_force"
    body = "other"
    force = ["3*t", "-10"]
  )");
  for (const RunResult* result : {&guard, &clock, &push}) REQUIRE(result->outcome.success());
  CHECK(std::abs(time_of(guard, "pass") - 0.6) < 1e-9);
  CHECK(std::abs(time_of(clock, "tick") - 0.3) < 1e-15);
  CHECK(std::abs(time_of(push, "rub") - 2.0 / 3) < 1e-9);                           // 3 t = 0.2 * 10
  CHECK(std::abs(push.y_end[2] - (3 + std::pow(5 - 2.0 / 3, 3) / 2)) < 1e-7 * 41);  // x'' = 3 t - 2
}
