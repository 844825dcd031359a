// tests/simulate/joint_limits.cpp
//
// Limits of a joint's coordinate are stops: contacts whose gap is the coordinate less the limit. Impacts, rest and
// lift-off at them happen as at any contact, with the joint's friction and with every formulation, in the plane and in
// space, and formulas read their gaps. References are closed forms of motion at constant acceleration between impacts.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

/// Impacts of one element, in order.
std::vector<EventRecord> impacts(const RunResult& r, const std::string& element) {
  std::vector<EventRecord> found;
  for (const EventRecord& e : r.events)
    if (e.kind == "impact" && e.element == element) found.push_back(e);
  return found;
}

std::string simulation(double end, const std::string& formulation = "") {
  return "simulation = { end = " + std::to_string(end) + ", rtol = 1e-10" +
         (formulation.empty() ? "" : ", formulation = \"" + formulation + "\"") +
         (formulation == "ggl" || formulation == "index3" ? ", integrator = \"radau\"" : "") + " }\n";
}

const std::string carriage = R"toml(gravity = [0, -10]
body = [{ name = "slide", mass = 2, inertia = 0.1, velocity = [3, 0] }]
joint = [{ name = "guide", type = "translational", bodies = ["ground", "slide"], limits = [-0.25, 0.5], restitution = 0.5, friction = { mu = 0.1 } }]
)toml";

const std::string flywheel = R"toml(dimension = 3
gravity = [0, 0, -10]
body = [{ name = "wheel", mass = 2, inertia = [0.1, 0.2, 0.3], angular_velocity = [0, 0, 2] }]
)toml";

}  // namespace

TEST_CASE("a carriage runs between stops on a rough guide") {
  // mu g = 1 m/s^2. From 3 m/s it meets 0.5 m with sqrt(8) m/s at 3 - sqrt(8) s, comes back with sqrt(2), meets -0.25 m
  // with sqrt(1/2) m/s after sqrt(2) - sqrt(1/2) s more, and sticks sqrt(1/8) s after that, 1/16 m from the stop.
  for (const char* formulation : {"projection", "ggl", "index3", "partition_full", "partition_simple", "baumgarte"}) {
    INFO(formulation);
    const RunResult r = run_text(simulation(2, formulation) + carriage);
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    const auto upper = impacts(r, "guide.upper"), lower = impacts(r, "guide.lower");
    REQUIRE(upper.size() == 1);
    REQUIRE(lower.size() == 1);
    const double first = 3 - std::sqrt(8.0), second = first + std::sqrt(2.0) - std::sqrt(0.5);
    CHECK(upper[0].t == Approx(first).margin(1e-9));
    CHECK(upper[0].energy_loss == Approx(8 - 2).epsilon(1e-8));
    CHECK(lower[0].t == Approx(second).margin(1e-9));
    CHECK(count(r, "stick") == 1);
    CHECK(final_value(r, "slide.x") == Approx(-0.25 + 1.0 / 16).margin(1e-9));
  }
}

TEST_CASE("a wheel in space turns between stops more than a turn apart") {
  // 2 rad/s up to 8 rad, back with 1 rad/s to -1 rad, and up with 0.5.
  for (const char* formulation : {"projection", "ggl", "partition_full"}) {
    INFO(formulation);
    const RunResult r = run_text(simulation(15, formulation) + flywheel +
                                 "joint = [{ name = \"hinge\", type = \"revolute\", bodies = [\"ground\", \"wheel\"], "
                                 "limits = [-1, 8], restitution = 0.5 }]\n");
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    const auto upper = impacts(r, "hinge.upper"), lower = impacts(r, "hinge.lower");
    REQUIRE(upper.size() == 1);
    REQUIRE(lower.size() == 1);
    CHECK(upper[0].t == Approx(4.0).margin(1e-8));
    CHECK(lower[0].t == Approx(13.0).margin(1e-8));
    CHECK(final_value(r, "hinge.angle") == Approx(0.0).margin(1e-7));
    CHECK(upper[0].impulse_n == Approx(0.3 * 3).epsilon(1e-9));
  }
}

TEST_CASE("a wheel that a torque presses against its stop comes to rest there, and leaves it when the torque turns") {
  // -0.6 N m on 0.3 kg m^2 from rest, 1 rad above its stop: it falls for 1 s, bounces with e = 1/2 for 2 s more (the
  // sum of 2^(1 - n)), rests; 0.3 N m from 5 s on lift it, and after 1 s more it is 1/2 rad above it.
  const RunResult r = run_text(simulation(6) + R"toml(dimension = 3
gravity = [0, 0, -10]
body = [{ name = "wheel", mass = 2, inertia = [0.1, 0.2, 0.3] }]
joint = [{ name = "hinge", type = "revolute", bodies = ["ground", "wheel"], limits = [-1, inf], restitution = 0.5 }]
force = [{ name = "press", type = "torque", body = "wheel", torque = [0, 0, "t < 5 ? -0.6 : 0.3"] }]
)toml");
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  REQUIRE(count(r, "zeno") == 1);
  for (const EventRecord& e : r.events) {
    if (e.kind == "zeno") CHECK(e.t == Approx(3.0).margin(1e-8));
    if (e.kind == "liftoff") CHECK(e.t == Approx(5.0).margin(1e-12));
  }
  CHECK(final_value(r, "hinge.angle") == Approx(-0.5).margin(1e-8));
}

