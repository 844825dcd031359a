// tests/simulate/fixed_steps.cpp
//
// A run with a fixed step never ends well with a solution that its own errors have made: what a step outside the
// stability region blows up ends as `diverged` or `not_finite`, soon, and a notice says beforehand which step would do.
// What grows because the equations say so, however coarsely it is stepped, is not called diverged. A mode that ends
// within a step is no failure. Truth: closed forms; limits of stability from the literature (Hairer & Wanner 1996,
// tables IV.2 and V.2.1); of a slide in space dopri5 under error control.
#include <catch2/catch.hpp>
#include <cmath>
#include <tuple>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;
using Catch::Matchers::Contains;

namespace {

std::string fixed(const std::string& integrator, double h, double end) {
  return "[simulation]\nend = " + digits(end) + "\nintegrator = \"" + integrator + "\"\nfixed_step = " + digits(h) +
         "\n";
}
std::string state(const std::string& name, double initial, const std::string& rate) {
  return "[[state]]\nname = \"" + name + "\"\ninitial = " + digits(initial) + "\nrate = \"" + rate + "\"\n";
}

std::vector<std::string> methods() {
  std::vector<std::string> all;
  for (const IntegratorEntry& e : integrators()) all.push_back(e.name);
  for (const IntegratorEntry& e : further_integrators()) all.push_back(e.name);
  return all;
}

double largest(const RunResult& r) {
  double out = 0;
  for (const auto& row : r.rows)
    for (std::size_t i = 1; i < row.size(); ++i) out = std::max(out, std::abs(row[i]));
  return out;
}

std::string stability_notice(const RunResult& r) {
  for (const std::string& notice : r.notices)
    if (notice.find("stability region") != std::string::npos) return notice;
  return {};
}

}  // namespace

TEST_CASE("what must not grow never ends far above its start") {
  struct Problem {
    std::string states;
    double bound;  ///< of the true solution
  };
  const Problem problems[] = {{state("y", 1, "-1000*y"), 1},
                              {state("x", 1, "v") + state("v", 0, "-1e4*v - 1e4*x"), 1},
                              {state("x", 1, "v") + state("v", 0, "-25*x"), 5},
                              {state("y", 0, "-1000*(y - cos(t))"), 1},
                              {state("x", 1, "v") + state("v", -1, "(sin(2*t) - 200*v^3 - 400*x^3)/2"), 2},
                              {state("x", 2, "v") + state("v", 0, "100*(1 - x^2)*v - x"), 2}};  // it jumps at 81 s
  for (const Problem& p : problems)
    for (const std::string& name : methods())
      for (const double h : {0.002, 0.02, 0.1, 0.5}) {
        INFO(p.states << name << ", h = " << h);
        const RunResult r = run_text(fixed(name, h, 50 * h) + p.states);
        INFO(hstar::name(r.outcome.status) << ": " << r.outcome.message << ", largest " << largest(r));
        if (r.outcome.success()) CHECK(largest(r) < 1e4 * p.bound);
        if (r.outcome.status == RunStatus::diverged) CHECK(largest(r) > p.bound);
      }
}

TEST_CASE("an oscillation that BDF enlarges swing by swing has diverged") {
  // Of x'' = -w^2 x the formulas of order 3 to 6 enlarge swings of up to some radians a step by 2 to 80 % a step: 300
  // steps made 1e48 of them, and where x is largest the error of the step may be nothing.
  for (const int order : {3, 4, 5, 6})
    for (const double w2 : {0.5, 1.0, 1.5, 2.0, 2.6, 4.0, 9.0})
      for (const bool mechanism : {false, true}) {
        INFO("order " << order << ", h w = " << std::sqrt(w2) << (mechanism ? ", index3" : ""));
        const std::string stiffness = digits(w2);
        const RunResult r = run_text(
            fixed("bdf", 1, 300) + "max_order = " + std::to_string(order) + "\n" +
            (mechanism
                 ? "formulation = \"index3\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\nposition = [1, 0]\n"
                   "[[joint]]\nname = \"g\"\ntype = \"translational\"\nbodies = [\"ground\", \"b\"]\naxis = [1, 0]\n"
                   "[[force]]\nname = \"f\"\ntype = \"point_force\"\nbody = \"b\"\nforce = [\"-" +
                       stiffness + "*b.x\", 0]\n"
                 : state("x", 1, "v") + state("v", 0, "-" + stiffness + "*x")));
        INFO(hstar::name(r.outcome.status) << ": " << r.outcome.message << ", largest " << largest(r));
        if (r.outcome.success()) CHECK(largest(r) < 1e3);
      }
}

TEST_CASE("a diverged run says which state, from where, and what to do, and keeps what was computed") {
  const RunResult r = run_text(fixed("dopri5", 0.1, 5) + state("y", 1, "-1000*y"));
  CHECK(r.outcome.status == RunStatus::diverged);
  CHECK_THAT(r.outcome.message, Contains("steps of 0.1 s") && Contains("y has grown") && Contains("fixed_step"));
  CHECK(r.rows.back()[0] == r.outcome.t);
  CHECK(r.outcome.t <= 0.3);
}

