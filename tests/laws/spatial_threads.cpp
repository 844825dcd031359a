// tests/laws/spatial_threads.cpp
//
// Joints whose equations hold on every thread or tooth alike, a screw and a gear, and joints that hold with an axis the
// wrong way round: a step that goes far must not end on another of their solutions.
//   - Under every method, with steps of fixed length of up to a third of a turn, all bodies end where the driver says.
//   - Positions hold to round-off in every step, however far rows turn: multipliers that a kept Newton matrix gets
//   wrong must not grow from step to step.
//   - A state with an axis the wrong way round ends the run by name.
// Truth: closed forms; the mechanism is driven throughout.
#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "laws/dae_problems.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;

namespace {

constexpr double teeth_1 = 60, teeth_2 = 17, pitch = 0.0008;

double driven(double t) { return 1.5 * t + 0.7 * std::sin(3 * t); }

std::string body(const char* name, const char* position = "[0, 0, 0]") {
  return fmt::format("[[body]]\nname = \"{}\"\nmass = 1\ninertia = [0.01, 0.02, 0.015]\nposition = {}\n", name,
                     position);
}

std::string joint(const char* name, const char* type, const char* first, const char* second,
                  const std::string& more = "") {
  return fmt::format("[[joint]]\nname = \"{}\"\ntype = \"{}\"\nbodies = [\"{}\", \"{}\"]\n{}\n", name, type, first,
                     second, more);
}

const std::string in_space = "dimension = 3\ngravity = [0, 0, -9.81]\n";
/// What turns on its axle does not turn with it.
std::string held(const char* name) {
  return joint("hold", "dp1", "ground", name, "axis = [1, 0, 0]\nsecond_axis = [0, 1, 0]");
}

/// Two wheels in mesh, the first one driven; a nut that does not turn on the axle of the second.
std::string drive() {
  return in_space + body("wheel") + body("pinion", "[1, 0, 0]") + body("nut", "[1.2, 0.1, 0.3]") +
         joint("axle1", "revolute", "ground", "wheel") +
         joint("axle2", "revolute", "ground", "pinion", "at = [1, 0, 0]") +
         joint("mesh", "gear", "wheel", "pinion", "axis = [0, 0, 1]\nsecond_axis = [0, 0, 1]\nteeth = [60, 17]") +
         joint("thread", "screw", "pinion", "nut", "at = [1, 0, 0.2]\naxis = [0, 0, 1]\npitch = 0.0008") + held("nut") +
         joint("motor", "rotation", "ground", "wheel", "value = \"1.5*t + 0.7*sin(3*t)\"");
}

double last(const RunResult& r, const std::string& name) {
  const auto at = std::find(r.columns.begin(), r.columns.end(), name) - r.columns.begin();
  return r.rows.back()[static_cast<std::size_t>(at)];
}

double most(const RunResult& r, const std::string& name) {
  const auto at = std::find(r.columns.begin(), r.columns.end(), name) - r.columns.begin();
  double largest = 0;
  for (const auto& row : r.rows) largest = std::max(largest, std::abs(row[static_cast<std::size_t>(at)]));
  return largest;
}

struct Method {
  const char *integrator, *formulation;
};

}  // namespace

TEST_CASE("a gear keeps its tooth and a screw its thread under every method at long steps") {
  for (const Method& m : {Method{"newmark", "index3"},
                          {"hht", "index3"},
                          {"generalized_alpha", "index3"},
                          {"bdf", "index3"},
                          {"bdf", "ggl"},
                          {"backward_euler", "index3"},
                          {"radau", "index3"},
                          {"radau", "ggl"},
                          {"radau", "index1"},
                          {"rk4", "projection"},
                          {"rk4", "partition_full"}})
    for (const double h : {0.1, 0.06, 0.025}) {
      INFO(m.integrator << " (" << m.formulation << "), h = " << h);
      const RunResult result = laws::run_model(drive(), {m.integrator, m.formulation, 5, h, 1e-6, ""});
      REQUIRE(result.outcome.success());
      const double turned = -driven(5) * teeth_1 / teeth_2,
                   found = 2 * std::atan2(last(result, "pinion.e3"), last(result, "pinion.e0"));
      CHECK(std::remainder(found - turned, 2 * std::numbers::pi) == Approx(0).margin(1e-9));
      CHECK(last(result, "mesh.angle1") == Approx(driven(5)).margin(1e-9));
      CHECK(last(result, "mesh.angle2") == Approx(turned).margin(1e-9));
      CHECK(last(result, "nut.z") == Approx(0.3 - pitch * turned / (2 * std::numbers::pi)).margin(1e-9));
    }
}

