// tests/simulate/switches.cpp
//
// Relations, abs, sign, min, max, floor in formulas are events: on each side of them the motion is the smooth one of
// that side, whatever the length of the steps. All motions here are polynomials of degree two between switches, so that
// every method follows them exactly and what is left is the error of the switching. Truths are written out beside each
// model.
#include <catch2/catch.hpp>

#include <cmath>

#include "hstar/flow.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

std::string settings(const std::string& integrator, double end, double rtol = 1e-9) {
  return "simulation = { end = " + digits(end) + ", rtol = " + digits(rtol) + ", integrator = \"" + integrator +
         "\" }\n";
}

/// y' = rate from y = 0; also x' = 1 from x = -1.
RunResult integrate(const std::string& integrator, const std::string& rate, double end) {
  return run_with_switches(settings(integrator, end) +
                           "state = [{ name = \"x\", initial = -1, rate = 1 }, { name = \"y\", rate = \"" + rate +
                           "\" }]\n");
}

struct Case {
  const char* rate;
  double end, value;
  std::size_t switches;  ///< instants at which a switch matters, that at the end among them
};

// With x = t - 1.
const Case cases[] = {
    {"t > 5 && t < 5.1 ? 100 : 0", 10, 10, 2},
    {"sign(sin(40*t)) + 1", 10, 64 * M_PI / 20, 127},
    {"floor(t)", 5.5, 0 + 1 + 2 + 3 + 4 + 0.5 * 5, 5},
    {"ceil(t) - round(t)", 3.5, 8.0 - 6.0, 7},
    {"abs(x)", 3, 0.5 + 2, 1},
    {"min(max(2*x, -1), 1)", 3, -0.5 - 0.25 + 0.25 + 1.5, 2},
    {"x > 0 ? (x > 1 ? 3 : 2) : (t < 0.25 ? 7 : -1)", 3, 0.25 * 7 - 0.75 + 2 + 3, 3},
    {"abs(x) < 0.5 ? 0 : x - 0.5*sign(x)", 2, 0, 3},
    {"mod(t, 0.001) < 0.0003 ? 1 : 0", 0.1, 0.03, 200},
    {"max(t, x + 1.5, 2)", 3, 0.25 * 0 + 2 * 1.5 + (3.5 * 3.5 - 2.0 * 2.0) / 2, 1},
    {"(x > 0) + 2*(t > 1.5) - !(x > 1)", 2.5, 1.5 + 2 - 2, 3},
    // y'' = 3/8 from y' = -1/2 until y = -1/8, where ceil jumps to 0 and max to it: mod is 0 from there. (Its other
    // side, 1.75, would drive y back: that is no sliding mode.)
    {"mod(1.5*max(ceil(-1.125 - y), x/4 - 0.25), 1.75) - 1.5", 0.75,
     -0.125 - 1.5 * (0.75 - (0.5 - std::sqrt(0.15625)) / 0.375), 1},
};

}  // namespace

TEST_CASE("formulas that switch are integrated on each side by itself, with every method") {
  for (const IntegratorEntry& entry : integrators())
    for (const Case& c : cases) {
      INFO(entry.name << ": " << c.rate);
      const RunResult r = integrate(entry.name, c.rate, c.end);
      REQUIRE(r.outcome.status == RunStatus::reached_end);
      CHECK(std::abs(final_value(r, "y") - c.value) <= 1e-9 * std::max(1.0, std::abs(c.value)));
      CHECK(count(r, "switch") == c.switches);
      for (const EventRecord& e : r.events) CHECK(e.optional);
    }
}

TEST_CASE("a switch costs few rejected steps") {
  // At most two for each switch (issue: every switch is an event).
  for (const Case& c : cases) {
    INFO(c.rate);
    const RunResult r = integrate("dopri5", c.rate, c.end);
    CHECK(r.counters.flow.rejected <= 2 * c.switches + 2);
  }
}

