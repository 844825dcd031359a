// tests/simulate/without_load.cpp
//
// What nothing presses carries nothing: friction that has no load, or cannot have one, leaves the motion as that of the
// same mechanism without it, and round-off of forces that are zero is no event. References are closed forms, or one
// equation integrated here.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

TEST_CASE("a guide without a side load has no friction, though all forces are zero when it starts") {
  // Two blocks, one on the other, on a table in a plane without gravity. Only the lower one is pushed and sprung:
  // x'' = 17.5 sin(7 t) - 150 x from rest. The reserve of friction between the blocks is 0 throughout, and so is the
  // largest force at t = 0.
  const RunResult r = run_text(R"toml(
gravity = [0, 0]
simulation = { end = 0.8, rtol = 1e-10, integrator = "dop853" }
body = [{ name = "lower", mass = 2 }, { name = "upper", mass = 1.5, position = [0, 0.1] }]
joint = [
  { name = "floor", type = "translational", bodies = ["ground", "lower"], axis = [1, 0], friction = { mu_static = 0.25, mu_kinetic = 0.15 } },
  { name = "interface", type = "translational", bodies = ["lower", "upper"], points = [[0, 0.1], [0, 0]], axis = [1, 0], friction = { mu_static = 0.3, mu_kinetic = 0.2 } },
]
force = [
  { name = "spring", type = "spring_damper", between = [{ body = "ground" }, { body = "lower" }], axis = [1, 0], stiffness = 300, free_length = 0 },
  { name = "drive", type = "point_force", body = "lower", force = ["35*sin(7*t)", 0] },
]
)toml");
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  const double omega = std::sqrt(150.0), t = 0.8;
  CHECK(final_value(r, "lower.x") ==
        Approx(17.5 / (150 - 49) * (std::sin(7 * t) - 7 / omega * std::sin(omega * t))).epsilon(1e-8));
  CHECK(std::abs(final_value(r, "upper.x")) < 1e-12);
}