TEST_CASE("a collar has limits along its shaft and about it") {
  const RunResult r = run_text(simulation(10) + R"toml(dimension = 3
gravity = [0, 0, 0]
body = [{ name = "collar", mass = 2, inertia = [0.1, 0.2, 0.2], velocity = [1, 0, 0], angular_velocity = [3, 0, 0] }]
joint = [{ name = "shaft", type = "cylindrical", bodies = ["ground", "collar"], axis = [1, 0, 0], limits = [-0.5, 2], second_limits = [-5, 10], restitution = 1 }]
)toml");
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  const auto slide = impacts(r, "shaft.lower"), turn = impacts(r, "shaft.second_upper");
  REQUIRE(slide.size() == 2);
  REQUIRE(turn.size() == 1);
  CHECK(slide[0].t == Approx(4.5).margin(1e-9));
  CHECK(slide[1].t == Approx(9.5).margin(1e-9));
  CHECK(turn[0].t == Approx(10.0 / 3).margin(1e-9));
}

TEST_CASE("a screw's stop holds the way and the turn, and a link between two bodies has limits, too") {
  // A nut of 2 kg and 0.2 kg m^2 on a screw of 2 pi m turns 1 rad a metre; 3 N push it against its stop: it rests
  // there.
  const RunResult nut = run_text(simulation(2) + R"toml(dimension = 3
gravity = [3, 0, 0]
body = [{ name = "nut", mass = 2, inertia = [0.2, 0.2, 0.2] }]
joint = [{ name = "thread", type = "screw", bodies = ["ground", "nut"], axis = [1, 0, 0], pitch = "2*pi", limits = [-1, 0.5] }]
)toml");
  REQUIRE(nut.outcome.status == RunStatus::reached_end);
  const auto stop = impacts(nut, "thread.upper");
  REQUIRE(stop.size() == 1);
  CHECK(stop[0].t == Approx(std::sqrt(2 * 0.5 / (6 / 2.2))).margin(1e-9));
  CHECK(final_value(nut, "nut.x") == Approx(0.5).margin(1e-12));

  // Two equal discs on one axle, one with 2 rad/s: after 1 rad the stop between them takes both along with 1 rad/s.
  const RunResult discs = run_text(simulation(2) + R"toml(gravity = [0, 0]
body = [{ name = "a", mass = 1, inertia = 1 }, { name = "b", mass = 1, inertia = 1, angular_velocity = 2 }]
joint = [{ name = "axle", type = "revolute", bodies = ["ground", "a"] }, { name = "play", type = "revolute", bodies = ["a", "b"], limits = [-1, 1] }]
)toml");
  REQUIRE(discs.outcome.status == RunStatus::reached_end);
  CHECK(final_value(discs, "a.angle") == Approx(1.5).margin(1e-9));
  CHECK(final_value(discs, "b.angle") == Approx(2.5).margin(1e-9));
}

TEST_CASE("formulas and guards read the gap of a stop and of a contact") {
  // A force of -9 times the gap on 1 kg: gap'' = 9 gap read from the upper stop is x'' = -9 (x - 0), period 2 pi/3.
  const RunResult spring = run_text(simulation(2) + R"toml(gravity = [0, 0]
body = [{ name = "m", mass = 1, inertia = 1, position = [0.5, 0] }]
joint = [{ name = "guide", type = "translational", bodies = ["ground", "m"], limits = [-2, 1] }]
force = [{ name = "pull", type = "point_force", body = "m", force = ["9*(guide.upper.gap - 1) - 0*guide.upper.gap_velocity", 0] }]
guard = [{ name = "half", when = "guide.lower.gap - 2" }]
)toml");
  REQUIRE(spring.outcome.status == RunStatus::reached_end);
  std::vector<double> t;
  for (const EventRecord& e : spring.events)
    if (e.element == "half") t.push_back(e.t);
  REQUIRE(t.size() == 2);
  CHECK(t[0] == Approx(M_PI / 6).margin(1e-8));
  CHECK(t[1] == Approx(M_PI / 2).margin(1e-8));

  // A ball that falls 5 m with g = 10 passes 1.8 m after 0.8 s with 8 m/s; a guard turns its state there.
  const RunResult ball = run_text(simulation(0.9) + R"toml(gravity = [0, -10]
body = [{ name = "b", mass = 1, position = [0, 5] }]
contact = [{ name = "floor", between = [{ body = "ground", shape = "line" }, { body = "b", shape = "point" }] }]
state = [{ name = "seen", discrete = true }]
guard = [{ name = "low", when = "floor.gap - 1.8", reset = { seen = "floor.gap_velocity" } }]
)toml");
  REQUIRE(ball.outcome.status == RunStatus::reached_end);
  CHECK(final_value(ball, "seen") == Approx(-8.0).epsilon(1e-9));
}

TEST_CASE("limits that the start contradicts are told at their place") {
  const std::string model = simulation(1) + R"toml(gravity = [0, 0]
body = [{ name = "m", mass = 1, inertia = 1, angle = 0.7 }]
joint = [{ name = "hinge", type = "revolute", bodies = ["ground", "m"], limits = [-0.5, 0.5] }]
)toml";
  CHECK_THROWS_WITH(run_text(model),
                    Catch::Contains("joint \"hinge\": it starts at 0.7 rad, beyond its limit of 0.5 rad; "
                                    "move the bodies or the limits"));
}