TEST_CASE("a relay with hysteresis switches where its state tells") {
  // x' = m, m = 1 until x = 1, then -1 until x = 0: a triangle wave; y' = 1 where m > 0. Up 0..1, 2..3, 4..5.
  const RunResult r = run_with_switches(settings("dop853", 5.5) + R"toml(
state = [{ name = "x", rate = "m" }, { name = "m", initial = 1, rate = 0 }, { name = "y", rate = "m > 0 ? 1 : 0" }]
guard = [{ name = "top", when = "x - 1", crossing = "rising", reset = { m = -1 } },
         { name = "bottom", when = "x", crossing = "falling", reset = { m = 1 } }]
)toml");
  REQUIRE(r.outcome.success());
  CHECK(final_value(r, "y") == Approx(3.0).margin(1e-9));
  CHECK(final_value(r, "x") == Approx(0.5).margin(1e-9));
}

TEST_CASE("a force that depends on the sign of a velocity, crossed and recrossed") {
  // v' = -1 - 2 (v > 0): from 3 it falls in 1 s to 0, on to -1.5 at 2.5 s. x(1) = 1.5, then -1.125.
  const RunResult r = run_with_switches(settings("dopri5", 2.5) + R"toml(
state = [{ name = "x", rate = "v" }, { name = "v", initial = 3, rate = "v > 0 ? -3 : -1" }]
)toml");
  REQUIRE(r.outcome.success());
  CHECK(final_value(r, "v") == Approx(-1.5).margin(1e-12));
  CHECK(final_value(r, "x") == Approx(1.5 - 1.125).margin(1e-9));
  REQUIRE(count(r, "switch") == 1);
  CHECK(r.events[0].t == Approx(1.0).margin(1e-12));
}

TEST_CASE("both one-sided values are recorded at the instant of a switch") {
  const RunResult r = run_with_switches(settings("dopri5", 2) + R"toml(
body = [{ name = "m", mass = 1 }]
force = [{ name = "push", type = "point_force", body = "m", force = ["t < 1 ? 0 : 4", 0] }]
)toml");
  REQUIRE(r.outcome.success());
  const std::size_t vx = column(r, "m.vx");
  std::size_t at_one = 0;
  for (const auto& row : r.rows) {
    if (row[0] <= 1) CHECK(row[vx] == 0.0);
    at_one += row[0] == 1.0;
  }
  CHECK(at_one == 2);
  CHECK(final_value(r, "m.x") == Approx(2.0).margin(1e-12));
}

TEST_CASE("a switch that both sides drive back to is told at once") {
  // y' = -sign(y) has no solution beyond y = 0 but Filippov's.
  const RunResult r = run_with_switches(settings("dopri5", 2, 1e-6) + R"toml(
state = [{ name = "y", initial = 0.3, rate = "-sign(y)" }]
)toml");
  CHECK(r.outcome.status == RunStatus::sliding_mode);
  CHECK(r.outcome.t == Approx(0.3).margin(1e-12));
  CHECK(r.outcome.message.find("y.rate") != std::string::npos);
  CHECK(r.counters.flow.steps < 100);
}

TEST_CASE("what stands inside noevent is integrated through, and said") {
  const RunResult r = integrate("dopri5", "noevent(abs(x)) + smooth(max(t, 1))", 3);
  REQUIRE(r.outcome.success());
  CHECK(r.events.empty());
  REQUIRE(!r.notices.empty());
  CHECK(r.notices[0].find("y.rate") != std::string::npos);
}

TEST_CASE("a prescribed position that jumps ends the run and is named") {
  const RunResult r = run_with_switches(settings("dopri5", 2) + R"toml(
gravity = [0, -10]
body = [{ name = "table", motion = { x = "t < 1 ? 0 : 0.1" } }, { name = "m", mass = 1, position = [0, 1] }]
)toml");
  CHECK(r.outcome.status == RunStatus::inconsistent_restart);
  CHECK(r.outcome.t == 1.0);
  CHECK(r.outcome.message.find("table.motion = \"t < 1 ? 0 : 0.1\" jumps") != std::string::npos);
}

