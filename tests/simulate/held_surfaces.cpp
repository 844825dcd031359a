// tests/simulate/held_surfaces.cpp
//
// sliding = "filippov": where both sides of a switch drive back to it, the motion stays on its surface under the
// combination of both sides that leaves the condition at zero, from its first to its last instant (both in the ledger),
// and other formulas that read the same relation have the same combination. Truths are written out beside each model.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "hstar/dae.hpp"
#include "hstar/flow.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

std::string settings(double end, const std::string& more = "") {
  return "simulation = { end = " + digits(end) + ", rtol = 1e-9, sliding = \"filippov\"" + more + " }\n";
}

/// Times at which the ledger says that a surface is held, or left.
std::vector<double> changes(const RunResult& r) {
  std::vector<double> times;
  for (const EventRecord& e : r.events)
    if (e.kind == "switch" && !e.optional) times.push_back(e.t);
  return times;
}

}  // namespace

TEST_CASE("a relay holds a state until its load is too large, with every integrator") {
  // y' = t - 2 sign(y) from 0.3: zero at t1 = 2 - sqrt(3.4), held until t = 2, then y' = t - 2. While it is held
  // sign(y) is t/2: u = t1 + (4 - t1^2)/4 + 1 at t = 3.
  const double t1 = 2 - std::sqrt(3.4);
  for (const auto& entries : {integrators(), further_integrators()})
    for (const IntegratorEntry& entry : entries) {
      INFO(entry.name);
      const bool first_order = entry.order == 1;  // on a line it has the error of its tolerance's root
      const RunResult r = run_text(settings(3, ", integrator = \"" + entry.name + "\"") + R"toml(
state = [{ name = "y", initial = 0.3, rate = "t - 2*sign(y)" }, { name = "u", rate = "y > 0 ? 1 : -1" }]
)toml");
      REQUIRE(r.outcome.status == RunStatus::reached_end);
      const double margin = first_order ? 1e-4 : 1e-9;
      CHECK(final_value(r, "y") == Approx(0.5).margin(margin));
      CHECK(final_value(r, "u") == Approx(t1 + (4 - t1 * t1) / 4 + 1).margin(margin));
      const std::vector<double> at = changes(r);
      REQUIRE(at.size() == 2);
      CHECK(at[0] == Approx(t1).margin(margin));
      CHECK(at[1] == Approx(2.0).margin(first_order ? margin : 1e-12));
    }
}

TEST_CASE("a relay force holds a velocity or a position, in every formulation that steps explicitly") {
  // A block of 2 kg on a rail, pushed with 3 t, held by +-4 N until t = 4/3: then v = 3/4 (t - 4/3)^2.
  for (const char* formulation : {"projection", "baumgarte", "partition_simple", "partition_full"})
    for (const char* integrator : {"dopri5", "dop853", "ode23", "radau", "exact"})
      for (const char* condition : {"b.vx", "b.x", "2*b.x + 0.5*b.vx"}) {
        INFO(formulation << " " << integrator << ": " << condition);
        const RunResult r = run_text(
            settings(3, std::string(", integrator = \"") + integrator + "\", formulation = \"" + formulation + "\"") +
            R"toml(
gravity = [0, -10]
body = [{ name = "b", mass = 2 }]
joint = [{ name = "rail", type = "translational", bodies = ["ground", "b"] }]
force = [{ name = "relay", type = "point_force", body = "b", force = [")toml" +
            condition + R"toml( > 0 ? -4 : 4", 0] },
         { name = "load", type = "point_force", body = "b", force = ["3*t", 0] }]
)toml");
        REQUIRE(r.outcome.status == RunStatus::reached_end);
        const double s = 3 - 4.0 / 3;
        CHECK(final_value(r, "b.vx") == Approx(0.75 * s * s).margin(2e-9));
        CHECK(final_value(r, "b.x") == Approx(0.25 * s * s * s).margin(2e-9));
        const std::vector<double> at = changes(r);
        REQUIRE(at.size() == 2);
        CHECK(at[0] == 0.0);
        CHECK(at[1] == Approx(4.0 / 3).margin(1e-12));
      }
}

