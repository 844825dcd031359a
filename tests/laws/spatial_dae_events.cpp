// tests/laws/spatial_dae_events.cpp
//
// Events under the implicit formulations in space: a ball with side and top spin slides along a parabola until it
// rolls, a shaft in a cylindrical joint turns and slides to a stop, a ball bounces until it stays, a box on four feet
// stops and is pushed loose. Times and places of the events follow the tolerance: against closed forms, the box's stop
// against dop853 with projection.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "laws/dae_problems.hpp"
#include "mechanism/spatial/vec3.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace laws;
using support::digits;

namespace {

struct Way {
  const char *integrator, *formulation;
  double rtol, allowed;  ///< of times and places
};
const Way ways[] = {{"bdf", "index3", 1e-9, 1e-6},
                    {"bdf", "ggl", 1e-9, 1e-6},
                    {"ida", "ggl", 1e-9, 1e-6},
                    {"ida", "index1", 1e-9, 1e-6},
                    {"hht", "index3", 1e-6, 1e-4}};

/// Of radius 0.11 on or above a table, with mu = 0.2 and side and top spin.
std::string ball(double height, double restitution) {
  return R"toml(
dimension = 3
gravity = [0, 0, -9.81]
[[body]]
name = "ball"
mass = 0.3
inertia = ["0.4*0.3*0.11^2", "0.4*0.3*0.11^2", "0.4*0.3*0.11^2"]
velocity = [1.2, 0.3, 0]
angular_velocity = [-8, 5, 3]
position = [0.5, -0.2, )toml" +
         digits(height) + R"toml(]
[[contact]]
name = "table"
between = [{ body = "ground", shape = "plane" }, { body = "ball", shape = "sphere", radius = 0.11 }]
friction = { mu_static = 0.2, mu_kinetic = 0.2 }
restitution = )toml" +
         digits(restitution) + "\n";
}

}  // namespace

TEST_CASE("a ball slides until it rolls, in every implicit formulation") {
  const double R = 0.11, mu = 0.2, g = 9.81;
  const Vec3 v{1.2, 0.3, 0}, omega{-8, 5, 3};
  const std::string model = ball(0.11, 0);
  // The contact slides with u = v + omega x (-R n); u' = -7/2 mu g u / |u|, v' = -mu g u / |u|.
  const Vec3 u = v + cross(omega, Vec3{0, 0, -R});
  const double rolls = 2 * norm(u) / (7 * mu * g), end = 1.0;
  const Vec3 d = (1 / norm(u)) * u, after = v - (mu * g * rolls) * d,
             place = Vec3{0.5, -0.2, R} + rolls * v - (0.5 * mu * g * rolls * rolls) * d + (end - rolls) * after;
  for (const Way& way : ways) {
    INFO(way.formulation << " with " << way.integrator);
    const RunResult r = run_model(model, {way.integrator, way.formulation, end, 0, way.rtol, ""});
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(r.events.size() == 1);
    CHECK(r.events[0].kind == "stick");
    CHECK(r.events[0].t == Approx(rolls).margin(way.allowed));
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(r.y_end[i] == Approx(place[i]).margin(way.allowed));
      CHECK(r.y_end[7 + i] == Approx(after[i]).margin(way.allowed));
    }
  }
}