TEST_CASE("a guard that dips between the samples of a long step is seen") {
  // y = t: below zero where |t - 0.7071| < 0.03 sqrt(ln 1.5).
  for (const char* role : {"", "kind = \"dip\", "}) {
    const RunResult r =
        run_with_switches(settings("dopri5", 2) + "state = [{ name = \"y\", rate = 1 }]\nguard = [{ name = \"dip\", " +
                          role + "when = \"1 - 1.5*exp(-((y-0.7071)/3e-2)^2)\" }]\n");
    REQUIRE(r.events.size() == 2);
    CHECK(r.events[0].t == Approx(0.7071 - 0.03 * std::sqrt(std::log(1.5))).margin(1e-9));
    CHECK(r.events[1].t == Approx(0.7071 + 0.03 * std::sqrt(std::log(1.5))).margin(1e-9));
  }
}

TEST_CASE("a guard that a switch carries through zero fires there") {
  // when = -1 before t = 1, then 1 - x with x = t - 1: rises by the jump at 1, falls at x = 1.
  const RunResult r = run_with_switches(settings("dopri5", 3) + R"toml(
state = [{ name = "x", initial = -1, rate = 1 }, { name = "n", rate = 0 }]
guard = [{ name = "on", when = "t < 1 ? -1 : 1 - x", crossing = "rising", reset = { n = "n + 1" } },
         { name = "off", when = "t < 1 ? -1 : 1 - x", crossing = "falling", reset = { n = "n + 10" } }]
)toml");
  REQUIRE(r.outcome.success());
  CHECK(final_value(r, "n") == 11.0);
  CHECK(first_event(r, "guard_up").t == 1.0);
  CHECK(first_event(r, "guard_down").t == Approx(2.0).margin(1e-12));
}

TEST_CASE("a condition that is zero counts from where it is zero no longer") {
  // x stays 0 until it leaves at once, as (t - 1)^2, or as t^3/6; y counts x > 0.
  const struct {
    const char* rate;
    double end, y;
  } leaves[] = {{"1", 2, 2},
                {"-1", 2, 0},
                {"2*max(t - 1, 0)", 3, 2},
                {"exp(t) - 1 - t", 2, 2},
                {"0", 2, 0},
                {"t < 1 ? 0 : -3", 2, 0},
                {"t < 1 ? 0 : 3", 2, 1}};
  for (const auto& c : leaves) {
    INFO(c.rate);
    const RunResult r = run_with_switches(settings("dopri5", c.end) + "state = [{ name = \"x\", rate = \"" + c.rate +
                                          "\" }, { name = \"y\", rate = \"x > 0 ? 1 : 0\" }]\n");
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(std::abs(final_value(r, "y") - c.y) <= 1e-9);
  }
}

TEST_CASE("a condition that touches zero switches nothing, and one that another switch brings to zero is zero") {
  // x = t - 1. floor(sin) touches 1 and stays 0 until sin is negative; abs touches 0; floor(x) makes sign(..) zero.
  const struct {
    const char* rate;
    double end, y;
  } touches[] = {{"floor(sin(12*t)) + 1", 2 * M_PI / 12, M_PI / 12},
                 {"ceil(sin(12*t))", 2 * M_PI / 12, M_PI / 12},
                 {"sign(abs(x))", 2, 2},
                 {"mod(abs(x), 5)", 3, 0.5 + 2},
                 {"sign(floor(x + 1))", 3, 2},
                 {"sign(ceil(x) - 1)", 3, -1 + 1},
                 {"sign(t*(1 - t) - 0.25) + 1", 2, 0},
                 {"floor(ceil(floor(x)))", 3, -1 + 0 + 1}};
  for (const auto& c : touches)
    for (const char* integrator : {"dopri5", "radau"}) {
      INFO(integrator << ": " << c.rate);
      const RunResult r = integrate(integrator, c.rate, c.end);
      REQUIRE(r.outcome.status == RunStatus::reached_end);
      CHECK(std::abs(final_value(r, "y") - c.y) <= 1e-9);
    }
}

