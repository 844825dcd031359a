// tests/simulate/rows.cpp
//
// What must hold: without `output` the lines that join the rows of a run are within 0.2 % of each column's range of the
// motion itself: of closed forms, and of a run with rows 50 times as close. `output = "steps"` gives a row at every
// step as ever. Round-off is not followed: a block at rest has few rows. What a model cannot ask for is told before it
// runs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "hstar/run.hpp"
#include "record/round_off.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

// README.md, "A first model": held until 4 t = mu_static m g, then x'' = 2 t - mu_kinetic g.
const std::string block = R"(gravity = [0.0, -9.81]
[simulation]
end  = 4.0
rtol = 1e-9
[[body]]
name = "block"
mass = 2.0
[[joint]]
name = "plate"
type = "translational"
bodies = ["ground", "block"]
friction = { mu_static = 0.5, mu_kinetic = 0.3 }
[[force]]
name = "pull"
type = "point_force"
body = "block"
force = ["4*t", 0.0]
)";

double exact_x(double t) {
  const double s = 0.5 * 2 * 9.81 / 4, u = std::max(t - s, 0.0);
  return u * u * u / 3 + (2 * s - 0.3 * 9.81) * u * u / 2;
}

/// With one more option.
RunResult run_block(const std::string& option) {
  std::string text = block;
  return run_text(text.replace(text.find("[simulation]\n"), 13, "[simulation]\n" + option + "\n"));
}

/// On the line between the rows around t; rows of a jump are taken from the side that t is on.
double on_line(const RunResult& r, std::size_t c, double t) {
  const auto after =
      std::lower_bound(r.rows.begin(), r.rows.end(), t, [](const auto& row, double x) { return row[0] < x; });
  if (after == r.rows.begin() || (*after)[0] == t) return (*after)[c];
  const auto& a = *(after - 1);
  const double s = (t - a[0]) / ((*after)[0] - a[0]);
  return a[c] + s * ((*after)[c] - a[c]);
}

}  // namespace

TEST_CASE("README's first model: the drawn line is the exact motion to 0.2 %") {
  const RunResult r = run_text(block);
  REQUIRE(r.outcome.success());
  const std::size_t x = column(r, "block.x");
  double worst = 0;
  for (int i = 0; i <= 4000; ++i) worst = std::max(worst, std::abs(on_line(r, x, 1e-3 * i) - exact_x(1e-3 * i)));
  CHECK(worst <= 2e-3 * exact_x(4));
  CHECK(r.rows.size() < 400);
}

TEST_CASE("rows at steps are as many as steps, and both sides of an event") {
  RunResult r = run_block("output = \"steps\"");
  REQUIRE(r.outcome.success());
  CHECK(r.rows.size() == r.counters.flow.steps + r.counters.flow.restarts);
}

TEST_CASE("lines between default rows follow every column of a run with close rows") {
  const std::string model =
      GENERATE(as<std::string>{}, "04_bouncing_ball", "03_belt_stribeck", "07_shaken_incline", "11_dropped_block",
               "16_clearance_pin", "21_impact_oscillator", "22_billiard_ball", "24_pushed_block");
  const std::string file = std::string(HSTAR_SOURCE_DIR) + "/examples/" + model + ".toml";
  const std::string integrator = GENERATE(as<std::string>{}, "dopri5", "dop853");
  std::vector<Override> close{{"simulation.output", "0"}, {"simulation.integrator", integrator}};
  const ModelSpec spec = read_model(file, close);
  const RunResult r = run(spec);
  INFO(model << " " << integrator << ", " << r.rows.size() << " rows");
  // Rows between those of the first run, never at its times.
  close[0].value = std::to_string((spec.simulation.end - spec.simulation.start) / (50.3 * double(r.rows.size())));
  RunResult fine = run(read_model(file, close));
  record::RoundOff round_off(std::span(r.units).subspan(1));
  for (const auto& row : fine.rows) round_off.see(row[0], std::span(row).subspan(1));
  for (std::size_t c = 1; c < r.columns.size(); ++c) {
    if (r.units[c].find(" or ") != std::string::npos) continue;  // drift: an error, no motion
    double low = HUGE_VAL, high = -HUGE_VAL, worst = 0, at = 0;
    for (const auto& row : fine.rows) {
      low = std::min(low, row[c]), high = std::max(high, row[c]);
      const double off = std::abs(row[c] - on_line(r, c, row[0]));
      const bool at_event = std::any_of(r.events.begin(), r.events.end(), [&](const EventRecord& e) {
        return std::abs(e.t - row[0]) <= 1e-6 * spec.simulation.end;
      });
      if (off > worst && !at_event) worst = off, at = row[0];
    }
    INFO(r.columns[c] << " at t = " << at << ": range " << high - low << ", off by " << worst);
    const bool computed = c > r.state_names.size();
    const double error = computed ? spec.simulation.rtol * round_off.size_of(c - 1) : round_off.of(c - 1);
    CHECK(worst <= std::max(2e-3 * (high - low), error));
  }
}

TEST_CASE("round-off is not followed: the block is held until the first event") {
  const RunResult held = run_block("stop_after_events = 1");
  CHECK(held.rows.size() < 60);
}

TEST_CASE("round-off is not followed in space: Euler parameters of 1e-16 of a box that never turns") {
  const RunResult r = run_text(
      "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 1.0\n[[body]]\nname = \"box\"\nshape = "
      "\"box\"\nsides = "
      "[0.2, 0.3, 0.4]\ndensity = 500\nposition = [0, 0, 0.2]\nvelocity = [3, 1, 0]\n[[contact]]\nname = \"floor\"\n"
      "friction = { mu_static = 0.3, mu_kinetic = 0.2 }\nbetween = [{ body = \"ground\", shape = \"plane\" }, { body = "
      "\"box\", shape = \"box\", sides = [0.2, 0.3, 0.4] }]\n");
  REQUIRE(r.outcome.success());
  CHECK(r.rows.size() < 100);
}

TEST_CASE("round-off is 0 in what is shown: the angle of a box that never turns") {
  const RunResult r = run_text(
      "gravity = [0.0, -9.81]\n[simulation]\nend = 1.0\n[[body]]\nname = \"box\"\nmass = 1.0\ninertia = 0.01\n"
      "position = [0, 0.05]\nvelocity = [1, 0]\n[[contact]]\nname = \"floor\"\nfriction = { mu_static = 0.3, "
      "mu_kinetic = "
      "0.2 }\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"box\", shape = \"polygon\", corners = "
      "[[-0.1, "
      "-0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]] }]\n");
  REQUIRE(r.outcome.success());
  const RunResult shown = record::without_round_off(r);
  for (const char* name : {"box.angle", "box.omega", "box.vy"})
    for (const auto& row : shown.rows) CHECK(row[column(shown, name)] == 0);
  CHECK(shown.rows.back()[column(shown, "box.x")] == r.rows.back()[column(r, "box.x")]);
}

TEST_CASE("more rows than can be written are refused before the run") {
  CHECK_THROWS_WITH(run_block("output = 1e-12"), Catch::Contains("4e+12 rows"));
  CHECK_THROWS_WITH(run_block("fixed_step = 1e-15"), Catch::Contains("fixed_step"));
}
