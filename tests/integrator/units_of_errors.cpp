// tests/integrator/units_of_errors.cpp
//
// What round-off carries through a mechanism is left out of its step control, in each unit for itself: a turning ball
// written in millimetres takes the steps of the ball in metres and is turned as accurately (with one size for lengths
// and Euler parameters it took two thirds of them and was 40 times less accurate), wherever the origin is. Its attitude
// is known in closed form, and the allowance 100 rtol for an error that grows over 22 rad.
#include <catch2/catch.hpp>
#include <cmath>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

/// A ball that spins and flies, with so many units of length in a metre, begun at x [m].
RunResult ball(const std::string& integrator, double unit, double x, double rtol, const std::string& more = "") {
  const auto list = [](double a, double b, double c) {
    return "[" + digits(a) + ", " + digits(b) + ", " + digits(c) + "]";
  };
  const double J = 2e-4 * unit * unit;
  return run_text("dimension = 3\ngravity = " + list(0, 0, -9.81 * unit) +
                  "\n[simulation]\nend = 0.45\noutput = 0.01\natol = 1e-18\nrtol = " + digits(rtol) +
                  "\nintegrator = \"" + integrator + "\"\n" + more +
                  "[[body]]\nname = \"ball\"\nmass = 0.2\ninertia = " + list(J, J, J) +
                  "\nposition = " + list(x * unit, 0, 1.05 * unit) + "\nvelocity = " + list(2 * unit, 0, 0) +
                  "\nangular_velocity = [-40, -15, 25]\n");
}

/// Of all rows.
double attitude_error(const RunResult& r) {
  REQUIRE(r.outcome.success());
  REQUIRE(r.rows.size() > 40);
  const double rate = std::sqrt(40 * 40 + 15 * 15 + 25 * 25);
  const std::size_t first = column(r, "ball.e0");
  double worst = 0;
  for (const std::vector<double>& row : r.rows) {
    const double half = 0.5 * rate * row[0], s = std::sin(half) / rate;
    const double exact[] = {std::cos(half), -40 * s, -15 * s, 25 * s};
    for (std::size_t i = 0; i < 4; ++i) worst = std::max(worst, std::abs(row[first + i] - exact[i]));
  }
  return worst;
}

}  // namespace

TEST_CASE("the unit of length and the origin say nothing about the steps of what turns") {
  constexpr double rtol = 1e-12;
  for (const std::string integrator : {"dop853", "dopri5", "ode113"}) {
    const RunResult metres = ball(integrator, 1, 0, rtol);
    CHECK(attitude_error(metres) < 100 * rtol);
    for (const auto& [unit, x] : {std::pair{1e3, 0.0}, {1e-3, 0.0}, {1.0, 100.0}, {1e3, 100.0}}) {
      INFO(integrator << ", " << unit << " per metre, begun at " << x << " m");
      const RunResult other = ball(integrator, unit, x, rtol);
      CHECK(static_cast<double>(other.counters.flow.steps) >= 0.9 * static_cast<double>(metres.counters.flow.steps));
      CHECK(attitude_error(other) < 100 * rtol);
    }
  }
}

TEST_CASE("what turns steadily is right between the ends of a step too") {
  // Rotation vectors are exact for it, however long the step: rows and guards read polynomials between its ends.
  for (const auto& [integrator, rtol] :
       {std::pair{"radau", 1e-9}, {"newmark", 1e-6}, {"hht", 1e-6}, {"generalized_alpha", 1e-6}}) {
    INFO(integrator);
    CHECK(attitude_error(ball(integrator, 1, 0, rtol, "formulation = \"index3\"\n")) < 100 * rtol);
  }
}
