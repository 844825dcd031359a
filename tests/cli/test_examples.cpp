// tests/cli/test_examples.cpp
//
// What must hold: every example runs to its end, and what its comments tell the reader to notice is
// true. The numbers are closed forms.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "cli/shell.hpp"

using hstar::test::Csv;
using hstar::test::read_csv;
using hstar::test::Said;
using hstar::test::Scratch;
using hstar::test::source;

namespace {

/// Runs an example and hands back its events.
Csv events_of(const std::string& example, const std::string& options = {}) {
  const Scratch scratch;
  const Said said = scratch.hstar("run " + source("examples/" + example) + " --no-report -o out " + options);
  INFO(example << "\n" << said.out << said.err);
  REQUIRE(said.code == 0);
  return read_csv(scratch.path("out/events.csv"));
}

std::vector<double> times_of(const Csv& events, const std::string& kind) {
  std::vector<double> times;
  for (std::size_t i = 0; i < events.rows.size(); ++i) {
    if (events.word(i, "kind") == kind) times.push_back(events.number(i, "t"));
  }
  return times;
}

}  // namespace

TEST_CASE("01: 81 events, one period of 1.4468361534 s after the first slip") {
  const Csv events = events_of("01_drag_sled.toml");
  CHECK(events.rows.size() == 81);
  const auto slips = times_of(events, "slip");
  REQUIRE(slips.size() == 41);
  for (std::size_t i = 1; i < slips.size(); ++i) CHECK(slips[i] - slips[i - 1] == Approx(1.4468361534).margin(1e-8));
}

TEST_CASE("02: half swings of equal length, and rest in finite time") {
  const Csv events = events_of("02_coulomb_oscillator.toml");
  const double half_swing = std::numbers::pi * std::sqrt(2.0 / 50.0);
  REQUIRE(events.rows.size() >= 3);
  for (std::size_t i = 0; i < events.rows.size(); ++i) {
    if (events.word(i, "kind") == "reversal") {
      CHECK(events.number(i, "t") == Approx(half_swing * static_cast<double>(i + 1)).margin(1e-8));
    }
  }
  CHECK(events.word(events.rows.size() - 1, "kind") == "stick");
}

TEST_CASE("03: a limit cycle on the slow belt, none on a fast one") {
  const auto slips = times_of(events_of("03_belt_stribeck.toml"), "slip");
  REQUIRE(slips.size() > 5);
  const double period = slips.back() - slips[slips.size() - 2];
  CHECK(slips[slips.size() - 2] - slips[slips.size() - 3] == Approx(period).margin(1e-6));
  CHECK(events_of("03_belt_stribeck.toml", "--set parameters.belt_speed=1.5").rows.size() <= 1);
}

TEST_CASE("04: the accumulation ends at sqrt(2 h/g) (1 + e)/(1 - e)") {
  const auto limits = times_of(events_of("04_bouncing_ball.toml"), "zeno");
  REQUIRE(limits.size() == 1);
  CHECK(limits[0] == Approx(std::sqrt(2 / 9.81) * 1.8 / 0.2).margin(1e-8));
}

TEST_CASE("05: impacts in step with the table") {
  const auto impacts = times_of(events_of("05_vibrating_table.toml"), "impact");
  REQUIRE(impacts.size() > 20);
  CHECK(impacts.back() - impacts[impacts.size() - 2] == Approx(4 * std::numbers::pi / 60).margin(1e-6));
}

TEST_CASE("06: reversals until static friction holds the rod") {
  const Csv events = events_of("06_pendulum_pin_friction.toml");
  REQUIRE(events.rows.size() >= 3);
  for (std::size_t i = 0; i + 1 < events.rows.size(); ++i) CHECK(events.word(i, "kind") == "reversal");
  CHECK(events.word(events.rows.size() - 1, "kind") == "stick");
}

TEST_CASE("07: the block walks downhill") {
  const Scratch scratch;
  REQUIRE(scratch.hstar("run " + source("examples/07_shaken_incline.toml") + " -o out").code == 0);
  const Csv csv = read_csv(scratch.path("out/trajectory.csv"));
  CHECK(csv.number(csv.rows.size() - 1, "along_slope") < -0.01);
}

