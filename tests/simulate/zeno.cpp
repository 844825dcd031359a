// tests/simulate/zeno.cpp
//
// Infinitely many impacts in finite time: the run must reach the closed-form limit time and state and
// go on in contact, for any restitution below one, on slopes with friction, for two balls at once; and
// must never invent a limit where there is none (restitution one).
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

std::string contact(const std::string& name, const std::string& body, double e, const std::string& normal,
                    const std::string& shape, const std::string& friction) {
  return "[[contact]]\nname = \"" + name + "\"\nbetween = [{ body = \"ground\", shape = \"line\", normal = " + normal +
         " }, { body = \"" + body + "\", " + shape + " }]\nrestitution = " + digits(e) + "\n" +
         (friction.empty() ? "" : "friction = { law = \"coulomb\", " + friction + " }\n");
}

std::string head(double end, double g = 9.81) {
  return "gravity = [0.0, " + digits(-g) + "]\n[simulation]\nend = " + digits(end) +
         "\nintegrator = \"dop853\"\nrtol = 1e-11\n";
}

}  // namespace

TEST_CASE("a bouncing ball comes to rest at the closed-form limit") {
  const double e = GENERATE(0.3, 0.5, 0.9, 0.99);
  const double h = 1.3, g = 9.81, fall = std::sqrt(2 * h / g), limit = fall * (1 + e) / (1 - e);
  const auto r = run_text(head(limit + 1) +
                          "[[body]]\nname = \"ball\"\nmass = 0.4\nposition = [0.2, 1.3]\nvelocity = [0.5, 0.0]\n" +
                          contact("floor", "ball", e, "[0.0, 1.0]", "shape = \"point\"", ""));
  INFO("e = " << e << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(r.outcome.t == Approx(limit + 1));
  REQUIRE(count(r, "zeno") == 1);
  const auto& zeno = first_event(r, "zeno");
  CHECK(zeno.t == Approx(limit).epsilon(1e-10));
  // The error of the extrapolation, and what the run's tolerance leaves in times that follow from all impacts before.
  CHECK(std::abs(zeno.t - limit) <= 10 * zeno.dt_error + 1e-11 * limit);
  CHECK(zeno.mode_after == "closed");
  CHECK(std::abs(final_value(r, "ball.y")) < 1e-12);
  CHECK(std::abs(final_value(r, "ball.vy")) < 1e-12);
  CHECK(final_value(r, "ball.x") == Approx(0.2 + 0.5 * (limit + 1)).epsilon(1e-9));
  CHECK(final_value(r, "ball.vx") == Approx(0.5).epsilon(1e-9));
  // Each impact at its own closed-form time, speeds falling by e, energy lost by (1 - e^2).
  double t = fall, speed = g * fall;
  for (const auto& impact : r.events) {
    if (impact.kind != "impact" || speed < 1e-4) continue;  // below, round-off of the first ones shows
    CHECK(impact.t == Approx(t).epsilon(1e-10));
    CHECK(impact.gap_velocity_before == Approx(-speed).epsilon(1e-8));
    CHECK(impact.gap_velocity_after == Approx(e * speed).epsilon(1e-8));
    CHECK(impact.energy_loss == Approx(0.5 * 0.4 * speed * speed * (1 - e * e)).epsilon(1e-7));
    CHECK(impact.impulse_n == Approx(0.4 * speed * (1 + e)).epsilon(1e-8));
    speed *= e;
    t += 2 * speed / g;
  }
}

TEST_CASE("a point bounces to rest on a slope and slides on: friction impulses act at every impact") {
  const double e = GENERATE(0.3, 0.5, 0.8);
  const double alpha = 0.6, mu = 0.2, g = 9.81, h = 0.7;
  const double limit = std::sqrt(2 * h / (g * std::cos(alpha))) * (1 + e) / (1 - e), end = limit + 0.8;
  // Normal (sin, cos): the slope goes down to the right. Released at height h above it along the normal.
  const std::string normal = "[" + digits(std::sin(alpha)) + ", " + digits(std::cos(alpha)) + "]";
  const auto r = run_text(head(end) + "[[body]]\nname = \"ball\"\nmass = 2.0\nposition = [" +
                          digits(h * std::sin(alpha)) + ", " + digits(h * std::cos(alpha)) + "]\n" +
                          contact("slope", "ball", e, normal, "shape = \"point\"", "mu = 0.2"));
  INFO("e = " << e << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(count(r, "zeno") == 1);
  // Far from the origin the gap has more round-off: flights lower than it are extrapolated, and the error says so.
  CHECK(std::abs(first_event(r, "zeno").t - limit) <= 3 * first_event(r, "zeno").dt_error + 1e-9);
  CHECK(first_event(r, "zeno").dt_error < 1e-7);
  CHECK(r.outcome.mode.find("slip+") != std::string::npos);
  // All normal momentum that gravity gives is returned by impulses or contact force; friction is mu
  // times that, so that from the limit on the speed is what it would have been in contact all along.
  const double speed = g * (std::sin(alpha) - mu * std::cos(alpha)) * end;
  const double along = std::cos(alpha) * final_value(r, "ball.vx") - std::sin(alpha) * final_value(r, "ball.vy");
  const double across = std::sin(alpha) * final_value(r, "ball.vx") + std::cos(alpha) * final_value(r, "ball.vy");
  CHECK(along == Approx(speed).epsilon(1e-8));
  CHECK(std::abs(across) < 1e-12);
  CHECK(std::abs(std::sin(alpha) * final_value(r, "ball.x") + std::cos(alpha) * final_value(r, "ball.y")) < 1e-11);
}

TEST_CASE("two balls side by side each have their own limit") {
  const double g = 9.81;
  const auto limit = [&](double h, double e) { return std::sqrt(2 * h / g) * (1 + e) / (1 - e); };
  const auto r = run_text(head(5.0) +
                          "[[body]]\nname = \"a\"\nmass = 1.0\nposition = [0.0, 1.0]\n"
                          "[[body]]\nname = \"b\"\nmass = 3.0\nposition = [1.0, 0.6]\n" +
                          contact("floor_a", "a", 0.5, "[0.0, 1.0]", "shape = \"point\"", "") +
                          contact("floor_b", "b", 0.7, "[0.0, 1.0]", "shape = \"point\"", ""));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(count(r, "zeno") == 2);
  CHECK(first_event(r, "zeno", "floor_a").t == Approx(limit(1.0, 0.5)).epsilon(1e-9));
  CHECK(first_event(r, "zeno", "floor_b").t == Approx(limit(0.6, 0.7)).epsilon(1e-9));
  CHECK(r.outcome.t == 5.0);
  for (const char* state : {"a.y", "b.y", "a.vy", "b.vy"}) CHECK(std::abs(final_value(r, state)) < 1e-11);
}

TEST_CASE("two equal balls side by side reach their limit at the same instant") {
  const double limit = std::sqrt(2 * 1.0 / 9.81) * 3;
  const auto r = run_text(head(3.0) +
                          "[[body]]\nname = \"a\"\nmass = 1.0\nposition = [0.0, 1.0]\n"
                          "[[body]]\nname = \"b\"\nmass = 3.0\nposition = [1.0, 1.0]\n" +
                          contact("floor_a", "a", 0.5, "[0.0, 1.0]", "shape = \"point\"", "") +
                          contact("floor_b", "b", 0.5, "[0.0, 1.0]", "shape = \"point\"", ""));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(r.outcome.t == 3.0);
  CHECK(first_event(r, "zeno").t == Approx(limit).epsilon(1e-9));
  CHECK(r.outcome.mode == "closed/closed");
  for (const char* state : {"a.y", "b.y", "a.vy", "b.vy"}) CHECK(std::abs(final_value(r, state)) < 1e-11);
}

TEST_CASE("a thrown ball bounces, then slides, then rolls at two thirds of its speed") {
  // Solid disc, no spin at first: the moment of momentum about the line of contact stays, whatever the
  // bounces do, so that it rolls with v = v0 / (1 + I / (m R^2)) = 2/3 v0.
  const auto r =
      run_text(head(6.0) +
               "[[body]]\nname = \"ball\"\nmass = 2.0\ninertia = 0.01\nposition = [0.0, 0.9]\nvelocity = [3.0, 0.0]\n" +
               contact("floor", "ball", 0.5, "[0.0, 1.0]", "shape = \"circle\", radius = 0.1", "mu = 0.05"));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(r.outcome.t == 6.0);
  CHECK(count(r, "zeno") == 1);
  CHECK(r.outcome.mode == "stick");
  CHECK(final_value(r, "ball.vx") == Approx(2.0).epsilon(1e-9));
  CHECK(final_value(r, "ball.omega") == Approx(-20.0).epsilon(1e-9));
  CHECK(std::abs(final_value(r, "ball.vx") + 0.1 * final_value(r, "ball.omega")) < 1e-14);
  CHECK(final_value(r, "ball.y") == Approx(0.1).margin(5e-14));  // at x = 11: round-off of coordinates
  // It slips for as long as v0 - mu g t > -R omega = 2 mu g t: contact time weighs as impulses do.
  CHECK(first_event(r, "stick").t == Approx(3.0 / (3 * 0.05 * 9.81)).epsilon(1e-8));
}

TEST_CASE("a ball that bounces on an accelerating table comes to rest on it, and a resting one stays") {
  const double a = 3.0, g = 9.81, h = 0.5, e = 0.4, limit = std::sqrt(2 * h / (g + a)) * (1 + e) / (1 - e);
  const double start = GENERATE(0.0, 0.5);
  const auto r = run_text(head(2.5) +
                          "[[body]]\nname = \"table\"\nmotion = { x = \"0.0\", y = \"1.5*t^2\", angle = \"0.0\" }\n"
                          "[[body]]\nname = \"ball\"\nmass = 2.0\nposition = [0.0, " +
                          digits(start) +
                          "]\n"
                          "[[contact]]\nname = \"top\"\nbetween = [{ body = \"table\", shape = \"line\" }, { body = "
                          "\"ball\", shape = \"point\" }]\n"
                          "restitution = 0.4\n");
  INFO("start height " << start << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(r.outcome.mode == "closed");
  if (start > 0) {
    CHECK(first_event(r, "zeno").t == Approx(limit).epsilon(1e-9));
  } else {
    CHECK(r.events.empty());
  }
  const std::size_t gap = column(r, "top.gap"), normal = column(r, "top.normal");
  for (const auto& row : r.rows)
    if (start == 0 || row[0] > limit + 1e-9) {
      CHECK(std::abs(row[gap]) < 1e-13);
      CHECK(row[normal] == Approx(2.0 * (g + a)).epsilon(1e-12));
    }
}

TEST_CASE("a limit on an oscillating table is the same far from the origin and late on the clock") {
  // The table's acceleration changes during the flights, so that those below round-off of the gap are no parabolas.
  const auto limit_of = [](double height, double start) {
    const auto r = run_text("gravity = [0.0, -9.81]\n[simulation]\nstart = " + digits(start) +
                            "\nend = " + digits(start + 4) + "\nintegrator = \"dop853\"\nrtol = 1e-11\n" +
                            "[[body]]\nname = \"table\"\nmotion = { x = \"0.0\", y = \"" + digits(height) +
                            " + 0.01*sin(12*(t - " + digits(start) + "))\", angle = \"0.0\" }\n" +
                            "[[body]]\nname = \"ball\"\nmass = 2.0\nposition = [0.0, " + digits(height + 0.5) + "]\n" +
                            "[[contact]]\nname = \"top\"\nbetween = [{ body = \"table\", shape = \"line\" }, { body = "
                            "\"ball\", shape = \"point\" }]\nrestitution = 0.5\n");
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    CHECK(r.outcome.mode == "closed");
    struct Limit {
      double t, error;
    };
    return Limit{first_event(r, "zeno").t - start, first_event(r, "zeno").dt_error};
  };
  const double exact = 0.911576796890127623;  // each flight by bisection with 113 bits, to flights of 1e-15 s
  const double height = GENERATE(0.0, 1e3, 1e6), start = GENERATE(0.0, 1e4, 1e8);
  const auto limit = limit_of(height, start);
  INFO("height " << height << ", clock " << start << ": off by " << limit.t - exact << ", says " << limit.error);
  // The error of the last impact that the monitor found, grown by those before it.
  CHECK(std::abs(limit.t - exact) <= 10 * limit.error + 1e-11);
  CHECK(limit.error < 2e-7 + (1e4 * height + 100 * start) * std::numeric_limits<double>::epsilon());
}

TEST_CASE("restitution one never comes to rest") {
  const auto r = run_text(head(20.0) + "[[body]]\nname = \"ball\"\nmass = 0.4\nposition = [0.0, 1.0]\n" +
                          contact("floor", "ball", 1.0, "[0.0, 1.0]", "shape = \"point\"", ""));
  REQUIRE(r.outcome.success());
  CHECK(r.outcome.t == 20.0);
  CHECK(count(r, "zeno") == 0);
  const double fall = std::sqrt(2 / 9.81);
  CHECK(count(r, "impact") == static_cast<std::size_t>(std::floor((20.0 - fall) / (2 * fall)) + 1));
  const std::size_t energy = column(r, "energy");
  for (const auto& row : r.rows) CHECK(row[energy] == Approx(0.4 * 9.81).epsilon(1e-9));
}

TEST_CASE("an automaton that gains or keeps its speed is no accumulation") {
  const double factor = GENERATE(1.0, 1.05);
  const auto r = run_text(
      "[simulation]\nend = 10.0\nrtol = 1e-9\n"
      "[[state]]\nname = \"h\"\ninitial = 1.0\nrate = \"v\"\n"
      "[[state]]\nname = \"v\"\ninitial = 0.0\nrate = -9.81\n"
      "[[guard]]\nname = \"floor\"\nwhen = \"h\"\ncrossing = \"falling\"\nkind = \"impact\"\nreset = { v = \"-" +
      digits(factor) + "*v\" }\n");
  INFO(r.outcome.message);
  CHECK(r.outcome.success());
  CHECK(r.outcome.t == 10.0);
  CHECK(count(r, "impact") > 5);
}

TEST_CASE("the bouncing ball of the examples comes to rest under every integrator at every tolerance") {
  // Its flights get shorter than any step that a method would begin with. Limit: t1 (1 + 2 e / (1 - e)), e = 0.8, from
  // a fall of 1 m.
  const double limit = std::sqrt(2 / 9.81) * 9;
  std::vector<IntegratorEntry> all(integrators().begin(), integrators().end());
  all.insert(all.end(), further_integrators().begin(), further_integrators().end());
  for (const IntegratorEntry& entry : all)
    for (const char* rtol : {"1e-3", "1e-6", "5e-10", "1e-10", "1e-12"}) {
      // Order 1 takes a million steps at the tighter ones, and forward_euler gives back in a flight what the floor
      // takes.
      if (entry.name == "forward_euler" || (entry.order == 1 && std::stod(rtol) < 1e-6)) continue;
      INFO(entry.name << " at rtol " << rtol);
      const RunResult r = run(read_model(std::string(HSTAR_SOURCE_DIR) + "/examples/04_bouncing_ball.toml",
                                         {{"simulation.integrator", entry.name}, {"simulation.rtol", rtol}}));
      REQUIRE(r.outcome.success());
      CHECK(count(r, "zeno") == 1);
      CHECK(r.events.back().kind == "zeno");
      // Errors of single steps add up over rtol^(-1/2) of them with order 1.
      const double tolerance = std::stod(rtol),
                   allowed = entry.order == 1 ? 30 * std::sqrt(tolerance) : 100 * tolerance;
      CHECK(r.events.back().t == Approx(limit).epsilon(std::max(1e-9, allowed)));
      const std::size_t height = column(r, "ball.y");
      for (const auto& row : r.rows) CHECK(row[height] > -10 * tolerance);
    }
}
