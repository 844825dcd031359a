// tests/simulate/events_elsewhere.cpp
//
// An event leaves alone what it does not concern: a beam on three feet beside a block on a spring that slides to and
// fro. Feet as stiff as each other share the load along a line, and the third would have to pull: it touches without
// load (docs/theory.md, section 5). It still does after each reversal of the block, and nothing else happens then.
#include <catch2/catch.hpp>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

using namespace hstar;

TEST_CASE("what touches without load does so after events elsewhere") {
  const RunResult result = run(parse_model(R"(
    [simulation]
    end = 1
    [[body]]
    name = "beam"
    mass = 1
    inertia = 0.1
    position = [0, 0.1]
    [[body]]
    name = "block"
    mass = 1
    position = [7, 0]
    [[contact]]
    name = "first"
    between = [{ body = "ground", shape = "line" }, { body = "beam", shape = "point", point = [-0.02, -0.1] }]
    [[contact]]
    name = "second"
    between = [{ body = "ground", shape = "line" }, { body = "beam", shape = "point", point = [0.5, -0.1] }]
    [[contact]]
    name = "third"
    between = [{ body = "ground", shape = "line" }, { body = "beam", shape = "point", point = [5, -0.1] }]
    [[contact]]
    name = "slide"
    friction = { mu = 0.2 }
    between = [{ body = "ground", shape = "line" }, { body = "block", shape = "point" }]
    [[force]]
    name = "spring"
    type = "spring_damper"
    stiffness = 100
    free_length = 1
    between = [{ body = "ground", point = [5.5, 0] }, { body = "block" }]
  )",
                                           "feet"));
  REQUIRE(result.outcome.success());
  // Half a period of 2 pi / sqrt(100 N/m / 1 kg) each.
  REQUIRE(result.events.size() == 3);
  for (const EventRecord& event : result.events) CHECK(event.kind == "reversal");
  CHECK(result.counters.transitions == result.events.size());
}