TEST_CASE("switches at one instant take the branches on which the motion goes on") {
  // mod jumps from 3 to 0 where y rises through zero, and is at once above zero again, so that its ceil is 1, not 0.
  const RunResult r = run_with_switches(settings("dopri5", 2) + R"toml(
state = [{ name = "y", initial = -0.5, rate = "ceil(mod(y, 3))/3" }]
)toml");
  // From -0.5: mod = 2.5, rate 1; from 0: rate 1/3 until y = 1/2 at t = 2.
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  CHECK(final_value(r, "y") == Approx(0.5).margin(1e-9));
}

TEST_CASE("a condition that comes to rest at zero is zero from there on") {
  // x falls to 0 and stays: sign(x) is 1 for a second, then 0. In the other, max() becomes a 0 that nothing moves.
  const RunResult at_rest = run_with_switches(settings("dopri5", 3) + R"toml(
state = [{ name = "x", initial = 1, rate = "x > 0 ? -1 : 0" }, { name = "y", rate = "sign(x)" }]
)toml");
  REQUIRE(at_rest.outcome.status == RunStatus::reached_end);
  CHECK(final_value(at_rest, "y") == Approx(1.0).margin(1e-9));
  const RunResult other = integrate("dopri5", "sign(max(-x, abs(floor(t/10))))", 3);
  REQUIRE(other.outcome.status == RunStatus::reached_end);
  CHECK(final_value(other, "y") == Approx(1.0).margin(1e-9));
}

TEST_CASE("a relation that begins at zero beside one that decides is no sliding mode") {
  // a && b with b false: where a begins at zero it matters while it is false, and no longer once it is true.
  for (const char* rate :
       {"x < t - 1 + 0.5*t && t > 5 ? 1 : 2", "x + 1 < 0.5*t || t < 5 ? 2 : 1", "x > t^2 - 1 && x > 5 ? 1 : 2"}) {
    const RunResult r = integrate("dopri5", rate, 2);
    INFO(rate << ": " << r.outcome.message);
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(final_value(r, "y") == Approx(4.0).margin(1e-9));
  }
}

TEST_CASE("a reset to the zero of a condition is on the side to which the motion goes") {
  // x falls to 1 at t = 1 and is set to 0, where it stays: sign(x) = 0 from there.
  const RunResult r = run_with_switches(settings("dopri5", 3) + R"toml(
state = [{ name = "x", initial = 2, rate = "x > 0.5 ? -1 : 0" }, { name = "y", rate = "sign(x)" }]
guard = [{ name = "low", when = "x - 1", crossing = "falling", reset = { x = 0 } }]
)toml");
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  CHECK(final_value(r, "y") == Approx(1.0).margin(1e-9));
}

TEST_CASE("formulas of the oracle that went wrong: slow tails, zeros that meet") {
  // Of scripts/oracle 10000 771423 --formulas; values of y at 3 s in 50 digits. x = -1 + 0.75 t, z = cos 4 t.
  const struct {
    const char* rate;
    double y;
  } formulas[] = {
      {"abs(exp(-(4.469*(-1.164 - 1.221*t))^2) - 0.1 - max(-0.359 - 1.805*t, exp(-(5.486*(1.155 - 0.796*t))^2) - 0.1))",
       0.655887863237453},
      {"sin(sin(mod(abs(sin(13.230*x)), 0.369))) + mod(max(abs(abs(sin(12.613*x))), abs(round(abs(0.281 - 1.958*x)))), "
       "0.930)",
       1.29063103245133}};
  for (const auto& f : formulas) {
    const RunResult r = run_with_switches(settings("dop853", 3) +
                                          "state = [{ name = \"x\", initial = -1, rate = 0.75 }, { name = \"y\", "
                                          "initial = 0.25, rate = \"" +
                                          f.rate + "\" }]\n");
    INFO(f.rate << ": " << r.outcome.message);
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(final_value(r, "y") == Approx(f.y).margin(1e-8));
  }
}