TEST_CASE("08: passive guards record and change nothing") {
  const auto peaks = times_of(events_of("08_van_der_pol.toml"), "peak");
  REQUIRE(peaks.size() >= 4);
  // Period of the limit cycle for stiffness 1: 6.6632868593... (Andersen and Geer 1982).
  CHECK(peaks.back() - peaks[peaks.size() - 2] == Approx(6.6632868593).margin(1e-6));
}

TEST_CASE("09: switching times of the thermostat") {
  const Csv events = events_of("09_thermostat.toml");
  const double on = 5400 * std::log(26.0 / 24.0), off = 5400 * std::log(16.0 / 14.0);
  double t = 5400 * std::log(30.0 / 24.0);
  REQUIRE(events.rows.size() >= 8);
  for (std::size_t i = 0; i < events.rows.size(); ++i) {
    CHECK(events.number(i, "t") == Approx(t).epsilon(1e-9));
    CHECK(events.word(i, "kind") == (i % 2 == 0 ? "off" : "on"));
    t += i % 2 == 0 ? off : on;
  }
}

TEST_CASE("11: a block falls flat and lies still at sqrt(2 h/g) (1 + e)/(1 - e), or rattles to rest") {
  const Csv events = events_of("11_dropped_block.toml");
  const auto limits = times_of(events, "zeno");
  REQUIRE(limits.size() == 1);
  CHECK(limits[0] == Approx(std::sqrt(1.6 / 9.81) * 1.3 / 0.7).epsilon(1e-9));
  CHECK(times_of(events_of("11_dropped_block.toml", "--set parameters.tilt=0.001"), "zeno").size() >= 1);
}

TEST_CASE("12: the lowest of five joints slides and sticks, as under one block") {
  // Table: acceleration a = t sin(W t), velocity u = sin(W t)/W^2 - t cos(W t)/W. The stack slides from |a| = mu g on
  // with the constant acceleration mu g sign(a), until its velocity is that of the table.
  const double W = 20, limit = 0.3 * 9.81;
  const auto u = [&](double t) { return std::sin(W * t) / (W * W) - t * std::cos(W * t) / W; };
  const auto bisect = [](double from, double to, const auto& f) {
    const bool rising = f(to) > 0;
    for (int i = 0; i < 60; ++i) ((f((from + to) / 2) > 0) == rising ? to : from) = (from + to) / 2;
    return (from + to) / 2;
  };
  const Csv events = events_of("12_stack_of_blocks.toml");
  REQUIRE(events.rows.size() == 6);
  // Half waves of the acceleration with their extreme near (k + 1/2) pi/W.
  for (int k = 19; k < 22; ++k) {
    const double sign = k % 2 == 0 ? 1 : -1, extreme = (k + 0.5) * std::numbers::pi / W;
    const double slip = bisect(extreme - 0.07, extreme, [&](double t) { return sign * t * std::sin(W * t) - limit; });
    const double stick = bisect(extreme + 0.005, extreme + 0.07, [&](double t) {
      return sign * (u(slip) - u(t)) + limit * (t - slip);  // > 0 once the stack has caught up
    });
    const auto first = static_cast<std::size_t>(2 * (k - 19));
    CHECK(events.word(first, "kind") == "slip");
    CHECK(events.word(first, "element").substr(0, 4) == "foot");
    // (Of the joints only the bounds of their forces may be told.)
    const std::string note = events.word(first, "note");
    CHECK(note.substr(0, note.find("forces are not unique")).find("joint") == std::string::npos);
    CHECK(events.number(first, "t") == Approx(slip).margin(1e-9));
    CHECK(events.word(first + 1, "kind") == "stick");
    CHECK(events.number(first + 1, "t") == Approx(stick).margin(1e-9));
  }
}

TEST_CASE("13: the bench tips when the walker is so far out that it must, on two feet and on three") {
  for (const char* third : {"1", "0"}) {
    const Csv events = events_of("13_bench.toml", std::string("--set parameters.third=") + third);
    REQUIRE(!times_of(events, "liftoff").empty());
    CHECK(times_of(events, "liftoff")[0] == Approx(2.5).epsilon(1e-9));
    CHECK(events.number(0, "t") == Approx(2.5).epsilon(1e-9));
  }
}

