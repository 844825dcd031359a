// tests/simulate/start_states.cpp
//
// The first mode follows from the state: resting, stuck at the very limit, sliding at once, striking at
// the first instant. A start inside a wall is an error. Resets of the initial state are never silent.
#include <catch2/catch.hpp>

#include <cmath>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;
using Catch::Matchers::Contains;

namespace {

std::string ground_block(const std::string& body, double e, const std::string& mu, double push) {
  return "gravity = [0.0, -10.0]\n[simulation]\nend = 1.0\nrtol = 1e-10\n[[body]]\nname = \"block\"\nmass = 2.0\n" +
         body +
         "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"block\", shape "
         "= \"point\" }]\nrestitution = " +
         digits(e) + "\n" + (mu.empty() ? "" : "friction = { law = \"coulomb\", " + mu + " }\n") +
         "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [" + digits(push) + ", 0.0]\n";
}

}  // namespace

TEST_CASE("at rest on the ground: nothing happens, the reaction carries the weight") {
  const auto r = run_text(ground_block("", 0.7, "mu = 0.5", 3.0));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(r.events.empty());
  CHECK(r.outcome.mode == "stick");
  const std::size_t normal = column(r, "floor.normal"), tangential = column(r, "floor.tangential");
  for (const auto& row : r.rows) {
    CHECK(row[normal] == Approx(20.0).epsilon(1e-13));
    CHECK(row[tangential] == Approx(-3.0).epsilon(1e-13));
  }
  for (const char* state : {"block.x", "block.y", "block.vx", "block.vy"})
    CHECK(std::abs(final_value(r, state)) < 1e-15);
}

TEST_CASE("a gap of round-off in the very origin, where no length is left to compare it with, is a closed contact") {
  for (const char* y : {"-1e-17", "1e-17", "0.0"}) {
    const auto r = run_text(ground_block(std::string("position = [0.0, ") + y + "]\n", 0.7, "mu = 0.5", 3.0));
    INFO(y << ": " << r.outcome.message);
    REQUIRE(r.outcome.success());
    CHECK(r.events.empty());
    CHECK(r.outcome.mode == "stick");
  }
}

TEST_CASE("exactly at the static limit it still sticks, a hair beyond it slips") {
  const auto at_limit = run_text(ground_block("", 0.0, "mu_static = 0.5, mu_kinetic = 0.25", 10.0));
  REQUIRE(at_limit.outcome.success());
  CHECK(at_limit.outcome.mode == "stick");
  CHECK(std::abs(final_value(at_limit, "block.vx")) < 1e-16);
  const auto beyond = run_text(ground_block("", 0.0, "mu_static = 0.5, mu_kinetic = 0.25", 10.0 * (1 + 1e-7)));
  REQUIRE(beyond.outcome.success());
  CHECK(beyond.outcome.mode == "slip+");
  CHECK(final_value(beyond, "block.vx") == Approx(2.5).epsilon(1e-6));  // (10 - 5) / 2
}

TEST_CASE("sliding at once, to both sides") {
  const double v = GENERATE(2.0, -2.0);
  const auto r = run_text(ground_block("velocity = [" + digits(v) + ", 0.0]\n", 0.0, "mu = 0.3", 0.0));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  const auto& stop = first_event(r, "stick");
  CHECK(stop.t == Approx(2.0 / 3).epsilon(1e-9));
  CHECK(stop.mode_before == (v > 0 ? "slip+" : "slip-"));
  CHECK(final_value(r, "block.x") == Approx(v * std::abs(v) / 6).epsilon(1e-9));
}

TEST_CASE("an impact at the first instant") {
  const auto r = run_text(ground_block("velocity = [0.0, -3.0]\n", 0.5, "", 0.0));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE_FALSE(r.events.empty());
  CHECK(r.events.front().kind == "impact");
  CHECK(r.events.front().t == 0.0);
  CHECK(r.events.front().gap_velocity_before == Approx(-3.0));
  CHECK(r.events.front().gap_velocity_after == Approx(1.5));
  CHECK(r.events.front().energy_loss == Approx(0.5 * 2 * (9 - 2.25)));
  CHECK(r.events[1].t == Approx(0.3).epsilon(1e-9));
}

TEST_CASE("leaving the ground at the first instant is no event") {
  const auto r = run_text(ground_block("velocity = [0.0, 2.0]\n", 0.5, "", 0.0));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE_FALSE(r.events.empty());
  CHECK(r.events.front().kind == "impact");
  CHECK(r.events.front().t == Approx(0.4).epsilon(1e-9));
}

