// tests/simulate/friction_formulas.cpp
//
// Coefficients of friction and normal forces that are formulas of time, states and motion: sliding follows them, what
// is stuck lets go when they say so, and their relations are events. With every formulation; motions are worked out by
// hand beside each model (g = 10, masses 1).
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

struct Method {
  const char *formulation, *integrator;
  double error;  ///< of states and times
};
const Method methods[] = {{"projection", "dopri5", 1e-9},    {"direct", "dop853", 1e-9},
                          {"direct", "rosenbrock4", 2e-9},   {"projection", "radau", 1e-9},
                          {"baumgarte", "dopri5", 1e-9},     {"partition_simple", "dopri5", 1e-9},
                          {"partition_full", "ode23", 1e-9}, {"ggl", "ida", 1e-7},
                          {"index1", "ida", 1e-7},           {"index3", "bdf", 1e-7}};

RunResult run(const Method& m, double end, const std::string& model) {
  INFO(m.formulation << " " << m.integrator);
  RunResult r = run_with_switches("simulation = { end = " + digits(end) + ", rtol = 1e-9, formulation = \"" +
                                  m.formulation + "\", integrator = \"" + m.integrator + "\" }\n" + model);
  INFO(r.outcome.message);
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  return r;
}

/// A block that slides on the floor at v.
std::string block(const std::string& v, const std::string& mu) {
  return "gravity = [0, -10]\nbody = [{ name = \"b\", mass = 1, velocity = [" + v +
         ", 0] }]\n"
         "contact = [{ name = \"floor\", between = [{ body = \"ground\", shape = \"line\" }, { body = \"b\", shape = "
         "\"point\" }], friction = { " +
         mu + " } }]\n";
}

}  // namespace

TEST_CASE("friction that grows with the way") {
  // x'' = -1 - x from x = 0, v = 1: x = sin t + cos t - 1, at rest at pi/4.
  for (const Method& m : methods) {
    const RunResult r = run(m, 2, block("1", "mu = \"0.1 + 0.1*b.x\""));
    CHECK(std::abs(first_event(r, "stick").t - M_PI / 4) <= m.error);
    CHECK(std::abs(final_value(r, "b.x") - (std::sqrt(2.0) - 1)) <= m.error);
  }
}

TEST_CASE("a relation in a coefficient is an event") {
  // Deceleration 1 up to x = 1/2, where v^2 = 3; then 3 for sqrt(3)/3 s and 1/2 m.
  for (const Method& m : methods) {
    const RunResult r = run(m, 2, block("2", "mu = \"b.x < 0.5 ? 0.1 : 0.3\""));
    CHECK(std::abs(first_event(r, "switch").t - (2 - std::sqrt(3.0))) <= m.error);
    CHECK(std::abs(first_event(r, "stick").t - (2 - std::sqrt(3.0) + std::sqrt(3.0) / 3)) <= m.error);
    CHECK(std::abs(final_value(r, "b.x") - 1) <= m.error);
    // A hundredth of a second of mu = 5.
    CHECK(std::abs(final_value(run(m, 2, block("1", "mu = \"t > 0.5 && t < 0.51 ? 5 : 0\"")), "b.vx") - 0.5) <=
          m.error);
  }
}

TEST_CASE("what is stuck lets go when a state has taken its friction away") {
  // Pushed with 3 N; mu = s falls as 0.5 - 0.1 t: slips at 2 s, then v' = t - 2.
  for (const Method& m : methods) {
    const RunResult r = run(m, 4, block("0", "mu = \"s\"") + R"toml(
state = [{ name = "s", initial = 0.5, rate = -0.1 }]
force = [{ name = "push", type = "point_force", body = "b", force = [3, 0] }]
)toml");
    CHECK(std::abs(first_event(r, "slip").t - 2) <= m.error);
    CHECK(std::abs(final_value(r, "b.vx") - 2) <= m.error);
  }
}

TEST_CASE("a clutch is pressed by a state") {
  // Two discs of inertia 1, torque mu R N = 0.4 0.5 20 s with s = t: the speeds 10 and 0 meet where 10 = 4 t^2.
  for (const Method& m : methods) {
    const RunResult r = run(m, 3, R"toml(
state = [{ name = "s", rate = 1 }]
body = [{ name = "motor", mass = 1, inertia = 1, angular_velocity = 10 }, { name = "load", mass = 1, inertia = 1 }]
joint = [{ name = "shaft", type = "revolute", bodies = ["ground", "motor"] },
         { name = "clutch", type = "revolute", bodies = ["motor", "load"], friction = { mu = 0.4, radius = 0.5, normal_force = "20*s" } }]
)toml");
    CHECK(std::abs(first_event(r, "stick").t - std::sqrt(2.5)) <= m.error);
    CHECK(std::abs(final_value(r, "load.omega") - 5) <= 5 * m.error);
  }
}

TEST_CASE("joint friction in newtons") {
  // 2 N stop 1 kg at 1 m/s in half a second, and hold what pushes with 1.9 N.
  for (const Method& m : methods) {
    const RunResult r = run(m, 2, R"toml(
body = [{ name = "b", mass = 1, velocity = [1, 0] }]
joint = [{ name = "rail", type = "translational", bodies = ["ground", "b"], friction = { friction_force = "t < 1 ? 2 : 1.9" } }]
force = [{ name = "push", type = "point_force", body = "b", force = ["t < 1 ? 0 : 1.9*(t - 0.5)", 0] }]
)toml");
    CHECK(std::abs(first_event(r, "stick").t - 0.5) <= m.error);
    CHECK(std::abs(first_event(r, "slip").t - 1.5) <= m.error);
    CHECK(std::abs(final_value(r, "b.vx") - 1.9 * 0.125) <= m.error);
  }
}

TEST_CASE("friction that grows with the way, in space") {
  for (const Method& m : methods) {
    const RunResult r = run(m, 2, R"toml(
dimension = 3
gravity = [0, 0, -10]
body = [{ name = "b", mass = 1, velocity = [0.6, 0.8, 0], inertia = [1, 1, 1] }]
contact = [{ name = "floor", between = [{ body = "ground", shape = "plane" }, { body = "b", shape = "point" }], friction = { mu = "0.1 + 0.1*(0.6*b.x + 0.8*b.y)" } }]
)toml");
    CHECK(std::abs(first_event(r, "stick").t - M_PI / 4) <= 10 * m.error);
    CHECK(std::abs(final_value(r, "b.x") - 0.6 * (std::sqrt(2.0) - 1)) <= m.error);
  }
}

TEST_CASE("a coefficient that becomes negative counts as zero, and is said") {
  const RunResult r = run(methods[0], 2, block("1", "mu = \"0.05 - 0.1*t\""));
  CHECK(std::abs(final_value(r, "b.vx") - (1 - 10 * 0.05 * 0.25)) <= 1e-6);
  bool said = false;
  for (const std::string& notice : r.notices)
    said |= notice.find("friction.mu_kinetic is negative") != std::string::npos;
  CHECK(said);
}
