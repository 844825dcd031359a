// tests/simulate/impact_energy.cpp
//
// What a run says about the energy of an impact: a law that creates energy is reported with the number, or ends the
// run; what a moving table does is not the law's; restitution of the sliding velocity follows its closed form.
#include <catch2/catch.hpp>

#include <cmath>

#include "hstar/error.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;
using Catch::Matchers::Contains;

namespace {

/// validation/p11_rod_impact, case "spinning rod, elastic": Newton's law with Coulomb's creates 0.21999... J.
std::string rod(const std::string& simulation, const std::string& contact) {
  return "gravity = [0.0, 0.0]\n[parameters]\nl = 0.5\ntheta = 0.5\n[simulation]\nend = 1e-6\n" + simulation +
         "[[body]]\nname = \"rod\"\nmass = 1.2\ninertia = \"1.2*l^2/3\"\nposition = [\"l*cos(theta)\", "
         "\"l*sin(theta)\"]\nangle = \"theta\"\nvelocity = [0.5, -1.0]\nangular_velocity = 2.0\n"
         "[[contact]]\nname = \"tip\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"rod\", point = "
         "[\"-l\", 0.0], shape = \"point\" }]\nrestitution = 1.0\nfriction = { mu = 0.4 }\n" +
         contact;
}
constexpr double created = 0.2199962746320513492820212;  // J, reference.toml

std::string message_of(const std::string& text) {
  try {
    static_cast<void>(run_text(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("energy that an impact law creates is in the ledger, or ends the run") {
  const auto told = run_text(rod("", ""));
  REQUIRE(told.outcome.success());
  CHECK(first_event(told, "impact").energy_loss == Approx(-created).epsilon(1e-12));
  CHECK_THAT(first_event(told, "impact").note, Contains("gains energy: the law creates 0.22 J"));

  const auto ended = run_text(rod("impact_energy = \"error\"\n", ""));
  CHECK(ended.outcome.status == RunStatus::no_consistent_mode);
  CHECK_THAT(ended.outcome.message, Contains("the impact law gains 0.22 J"));

  for (const char* law : {"poisson", "stronge"}) {
    const auto other = run_text(rod("impact_energy = \"error\"\n", "impact_law = \"" + std::string(law) + "\"\n"));
    CHECK(other.outcome.success());
    CHECK(first_event(other, "impact").energy_loss > 0);
  }
}

TEST_CASE("energy that a moving table gives is not created by the law") {
  // The table comes up at 2 m/s and runs aside: the ball leaves with more energy than it had, in every frame but the
  // table's own.
  const auto r = run_text(
      "gravity = [0.0, -9.81]\n[simulation]\nend = 0.5\nimpact_energy = \"error\"\nrtol = 1e-10\n"
      "[[body]]\nname = \"table\"\nmotion = { x = \"0.3*t\", y = \"2*t\", angle = \"0\" }\n"
      "[[body]]\nname = \"ball\"\nmass = 0.5\nposition = [0.0, 0.3]\n"
      "[[contact]]\nname = \"top\"\nbetween = [{ body = \"table\", shape = \"line\" }, { body = \"ball\", shape = "
      "\"point\" }]\nrestitution = 0.9\nfriction = { mu = 0.3 }\n");
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  const auto& impact = first_event(r, "impact");
  // 0.3 - g t^2 / 2 = 2 t
  const double t = (-2 + std::sqrt(4 + 2 * 9.81 * 0.3)) / 9.81, before = -9.81 * t, after = 2 + 0.9 * (2 - before);
  CHECK(impact.t == Approx(t).epsilon(1e-9));
  CHECK(impact.energy_loss < -1);
  const double slide = 0.3;  // mu m (after - before) > m slide: it sticks and is taken along
  CHECK(impact.energy_loss == Approx(0.25 * (before * before - after * after - slide * slide)).epsilon(1e-8));
  CHECK(impact.note.find("gains") == std::string::npos);
}

TEST_CASE("with the same restitution in all directions Newton's law keeps the energy it may keep") {
  const auto r = run_text(rod("impact_energy = \"error\"\n", "restitution_tangential = 1.0\n"));
  REQUIRE(r.outcome.success());
  CHECK(first_event(r, "impact").energy_loss >= -1e-14);
}

TEST_CASE("a disc with restitution of its sliding velocity turns its spin round") {
  // Closed form: gamma_T+ = -e_t gamma_T- while the impulse for that is inside the cone, with G_TT = 1/m + R^2/I and
  // G_NT = 0; e_t = 1 and e = 1 keep the energy (a "super ball", Garwin 1969).
  const double e_t = GENERATE(0.0, 0.6, 1.0), mu = GENERATE(0.2, 5.0);
  const double m = 0.4, I = 0.003, R = 0.1, vx = 1.0, omega = 20.0, vy = -2.0, e = 1.0;
  const auto r = run_text(
      "gravity = [0.0, 0.0]\n[simulation]\nend = 1e-6\n[[body]]\nname = \"ball\"\nmass = 0.4\ninertia = 0.003\n"
      "position = [0.0, 0.1]\nvelocity = [1.0, -2.0]\nangular_velocity = 20.0\n"
      "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"ball\", shape = "
      "\"circle\", radius = 0.1 }]\nrestitution = 1.0\nrestitution_tangential = " +
      digits(e_t) + "\nfriction = { mu = " + digits(mu) + " }\n");
  REQUIRE(r.outcome.success());
  const double slide = vx + R * omega, N = -(1 + e) * m * vy;
  const double T = -std::min(mu * N, (1 + e_t) * slide / (1 / m + R * R / I));
  CHECK(final_value(r, "ball.vx") == Approx(vx + T / m).epsilon(1e-12));
  CHECK(final_value(r, "ball.omega") == Approx(omega + R * T / I).epsilon(1e-12));
  CHECK(final_value(r, "ball.vy") == Approx(-e * vy).epsilon(1e-12));
  const auto& impact = first_event(r, "impact");
  CHECK(impact.impulse_t == Approx(T).epsilon(1e-12));
  if (e_t == 1.0 && mu > 1) CHECK(impact.energy_loss == Approx(0).margin(1e-13));
}

TEST_CASE("restitution of the sliding velocity where nothing uses it is refused") {
  CHECK_THAT(message_of(rod("", "restitution_tangential = 0.5\nimpact_law = \"stronge\"\n")),
             Contains("contact \"tip\": restitution_tangential = 0.5 is not used by impact_law = \"stronge\"; take "
                      "\"newton\", or leave it out"));
  std::string smooth = rod("", "restitution_tangential = 0.5\n");
  const std::string friction = "friction = { mu = 0.4 }\n";
  smooth.erase(smooth.find(friction), friction.size());
  CHECK_THAT(message_of(smooth), Contains("acts through friction, and the contact has none; give it `friction`"));
}
