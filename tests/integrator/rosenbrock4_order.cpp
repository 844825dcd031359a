// tests/integrator/rosenbrock4_order.cpp
//
// A Rosenbrock method has its order with the exact Jacobian only. On a tower of sliding blocks under a large weight the
// forces that a joint balances are many orders larger than what is left of them: difference quotients make noise of
// that, and the step falls like the tolerance instead of its fourth root. With the mode's own derivatives the steps
// follow the order: from rtol 1e-6 to 3.2e-9 by (1e-6 / 3.2e-9)^(1/4) = 4.2, allowed 8, and no more than 20 times the
// steps of dopri5; the same events as dopri5. The derivatives themselves are compared with difference quotients.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "formulation/formulation.hpp"
#include "hstar/run.hpp"
#include "mechanism/system.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;

namespace {

std::string tower(const std::string& integrator, double rtol) {
  const auto body = [](int i, double mass, double x, double v) {
    return "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmass = " + std::to_string(mass) + "\nposition = [" +
           std::to_string(x) + ", 0]\nvelocity = [" + std::to_string(v) + ", 0]\n";
  };
  const auto joint = [](int i, const std::string& below, double mu) {
    return "[[joint]]\nname = \"f" + std::to_string(i) + "\"\ntype = \"translational\"\nbodies = [\"" + below +
           "\", \"b" + std::to_string(i) + "\"]\nfriction = { mu = " + std::to_string(mu) + " }\n";
  };
  const auto spring = [](int i, double k, double c) {
    return "[[force]]\nname = \"s" + std::to_string(i) +
           "\"\ntype = \"spring_damper\"\nbetween = [{ body = \"ground\" }, { "
           "body = \"b" +
           std::to_string(i) + "\" }]\naxis = [1, 0]\nstiffness = " + std::to_string(k) +
           "\ndamping = " + std::to_string(c) + "\n";
  };
  char tolerance[32];
  std::snprintf(tolerance, sizeof tolerance, "%.17g", rtol);
  return "gravity = [0, -9e7]\n[simulation]\nend = 0.05\nintegrator = \"" + integrator + "\"\nrtol = " + tolerance +
         "\n" + body(0, 0.9, 28, 0) + body(1, 1.4, 29, -10000) + body(2, 1.5, -34, 24000) + joint(0, "ground", 0.046) +
         joint(1, "b0", 0.012) + joint(2, "b1", 0.0013) + spring(0, 1.4e5, 0) + spring(1, 1.9e5, 160) +
         spring(2, 7.6e4, 17) +
         "[[force]]\nname = \"drive\"\ntype = \"point_force\"\nbody = \"b1\"\nforce = [\"5e6*sin(1000*t)\", 0]\n";
}

class Nobody final : public EventLog {
 public:
  bool wanted() const override { return false; }
  void add(EventRecord) override {}
};

}  // namespace

TEST_CASE("rosenbrock4 keeps its order where large forces balance") {
  const RunResult loose = run(parse_model(tower("rosenbrock4", 1e-6), "tower"));
  const RunResult tight = run(parse_model(tower("rosenbrock4", 3.2e-9), "tower"));
  const RunResult other = run(parse_model(tower("dopri5", 3.2e-9), "tower"));
  for (const RunResult* r : {&loose, &tight, &other}) REQUIRE(r->outcome.success());
  INFO(loose.counters.flow.steps << ", " << tight.counters.flow.steps << ", dopri5 " << other.counters.flow.steps);
  CHECK(tight.counters.flow.steps <= 8 * loose.counters.flow.steps);
  CHECK(tight.counters.flow.steps <= 20 * other.counters.flow.steps);
  REQUIRE(tight.events.size() == other.events.size());
  for (std::size_t i = 0; i < other.events.size(); ++i) {
    CHECK(tight.events[i].kind == other.events[i].kind);
    CHECK(std::abs(tight.events[i].t - other.events[i].t) < 1e-7 * 0.05);
  }
}

