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

TEST_CASE(
    "a continuous pi controller on x' = u has the closed form of its linear equations, limits and tracking with it") {
  const auto run = [](const std::string& more, const std::string& integrator) {
    return run_text("simulation = { end = 2, rtol = 1e-10, integrator = \"" + integrator +
                    "\" }\nstate = [{ name = \"x\", rate = \"u\" }]\ncontroller = [{ name = \"u\", type = \"pid\", "
                    "setpoint = 1, measurement = \"x\", " +
                    more + " }]\n");
  };
  for (const char* integrator : {"dopri5", "radau", "bdf", "dop853"}) {
    INFO(integrator);
    // e'' + 3 e' + 2 e = 0, e(0) = 1, e'(0) = -3.
    const RunResult plain = run("kp = 3, ki = 2", integrator);
    REQUIRE(plain.outcome.success());
    CHECK(1 - final_value(plain, "x") == Approx(2 * std::exp(-4.0) - std::exp(-2.0)).margin(1e-8));

    // With |u| <= 1 and the tracking time kp/ki: e = 1 - t and I = 1 - exp(-2 t/3) until 3 e + I = 1; then the linear
    // equations from e1 and e' = -1.
    const RunResult limited = run("kp = 3, ki = 2, limits = [-1, 1]", integrator);
    REQUIRE(limited.outcome.success());
    double t1 = 0.8;
    for (int i = 0; i < 50; ++i) t1 = 1 - std::exp(-2 * t1 / 3) / 3;
    const double e1 = 1 - t1, s = 2 - t1;
    CHECK(1 - final_value(limited, "x") ==
          Approx((2 * e1 - 1) * std::exp(-s) + (1 - e1) * std::exp(-2 * s)).margin(1e-8));

    // e' = -2 e + f, f' = 2 e - 2 f from (1, 0).
    const RunResult derivative = run("kp = 1, kd = 0.5, filter = 0.5", integrator);
    REQUIRE(derivative.outcome.success());
    CHECK(1 - final_value(derivative, "x") ==
          Approx(0.5 * (std::exp(2 * (std::sqrt(2.0) - 2)) + std::exp(-2 * (std::sqrt(2.0) + 2)))).margin(1e-8));
  }
}

TEST_CASE("the output of a continuous controller stands in other controllers, resets and repeated elements") {
  // The outer controller asks for a speed, the inner gives the force on 1 kg: x'' = 5 (2 (1 - x) - x').
  const RunResult r = run_text(R"toml(simulation = { end = 1.5, rtol = 1e-10 }
gravity = [0, 0]
body = [{ name = "m", mass = 1 }]
force = [{ name = "motor", type = "point_force", body = "m", force = ["inner", 0] }]
controller = [{ name = "outer", type = "pid", setpoint = 1, measurement = "m.x", kp = 2 }, { name = "inner", type = "pid", setpoint = "outer", measurement = "m.vx", kp = 5 }]
)toml");
  REQUIRE(r.outcome.success());
  // x'' + 5 x' + 10 x = 10: x = 1 - exp(-5 t/2) (cos(w t) + 5/(2 w) sin(w t)), w = sqrt(15)/2.
  const double w = std::sqrt(15.0) / 2, t = 1.5;
  CHECK(final_value(r, "m.x") ==
        Approx(1 - std::exp(-2.5 * t) * (std::cos(w * t) + 2.5 / w * std::sin(w * t))).margin(1e-8));
}