TEST_CASE("a switch of time that fires with those inside it sees the sides they go to") {
  // mod jumps up at a = 0.933/0.983 past the other part of min: floor, which was about to leave 0 downwards, stays at
  // 0. It is 1 from 2.063/0.983 s, where mod jumps again, until mod is 1. (It went to 1 at a and stayed there until the
  // parts met, 0.18 s later.)
  const double up = 2.063 / 0.983, down = up + 0.13 / 0.983;
  for (const char* integrator : {"dopri5", "dop853", "ode23", "radau", "forward_euler"}) {
    INFO(integrator);
    const RunResult r =
        run_text(std::string("simulation = { end = 3, rtol = 1e-9, integrator = \"") + integrator +
                 "\" }\nstate = [{ name = \"y\", rate = \"floor(min(mod(0.933 - 0.983*t, 1.13), 0.203 + "
                 "0.658*t))\" }]\n");
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(std::abs(final_value(r, "y") - (down - up)) <= 1e-9);
  }
}

TEST_CASE("what the root of a mod leaves does not make it jump back") {
  // Of scripts/oracle --formulas, seed 918273, case 9754; y at 3 s in 50 digits. The guard of the other side of mod
  // began with the residual of the root and fired back at once (event_pile_up).
  const RunResult r = run_with_switches(settings("dop853", 3) + R"toml(
state = [{ name = "z", initial = 1, rate = "w" }, { name = "w", rate = "-16*z" }, { name = "y", initial = 0.25, rate = """
mod(mod((-1.435 + 0.581*y > -0.279 ? -0.160 - 0.778*y : 1.196 - 0.754*z)
        >= (-1.007 < -0.827 + 1.569*t ? 0.697 - 1.894*y : -0.584 - 0.638*t)
          ? sin(8.152*z) : exp(-(6.789*(-0.541 + 0.908*z))^2) - 0.236 + sin(0.324 + 0.342*z), 1.185), 1.675)
+ mod(-0.118 + 1.139*z < 0.943 - 0.233*y ? floor(-1.195 + 0.877*t) : -1.243*(0.768 - 0.265*z), 0.807)
- sin(11.610*z) - y/2""" }]
)toml");
  INFO(r.outcome.message);
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  CHECK(final_value(r, "y") == Approx(1.17836704057084).margin(1e-8));
}

TEST_CASE("what the root of a mod leaves does not flip what is around it back and forth") {
  // Of scripts/oracle --formulas, seed 424202, case 1009; y at 3 s by Gauss' quadrature between the 179 switches. Where
  // mod fell to zero, abs began with the residual of its root, beyond its own zero, and both fired in turn
  // (event_pile_up, or no end).
  for (const char* integrator : {"bulirsch_stoer", "dop853"}) {
    const RunResult r =
        run_with_switches("simulation = { end = 3, rtol = 1e-9, integrator = \"" + std::string(integrator) + R"toml(" }
state = [{ name = "x", initial = -1, rate = 0.75 }, { name = "y", initial = 0.25, rate = """
abs(mod(abs(max(1.362*(-1.436 - 1.633*x), sin(1.369*t - 0.135)) + sin(19.359*t)), 0.206))""" }]
)toml");
    INFO(integrator << ": " << r.outcome.message);
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(final_value(r, "y") == Approx(0.5485061405069898).margin(1e-9));
    CHECK(count(r, "switch") == 179);
  }
}