TEST_CASE("a mechanism that its steps blow up has diverged under every formulation that lets it") {
  // A stiff damper on a guide; index3 with bdf is stable there.
  const std::string slider =
      "[[body]]\nname = \"bob\"\nmass = 1\nposition = [1, 0]\n"
      "[[joint]]\nname = \"g\"\ntype = \"translational\"\nbodies = [\"ground\", \"bob\"]\naxis = [1, 0]\n"
      "[[force]]\nname = \"s\"\ntype = \"spring_damper\"\nbetween = [{body = \"ground\"}, {body = \"bob\"}]\n"
      "axis = [1, 0]\nstiffness = 1e4\ndamping = 1e4\n";
  for (const char* formulation : {"direct", "baumgarte", "partition_simple", "partition_full", "projection"}) {
    INFO(formulation);
    const RunResult r =
        run_text(fixed("ode23", 0.1, 1) + "formulation = \"" + std::string(formulation) + "\"\n" + slider);
    CHECK(r.outcome.status == RunStatus::diverged);
    CHECK_FALSE(stability_notice(r).empty());
  }
  const RunResult good = run_text(fixed("bdf", 0.1, 1) + "formulation = \"index3\"\n" + slider);
  CHECK(good.outcome.success());
  CHECK(stability_notice(good).empty());
}

TEST_CASE("what the equations make grow has not diverged") {
  for (const std::string& name : methods()) {
    INFO(name);
    // A factor 2.7e4; a ramp from rest; an oscillation that a force in resonance drives; a stiff follower of all that
    // grows; resets that enlarge.
    CHECK(run_text(fixed(name, 0.1, 10) + state("y", 1, "y")).outcome.success());
    CHECK(run_text(fixed(name, 0.1, 100) + state("x", 0, "v") + state("v", 0, "1")).outcome.success());
    const IntegratorEntry* entry = find_integrator(name);
    // (With h = 0.1 forward_euler itself makes this one e^10 times too large.)
    CHECK(run_text(fixed(name, entry->order == 1 ? 0.01 : 0.1, 200) + state("x", 0, "v") + state("v", 0, "cos(t) - x"))
              .outcome.success());
    if (entry->implicit)
      for (const char* stiffness : {"1e2", "1e4", "1e6", "1e8"}) {
        INFO("stiffness " << stiffness);
        CHECK(run_text(fixed(name, 0.01, 2) +
                       state("y", 1e-6, "exp(6.9*t)*6.9e-6 - " + std::string(stiffness) + "*(y - 1e-6*exp(6.9*t))"))
                  .outcome.success());
      }
    CHECK(run_text(fixed(name, 0.1, 3) + state("y", 1, "-0.1*y") +
                   "[[guard]]\nname = \"kick\"\nevery = 0.25\nreset = { y = \"30*y\" }\n")
              .outcome.success());
  }
}

TEST_CASE("a fixed step outside the stability region is a notice that names the step that would do") {
  struct Case {
    const char* integrator;
    std::string keys, states;
    double limit;  ///< of h
  };
  const std::string decay = state("y", 1, "-1000*y"), oscillator = state("x", 1, "v") + state("v", 0, "-100*x");
  const Case cases[] = {{"dopri5", "", decay, 3.3066e-3},
                        {"ode23", "", decay, 2.5127e-3},
                        {"ode23", "", oscillator, std::sqrt(3.0) / 10}};
  for (const Case& c : cases) {
    INFO(c.integrator << "\n" << c.states);
    // Long runs: near the limit the growth is slow.
    const auto notice = [&](double h) {
      return stability_notice(run_text(fixed(c.integrator, h, 4000 * h) + c.keys + c.states));
    };
    CHECK(notice(0.99 * c.limit).empty());
    CHECK_FALSE(notice(1.02 * c.limit).empty());
    const std::string text = notice(3 * c.limit);
    const std::size_t at = text.find("steps up to ");
    REQUIRE(at != std::string::npos);
    CHECK(std::stod(text.substr(at + 12)) == Approx(c.limit).epsilon(0.01));
  }
  // A-stable methods have nothing to say, nor has BDF of an order whose wedge holds the eigenvalue.
  for (const char* name : {"radau", "rosenbrock4", "backward_euler"})
    CHECK(stability_notice(run_text(fixed(name, 10, 100) + decay)).empty());
  const std::string damped = state("x", 1, "v") + state("v", 0, "-100*x - 6*v");  // 72.5 degrees off the negative axis
  CHECK(stability_notice(run_text(fixed("bdf", 0.3, 300) + "max_order = 4\n" + damped)).empty());
  CHECK_FALSE(stability_notice(run_text(fixed("bdf", 0.3, 300) + "max_order = 5\n" + damped)).empty());
}

