// tests/simulate/controllers.cpp
//
// A sampled controller on an integrator, x' = u: from sample to sample x grows by u T, so that the difference equations
// of the controller, computed here, tell every sample exactly. Samples are taken at multiples of the period.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

struct Pid {
  double kp, ki, kd, lo, hi;
};

/// x and u just after sample n (n = 1, 2, ...) of r - x, from x = 0.
void follow(const Pid& c, double r, double period, int n, double& x, double& u) {
  double integral = 0, before = 0;
  x = u = 0;
  for (int k = 1; k <= n; ++k) {
    x += u * period;
    const double e = r - x, rest = c.kp * e + (k > 1 ? c.kd * (e - before) / period : 0),
                 raw = rest + integral + c.ki * period * e;
    if (!((raw > c.hi && c.ki * e > 0) || (raw < c.lo && c.ki * e < 0))) integral += c.ki * period * e;
    u = std::clamp(rest + integral, c.lo, c.hi);
    before = e;
  }
}

}  // namespace

TEST_CASE("a sampled pid controller follows its difference equations, limits and anti-windup with it") {
  const Pid cases[] = {{4, 0, 0, -1e9, 1e9}, {4, 3, 0.01, -1e9, 1e9}, {5, 20, 0.02, -0.5, 0.8}, {0, 30, 0, -1, 1}};
  for (const Pid& c : cases)
    for (const char* integrator : {"dopri5", "radau", "bdf"}) {
      INFO(integrator << ", kp = " << c.kp << ", ki = " << c.ki);
      const RunResult r = run_text(
          std::string("simulation = { end = 3.02, rtol = 1e-9, integrator = \"") + integrator +
          "\" }\nstate = [{ name = \"x\", rate = \"u\" }]\ncontroller = [{ name = \"u\", type = \"pid\", setpoint = 1, "
          "measurement = \"x\", every = 0.05, kp = " +
          digits(c.kp) + ", ki = " + digits(c.ki) + ", kd = " + digits(c.kd) + ", limits = [" + digits(c.lo) + ", " +
          digits(c.hi) + "] }]\n");
      REQUIRE(r.outcome.success());
      double x = 0, u = 0;
      follow(c, 1, 0.05, 60, x, u);
      CHECK(final_value(r, "u") == Approx(u).margin(1e-9));
      CHECK(final_value(r, "x") == Approx(x + 0.02 * u).margin(1e-9));
      CHECK(final_value(r, "u_samples") == Approx(60).epsilon(1e-12));
      CHECK(count(r, "sample") == 60);
    }
}

TEST_CASE("a controller at 1 kHz is called 100,000 times in 100 s, each time at its tick") {
  // late: the largest distance of a sample from its multiple of 1 ms.
  const RunResult r = run_text(
      "simulation = { end = 100, rtol = 1e-6, output = 10 }\nstate = [{ name = \"x\", initial = 1, rate = \"u\" }, { "
      "name "
      "= \"late\", discrete = true }]\ncontroller = [{ name = \"u\", type = \"pid\", measurement = \"x\", kp = 2, "
      "every = "
      "0.001 }]\nguard = [{ name = \"clock\", every = 0.001, reset = { late = \"max(late, abs(t - 0.001*(u_samples + "
      "1)))\" } }]\n");
  REQUIRE(r.outcome.success());
  CHECK(final_value(r, "u_samples") == 100000);
  CHECK(final_value(r, "late") <= 2e-14);  // an ulp of 100 s
  CHECK(std::abs(final_value(r, "x")) < 1e-80);
}