TEST_CASE("a condition of time that passes through infinity changes where it does") {
  // 1/(t - a) jumps from minus to plus infinity at a.
  const struct {
    const char* rate;
    double y;
  } conditions[] = {{"1/(t - 0.5) > 3 ? 1 : 0", 1.0 / 3},
                    {"1/(t - 0.7) > 5 ? 1 : 0", 0.2},
                    {"abs(1/(t - 0.5)) > 3 ? 1 : 0", 2.0 / 3},
                    {"max(1/(t - 0.7), -5) > 5 ? 1 : 0", 0.2},
                    {"sign(1/(t - 0.7))", 0.3 - 0.7},
                    {"tan(3*t) > 1 ? 1 : 0", M_PI / 12},
                    {"t > 0.5 && log(t - 0.5) > -1 ? 1 : 0", 0.5 - std::exp(-1.0)},
                    {"t > 0.5 && sqrt(t - 0.5) > 0.1 ? 1 : 0", 0.49}};
  for (const auto& c : conditions) {
    const RunResult r = integrate("dopri5", c.rate, 1);
    INFO(c.rate << ": " << r.outcome.message);
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(final_value(r, "y") == Approx(c.y).margin(1e-12));
  }
}

/// Integrals of atan(1/s), but for a constant on either side of zero, and of atan(s).
double angles(double s) { return s * std::atan(1 / s) + 0.5 * std::log(1 + s * s); }
double turns(double s) { return s * std::atan(s) - 0.5 * std::log(1 + s * s); }

TEST_CASE("a relation of quotients of the state changes at their poles and at the zeros behind them") {
  // x = t - 1 goes through the poles; a/b > 0 where a b > 0. Beside each the measure of the set where it holds.
  const struct {
    const char* rate;
    double y, margin = 1e-10;
  } conditions[] = {{"1/(x + 0.3) > 5 ? 1 : 0", 0.2},
                    {"1/abs(x + 0.3) > 5 ? 1 : 0", 0.4},
                    {"abs(1/(x + 0.3)) > 5 ? 1 : 0", 0.4},
                    {"1/(x + 0.3)^2 > 100 ? 1 : 0", 0.2},
                    {"2*abs(1/(x + 0.3)) + 1 > 11 ? 1 : 0", 0.4},
                    {"2*min(1/(x + 0.3), 10) > 10 ? 1 : 0", 0.2},
                    {"tan(2*(x + 1)) > 1 ? 1 : 0", M_PI / 8},
                    {"1/(x + 0.75) + 1/(x + 0.25) > 0 ? 1 : 0", 0.5},
                    {"max(1/(x + 0.3), -5) > 5 ? 1 : 0", 0.2},
                    {"sign(1/(x + 0.3))", -0.4},
                    {"(x + 0.5)^3 > 0 ? 1 : 0", 0.5},
                    {"min((x + 0.5)^3, 2)/(x + 1.5) > 0 ? 1 : 0", 0.5},
                    {"(x > -2 ? -(x + 0.5)^5 : 1) > 0 ? 1 : 0", 0.5},
                    {"tan((x + 0.5)^3) > 0 ? 1 : 0", 0.5},
                    {"0 < tanh(sin(-(x + 0.5)^3)) ? 1 : 0", 0.5},
                    // what is positive everywhere has no say in a sign, however small it is; nor at its poles
                    {"exp(-60*(x + 1))*sin(10*x) > 0 ? 1 : 0", 1 - 0.2 * M_PI},
                    {"sin(10*x)/(1 + exp(60*(x + 1))) > 0 ? 1 : 0", 1 - 0.2 * M_PI},
                    {"exp(-1/(x + 0.3)) > 0 ? 1 : 0", 1},
                    // values that jump: beside each the integral of the formula
                    {"atan(1/(x + 0.3))", angles(0.3) - angles(-0.7), 1e-9},
                    {"atan2(x + 0.3, -1)", M_PI * (0.3 - 0.7) - turns(0.3) + turns(-0.7), 1e-9},
                    // what both sides leave of a quotient: at a pole, and where the dividend is zero, too
                    {"clamp(1/(x + 0.114), -0.5, 3) > -0.2 ? 1 : 0", 0.114},
                    {"sin(8*x)/sin(8*x) > 0 ? 1 : 0", 1},
                    {"sin(3*(x + 1))/(x + 1) > 1 ? 1 : 0", 0.7596208866919427},
                    {"sin(3*t)/t > 1 ? 1 : 0", 0.7596208866919427},
                    {"(t + 0.1)/sin(13*t) > -4 ? 1 : 0", 0.9455909108312778},
                    // a choice that changes at a pole of even order (truth by bisection)
                    {"(sin(8*x) < 0 ? (x - 0.201)^2 : (x - 0.74)^2)*(x + 0.254)/(sin(5*x)*sin(8*x)^2) > 1.18 ? 1 : 0",
                     0.2127251752041},
                    // many in one relation, each with a choice (truth by bisection of the formula)
                    {"min(1/(x + 0.9), 5) + min(1/(x + 0.77), 5) + min(1/(x + 0.64"
                     "), 5) + min(1/(x + 0.53), 5) + min(1/(x + 0.41), 5) + min(1/(x + 0.33), 5) + min(1/(x + 0.21), "
                     "5) + min(1/(x + 0.12), 5) > 0 ? 1 : 0",
                     0.2140761205022},
                    {"clamp(1/(x + 0.3), -4, 10)", std::log(0.75 / 0.7), 1e-7},
                    {"(x + 2)/(x + 0.5) < -2 || 1/(x + 0.4)^3 > 1000 ? 1 : 0", 0.6}};
  for (const auto& c : conditions)
    for (const char* integrator : {"dopri5", "dop853", "ode23", "radau", "bdf"}) {
      const RunResult r = integrate(integrator, c.rate, 1);
      INFO(integrator << ", " << c.rate << ": " << r.outcome.message);
      REQUIRE(r.outcome.status == RunStatus::reached_end);
      CHECK(final_value(r, "y") == Approx(c.y).margin(c.margin));
    }
}

