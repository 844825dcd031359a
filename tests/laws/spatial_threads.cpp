// tests/laws/spatial_threads.cpp
//
// Joints whose equations hold on every thread or tooth alike, a screw and a gear, and joints that hold with an axis the
// wrong way round: a step that goes far must not end on another of their solutions.
//   - Under every method, with steps of fixed length of up to a third of a turn, all bodies end where the driver says.
//   - Positions hold to round-off in every step, however far rows turn: multipliers that a kept Newton matrix gets
//   wrong must not grow from step to step.
//   - A state with an axis the wrong way round ends the run by name.
// Truth: closed forms; the mechanism is driven throughout.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "laws/dae_problems.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;

namespace {

constexpr double teeth_1 = 60, teeth_2 = 17, pitch = 0.0008;

double driven(double t) { return 1.5 * t + 0.7 * std::sin(3 * t); }

/// Two wheels in mesh, the first one driven; a nut that does not turn on the axle of the second.
const char* drive = R"toml(
dimension = 3
gravity = [0, 0, -9.81]
[[body]]
name = "wheel"
mass = 1.0
inertia = [0.01, 0.02, 0.015]
[[body]]
name = "pinion"
mass = 1.0
inertia = [0.01, 0.02, 0.015]
position = [1, 0, 0]
[[body]]
name = "nut"
mass = 1.0
inertia = [0.01, 0.02, 0.015]
position = [1.2, 0.1, 0.3]
[[joint]]
name = "axle1"
type = "revolute"
bodies = ["ground", "wheel"]
[[joint]]
name = "axle2"
type = "revolute"
bodies = ["ground", "pinion"]
at = [1, 0, 0]
[[joint]]
name = "mesh"
type = "gear"
bodies = ["wheel", "pinion"]
axis = [0, 0, 1]
second_axis = [0, 0, 1]
teeth = [60, 17]
[[joint]]
name = "thread"
type = "screw"
bodies = ["pinion", "nut"]
at = [1, 0, 0.2]
axis = [0, 0, 1]
pitch = 0.0008
[[joint]]
name = "hold"
type = "dp1"
bodies = ["ground", "nut"]
axis = [1, 0, 0]
second_axis = [0, 1, 0]
[[joint]]
name = "motor"
type = "rotation"
bodies = ["ground", "wheel"]
value = "1.5*t + 0.7*sin(3*t)"
)toml";

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
      const RunResult result = laws::run_model(drive, {m.integrator, m.formulation, 5, h, 1e-6, ""});
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
  const std::string spindle = R"toml(
dimension = 3
[[body]]
name = "nut"
mass = 1.0
inertia = [0.01, 0.02, 0.015]
[[joint]]
name = "thread"
type = "screw"
bodies = ["ground", "nut"]
pitch = 0.001
[[joint]]
name = "motor"
type = "rotation"
bodies = ["ground", "nut"]
value = "t + 0.5*sin(3*t) + 0.2*sin(t)^2"
)toml";
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
  const std::string shaft = R"toml(
dimension = 3
gravity = [0, 0, -9.81]
[[body]]
name = "shaft"
mass = 1.0
inertia = [0.01, 0.02, 0.015]
position = [1, 0, 0]
[[body]]
name = "arm"
mass = 1.0
inertia = [0.01, 0.02, 0.015]
position = [1.2, 0.1, 0.3]
[[joint]]
name = "bearing"
type = "revolute"
bodies = ["ground", "shaft"]
at = [1, 0, 0]
[[joint]]
name = "motor"
type = "rotation"
bodies = ["ground", "shaft"]
at = [1, 0, 0]
value = "-10*t"
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["shaft", "arm"]
at = [1, 0, 0.2]
[[joint]]
name = "hold"
type = "dp1"
bodies = ["ground", "arm"]
axis = [1, 0, 0]
second_axis = [0, 1, 0]
)toml";
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
  const std::string hinge = R"toml(
dimension = 3
[[body]]
name = "door"
mass = 1.0
inertia = [0.01, 0.02, 0.015]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "door"]
[simulation]
end = 1
)toml";
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
