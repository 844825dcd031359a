// tests/simulate/force_guards.cpp
//
// A guard may read forces and accelerations: where one crosses a level, or is carried across it because a mode ends or
// a switch changes, is an event like any other. References are balances of forces at known instants.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

std::string block(const std::string& push_y, const std::string& when, const std::string& more = "") {
  return "simulation = { end = 4, rtol = 1e-9" + more +
         " }\ngravity = [0, -10]\nbody = [{ name = \"b\", mass = 1 }]\n" +
         "contact = [{ name = \"floor\", between = [{ body = \"ground\", shape = \"line\" }, { body = \"b\", shape = "
         "\"point\" }] }]\nstate = [{ name = \"seen\", discrete = true }]\n"
         "force = [{ name = \"push\", type = \"point_force\", body = \"b\", force = [0, \"" +
         push_y + "\"] }]\nguard = [{ name = \"level\", when = \"" + when + "\", reset = { seen = \"seen + 1\" } }]\n";
}

}  // namespace

TEST_CASE("a guard sees a force cross a level") {
  // 10 N of weight and 5 t^2 of push: 30 N at 2 s, with every kind of formulation.
  for (const char* how : {"", ", formulation = \"ggl\", integrator = \"radau\"", ", integrator = \"bdf\"",
                          ", formulation = \"partition_full\"", ", integrator = \"dop853\""}) {
    INFO(how);
    const RunResult r = run_text(block("-5*t^2", "floor.normal - 30", how));
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(final_value(r, "seen") == 1);
    CHECK(first_event(r, "guard_up", "level").t == Approx(2.0).epsilon(1e-9));
  }
}

TEST_CASE("a guard fires where a switch or the end of a contact carries a force across its level") {
  // The push steps from 0 to 100 N down at 1 s and back at 2 s; at 3 s it lifts, and 10 N vanish.
  const RunResult stepped = run_text(block("t < 1 ? 0 : t < 2 ? -100 : 0", "floor.normal - 50"));
  REQUIRE(stepped.outcome.status == RunStatus::reached_end);
  CHECK(final_value(stepped, "seen") == 2);
  CHECK(first_event(stepped, "guard_up", "level").t == Approx(1.0).epsilon(1e-15));
  CHECK(first_event(stepped, "guard_down", "level").t == Approx(2.0).epsilon(1e-15));

  const RunResult lifted = run_text(block("t < 3 ? 0 : 20", "floor.normal - 5"));
  REQUIRE(lifted.outcome.status == RunStatus::reached_end);
  CHECK(final_value(lifted, "seen") == 1);
  CHECK(first_event(lifted, "guard_down", "level").t == Approx(3.0).epsilon(1e-15));
}

TEST_CASE("a fuse in a rod breaks where its force passes a level") {
  // A pendulum let go at the horizontal: its rod pulls with 3 m g sin(angle), 1.5 m g at 30 degrees. There a guard on
  // the angle fires, too, and a force that the fuse lets go vanishes.
  for (const char* dimension : {"plane", "space"}) {
    INFO(dimension);
    const bool space = dimension == std::string("space");
    const std::string text = space ? R"toml(simulation = { end = 0.6, rtol = 1e-10 }
dimension = 3
gravity = [0, 0, -10]
body = [{ name = "bob", mass = 2, inertia = [1e-3, 1e-3, 1e-3], position = [1, 0, 0] }]
joint = [{ name = "rod", type = "distance", bodies = ["ground", "bob"], points = [[0, 0, 0], [0, 0, 0]], length = 1 }]
state = [{ name = "broken", discrete = true }, { name = "time_broken", rate = "broken" }]
guard = [{ name = "fuse", when = "sqrt(rod.fx^2 + rod.fz^2) - 30", reset = { broken = "1" } }, { name = "angle", when = "bob.z + 0.5" }]
)toml"
                                   : R"toml(simulation = { end = 0.6, rtol = 1e-10 }
gravity = [0, -10]
body = [{ name = "bob", mass = 2, position = [1, 0] }]
joint = [{ name = "rod", type = "distance", bodies = ["ground", "bob"], points = [[0, 0], [0, 0]], length = 1 }]
state = [{ name = "broken", discrete = true }, { name = "time_broken", rate = "broken" }]
guard = [{ name = "fuse", when = "sqrt(rod.fx^2 + rod.fy^2) - 30", reset = { broken = "1" } }, { name = "angle", when = "bob.y + 0.5" }]
)toml";
    const RunResult r = run_text(text);
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    const double at = first_event(r, "guard_down", "angle").t;
    CHECK(first_event(r, "guard_up", "fuse").t == Approx(at).epsilon(1e-8));
    CHECK(final_value(r, "time_broken") == Approx(0.6 - at).epsilon(1e-8));
  }
}

TEST_CASE("guards read accelerations and energies, and guards that only record see forces as well") {
  // x'' = -9 x from 1: the acceleration passes -4.5 at cos(3 t) = 1/2; the friction that stops a block is mu m g = 2 N.
  const RunResult swing = run_text(R"toml(simulation = { end = 1, rtol = 1e-10 }
gravity = [0, 0]
body = [{ name = "m", mass = 1, position = [1, 0] }]
force = [{ name = "pull", type = "point_force", body = "m", force = ["-9*m.x", 0] }]
guard = [{ name = "half", when = "m.ax + 4.5" }]
)toml");
  REQUIRE(swing.outcome.status == RunStatus::reached_end);
  CHECK(first_event(swing, "guard_up", "half").t == Approx(M_PI / 9).epsilon(1e-9));

  const RunResult brake = run_text(R"toml(simulation = { end = 2, rtol = 1e-10 }
gravity = [0, -10]
body = [{ name = "b", mass = 1, velocity = [2, 0] }]
joint = [{ name = "plate", type = "translational", bodies = ["ground", "b"], friction = { mu = 0.2 } }]
guard = [{ name = "holds", when = "plate.tangential + 1" }]
)toml");
  REQUIRE(brake.outcome.status == RunStatus::reached_end);
  CHECK(first_event(brake, "guard_up", "holds").t == Approx(1.0).epsilon(1e-12));
}

TEST_CASE("a guard and the force it moves that chase each other end with a name") {
  // From 1 s on the push takes the force above its level; what the guard sets takes the push away, and that sets it
  // back.
  const RunResult r = run_text(R"toml(simulation = { end = 2, rtol = 1e-9 }
gravity = [0, -10]
body = [{ name = "b", mass = 1 }]
contact = [{ name = "floor", between = [{ body = "ground", shape = "line" }, { body = "b", shape = "point" }] }]
state = [{ name = "off", discrete = true }]
force = [{ name = "push", type = "point_force", body = "b", force = [0, "off > 0.5 || t < 1 ? 0 : -40"] }]
guard = [{ name = "high", when = "floor.normal - 30", reset = { off = "1 - off" } }]
)toml");
  CHECK(r.outcome.status == RunStatus::event_pile_up);
  CHECK(r.outcome.t == Approx(1.0).epsilon(1e-9));
}

TEST_CASE("a formula of forces with a relation in it is refused at its place") {
  CHECK_THROWS_WITH(
      run_text(block("0", "abs(floor.normal) - 30")),
      Catch::Contains("guard \"level\": when: a formula of forces or accelerations may have no relations"));
}
