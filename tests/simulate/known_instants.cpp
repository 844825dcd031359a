// tests/simulate/known_instants.cpp
//
// What begins at zero after a reset, what happens at the very instant of a time event, and forces that step at known
// times: no crossing is lost and none is made up, whatever round-off does to the instant. Truths are closed forms, or
// roots of closed forms found here by bisection.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

/// Impacts of a ball under gravity 1 with A sin(w t), restitution e, from height 1 at rest, up to t_end or to the first
/// flight shorter than a hundredth of a second, after which they may accumulate.
std::vector<double> impacts_on_sine(double A, double w, double e, double t_end) {
  std::vector<double> times;
  double t0 = 0, h = 1, v = 0;
  const auto height = [&](double t) { return h + v * (t - t0) - 0.5 * (t - t0) * (t - t0) - A * std::sin(w * t); };
  for (;;) {
    // Scanned finely from just after the last impact, where the ball is above the table.
    const double step = 1e-5;
    double t = t0 + step;
    while (t < t_end && height(t) > 0) t += step;
    if (t >= t_end) return times;
    double lo = t - step, hi = t;
    for (int i = 0; i < 80; ++i) (height(0.5 * (lo + hi)) > 0 ? lo : hi) = 0.5 * (lo + hi);
    const double v_before = v - (hi - t0), table = A * w * std::cos(w * hi);
    h = A * std::sin(w * hi);
    v = table - e * (v_before - table);
    const bool short_flight = hi - t0 < 0.01;
    t0 = hi;
    times.push_back(hi);
    if (short_flight) return times;
  }
}

}  // namespace

TEST_CASE("a ball on a sine as an automaton: every impact, at any rate and length of run") {
  // Each reset leaves the guard at zero; the rate of the state after it tells the side (a long first step does not).
  for (const double w : {2.0, 4.0, 7.0})
    for (const double e : {0.3, 0.5})
      for (const double end : {3.0, 40.0}) {
        INFO("w " << w << ", e " << e << ", end " << end);
        const auto truth = impacts_on_sine(0.1, w, e, 3.0);
        const RunResult r =
            run_text("parameters = { A = 0.1, w = " + digits(w) + ", e = " + digits(e) +
                     " }\nsimulation = { end = " + digits(end) + ", rtol = 1e-9 }\n" +
                     "state = [{ name = \"y\", initial = 1, rate = \"v\" }, { name = \"v\", rate = -1 }]\n"
                     "guard = [{ name = \"floor\", when = \"y - A*sin(w*t)\", crossing = \"falling\", "
                     "reset = { y = \"A*sin(w*t)\", v = \"A*w*cos(w*t) - e*(v - A*w*cos(w*t))\" } }]\n");
        REQUIRE(r.events.size() >= truth.size());
        for (std::size_t i = 0; i < truth.size(); ++i) CHECK(r.events[i].t == Approx(truth[i]).margin(1e-7));
        for (const auto& row : r.rows) REQUIRE(row[1] - 0.1 * std::sin(w * row[0]) >= -1e-7);
      }
}

TEST_CASE("a time event within some ulp of an impact changes nothing") {
  const double first = std::sqrt(2 / 9.81);
  for (const char* integrator : {"dopri5", "dop853", "ode23", "bulirsch_stoer", "rosenbrock4"})
    for (int ulps = -12; ulps <= 12; ++ulps) {
      INFO(integrator << ", " << ulps << " ulp");
      double time = first;
      for (int i = 0; i < std::abs(ulps); ++i) time = std::nextafter(time, ulps > 0 ? 1.0 : 0.0);
      const RunResult r =
          run_text("simulation = { end = 2, rtol = 1e-10, integrator = \"" + std::string(integrator) +
                   "\" }\nstate = [{ name = \"h\", initial = 1, rate = \"v\" }, { name = \"v\", rate = -9.81 "
                   "}]\nguard = [{ name = \"floor\", when = \"h\", crossing = \"falling\", kind = \"impact\", "
                   "reset = { h = 0, v = \"-0.8*v\" } }, { name = \"sample\", times = [" +
                   digits(time) + "] }]\n");
      REQUIRE(r.outcome.success());
      REQUIRE(count(r, "impact") == 3);
      CHECK(count(r, "time") == 1);
      CHECK(first_event(r, "impact").t == Approx(first).margin(1e-12));
      CHECK(final_value(r, "h") == Approx(0.260741728).margin(1e-8));
    }
}

