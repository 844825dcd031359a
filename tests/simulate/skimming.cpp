// tests/simulate/skimming.cpp
//
// Viscous friction of a contact acts while it is closed, whatever its load. Where it takes away more than the load and
// the contact would be pressed without it, the contact skims: no load, and the part of that friction which leaves it on
// its surface, until that part is none (it lifts off) or all (it presses again). By every formulation, in the plane and
// in space.
//
// The model: a carriage runs at -1 m/s, a block of 2 kg slides on a ramp of 45 degrees on it and drags over the floor
// with 4 N s/m; g = 10, lifted by F(t). Along the ramp, closed: N = 20 - F - 4 theta.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "hstar/model_spec.hpp"
#include "mechanism/spatial/euler_parameters.hpp"
#include "support/lifted.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

const char* const block_on_carriage = R"toml(
gravity = [0, -10]
body = [{ name = "carriage", motion = { x = "-t", y = 1, angle = 0 } }, { name = "block", mass = 2, velocity = [-1, 0] }]
joint = [{ name = "ramp", type = "translational", bodies = ["carriage", "block"], points = [[0, -1], [0, 0]], axis = [1, 1] }]
contact = [{ name = "floor", between = [{ body = "ground", shape = "line", point = [0, 0], normal = [0, 1] },
                                        { body = "block", shape = "point" }], friction = { FRICTION } }]
force = [{ name = "lift", type = "point_force", body = "block", force = [0, "LIFT"] }]
)toml";

std::string model(double end, const std::string& friction, const std::string& lift, const std::string& method) {
  std::string text =
      "simulation = { end = " + digits(end) + ", rtol = 1e-10, output = 0.5, " + method + " }" + block_on_carriage;
  text.replace(text.find("FRICTION"), 8, friction);
  text.replace(text.find("LIFT"), 4, lift);
  return text;
}

const char* const viscous = R"(law = "viscous", viscous = 4)";
const char* const with_coulomb = "mu_static = 0.4, mu_kinetic = 0.3, viscous = 4";

double value(const RunResult& r, const std::string& name, double t) {
  const std::size_t at = column(r, name);
  for (const auto& row : r.rows)
    if (std::abs(row[0] - t) < 1e-12) return row[at];
  throw std::runtime_error("no row at this time");
}

}  // namespace

TEST_CASE("a contact without load that viscous friction keeps closed lifts off when none of it is needed") {
  // F = 12 + 2 t: N = 0 at t = 2, theta = 2 - t/2, 0 at t = 4; then 2 y'' = 2 (t - 4) / 2.
  for (const char* friction : {viscous, with_coulomb})
    for (const char* method :
         {R"(integrator = "dopri5", formulation = "projection")", R"(integrator = "dop853", formulation = "direct")",
          R"(integrator = "ode23", formulation = "partition_full")",
          R"(integrator = "radau", formulation = "projection")", R"(integrator = "dopri5", formulation = "baumgarte")",
          R"(integrator = "exact", formulation = "projection")",
          R"(integrator = "dop853", formulation = "partition_simple")",
          R"(integrator = "radau", formulation = "index3")", R"(integrator = "bdf", formulation = "index3")",
          R"(integrator = "generalized_alpha", formulation = "index3")", R"(integrator = "bdf", formulation = "ggl")",
          R"(integrator = "ida", formulation = "ggl")", R"(integrator = "radau", formulation = "index1")",
          R"(integrator = "ida", formulation = "index1")"}) {
      INFO(friction << ", " << method);
      const std::string name = method;
      const bool leaves_positions =
          name.find("direct") != std::string::npos || name.find("baumgarte") != std::string::npos;
      const RunResult r = run_text(model(5, friction, "12 + 2*t", method));
      REQUIRE(r.outcome.status == RunStatus::reached_end);
      CHECK(count(r, "liftoff") == 1);
      CHECK(first_event(r, "liftoff").t == Approx(4).margin(1e-10));
      CHECK(final_value(r, "block.y") == Approx(1.0 / 12).margin(1e-9));
      CHECK(value(r, "floor.normal", 1) == Approx(friction == viscous ? 2 : 2 / 1.3).margin(1e-9));
      for (const double t : {2.5, 3.0, 3.5}) {
        CHECK(std::abs(value(r, "floor.normal", t)) < 1e-12);
        if (!leaves_positions) CHECK(std::abs(value(r, "floor.gap", t)) < 1e-14);
        CHECK(std::abs(value(r, "floor.tangential", t)) == Approx(4 * (2 - t / 2)).margin(1e-9));
      }
    }
}

TEST_CASE("one that skims presses again when all of its viscous friction is needed") {
  // F = 15 + 2 sin 2t: no load from t = pi/12 to 5 pi/12 and a period later; theta = (5 - 2 sin 2t) / 4.
  const RunResult r =
      run_text(model(5, with_coulomb, "15 + 2*sin(2*t)", R"(integrator = "dop853", formulation = "projection")"));
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  CHECK(count(r, "liftoff") == 0);
  CHECK(std::abs(final_value(r, "block.y")) < 1e-12);
  for (double t = 0.5; t < 5; t += 0.5) {
    const double lift = 15 + 2 * std::sin(2 * t), load = std::max(0.0, (16 - lift) / 1.3);
    CHECK(value(r, "floor.normal", t) == Approx(load).margin(1e-9));
    CHECK(std::abs(value(r, "floor.tangential", t)) == Approx(std::min(4.0, 20 - lift) + 0.3 * load).margin(1e-9));
  }
}

TEST_CASE("what touches without speed may skim from there on") {
  // It starts on the floor with theta = (20 - 18) / 4.
  const RunResult r = run_text(model(1, viscous, "18", R"(integrator = "dopri5", formulation = "projection")"));
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  CHECK(std::abs(final_value(r, "block.y")) < 1e-12);
  CHECK(std::abs(value(r, "floor.tangential", 0.5)) == Approx(2).margin(1e-10));
}

TEST_CASE("a contact skims in space too") {
  const ModelSpec planar = parse_model(
      model(5, with_coulomb, "12 + 2*t", R"(integrator = "dop853", formulation = "projection")"), "in a test");
  const RunResult r =
      run_text(lifted(planar, rotation_matrix(parameters_from_axis({0.3, -1.1, 0.7}, 1.3, {}, "test"))));
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  CHECK(first_event(r, "liftoff").t == Approx(4).margin(1e-10));
}