TEST_CASE("friction that can carry nothing neither sticks nor slips") {
  // The switch at 1 s makes a force of 5 N that the second brake holds; the first has no normal force, or no
  // coefficient, and the spring between them none either.
  for (const char* friction : {R"({ mu = 0.5, normal_force = "0" })", "{ mu = 0 }"}) {
    INFO(friction);
    const RunResult r = run_text(R"toml(
gravity = [0, -10]
simulation = { end = 2, rtol = 1e-10, integrator = "dop853" }
body = [{ name = "a", mass = 0.5 }, { name = "b", mass = 0.9 }]
force = [
  { name = "push", type = "point_force", body = "b", force = ["t < 1 ? 0 : 5", 0] },
  { name = "spring", type = "spring_damper", between = [{ body = "a" }, { body = "b" }], axis = [1, 0], stiffness = 30, free_length = 0 },
]
joint = [
  { name = "held", type = "translational", bodies = ["ground", "b"], axis = [1, 0], friction = { mu = 0.7, normal_force = "10" } },
  { name = "free", type = "translational", bodies = ["ground", "a"], axis = [1, 0], friction = )toml" +
                                 std::string(friction) + " },\n]\n");
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(r.events.empty());
    CHECK(final_value(r, "a.x") == 0);
  }
}

TEST_CASE("a box in a corner that is tipped about its other foot leaves the wall at once, by every method") {
  // The force grows until the foot in the corner lifts off, at 9.81 m/s^2 / (10 * 1.0354 N m / s): the box turns about
  // its other foot, which sticks, by I phi'' = M(t) - m g d(phi), integrated here. The corner leaves the wall as
  // 1 - cos(phi), by 1e-14 m after 4 ms: nothing tells at the instant, and a contact that stays closed holds the box as
  // soon as its row differs from those of the other foot.
  constexpr double moment = 10 * (0.976 * 0.938305 + 0.346 * 0.345808), weight = 2 * 9.81, inertia = 0.3 + 2 * 0.3125;
  const double lift = 0.5 * weight / moment;
  const auto rate = [&](double t, double phi) {
    return (weight * (0.5 * std::cos(phi) + 0.25 * std::sin(phi)) - moment * t) / inertia;
  };
  double phi = 0, omega = 0;
  constexpr int steps = 2000;
  const double h = (1.2 - lift) / steps;
  for (int i = 0; i < steps; ++i) {  // the classical Runge-Kutta method
    const double t = lift + i * h, a = rate(t, phi), b = rate(t + h / 2, phi + h / 2 * omega),
                 c = rate(t + h / 2, phi + h / 2 * omega + h * h / 4 * a),
                 d = rate(t + h, phi + h * omega + h * h / 2 * b);
    phi += h * omega + h * h / 6 * (a + b + c);
    omega += h / 6 * (a + 2 * b + 2 * c + d);
  }
  const double x = 1 - 0.5 * std::cos(phi) - 0.25 * std::sin(phi);
  const std::string plane = R"toml(
gravity = [0, -9.81]
body = [{ name = "box", mass = 2, inertia = 0.3, position = [0.5, 0.25] }]
contact = [
  { name = "floor", between = [{ body = "ground", shape = "line" }, { body = "box", shape = "polygon", corners = [[-0.5, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, 0.25]] }], friction = { mu = 0.767 } },
  { name = "wall", between = [{ body = "ground", shape = "line", normal = [1, 0] }, { body = "box", shape = "polygon", corners = [[-0.5, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, 0.25]] }], friction = { mu_static = 0.348, mu_kinetic = 0.183 } },
]
force = [{ name = "pull", type = "point_force", body = "box", point = [-0.476, 0.096], frame = "body", force = ["3.45808*t", "9.38305*t"] }]
)toml",
                    space = R"toml(
dimension = 3
gravity = [0, 0, -9.81]
body = [{ name = "box", mass = 2, inertia = [0.3, 0.3, 0.3], position = [0.5, 0, 0.25] }]
contact = [
  { name = "floor", between = [{ body = "ground", shape = "plane", normal = [0, 0, 1] }, { body = "box", shape = "box", sides = [1, 0.4, 0.5] }], friction = { mu = 0.767 } },
  { name = "wall", between = [{ body = "ground", shape = "plane", normal = [1, 0, 0] }, { body = "box", shape = "box", sides = [1, 0.4, 0.5] }], friction = { mu_static = 0.348, mu_kinetic = 0.183 } },
]
force = [{ name = "pull", type = "point_force", body = "box", point = [-0.476, 0, 0.096], frame = "body", force = ["3.45808*t", 0, "9.38305*t"] }]
)toml";
  for (const std::string& model : {plane, space})
    for (const char* method :
         {R"(integrator = "dopri5", formulation = "projection")", R"(integrator = "dop853", formulation = "direct")",
          R"(integrator = "dop853", formulation = "partition_full")", R"(integrator = "bdf", formulation = "index3")",
          R"(integrator = "radau", formulation = "ggl")"}) {
      INFO(method << model.substr(0, 15));
      const RunResult r = run_text("simulation = { end = 1.2, rtol = 1e-9, " + std::string(method) + " }\n" + model);
      INFO(r.outcome.message);
      REQUIRE(r.outcome.status == RunStatus::reached_end);
      CHECK(final_value(r, "box.x") == Approx(x).margin(1e-9));
      CHECK(first_event(r, "liftoff").t == Approx(lift).margin(1e-9));
      CHECK(r.events.back().t == r.events.front().t);
    }
}