TEST_CASE("turns are counted for as long as a run goes on") {
  // (Their integral is off by half a turn after 900 s.)
  const std::string spindle =
      in_space + body("nut") + joint("thread", "screw", "ground", "nut", "pitch = 0.001") +
      joint("motor", "rotation", "ground", "nut", "value = \"t + 0.5*sin(3*t) + 0.2*sin(t)^2\"");
  const double t = 2000, turned = t + 0.5 * std::sin(3 * t) + 0.2 * std::sin(t) * std::sin(t);
  for (const char* integrator : {"backward_euler", "newmark"}) {
    INFO(integrator);
    const RunResult result = laws::run_model(spindle, {integrator, "index3", t, 0.2, 1e-6, ""});
    REQUIRE(result.outcome.success());
    CHECK(last(result, "nut.z") == Approx(0.001 * turned / (2 * std::numbers::pi)).epsilon(1e-12));
    CHECK(last(result, "thread.angle") == Approx(turned).epsilon(1e-12));
  }
}

TEST_CASE("positions hold to round-off where rows turn far in every step") {
  const std::string shaft = in_space + body("shaft", "[1, 0, 0]") + body("arm", "[1.2, 0.1, 0.3]") +
                            joint("bearing", "revolute", "ground", "shaft", "at = [1, 0, 0]") +
                            joint("motor", "rotation", "ground", "shaft", "at = [1, 0, 0]\nvalue = \"-10*t\"") +
                            joint("hinge", "revolute", "shaft", "arm", "at = [1, 0, 0.2]") + held("arm");
  for (const Method& m : {Method{"newmark", "index3"},
                          {"hht", "index3"},
                          {"generalized_alpha", "index3"},
                          {"bdf", "index3"},
                          {"backward_euler", "index3"},
                          {"radau", "index3"}}) {
    INFO(m.integrator << " (" << m.formulation << ")");
    const std::string simulation = std::string("[simulation]\nend = 3\nfixed_step = 0.05\noutput = \"steps\"\n") +
                                   "integrator = \"" + m.integrator + "\"\nformulation = \"" + m.formulation + "\"\n";
    const RunResult result = run(parse_model(shaft + simulation, "shaft"));
    REQUIRE(result.outcome.success());
    CHECK(most(result, "drift.position") < 1e-11);
    CHECK(most(result, "arm.wx") < 1e-9);
    CHECK(last(result, "hinge.fz") == Approx(9.81).epsilon(1e-6));
  }
}

TEST_CASE("a joint with its axis the wrong way round ends the run") {
  const std::string hinge =
      in_space + body("door") + joint("hinge", "revolute", "ground", "door") + "[simulation]\nend = 1\n";
  class Nobody final : public EventLog {
   public:
    bool wanted() const override { return false; }
    void add(EventRecord) override {}
  } nobody;
  const auto system = build_system(parse_model(hinge, "hinge"));
  MechanismProcess process(system, *find_formulation("projection"));
  std::vector<double> y = system->initial_state();
  REQUIRE(process.start(0, y, nobody).then == Settled::Then::go_on);
  CHECK(process.accepted(0, y));
  y[3] = 0, y[4] = 1;  // half a turn about x: z points down, and every row of the joint is zero
  CHECK_FALSE(process.accepted(0, y));
}