TEST_CASE("a surface that is curved is followed") {
  // Both sides drive to the circle x^2 + y^2 = 1, on which s = 0 is left: a turn with one radian a second. From radius
  // 2 it is met when r' = -r has made it 1, at t = ln 2; the angle is t all the time.
  const RunResult r = run_text(settings(3) + R"toml(
state = [{ name = "x", initial = 2, rate = "-y - x*sign(x^2 + y^2 - 1)" },
         { name = "y", rate = "x - y*sign(x^2 + y^2 - 1)" }]
)toml");
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  CHECK(final_value(r, "x") == Approx(std::cos(3.0)).margin(1e-8));
  CHECK(final_value(r, "y") == Approx(std::sin(3.0)).margin(1e-8));
  REQUIRE(changes(r).size() == 1);
  CHECK(changes(r)[0] == Approx(std::log(2.0)).margin(1e-9));
}

TEST_CASE("a surface is left where the load steps, and where a reset takes the state away") {
  // Held at 0 under a load of 1 against 2, which is 5 from t = 1 on: y' = 3, y(2) = 3.
  const RunResult steps = run_text(settings(2) + R"toml(
state = [{ name = "y", rate = "(t < 1 ? 1 : 5) - 2*sign(y)" }]
)toml");
  REQUIRE(steps.outcome.status == RunStatus::reached_end);
  CHECK(final_value(steps, "y") == Approx(3.0).margin(1e-9));
  CHECK(changes(steps) == std::vector<double>{0.0, 1.0});
  // Taken to 0.5 at t = 1, it is back at 0 after 0.5 s (y' = -1), and stays.
  const RunResult reset = run_text(settings(2) + R"toml(
state = [{ name = "y", rate = "1 - 2*sign(y)" }, { name = "u", rate = "sign(y)" }]
guard = [{ name = "kick", times = [1], reset = { y = 0.5 } }]
)toml");
  REQUIRE(reset.outcome.status == RunStatus::reached_end);
  CHECK(std::abs(final_value(reset, "y")) <= 1e-12);
  CHECK(final_value(reset, "u") == Approx(0.5 + 0.5 + 0.25).margin(1e-9));
  const std::vector<double> at = changes(reset);
  REQUIRE(at.size() == 3);
  CHECK(at[2] == Approx(1.5).margin(1e-12));
}

TEST_CASE("friction that is stuck has the force of a surface that is held") {
  // A relay of +-6 N holds a carriage of 1 kg at rest against 4 t N; the box of 1 kg on it is pushed with 1.5 t N and
  // slips at mu g = 3 N, t = 2, when the carriage carries 4 t + 3 = 11 N > 6: it had to leave before, at 5.5 t = 6.
  // From there both go together with (5.5 t - 6)/2 as long as the contact carries 1.5 t - that, less than 3 N.
  const RunResult r = run_text(settings(1.8) + R"toml(
gravity = [0, -10]
body = [{ name = "carriage", mass = 1 }, { name = "box", mass = 1, position = [0, 0.1] }]
joint = [{ name = "rail", type = "translational", bodies = ["ground", "carriage"] }]
force = [{ name = "relay", type = "point_force", body = "carriage", force = ["-6*sign(carriage.vx)", 0] },
         { name = "load", type = "point_force", body = "carriage", force = ["4*t", 0] },
         { name = "push", type = "point_force", body = "box", force = ["1.5*t", 0] }]
contact = [{ name = "deck", friction = { mu = 0.3 }, restitution = 0, between = [
  { body = "carriage", shape = "line", point = [0, 0.1] }, { body = "box", shape = "point" }] }]
)toml");
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  const double t1 = 6 / 5.5, s = 1.8 - t1;
  CHECK(final_value(r, "box.vx") == Approx(5.5 / 4 * s * s).margin(1e-9));
  CHECK(final_value(r, "carriage.vx") == Approx(5.5 / 4 * s * s).margin(1e-9));
  const std::vector<double> at = changes(r);
  REQUIRE(at.size() == 2);
  CHECK(at[1] == Approx(t1).margin(1e-12));
}