TEST_CASE("a force that steps at any time frees a stuck block then, with a guard at that time or without") {
  // mu_static 0.3 and 10 N of weight hold 3 N: 3.2 N frees it at T, then a = 3.2 - 2 m/s^2.
  std::mt19937 random(20261122);
  std::uniform_real_distribution<> when(0.1, 2.9);
  for (int i = 0; i < 150; ++i) {
    const double T = when(random);
    INFO("T " << digits(T));
    const std::string guard = i % 2 == 0 ? "guard = [{ name = \"jump\", times = [" + digits(T) + "] }]\n" : "";
    const RunResult r = run_text(
        "gravity = [0, -10]\nsimulation = { end = 3, rtol = 1e-8 }\n"
        "body = [{ name = \"a\", mass = 1 }]\n"
        "joint = [{ name = \"floor\", type = \"translational\", bodies = [\"ground\", \"a\"], "
        "friction = { mu_static = 0.3, mu_kinetic = 0.2 } }]\n"
        "force = [{ name = \"push\", type = \"point_force\", body = \"a\", force = [\"t < " +
        digits(T) + " ? 0 : 3.2\", 0] }]\n" + guard);
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    REQUIRE(count(r, "slip") == 1);
    CHECK(std::abs(first_event(r, "slip").t - T) <= 1e-12);
    CHECK(final_value(r, "a.x") == Approx(0.6 * (3 - T) * (3 - T)).margin(1e-9));
  }
}

TEST_CASE("a ball bounces to rest under every method and from any time on") {
  // Impacts at t1 (1 + 2 e + 2 e^2 + ...), rest at t1 (1 + e)/(1 - e).
  for (const char* integrator : {"ode23", "dopri5", "dop853", "bulirsch_stoer", "rosenbrock4"})
    for (const double rtol : {1e-6, 1e-9})
      for (const double start : {0.0, 100.0, 1e4}) {
        const double e = 0.7, t1 = std::sqrt(10 / 9.81);
        INFO(integrator << ", rtol " << rtol << ", from " << start);
        const RunResult r =
            run_text("gravity = [0, -9.81]\nsimulation = { start = " + digits(start) + ", end = " + digits(start + 20) +
                     ", rtol = " + digits(rtol) + ", integrator = \"" + integrator +
                     "\" }\nbody = [{ name = \"ball\", mass = 1, position = [0, 5] }]\ncontact = [{ name = "
                     "\"floor\", between = [{ body = \"ground\", shape = \"line\" }, { body = \"ball\", "
                     "shape = \"point\" }], restitution = 0.7 }]\n");
        REQUIRE(r.outcome.success());
        REQUIRE(count(r, "zeno") == 1);
        CHECK(first_event(r, "zeno").t - start == Approx(t1 * (1 + e) / (1 - e)).margin(1e-6 + 1e-11 * start));
        CHECK(std::abs(final_value(r, "ball.y")) <= 1e-9);
      }
}

TEST_CASE("a controller that samples is called exactly at its ticks") {
  // 1 kHz for 100 s: 100,000 times, the k-th at 0.001 k to the last digit. What it holds moves x at rate u = k.
  const RunResult r = run_text(
      "[simulation]\nend = 100.0\n[[state]]\nname = \"u\"\nrate = 0\n[[state]]\nname = \"x\"\nrate = \"u\"\n"
      "[[guard]]\nname = \"clock\"\nevery = 0.001\nreset = { u = \"u + 1\" }\n");
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  REQUIRE(r.events.size() == 100000);
  for (std::size_t k = 0; k < r.events.size(); ++k) REQUIRE(r.events[k].t == 0.001 * static_cast<double>(k + 1));
  CHECK(final_value(r, "u") == 100000);
  CHECK(final_value(r, "x") == Approx(0.001 * 99999.0 * 100000.0 / 2).epsilon(1e-9));
}

TEST_CASE("periodic time events between given times") {
  const RunResult r = run_text(
      "[simulation]\nend = 1.0\n[[state]]\nname = \"x\"\nrate = 1\n"
      "[[guard]]\nname = \"clock\"\nevery = 0.1\nfrom = 0.25\nuntil = 0.5\n");
  REQUIRE(r.events.size() == 3);
  CHECK(r.events[0].t == 0.25);
  CHECK(r.events[2].t == 0.25 + 2 * 0.1);
}
