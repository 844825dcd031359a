// tests/simulate/tables.cpp
//
// A table in a formula is its curve on every piece and a switch at every knot: integrals of straight lines and steps
// are those of their trapezoids and rectangles, whatever the length of the steps. Akima's curve goes through the points
// of a parabola as that parabola (its slopes are exact there), the monotone one has the harmonic mean of equal pieces.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <string>

#include "hstar/flow.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

std::string settings(const std::string& integrator, double end) {
  return "simulation = { end = " + digits(end) + ", rtol = 1e-9, integrator = \"" + integrator + "\" }\n";
}

/// Integral of a rate over [0, end] of a model with the table `load`.
double integral(const std::string& table, const std::string& rate, double end) {
  const RunResult r = run_with_switches(settings("dopri5", end) + "table = [{ name = \"load\", " + table +
                                        " }]\nstate = [{ name = \"y\", rate = \"" + rate +
                                        "\" }, { name = \"x\", initial = -1, rate = 1 }]\n");
  INFO(r.outcome.message);
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  return final_value(r, "y");
}

}  // namespace

TEST_CASE("a thousand knots are a thousand events, of time and of a state, with every method") {
  std::mt19937 random(1);
  std::string rows;
  double lines = 0, steps = 0, before = 0;
  for (int i = 0; i < 1000; ++i) {
    const double y = std::round(std::uniform_real_distribution<>(-2000, 2000)(random)) / 1000;
    rows += (i ? ", [" : "[") + digits(i / 500.0) + ", " + digits(y) + "]";
    if (i) lines += 0.5 * (before + y) / 500, steps += before / 500;
    before = y;
  }
  for (const IntegratorEntry& entry : integrators()) {
    if (entry.name == "backward_euler") continue;  // its own error, of first order, is larger
    INFO(entry.name);
    const RunResult r = run_with_switches(
        settings(entry.name, 999 / 500.0) + "table = [{ name = \"line\", points = [" + rows +
        "] }, { name = \"stair\", interpolation = \"constant\", points = [" + rows +
        "] }]\nstate = [{ name = \"x\", rate = 1 }, { name = \"a\", rate = \"line(t)\" }, { name = \"b\", rate = "
        "\"stair(x)\" }]\n");
    INFO(r.outcome.message);
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(std::abs(final_value(r, "a") - lines) <= 1e-9);
    CHECK(std::abs(final_value(r, "b") - steps) <= 1e-9);
    CHECK(r.counters.flow.rejected <= 2 * 1000);
  }
}

TEST_CASE("what lies between and beyond the rows") {
  const std::string saw = "points = [[0, 0], [1, 2], [2, 0]]", parabola = "points = [[0, 0], [1, 1], [2, 4], [3, 9]]";
  CHECK(integral(saw, "load(t)", 3) == Approx(2).epsilon(1e-9));
  CHECK(integral(saw + ", beyond = \"periodic\"", "load(t)", 7.5) == Approx(7.75).epsilon(1e-9));
  CHECK(integral(saw + ", beyond = \"periodic\"", "load(x)", 7.5) == Approx(7.25).epsilon(1e-9));
  CHECK(integral("points = [[0, 1], [1, 3]]", "load(x)", 3) == Approx(1 + 2 + 3).epsilon(1e-9));
  CHECK(integral(parabola + ", interpolation = \"akima\"", "load(t)", 3) == Approx(9).epsilon(1e-9));
  // Slopes 1, 1.5, 2 * 3 * 5 / 8 from rises 1, 3, 5; the first piece: 0 (an end that would turn), 3/2.
  CHECK(integral(parabola + ", interpolation = \"monotone\"", "load(t)", 1) == Approx(0.5 - 1.5 / 12).epsilon(1e-9));
  CHECK(integral(parabola + ", beyond = \"error\"", "load(t)", 3) == Approx(0.5 + 2.5 + 6.5).epsilon(1e-9));
}

TEST_CASE("a table that ends ends the run, if it says so") {
  const RunResult r = run_text(settings("dopri5", 3) +
                               "table = [{ name = \"load\", points = [[0, 1], [1, 1]], beyond = \"error\" }]\n"
                               "state = [{ name = \"y\", rate = \"load(t)\" }]\n");
  CHECK(r.outcome.status == RunStatus::beyond_table);
  CHECK(r.outcome.t == Approx(1.0).epsilon(1e-12));
  CHECK_THAT(r.outcome.message,
             Catch::Contains("table \"load\" is asked at 1 by y.rate = \"load(t)\"") && Catch::Contains("from 0 to 1"));
  // Of a state: x' = -1 from 1/2 leaves the rows at 0.5 s downwards, and a run that begins outside of them ends at
  // once.
  for (const double x : {0.5, -0.25}) {
    const RunResult down = run_text(settings("dopri5", 3) +
                                    "table = [{ name = \"load\", points = [[0, 1], [1, 1]], beyond = \"error\" }]\n"
                                    "state = [{ name = \"x\", initial = " +
                                    digits(x) + ", rate = -1 }, { name = \"y\", rate = \"load(x)\" }]\n");
    CHECK(down.outcome.status == RunStatus::beyond_table);
    CHECK(down.outcome.t == Approx(std::max(x, 0.0)).margin(1e-9));
  }
}

TEST_CASE("short words for switches, and units") {
  CHECK(integral("points = [[0, 0], [1, 1]]", "clamp(t, 1, 2) + step(t, 1) + pulse(t, 2, 3) + ramp(t, 1, 3)", 7.5) ==
        Approx(1 + 1.5 + 11 + 6.5 + 1 + 1 + 4.5).epsilon(1e-9));
  CHECK(integral("points = [[0, 0], [1, 1]]", "20*mm + 90*deg + 60*rpm + 5*ms", 1) ==
        Approx(0.02 + M_PI / 2 + 2 * M_PI + 0.005).epsilon(1e-12));
}
