// tests/simulate/exact.cpp
//
// What must hold of runs with integrator = "exact": events of models whose modes are linear come at the times of the
// closed form to a few units in the last place, whatever rtol, with an error that is told; the mode, the kinds of
// events and the rows are those of any other integrator; where a mode is not linear dop853 steps and a notice says so.
// Truth: the closed form of the oscillator; else dop853 at 1e-13.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;
using Catch::Matchers::Contains;

namespace {

const std::string gravity = "gravity = [0, -9.81]\n";

std::string exact(double end, const std::string& more = "") {
  return gravity + "[simulation]\nend = " + digits(end) + "\nintegrator = \"exact\"\n" + more;
}

/// Sliding on a guide with friction at a spring, released at x = 1 m: it turns every half period and loses 4 mu m g /
/// k.
std::string oscillator(const std::string& damping = "") {
  return "[[body]]\nname = \"block\"\nmass = 2\nposition = [1, 0]\n"
         "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\naxis = [1, 0]\n"
         "friction = { law = \"coulomb\", mu_static = 0.08, mu_kinetic = 0.08 }\n"
         "[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\nbetween = [{body = \"ground\"}, {body = \"block\"}]\n"
         "axis = [1, 0]\nstiffness = 50\n" +
         damping;
}

std::string notice_of(const RunResult& r) {
  for (const std::string& notice : r.notices)
    if (notice.find("integrator \"exact\"") != std::string::npos) return notice;
  return {};
}

}  // namespace

TEST_CASE("an oscillator with friction turns at multiples of half its period, to the last places") {
  for (const char* rtol : {"rtol = 1e-3\n", "rtol = 1e-12\n"}) {
    const RunResult r = run_text(exact(11, rtol) + oscillator());
    REQUIRE(r.outcome.success());
    CHECK(notice_of(r).empty());
    REQUIRE(r.events.size() == 16);
    double told = 0;
    for (std::size_t n = 1; n <= r.events.size(); ++n) {
      const double truth = static_cast<double>(n) * std::numbers::pi / 5;
      told += r.events[n - 1].dt_error;
      CHECK(std::abs(r.events[n - 1].t - truth) <= told + 0x1p-52 * truth);
      CHECK(std::abs(r.events[n - 1].t - truth) <= 4 * static_cast<double>(n) * 0x1p-52 * truth);
    }
    CHECK(told < 1e-13);
    CHECK(r.events.back().kind == "stick");
    CHECK(r.counters.flow.evaluations == 0);
    CHECK(r.counters.flow.steps < 3 * 17);
    // each half period takes 2 mu m g / k from the amplitude
    CHECK(r.y_end[0] == Approx(1 - 16 * 2 * 0.08 * 2 * 9.81 / 50).margin(1e-14));
  }
}

TEST_CASE("what is stuck stays where it is for as long as it is stuck") {
  // 16 half swings, each 2 mu m g / k shorter, then rest.
  const RunResult r = run_text(exact(1e6, "output = 1e6\n") + oscillator());
  REQUIRE(r.outcome.success());
  CHECK(std::abs(r.y_end[0] - (1 - 16 * 2 * 0.08 * 2 * 9.81 / 50)) < 1e-14);
  for (const std::size_t i : {1U, 2U, 3U}) CHECK(std::abs(r.y_end[i]) < 1e-15);
}

TEST_CASE("modes, kinds and times are those of another integrator at a tight tolerance") {
  const std::string damped = oscillator("damping = 0.4\nfree_length = \"0.05*t\"\n");
  const std::string ball =
      "[[body]]\nname = \"ball\"\nmass = 1\nposition = [0, 2]\nvelocity = [0.3, 0]\n"
      "[[contact]]\nname = \"floor\"\nrestitution = 0.6\n"
      "between = [{ body = \"ground\", shape = \"line\", point = [0, 0], normal = [0, 1] }, "
      "{ body = \"ball\", shape = \"point\" }]\nfriction = { law = \"coulomb\", mu_static = 0.3, mu_kinetic = 0.2 }\n";
  for (const std::string& model : {oscillator(), damped, ball}) {
    INFO(model);
    const RunResult a = run_text(exact(8, "rtol = 1e-13\n") + model);
    const RunResult b =
        run_text(gravity + "[simulation]\nend = 8\nintegrator = \"dop853\"\nrtol = 1e-13\natol = 1e-15\n" + model);
    REQUIRE(a.outcome.success());
    // (Of impacts that accumulate some methods follow a few more than others to the limit, which is one.)
    const std::size_t least = std::min(a.events.size(), b.events.size());
    if (least < 30) REQUIRE(a.events.size() == b.events.size());
    REQUIRE(least > 3);
    CHECK(a.events.back().t == Approx(b.events.back().t).epsilon(1e-10));
    CHECK(a.events.back().mode_after == b.events.back().mode_after);
    for (std::size_t k = 0; k < std::min<std::size_t>(least, 30); ++k) {
      CHECK(a.events[k].kind == b.events[k].kind);
      CHECK(a.events[k].mode_after == b.events[k].mode_after);
      CHECK(a.events[k].t == Approx(b.events[k].t).epsilon(1e-10));
    }
    for (std::size_t i = 0; i < a.y_end.size(); ++i) CHECK(a.y_end[i] == Approx(b.y_end[i]).margin(1e-10));
  }
}

TEST_CASE("where a mode is not linear dop853 steps, and a notice says so once") {
  const RunResult r = run_text(exact(3) + oscillator("actuator = \"0.3*length^3\"\n"));
  REQUIRE(r.outcome.success());
  CHECK_THAT(notice_of(r), Contains("dop853 steps there") && Contains("mode"));
  CHECK(r.counters.flow.evaluations > 0);
  const RunResult pendulum = run_text(
      exact(3) +
      "[[body]]\nname = \"bob\"\nmass = 1\nposition = [1, 0]\n[[joint]]\nname = \"pin\"\ntype = \"revolute\"\n" +
      "bodies = [\"ground\", \"bob\"]\npoints = [[0, 0], [-1, 0]]\n");
  REQUIRE(pendulum.outcome.success());
  CHECK_THAT(notice_of(pendulum), Contains("this model"));
  const RunResult baumgarte = run_text(exact(1, "formulation = \"baumgarte\"\n") + oscillator());
  REQUIRE(baumgarte.outcome.success());
  CHECK_THAT(notice_of(baumgarte), Contains("this formulation"));
}

TEST_CASE("a coefficient that is a formula of time is no constant of its mode") {
  // It is stuck while 3.3 <= (0.4 + 0.1 cos t) 10 m/s^2, in a mode that is linear but for that.
  const double truth = std::acos(-0.7);
  for (const char* integrator : {"exact", "dop853"}) {
    INFO(integrator);
    const RunResult r =
        run_text("gravity = [0, -10]\n[simulation]\nend = 60\nintegrator = \"" + std::string(integrator) +
                 "\"\n[[body]]\nname = \"block\"\nmass = 1\nposition = [0, 0]\n"
                 "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\n"
                 "axis = [1, 0]\n"
                 "friction = { law = \"coulomb\", mu_static = \"0.4 + 0.1*cos(t)\", mu_kinetic = 0.2 }\n"
                 "[[force]]\nname = \"pull\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [3.3, 0]\n");
    REQUIRE(!r.events.empty());
    CHECK(r.events.front().kind == "slip");
    CHECK(std::abs(r.events.front().t - truth) <= 1e-12);
  }
}