TEST_CASE(
    "a condition that is flat at its zero, and one with a power of the state, are passed in steps of the motion") {
  // x = t^2/4 - 0.0225, zero at 0.3; of tanh(x) - x, -x^3/3 there, doubles keep as much as places it to 1e-4. (x + 1)^x
  // is above 1 but at x = 0, where it touches it; (x + 2)^(x - 0.04) passes 1 at x = 0.04, t = 0.5.
  for (const char* integrator : {"dopri5", "bdf"}) {
    INFO(integrator);
    const RunResult r = run_with_switches(settings(integrator, 1) + R"toml(
state = [{ name = "x", initial = -0.0225, rate = "0.5*t" }, { name = "y", rate = "tanh(x) > x ? 1 : 0" },
         { name = "z", rate = "(x + 2)^(x - 0.04) < 1 ? 1 : 0" }]
)toml");
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(final_value(r, "y") == Approx(0.3).margin(2e-4));
    CHECK(final_value(r, "z") == Approx(0.5).margin(1e-8));
    CHECK(r.counters.flow.steps < 200);
  }
}

TEST_CASE("a condition without a value, and one that changes without end, are named") {
  for (const char* condition : {"log(x)", "log(0.5 - t)", "sqrt(t - 0.5)"}) {
    const std::string rate = condition + std::string(" > -1 ? 1 : 0");
    const RunResult nowhere = integrate("dopri5", rate, 1);
    INFO(rate);
    CHECK(nowhere.outcome.status == RunStatus::not_finite);
    CHECK(nowhere.outcome.message.find("y.rate = \"" + rate + "\" is not a number") != std::string::npos);
  }
  for (const char* rate : {"sin(1/t) > 0 ? 1 : 0", "sin(1/(x + 0.3)) > 0 ? 1 : 0"})
    CHECK(integrate("dopri5", rate, 1).outcome.status == RunStatus::event_pile_up);
}
