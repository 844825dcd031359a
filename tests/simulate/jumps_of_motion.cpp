// tests/simulate/jumps_of_motion.cpp
//
// A driver, table or belt whose velocity jumps gives the mechanism impulses, which the ledger tells, and takes it away
// from under what lies on it or slides under it. Impulses and motions are worked out by hand beside each model; they
// must come out under every formulation, those that are solved as differential-algebraic equations too.
#include <catch2/catch.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

struct Method {
  const char *formulation, *integrator;
  double error;  ///< of states, relative
};
const Method methods[] = {{"projection", "dopri5", 1e-9},    {"direct", "dop853", 1e-9},
                          {"baumgarte", "dopri5", 1e-8},     {"partition_simple", "dopri5", 1e-9},
                          {"partition_full", "ode23", 1e-9}, {"ggl", "ida", 1e-6},
                          {"index1", "ida", 1e-6},           {"index3", "bdf", 1e-6}};

std::string settings(const Method& m, double end) {
  return "simulation = { end = " + digits(end) + ", rtol = 1e-9, formulation = \"" + m.formulation +
         "\", integrator = \"" + m.integrator + "\" }\n";
}

void check_books(const RunResult& r) {
  INFO(r.outcome.message);
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  for (const EventRecord& e : r.events) {
    CHECK(e.books.momentum <= 1e-12);
    CHECK(e.books.energy <= 1e-12);
  }
}

}  // namespace

TEST_CASE("a motor that starts at full speed gives its rod the angular momentum") {
  for (const Method& m : methods) {
    INFO(m.formulation);
    const RunResult r = run_text(
        settings(m, 2.0) +
        "body = [{ name = \"rod\", mass = 2, inertia = 0.5, position = [0.6, 0] }]\n"
        "joint = [{ name = \"pin\", type = \"revolute\", bodies = [\"ground\", \"rod\"], points = [[0, 0], [-0.6, 0]] "
        "},"
        "{ name = \"motor\", type = \"absolute_angle\", body = \"rod\", value = \"t < 1 ? 0 : 1.5*(t - 1)\" }]\n");
    check_books(r);
    const EventRecord& e = first_event(r, "impact", "motor");
    const double about_pin = 0.5 + 2 * 0.6 * 0.6;
    CHECK(e.t == Approx(1.0).epsilon(1e-12));
    CHECK(e.impulse_n == Approx(about_pin * 1.5).epsilon(1e-9));
    CHECK(e.energy_loss == Approx(-0.5 * about_pin * 1.5 * 1.5).epsilon(1e-9));
    CHECK(final_value(r, "rod.x") == Approx(0.6 * std::cos(1.5)).epsilon(m.error));
    CHECK(r.events.size() == 1);
  }
}

TEST_CASE("a cart that starts with a jump slides under its rider until that has its speed") {
  // The rider's normal force is its weight: no impulse, so it keeps its rest and is dragged with mu g = 3 m/s^2.
  for (const Method& m : methods) {
    INFO(m.formulation);
    const RunResult r = run_text(
        "gravity = [0, -10]\n" + settings(m, 2.0) +
        "body = [{ name = \"cart\", mass = 2 }, { name = \"rider\", mass = 1, position = [0, 0.5] }]\n"
        "joint = [{ name = \"rail\", type = \"translational\", bodies = [\"ground\", \"cart\"], axis = [1, 0] },"
        "{ name = \"motor\", type = \"absolute_x\", body = \"cart\", value = \"t < 1 ? 0 : 1.5*(t - 1)\" }]\n"
        "contact = [{ name = \"deck\", between = [{ body = \"cart\", shape = \"line\", point = [0, 0.5], normal = [0, "
        "1] },"
        "{ body = \"rider\", shape = \"point\" }], friction = { mu = 0.3 } }]\n");
    check_books(r);
    CHECK(first_event(r, "impact", "motor").impulse_n == Approx(2 * 1.5).epsilon(1e-9));
    CHECK(first_event(r, "slip", "deck").t == Approx(1.0).epsilon(1e-12));
    CHECK(first_event(r, "stick", "deck").t == Approx(1.5).epsilon(m.error));
    CHECK(final_value(r, "rider.x") == Approx(0.5 * 3 * 0.25 + 1.5 * 0.5).epsilon(m.error));
  }
}

TEST_CASE("a driven table that jumps up throws its ball, one that jumps down leaves it in the air") {
  for (const Method& m : methods)
    for (const double V : {1.0, -1.0}) {
      INFO(m.formulation << ", V = " << V);
      const RunResult r = run_text(
          "gravity = [0, -10]\n" + settings(m, 1.05) +
          "body = [{ name = \"table\", mass = 2 }, { name = \"ball\", mass = 1, position = [0, 0.5] }]\n"
          "joint = [{ name = \"rail\", type = \"translational\", bodies = [\"ground\", \"table\"], axis = [0, 1] },"
          "{ name = \"motor\", type = \"absolute_y\", body = \"table\", value = \"t < 1 ? 0 : " +
          digits(V) +
          "*(t - 1)\" }]\n"
          "contact = [{ name = \"deck\", between = [{ body = \"table\", shape = \"line\", point = [0, 0.5], normal = "
          "[0, 1] "
          "}, { body = \"ball\", shape = \"point\" }], restitution = 0.5 }]\n");
      check_books(r);
      // Up: the ball leaves with (1 + e) V and the motor gives both their momenta.
      const double ball = V > 0 ? 1.5 * V : 0.0;
      CHECK(first_event(r, "impact", "motor").impulse_n == Approx(std::abs(2 * V + ball)).epsilon(1e-9));
      CHECK(count(r, "liftoff") == (V < 0 ? 1 : 0));
      CHECK(final_value(r, "ball.y") == Approx(0.5 + ball * 0.05 - 5 * 0.05 * 0.05).epsilon(m.error));
    }
}