// The direction of a slide in space turns ever faster towards its end: no step of an implicit method goes beyond it.
TEST_CASE("a slide in space that ends within a step of fixed length stops") {
  const std::string box = R"(
[[body]]
name = "box"
shape = "box"
density = 1000
sides = [0.2, 0.3, 0.1]
position = [0.0, 0.0, 0.05]
velocity = [1.0, 0.3, 0.0]
angular_velocity = [0.0, 0.0, 3.0]
[[contact]]
name = "floor"
between = [{ body = "ground", shape = "plane", normal = [0.0, 0.0, 1.0] },
           { body = "box", shape = "box", sides = [0.2, 0.3, 0.1] }]
friction = { mu_static = 0.4, mu_kinetic = 0.4 }
)";
  const std::string start = "dimension = 3\ngravity = [0.0, 0.0, -9.81]\n[simulation]\nend = 0.4\n";
  const RunResult fine = run_text(start + "rtol = 1e-9\n" + box);
  REQUIRE(fine.outcome.success());
  const double way = final_value(fine, "box.x");
  for (const auto& [formulation, integrator, order] : {std::tuple{"projection", "trapezoidal", 2},
                                                       {"projection", "radau", 5},
                                                       {"index3", "hht", 2},
                                                       {"index3", "generalized_alpha", 2},
                                                       {"index3", "newmark", 1},
                                                       {"index3", "backward_euler", 1}}) {
    INFO(formulation << " " << integrator);
    const RunResult r = run_text(start + "fixed_step = 0.01\nformulation = \"" + formulation + "\"\nintegrator = \"" +
                                 integrator + "\"\n" + box);
    INFO(hstar::name(r.outcome.status) << ": " << r.outcome.message);
    REQUIRE(r.outcome.success());
    CHECK(final_value(r, "box.x") == Approx(way).epsilon(order == 1 ? 0.05 : 1e-3));
    CHECK(std::abs(final_value(r, "box.vx")) < 1e-12);
  }
}

// One foot of a box on a table that tilts stops at 0.0495 s: half a millisecond before, the step from 0.048 s to 0.049
// s cannot be taken any more. Its event comes in the next length.
TEST_CASE("a slide that ends soon after a step of fixed length that cannot be taken stops") {
  const std::string model = R"toml(
[[body]]
name = "table"
motion = { angle = "0.5*sin(3*t)" }
[[body]]
name = "box"
shape = "box"
density = 1000
position = [0.17366167355287776, 0.0, 0.07129476874771085]
sides = [0.19134804007170603, 0.08375044159793765, 0.1425895374954217]
[[contact]]
name = "top"
between = [{ body = "table", shape = "plane", normal = [0.0, 0.0, 1.0] },
           { body = "box", shape = "box", sides = [0.19134804007170603, 0.08375044159793765, 0.1425895374954217] }]
restitution = 0
friction = { mu_static = 0.4406858115743661, mu_kinetic = 0.4406858115743661 }
)toml";
  const std::string start = "dimension = 3\ngravity = [0.0, 0.0, -9.81]\n[simulation]\nend = 0.06\n";
  const RunResult fine = run_text(start + "rtol = 1e-9\n" + model);
  REQUIRE(fine.outcome.success());
  for (const std::string formulation : {"projection", "index3"}) {
    INFO(formulation);
    const RunResult r = run_text(start + "fixed_step = 0.001\nintegrator = \"backward_euler\"\nformulation = \"" +
                                 formulation + "\"\n" + model);
    INFO(hstar::name(r.outcome.status) << ": " << r.outcome.message);
    REQUIRE(r.outcome.success());
    CHECK(final_value(r, "box.x") == Approx(final_value(fine, "box.x")).epsilon(1e-3));
  }
}

// A step of order 1 has the velocity of its end all along, and of a flight within it nothing is seen: the ball hopped
// on for ever, 60,000 times in two seconds. Each flight of n steps loses some 1/n of its speed, so that it comes to
// rest too soon by the order of the few steps of its last flights. Truth: t = sqrt(2 h/g) (1 + e) / (1 - e).
TEST_CASE("a ball that bounces comes to rest by steps of backward Euler") {
  const std::string ball = R"(
[[body]]
name = "ball"
mass = 1
inertia = 0.1
position = [0.0, 0.5]
[[contact]]
name = "floor"
between = [{ body = "ground", shape = "line", normal = [0.0, 1.0] }, { body = "ball", shape = "point" }]
restitution = 0.5
)";
  const double rests = 3 * std::sqrt(2 * 0.5 / 9.81);
  for (const std::string formulation : {"projection", "index3"}) {
    for (const auto& [h, allowed] : {std::pair{0.01, 0.15}, {0.001, 0.03}, {0.0001, 0.006}}) {
      INFO(formulation << ", h = " << h);
      const RunResult r = run_text("gravity = [0.0, -9.81]\n" + fixed("backward_euler", h, 2) + "formulation = \"" +
                                   formulation + "\"\n" + ball);
      INFO(hstar::name(r.outcome.status) << ": " << r.outcome.message);
      REQUIRE(r.outcome.success());
      REQUIRE(r.events.size() < 200);
      CHECK(r.events.back().kind == "zeno");
      CHECK(std::abs(r.events.back().t - rests) < allowed);
    }
  }
}
