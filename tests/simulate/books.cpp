// tests/simulate/books.cpp
//
// A run proves its events: M (v+ - v-) is the sum of the impulses in the ledger, its losses are the kinetic energy that
// went, impulses lie in their cones. Right impacts close to round-off; a restart that takes a velocity away, an impulse
// that nobody tells and a velocity that is off by 1e-7 must be
// caught, in every body and direction.
#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

#include "formulation/mode_equations.hpp"
#include "hstar/model_spec.hpp"
#include "support/run_text.hpp"
#include "transition/books.hpp"
#include "transition/impact_solver.hpp"

using namespace hstar;
using namespace support;

namespace {

/// A sliding block that has just come to one at rest; both are held down by dry guides.
const char* const two_blocks =
    "gravity = [0, -10]\n"
    "body = [{ name = \"a\", mass = 1.0, velocity = [2, 0] }, { name = \"b\", mass = 3.0, position = [0.2, 0] }]\n"
    "joint = [{ name = \"fa\", type = \"translational\", bodies = [\"ground\", \"a\"], friction = { mu = 0.1 } },\n"
    "         { name = \"fb\", type = \"translational\", bodies = [\"ground\", \"b\"], friction = { mu = 0.1 } }]\n"
    "contact = [{ name = \"hit\", restitution = 0.5, between = [{ body = \"a\", shape = \"circle\", radius = 0.1 },\n"
    "            { body = \"b\", shape = \"circle\", radius = 0.1 }] }]\n"
    "[simulation]\nend = 1\n";

/// One impact of them and its books.
struct Impact {
  std::shared_ptr<const System> system = build_system(parse_model(two_blocks, "two_blocks"));
  ModeEquations equations{system};
  ImpactSolver solver{equations, {}};
  Instant instant{equations};
  Books books{equations};
  std::vector<double> before = system->initial_state(), after = before;

  Impact() {
    equations.evaluate(0.0, before.data());
    const double approach = equations.motion.gap_velocity(0), restitution = 0.5;
    books.open(before);
    const ImpactOutcome& impact = solver.solve({1}, &approach, &restitution);
    REQUIRE(impact.found);
    books.book(impact, solver);
    double loss = 0;
    for (std::size_t b = 0; b < system->bodies.size(); ++b)
      for (int c = 0; c < system->bodies[b].dofs; ++c) {
        double& v = after[static_cast<std::size_t>(system->nq + system->bodies[b].dof + c)];
        const double plus = impact.v_plus[system->slot(b, c)];
        loss -= 0.5 * equations.motion.mass()[system->slot(b, c)] * (plus - v) * (plus + v);
        v = plus;
      }
    books.book_loss(loss);
  }
  [[nodiscard]] EventBooks close(const std::vector<double>& y) const { return books.close(y, instant); }
};

}  // namespace

TEST_CASE("the books of an impact close to round-off, and what is taken away without an impulse is caught") {
  Impact impact;
  const EventBooks right = impact.close(impact.after);
  CHECK(right.momentum < 1e-14);
  CHECK(right.energy < 1e-14);
  CHECK(right.cone < 1e-14);
  CHECK(Books::complaint(right).empty());
  for (std::size_t i = static_cast<std::size_t>(impact.system->nq); i < impact.after.size(); ++i) {
    if (impact.after[i] == 0) continue;
    for (const double left : {0.0, 1 - 1e-7, -1.0}) {
      std::vector<double> wrong = impact.after;
      wrong[i] *= left;
      INFO("velocity " << i << " times " << left);
      CHECK_FALSE(Books::complaint(impact.close(wrong)).empty());
    }
  }
  CHECK_FALSE(Books::complaint(impact.close(impact.before)).empty());
}

TEST_CASE("an impulse that is not booked, or lies outside its cone, is caught") {
  Impact impact;
  Row row;
  row = impact.equations.motion.normal_row(0);
  impact.books.book(row, 1e-6);
  CHECK(impact.close(impact.after).momentum > 1e-7);
}

TEST_CASE("every event of a run carries its books") {
  const auto result = run_text(
      "gravity = [0, -10]\nsimulation = { end = 3, rtol = 1e-10 }\n"
      "body = [{ name = \"a\", mass = 1.0, velocity = [2, 0] }, { name = \"b\", mass = 1.0, position = [1, 0] }]\n"
      "joint = [{ name = \"fa\", type = \"translational\", bodies = [\"ground\", \"a\"], friction = { mu = 0.1 } },\n"
      "         { name = \"fb\", type = \"translational\", bodies = [\"ground\", \"b\"], friction = { mu = 0.1 } }]\n"
      "contact = [{ name = \"hit\", restitution = 0.5, between = [{ body = \"a\", shape = \"circle\", radius = 0.1 },\n"
      "            { body = \"b\", shape = \"circle\", radius = 0.1 }] }]\n");
  REQUIRE(result.outcome.success());
  // Momentum and restitution give v/4 and 3v/4 at v = sqrt(2.4); Coulomb's law brings both to rest from there.
  const double v = std::sqrt(2.4), t = 2 - v;
  REQUIRE(result.events.size() == 3);
  CHECK(result.events[0].kind == "impact");
  CHECK(result.events[0].t == Approx(t).margin(1e-11));
  CHECK(result.events[0].energy_loss == Approx(0.5 * v * v * (1 - 1.0 / 16 - 9.0 / 16)).margin(1e-10));
  CHECK(result.events[0].books.momentum < 1e-13);
  CHECK(result.events[1].t == Approx(t + v / 4).margin(1e-10));
  CHECK(result.events[2].t == Approx(t + 3 * v / 4).margin(1e-10));
}