TEST_CASE("what is held all along stands, whatever the formulation lets it drift") {
  // 20 N at most against 20.29 N: the block never moves, its speeds are those that error control lets pass, and to be
  // a part of the mechanism's speed is no contradiction where that is nothing.
  for (const char* formulation : {"projection", "baumgarte", "direct", "partition_full"}) {
    INFO(formulation);
    const RunResult r = run_text(R"toml(
gravity = [0, -9.81]
body = [{ name = "mass", mass = 2.028 }]
joint = [{ name = "floor", type = "translational", bodies = ["ground", "mass"], axis = [1, 0], friction = { mu = 1.02 } }]
force = [
  { name = "spring", type = "spring_damper", between = [{ body = "ground" }, { body = "mass" }], axis = [1, 0], stiffness = 100, free_length = 0 },
  { name = "drive", type = "point_force", body = "mass", force = ["20*sin(1.4*t)", 0] },
]
simulation = { end = 60, rtol = 1e-8, integrator = "bulirsch_stoer", baumgarte_alpha = 1, baumgarte_beta = 1, formulation = ")toml" +
                                 std::string(formulation) + "\" }\n");
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(r.events.empty());
    CHECK(std::abs(final_value(r, "mass.x")) < 1e-6);
  }
}

TEST_CASE("round-off of a motion told from outside is no friction in a guide that nothing presses") {
  // The guide moves with 10 m/s, upright, and the spring in it passes the point that it is fixed to: what round-off
  // of x leaves of its direction there changes the side that presses at every step. What holds without it is the energy
  // seen from the guide.
  const RunResult r = run_text(R"toml(
gravity = [0, -9.81]
simulation = { end = 1, rtol = 1e-8 }
body = [
  { name = "earth", motion = { x = "10*t", y = "-1*t" } },
  { name = "block", mass = 0.5, inertia = 0.001, position = [0, 0.2], velocity = [10, 0.7968819066821045] },
]
joint = [{ name = "guide", type = "translational", bodies = ["earth", "block"], points = [[0, 0.2], [0, 0]], axis = [0, 1], friction = { mu_static = 0.2, mu_kinetic = 0.15 } }]
force = [{ name = "spring", type = "spring_damper", between = [{ body = "earth", point = [0, 0.3468404441453637] }, { body = "block" }], stiffness = 100, free_length = 0.06425023238394749 }]
)toml");
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  const auto energy = [](double t, double y, double v) {
    const double stretch = std::abs(y + t - 0.3468404441453637) - 0.06425023238394749;
    return 0.25 * (v + 1) * (v + 1) + 50 * stretch * stretch + 0.5 * 9.81 * (y + t);
  };
  CHECK(energy(1, final_value(r, "block.y"), final_value(r, "block.vy")) ==
        Approx(energy(0, 0.2, 0.7968819066821045)).epsilon(1e-6));
}

TEST_CASE("a guide that nothing presses tells no sides, wherever it is and however it moves") {
  // A block on a spring in an upright guide, seen from beside, and from a car: it turns round every half period, and
  // that is all. (The spring's line has the round-off of x, and pulls to this side and that.)
  for (const char* place : {"0", "3*t", "100 + 10*t"}) {
    INFO(place);
    const double speed = place[0] == '0' ? 0 : place[0] == '3' ? 3 : 10, x = place[0] == '1' ? 100 : 0;
    const RunResult r = run_text("body = [{ name = \"car\", motion = { x = \"" + std::string(place) +
                                 "\" } }, { name = \"block\", mass = 2.5, inertia = 0.001, position = [" +
                                 std::to_string(x) + ", 0.2], velocity = [" + std::to_string(speed) + R"toml(, 1.0] }]
gravity = [0, -9.81]
simulation = { end = 1.5, rtol = 1e-8 }
joint = [{ name = "guide", type = "translational", bodies = ["car", "block"], points = [[0, 0.2], [0, 0]], axis = [0, 1], friction = { mu = 0.5 } }]
force = [{ name = "spring", type = "spring_damper", between = [{ body = "car", point = [0, 1.1] }, { body = "block" }], stiffness = 800, free_length = 0.75 }]
)toml");
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    const double omega = std::sqrt(800 / 2.5), start = 0.2 - (1.1 - 0.75 - 2.5 * 9.81 / 800);
    double turns = std::atan2(1.0 / omega, start);
    if (turns < 0) turns += std::acos(-1.0);
    for (const EventRecord& e : r.events) {
      CHECK(e.kind == "reversal");
      CHECK(e.t == Approx(turns / omega).epsilon(1e-7));
      turns += std::acos(-1.0);
    }
    CHECK(turns / omega > 1.5);
  }
}

TEST_CASE("rows in between are not for round-off of forces, where no column shows the load") {
  // A block driven along a guide that nothing presses: the guide's forces are 1e-16 of the drive.
  const RunResult r = run_text(R"toml(
gravity = [0, 0]
simulation = { end = 1, rtol = 1e-10, integrator = "dop853" }
body = [{ name = "block", mass = 2 }]
joint = [{ name = "guide", type = "translational", bodies = ["ground", "block"], axis = [-0.35, 0.94], friction = { mu = 0.2 } }]
force = [{ name = "drive", type = "point_force", body = "block", force = ["-0.35*30*sin(5*t)", "0.94*30*sin(5*t)"] }]
)toml");
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  CHECK(r.rows.size() < 2000);
}