TEST_CASE("friction of a guide takes part in the jump of what drives it") {
  // A wedge at 45 degrees turns A's way down into B's way along a rough guide: the impulse P across the wedge gives B
  // P/sqrt(2) (1 - mu) = m_B V.
  for (const Method& m : methods) {
    INFO(m.formulation);
    const RunResult r = run_text(
        settings(m, 1.2) +
        "body = [{ name = \"A\", mass = 2 }, { name = \"B\", mass = 1 }]\n"
        "joint = [{ name = \"vertical\", type = \"translational\", bodies = [\"ground\", \"A\"], axis = [0, 1] },"
        "{ name = \"horizontal\", type = \"translational\", bodies = [\"ground\", \"B\"], axis = [1, 0], "
        "friction = { mu = 0.25 } },"
        "{ name = \"wedge\", type = \"translational\", bodies = [\"A\", \"B\"], axis = [1, 1] },"
        "{ name = \"motor\", type = \"absolute_y\", body = \"A\", value = \"t < 1 ? 0 : -1.5*(t - 1)\" }]\n");
    check_books(r);
    CHECK(first_event(r, "impact", "motor").impulse_n == Approx(2 * 1.5 + 1.5 / (1 - 0.25)).epsilon(1e-9));
    CHECK(first_event(r, "slip", "horizontal").t == Approx(1.0).epsilon(1e-12));
    CHECK(final_value(r, "B.x") == Approx(1.5 * 0.2).epsilon(m.error));
  }
}

TEST_CASE("a table that is given its motion jumps away from under two bodies, and they do not strike each other") {
  const RunResult r = run_text(
      "gravity = [0, -11.19]\nsimulation = { end = 1.0, rtol = 1e-9 }\n"
      "body = [{ name = \"table\", motion = { x = 0, y = \"t < 0.9 ? 0 : -1.1*(t - 0.9)\" } },"
      "{ name = \"a\", mass = 2.6, position = [0, 0.17], velocity = [0.4, 0] }, { name = \"b\", mass = 1.4, position = "
      "[0, "
      "0.34] }]\n"
      "force = [{ name = \"push\", type = \"point_force\", body = \"a\", force = [-5.5, 0] }]\n"
      "contact = [{ name = \"floor\", between = [{ body = \"table\", shape = \"line\", point = [0, 0], normal = [0, 1] "
      "}, "
      "{ body = \"a\", shape = \"point\", point = [0, -0.17] }] }, { name = \"on_a\", between = [{ body = \"a\", shape "
      "= "
      "\"line\", point = [0, 0], normal = [0, 1] }, { body = \"b\", shape = \"point\", point = [0, -0.17] }] }]\n");
  check_books(r);
  REQUIRE(r.events.size() == 1);
  CHECK(r.events[0].kind == "liftoff");
  CHECK(r.events[0].element == "floor");
  CHECK(r.events[0].t == Approx(0.9).epsilon(1e-12));
  CHECK(final_value(r, "b.y") == Approx(0.34 - 0.5 * 11.19 * 0.01).epsilon(1e-9));
}

TEST_CASE("the driven table in space: thrown up with 1.5 V, or left in the air") {
  for (const Method& m : methods)
    for (const double V : {1.0, -1.0}) {
      INFO(m.formulation << ", V = " << V);
      const RunResult r = run_text(
          "dimension = 3\ngravity = [0, 0, -10]\n" + settings(m, 1.05) +
          "body = [{ name = \"table\", mass = 2, inertia = [1, 1, 1] }, { name = \"ball\", mass = 1, inertia = [1, 1, "
          "1], "
          "position = [0, 0, 0.5] }]\n"
          "joint = [{ name = \"rail\", type = \"translational\", bodies = [\"ground\", \"table\"], axis = [0, 0, 1] },"
          "{ name = \"motor\", type = \"translation\", bodies = [\"ground\", \"table\"], axis = [0, 0, 1], "
          "value = \"t < 1 ? 0 : " +
          digits(V) +
          "*(t - 1)\" }]\n"
          "contact = [{ name = \"deck\", between = [{ body = \"table\", shape = \"plane\", point = [0, 0, 0.5] }, "
          "{ body = \"ball\", shape = \"point\" }], restitution = 0.5 }]\n");
      check_books(r);
      const double ball = V > 0 ? 1.5 * V : 0.0;
      CHECK(first_event(r, "impact", "motor").impulse_n == Approx(std::abs(2 * V + ball)).epsilon(1e-9));
      CHECK(count(r, "liftoff") == (V < 0 ? 1 : 0));
      CHECK(final_value(r, "ball.z") == Approx(0.5 + ball * 0.05 - 5 * 0.05 * 0.05).epsilon(m.error));
    }
}
