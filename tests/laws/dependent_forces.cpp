// tests/laws/dependent_forces.cpp
//
// Where forces depend on each other, every formulation moves with the shares for which the mode was decided. A block is
// pressed against a spinning wheel; the friction of its guide holds it, too, so that the rows leave open what the wheel
// carries, and with it how long the wheel spins. By hand, N on the wheel:
//   - a guide that holds is as stiff as the contact and takes half of the load, N = P / 2;
//   - one at its limit takes that: N = P - mu_g |weight - mu N|.
// The wheel stops at I omega / (mu N R).
#include <catch2/catch.hpp>
#include <string>

#include "hstar/run.hpp"
#include "laws/methods.hpp"

using namespace hstar;

namespace {

constexpr double load = 40, weight = 2 * 9.81, mu = 0.25, radius = 0.1, inertia = 0.05, omega = 10;

std::string pressed_wheel(double guide) {
  return R"(
gravity = [0, -9.81]

[[body]]
name = "wheel"
mass = 1
inertia = 0.05
angular_velocity = 10

[[body]]
name = "block"
mass = 2
inertia = 0.01
position = [0.2, 0]

[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "wheel"]

[[joint]]
name = "guide"
type = "translational"
bodies = ["ground", "block"]
axis = [1, 0]
friction = { mu = )" +
         std::to_string(guide) + R"( }

[[contact]]
name = "rim"
between = [{ body = "block", shape = "line", normal = [-1, 0], point = [-0.1, 0] }, { body = "wheel", shape = "circle", radius = 0.1 }]
friction = { mu = 0.25 }

[[force]]
name = "press"
type = "point_force"
body = "block"
force = [-40, 0]

[simulation]
end = 1.5
rtol = 1e-8
)";
}

double stops(double N) { return inertia * omega / (mu * N * radius); }

void judge(double guide, double N) {
  laws::each_method([&](const std::string& formulation, const std::string& integrator) {
    CAPTURE(formulation, integrator);
    const RunResult result =
        run(parse_model(pressed_wheel(guide), "wheel.toml",
                        {{"simulation.formulation", formulation}, {"simulation.integrator", integrator}}));
    REQUIRE(result.events.size() == 1);
    CHECK(result.events[0].kind == "stick");
    CHECK(static_cast<double>(result.events[0].t) == Approx(stops(N)).epsilon(1e-9));
  });
}

}  // namespace

TEST_CASE("rows that depend on others in one place alone are taken back elsewhere") {
  // (The mode's equations judge rows anew where their factors fail: the null vectors belong to those of before.)
  for (const char* formulation : {"index3", "ggl", "index1"}) {
    INFO(formulation);
    const RunResult result = run(read_model(
        HSTAR_SOURCE_DIR "/tests/oracle/scenes/found/chain_whose_rows_depend_in_one_place.toml",
        {{"simulation.formulation", formulation}, {"simulation.integrator", "radau"}, {"simulation.rtol", "1e-7"}}));
    CHECK(result.outcome.status == RunStatus::reached_end);
  }
}

TEST_CASE("rows that depend on each other do so beside their constraints, where rates are differenced") {
  // (As rows of their own there they have forces a million times as large, and steps are 70 times as many.)
  const RunResult result = run(
      read_model(HSTAR_SOURCE_DIR "/tests/oracle/scenes/found/chain_whose_rows_depend_in_one_place.toml",
                 {{"simulation.integrator", "rosenbrock4"}, {"simulation.rtol", "1e-7"}, {"simulation.end", "0.415"}}));
  CHECK(result.outcome.status == RunStatus::reached_end);
  CHECK(result.counters.flow.steps < 1000);
}

TEST_CASE("forces that depend on each other drive every formulation by the shares of the mode") {
  SECTION("a guide that holds") { judge(3, load / 2); }
  SECTION("a guide at its limit") { judge(0.5, (load - 0.5 * weight) / (1 - 0.5 * mu)); }
}