TEST_CASE("a start inside the ground is an error that says how deep") {
  CHECK_THROWS_WITH(run_text(ground_block("position = [0.0, -0.01]\n", 0.5, "", 0.0)),
                    Contains("floor") && Contains("-0.01"));
}

TEST_CASE("an upward pull that lifts the block at once, and one that just carries it") {
  const auto lifted = [](double pull) {
    std::string text = ground_block("", 0.0, "mu = 0.5", 0.0);
    text +=
        "[[force]]\nname = \"crane\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [0.0, " + digits(pull) + "]\n";
    return run_text(text);
  };
  const auto up = lifted(24.0);
  REQUIRE(up.outcome.success());
  CHECK(up.outcome.mode == "open");
  CHECK(final_value(up, "block.y") == Approx(1.0).epsilon(1e-9));
  const auto rest = lifted(16.0);
  REQUIRE(rest.outcome.success());
  CHECK(rest.outcome.mode == "stick");
  CHECK(rest.rows.back()[column(rest, "floor.normal")] == Approx(4.0).epsilon(1e-12));
}

TEST_CASE("a given position off its guide is assembled, and what was moved is told") {
  const auto r = run_text(
      "gravity = [0.0, 0.0]\n[simulation]\nend = 1.0\n[[body]]\nname = \"bob\"\nmass = 1.0\nposition = [0.6, -0.9]\n"
      "[[joint]]\nname = \"rod\"\ntype = \"distance\"\nbodies = [\"ground\", \"bob\"]\nlength = 1.0\n");
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(std::hypot(r.rows.front()[1], r.rows.front()[2]) == Approx(1.0).epsilon(1e-14));
  bool told = false;
  for (const auto& n : r.notices) told |= n.find("bob.x") != std::string::npos;
  CHECK(told);
}

TEST_CASE("a slider-crank leaves its dead centre from rest, whatever the friction in its guide") {
  // At the dead centre the guide's velocity depends on the other joints, so that no friction holds it: gravity draws
  // the crank aside and the slider inwards. Truth: the equation of motion in one coordinate, integrated to 1e-13
  // outside hstar (reference/repro, crank_dead_centre_start). Turned and mirrored worlds are the same mechanism.
  const double turn = GENERATE(0.0, 0.7, -2.1), side = GENERATE(1.0, -1.0);
  const double c = std::cos(turn), s = std::sin(turn);
  const auto along = [&](double x) { return "[" + digits(x * c) + ", " + digits(x * s) + "]"; };
  const auto body = [&](const std::string& name, double x) {
    return "[[body]]\nname = \"" + name + "\"\nmass = 1.0\ninertia = 0.1\nangle = " + digits(turn) +
           "\nposition = " + along(x) + "\n";
  };
  const auto revolute = [](const std::string& name, const std::string& bodies, const std::string& points) {
    return "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\nbodies = [" + bodies + "]\npoints = [" + points +
           "]\n";
  };
  const auto r =
      run_text("gravity = [" + digits(10 * side * s) + ", " + digits(-10 * side * c) +
               "]\n[simulation]\nend = 6.0\nrtol = 1e-10\natol = 1e-12\n" + body("crank", 0.5) + body("rod", 2.0) +
               body("slider", 3.0) + revolute("A", "\"ground\", \"crank\"", "[0, 0], [-0.5, 0]") +
               revolute("B", "\"crank\", \"rod\"", "[0.5, 0], [-1.0, 0]") +
               revolute("C", "\"rod\", \"slider\"", "[1.0, 0], [0, 0]") +
               "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"ground\", \"slider\"]\n"
               "axis = " +
               along(1) + "\nfriction = { mu = 0.2 }\n");
  INFO("turned by " << turn << ", side " << side << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(count(r, "reversal") == 2);
  const double times[] = {1.316682802077, 2.557214275036};
  std::size_t i = 0;
  for (const auto& e : r.events)
    if (e.kind == "reversal") CHECK(e.t == Approx(times[i++]).epsilon(1e-9));
  CHECK(first_event(r, "stick").t == Approx(4.294223887406).epsilon(1e-9));
  CHECK(final_value(r, "crank.angle") - turn == Approx(-1.199048365454 * side).epsilon(1e-8));
}