TEST_CASE("a block that is held between large forces says nothing about the step") {
  // Its speed is the round-off of accelerations, 1e-16 of 1e8 m/s^2, times a step, and more than atol = 1e-15 m/s. From
  // rtol 1e-8 to 1e-12 steps grow by 10 at order 4, 6.3 at order 5, 3.2 at order 8; allowed twice as much.
  for (const auto& [integrator, most] :
       {std::pair{"rosenbrock4", 20.0}, std::pair{"dopri5", 13.0}, {"dop853", 7.0}, {"bdf", 13.0}, {"ode113", 7.0}}) {
    const RunResult loose = run(parse_model(tower(integrator, 1e-8), "tower"));
    const RunResult tight = run(parse_model(tower(integrator, 1e-12), "tower"));
    INFO(integrator << ": " << loose.counters.flow.steps << ", " << tight.counters.flow.steps);
    REQUIRE(tight.outcome.success());
    CHECK(static_cast<double>(tight.counters.flow.steps) <= most * static_cast<double>(loose.counters.flow.steps));
  }
}

TEST_CASE("a tolerance below the round-off of the rates is told") {
  // 1e9 + sin(t) has sin(t) to 1e-7.
  const auto told = [](const std::string& rtol) {
    const RunResult r = run(parse_model("[simulation]\nend = 20\nrtol = " + rtol +
                                            "\n[[state]]\nname = \"x\"\ninitial = 0\nrate = \"(1e9 + sin(t)) - 1e9\"\n",
                                        "noise"));
    REQUIRE(r.outcome.success());
    return std::any_of(r.notices.begin(), r.notices.end(),
                       [](const std::string& n) { return n.find("round-off of the rates") != std::string::npos; });
  };
  CHECK(told("1e-11"));
  CHECK_FALSE(told("1e-5"));
}

TEST_CASE("the derivatives of a mode's accelerations are those of difference quotients") {
  // A slider-crank with a spring, a sliding block with friction and states that read and drive bodies.
  const std::string model =
      "gravity = [0.3, -9.81]\n"
      "[[body]]\nname = \"crank\"\nmass = 1.2\ninertia = 0.1\nposition = [0.3, 0.4]\nangle = \"atan2(4, 3)\"\n"
      "angular_velocity = 3\nvelocity = [-1.2, 0.9]\n"
      "[[body]]\nname = \"block\"\nmass = 2\ninertia = 0.5\nposition = [1.5, 0]\nvelocity = [0.7, 0]\n"
      "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"crank\"]\npoints = [[0, 0], [-0.5, 0]]\n"
      "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\naxis = [1, 0]\n"
      "friction = { mu = 0.3 }\n"
      "[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\nstiffness = 40\ndamping = 3\nfree_length = 0.6\n"
      "between = [{ body = \"crank\", point = [0.5, 0] }, { body = \"block\", point = [0, 0.2] }]\n"
      "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [\"w*cos(3*t + 1) - "
      "0.4*block.vx^2\", 0]\n"
      "[[state]]\nname = \"w\"\ninitial = 0.4\nrate = \"sin(crank.angle) - w^2\"\n[simulation]\nend = 1.0\n";
  MechanismProcess process(build_system(parse_model(model, "slopes")), *find_formulation("direct"));
  std::vector<double> y = process.system().initial_state();
  Nobody nobody;
  REQUIRE(process.start(0, y, nobody).then == Settled::Then::go_on);
  const std::size_t n = y.size();
  std::vector<double> exact(n * n), by_time(n), above(n), below(n);
  REQUIRE(process.rate_slopes(0, y.data(), 1e-6, exact.data(), by_time.data()));
  double largest = 0;
  for (const double x : exact) largest = std::max(largest, std::abs(x));
  for (std::size_t c = 0; c < n; ++c) {
    const double at = y[c], step = 1e-5;
    y[c] = at + step;
    REQUIRE(process.rates(0, y.data(), above.data()));
    y[c] = at - step;
    REQUIRE(process.rates(0, y.data(), below.data()));
    y[c] = at;
    for (std::size_t r = 0; r < n; ++r) {
      INFO("rate " << r << " by " << c);
      CHECK(std::abs((above[r] - below[r]) / (2 * step) - exact[r * n + c]) < 1e-8 * largest);
    }
  }
  REQUIRE(process.rates(1e-5, y.data(), above.data()));
  REQUIRE(process.rates(-1e-5, y.data(), below.data()));
  for (std::size_t r = 0; r < n; ++r) {
    INFO("rate " << r << " by time");
    CHECK(std::abs((above[r] - below[r]) / 2e-5 - by_time[r]) < 1e-6 * largest);
  }
}