TEST_CASE("a shaft turns and slides to its stop, in every implicit formulation") {
  // One normal force F across the shaft: gamma_T = (v, R w), lambda_T = -mu F gamma_T / |gamma_T|. With J = m R^2 both
  // components decelerate alike, gamma_T keeps its direction and stops after m |gamma_T| / (mu F).
  const std::string model = R"toml(
dimension = 3
gravity = [0, 0, -9.81]
[[body]]
name = "shaft"
mass = 2.0
inertia = [0.02, 0.3, 0.3]
velocity = [0.3, 0, 0]
angular_velocity = [4.0, 0, 0]
[[joint]]
name = "bearing"
type = "cylindrical"
bodies = ["ground", "shaft"]
at = [0, 0, 0]
axis = [1, 0, 0]
friction = { mu_static = 0.3, mu_kinetic = 0.3, radius = 0.1 }
)toml";
  const double speed = std::hypot(0.3, 0.4), stops = speed / (0.3 * 9.81);
  for (const Way& way : ways) {
    INFO(way.formulation << " with " << way.integrator);
    const RunResult r = run_model(model, {way.integrator, way.formulation, 0.5, 0, way.rtol, ""});
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(r.events.size() == 1);
    CHECK(r.events[0].kind == "stick");
    CHECK(r.events[0].t == Approx(stops).margin(way.allowed));
    CHECK(r.y_end[0] == Approx(0.5 * 0.3 * stops).margin(way.allowed));
    CHECK(std::abs(r.y_end[7]) < 1e-12);
    CHECK(std::abs(r.y_end[10]) < 1e-12);
  }
}

TEST_CASE("a ball bounces until it stays, in every implicit formulation") {
  const std::string model = ball(0.5, 0.4);
  // From 0.39 m, restitution e = 0.4: flights of 2 e^k sqrt(2 h / g) end at their limit.
  const double first = std::sqrt(2 * 0.39 / 9.81), limit = first * (1 + 2 * 0.4 / (1 - 0.4));
  for (const Way& way : ways) {
    INFO(way.formulation << " with " << way.integrator);
    const RunResult r = run_model(model, {way.integrator, way.formulation, 1.0, 0, way.rtol, ""});
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(r.events.size() > 5);
    CHECK(r.events.front().kind == "impact");
    CHECK(r.events.front().t == Approx(first).margin(way.allowed));
    const auto zeno =
        std::find_if(r.events.begin(), r.events.end(), [](const EventRecord& e) { return e.kind == "zeno"; });
    REQUIRE(zeno != r.events.end());
    CHECK(zeno->t == Approx(limit).margin(way.allowed));
    CHECK(r.y_end[2] == Approx(0.11).margin(1e-9));
  }
}

TEST_CASE("a box on four feet stops turning and sliding, and is pushed loose, in every implicit formulation") {
  // Of its rows while it sticks six are independent: the four normal ones have rank 3, the eight tangential ones too.
  const std::string model = R"toml(
dimension = 3
gravity = [0, 0, -9.81]
[[body]]
name = "box"
mass = 2.0
inertia = [0.02, 0.03, 0.04]
position = [0, 0, 0.05]
velocity = [1.0, 0.4, 0]
angular_velocity = [0, 0, 2.0]
[[contact]]
name = "floor"
between = [{ body = "ground", shape = "plane" }, { body = "box", shape = "box", sides = [0.4, 0.3, 0.1] }]
friction = { mu_static = 0.4, mu_kinetic = 0.3 }
[[force]]
name = "push"
type = "point_force"
body = "box"
force = ["120*max(t - 0.6, 0)", 0, 0]
)toml";
  const RunResult truth = run_model(model, {"dop853", "projection", 0.8, 0, 1e-12, ""});
  REQUIRE(truth.outcome.success());
  REQUIRE(truth.events.size() == 2);
  for (const Way& way : ways) {
    INFO(way.formulation << " with " << way.integrator);
    const RunResult r = run_model(model, {way.integrator, way.formulation, 0.8, 0, way.rtol, ""});
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(r.events.size() == 2);
    CHECK(r.events[0].kind == "stick");
    CHECK(r.events[0].t == Approx(truth.events[0].t).margin(way.allowed));
    CHECK(r.events[1].kind == "slip");
    CHECK(r.events[1].t == Approx(0.6 + 0.4 * 2.0 * 9.81 / 120).margin(1e-9));
    for (std::size_t i = 0; i < r.y_end.size(); ++i)
      CHECK(r.y_end[i] == Approx(truth.y_end[i]).margin(10 * way.allowed));
  }
}