TEST_CASE("conditions that read what is held are on a side of their own on either side of it") {
  // The relay of the first case, whose share of y > 0 is (1 + t/2)/2 from t1 to 2. abs(sign(y) - 0.5) has 0.5 and 1.5
  // of it, the clamp 2 and -1. (All were on one side, and u and w wrong without a word.)
  const double t1 = 2 - std::sqrt(3.4);
  for (const char* relay : {"2*sign(y)", "clamp(20*sign(y), -2, 2)"})
    for (const char* integrator : {"dopri5", "radau", "bdf", "exact"}) {
      INFO(relay << " " << integrator);
      const RunResult r = run_text(settings(3, std::string(", integrator = \"") + integrator + "\"") + R"toml(
state = [{ name = "y", initial = 0.3, rate = "t - )toml" +
                                   relay + R"toml(" },
         { name = "u", rate = "abs(sign(y) - 0.5)" }, { name = "w", rate = "clamp(3*sign(y), -1, 2)" }]
)toml");
      REQUIRE(r.outcome.status == RunStatus::reached_end);
      CHECK(final_value(r, "y") == Approx(0.5).margin(1e-9));
      CHECK(final_value(r, "u") == Approx(0.5 * t1 + (2 - t1) - (4 - t1 * t1) / 8 + 0.5).margin(1e-8));
      CHECK(final_value(r, "w") == Approx(2 * t1 + 0.5 * (2 - t1) + 0.375 * (4 - t1 * t1) + 2).margin(1e-8));
    }
  // y = 2 - 2 exp(-0.6 t) up to 1, where min(1, 1) holds on one side of y and min(1, 0) on the other.
  const RunResult r = run_text(settings(3) + R"toml(
state = [{ name = "y", rate = "1.2 - 0.6*y - 1 + min(1, y > 1 ? 0 : 1)" }]
)toml");
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  CHECK(final_value(r, "y") == Approx(1).margin(1e-9));
}

TEST_CASE("a condition that is zero throughout does not keep another from being held") {
  for (const char* tie : {"sign(u - u)", "min(1 - m, ramp(t, 0, 0.1)) - 1", "2*sign(y - y)"}) {
    INFO(tie);
    const RunResult r = run_text(settings(3) + "state = [{ name = \"m\", discrete = true }, { name = \"u\", rate = \"" +
                                 tie + R"toml(" },
         { name = "y", initial = 0.3, rate = "t - 2*sign(y - 0.25*u*u*(t > 5 ? 1 : 0))" }]
)toml");
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(final_value(r, "y") == Approx(0.5).margin(1e-9));
  }
}

TEST_CASE("what cannot be held ends the run with its reason") {
  const RunResult staircase = run_text(settings(2) + R"toml(
state = [{ name = "y", initial = 0.5, rate = "0.5 - floor(y)" }]
)toml");
  CHECK(staircase.outcome.status == RunStatus::sliding_mode);
  CHECK(staircase.outcome.message.find("floor, ceil, round and mod cannot") != std::string::npos);
  const RunResult dae = run_text(settings(5, ", integrator = \"radau\", formulation = \"ggl\"") + R"toml(
body = [{ name = "b", mass = 2, velocity = [1, 0] }]
joint = [{ name = "rail", type = "translational", bodies = ["ground", "b"] }]
force = [{ name = "relay", type = "point_force", body = "b", force = ["0.5 - sign(b.vx)", 0] }]
)toml");
  CHECK(dae.outcome.status == RunStatus::sliding_mode);
  CHECK(dae.outcome.message.find("This formulation cannot hold it there") != std::string::npos);
}