TEST_CASE("14: the ball comes to rest in the corner and turns when no split of the forces can hold it") {
  const Csv smooth = events_of("14_ball_in_corner.toml", "--set parameters.mu=0 --set parameters.drive=0");
  CHECK(times_of(smooth, "zeno").size() == 2);
  CHECK(smooth.word(smooth.rows.size() - 1, "kind") == "zeno");

  // Walls at right angles, both at their limit: N1 + mu N2 = 2 W/sqrt(5), N2 - mu N1 = W/sqrt(5), torque mu R (N1 +
  // N2).
  const Csv events = events_of("14_ball_in_corner.toml");
  const double mu = 0.3, weight = 0.5 * 9.81, torque = mu * 0.1 * weight * (3 + mu) / (std::sqrt(5) * (1 + mu * mu));
  const std::size_t last = events.rows.size() - 1;
  CHECK(events.word(last, "kind") == "slip");
  CHECK(events.word(last, "note").find("also") == 0);
  CHECK(events.number(last, "t") == Approx(2 + torque / 0.1).margin(1e-9));
  CHECK(events.number(last - 1, "t") < 2);
}

TEST_CASE("15: four impacts a microsecond apart, or one") {
  const auto impacts = times_of(events_of("15_newtons_cradle.toml"), "impact");
  REQUIRE(impacts.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(impacts[i] == Approx(0.1 + 1e-6 * static_cast<double>(i)).margin(1e-12));
  CHECK(times_of(events_of("15_newtons_cradle.toml", "--set parameters.gap=0"), "impact").size() == 1);
  CHECK(times_of(
            events_of("15_newtons_cradle.toml", "--set parameters.gap=0 --set simulation.multiple_impact=simultaneous"),
            "impact")
            .size() == 1);
}

TEST_CASE("16: the pin bounces to rest in its bearing, lifts off and strikes again") {
  const Csv events = events_of("16_clearance_pin.toml");
  CHECK(!times_of(events, "impact").empty());
  CHECK(!times_of(events, "zeno").empty());
}

TEST_CASE("22: the ball slides for 2 |u| / (7 mu g), then it rolls") {
  const Csv events = events_of("22_billiard_ball.toml");
  REQUIRE(events.rows.size() == 1);
  CHECK(events.word(0, "kind") == "stick");
  // u = v + omega x (0, 0, -R)
  const double R = 0.0286, u = std::hypot(1.5 + 30 * R, -60 * R);
  // (rtol 1e-9; a ball that turns seven times until then carries some hundred times that.)
  CHECK(events.number(0, "t") == Approx(2 * u / (7 * 0.2 * 9.81)).epsilon(1e-6));
}

TEST_CASE("23: the box comes to rest on four corners") {
  const Csv events = events_of("23_thrown_box.toml");
  REQUIRE(!events.rows.empty());
  CHECK(!times_of(events, "zeno").empty());
  // (It stops in the last impacts or by sliding to its stop after them.)
  CHECK(events.word(events.rows.size() - 1, "mode_after") == "stick");
  double last = 1e9;  // the ledger's losses: no impact gains
  for (std::size_t i = 0; i < events.rows.size(); ++i) last = std::min(last, events.number(i, "energy_loss"));
  CHECK(last >= 0);
}

TEST_CASE("24: the block stops where the closed form says") {
  const Csv events = events_of("24_pushed_block.toml");
  REQUIRE(events.rows.size() == 1);
  // docs/spatial-friction.md: z = tan(phi/2), phi the angle off downhill, kappa = mu / tan alpha; here phi = 90
  // degrees, z = 1, and the speed v = C z^kappa (1 + z^2) / (2 z) makes C = v.
  const double kappa = 0.45 / std::tan(0.3), C = 2.0;
  CHECK(events.number(0, "t") ==
        Approx(C / (2 * 9.81 * std::sin(0.3)) * (1 / (kappa - 1) + 1 / (kappa + 1))).epsilon(1e-9));
}

TEST_CASE("README: its first model runs and breaks loose at 2.4525 s") {
  const std::string readme = hstar::test::read_file(source("README.md"));
  const auto begin = readme.find("```toml\n") + 8;
  const Scratch scratch;
  scratch.write("block.toml", readme.substr(begin, readme.find("```", begin) - begin));
  REQUIRE(scratch.hstar("run block.toml -o out").code == 0);
  const Csv events = read_csv(scratch.path("out/events.csv"));
  REQUIRE(events.rows.size() == 1);
  CHECK(events.word(0, "kind") == "slip");
  CHECK(events.number(0, "t") == Approx(2.4525).epsilon(1e-9));
}
