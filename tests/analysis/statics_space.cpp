// tests/analysis/statics_space.cpp
//
// Assembly, equilibrium, inverse dynamics and natural modes of spatial models where validation/statics_space does not
// look: what is kept, what was turned, axes that are the wrong way round, principal axes that are not the user's,
// springs wound up by whole turns; and every bad input with its whole message.
#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>

#include "hstar/assemble.hpp"
#include "hstar/equilibrium.hpp"
#include "hstar/error.hpp"
#include "hstar/inverse.hpp"
#include "hstar/natural_modes.hpp"
#include "support/said.hpp"

using namespace hstar;

namespace {

constexpr double pi = 3.14159265358979323846;

ModelSpec model(const std::string& text) { return parse_model("dimension = 3\n" + text, "m.toml"); }

const std::string skew_inertia = "inertia = [[0.02, 0.003, 0.0], [0.003, 0.03, 0.001], [0.0, 0.001, 0.04]]\n";

std::string body(const std::string& name, double x, double y, double z, const std::string& more = "") {
  return fmt::format("[[body]]\nname = \"{}\"\nmass = 1.5\n{}position = [{:.17g}, {:.17g}, {:.17g}]\n{}", name,
                     skew_inertia, x, y, z, more);
}
std::string joint(const std::string& name, const std::string& type, const std::string& first, const std::string& second,
                  const std::string& more) {
  return fmt::format("[[joint]]\nname = \"{}\"\ntype = \"{}\"\nbodies = [\"{}\", \"{}\"]\n{}", name, type, first,
                     second, more);
}
/// Crank about z, rocker about y, a rod between them; the rocker leans by `lean` in the estimate.
std::string rssr(double lean, double rod = 0.9) {
  return "gravity = [0, 0, -10]\n[simulation]\nend = 1\noutput = 0.1\n" + body("crank", 0, 0, 0) +
         body("rocker", 0.6 + 0.25 * std::sin(lean), 0.25, 0.25 * std::cos(lean),
              fmt::format("axis = [0, 1, 0]\nangle = {:.17g}\n", lean)) +
         joint("A", "revolute", "ground", "crank", "") +
         joint("D", "revolute", "ground", "rocker",
               "points = [[0.6, 0.25, 0], [0, 0, -0.25]]\naxes = [[0, 1, 0], [0, 1, 0]]\n") +
         joint("rod", "distance", "crank", "rocker",
               fmt::format("points = [[0.2, 0, 0], [0, 0, 0.25]]\nlength = {}\n", rod));
}
/// A body whose centre of mass hangs 0.3 m below a hinge about y through the origin, in its lowest position.
std::string pendulum(const std::string& more = "", const std::string& hinge = "") {
  return "gravity = [0, 0, -10]\n[simulation]\nend = 1\noutput = 0.1\n" + body("bob", 0, 0, -0.3) +
         joint("hinge", "revolute", "ground", "bob", "at = [0, 0, 0]\naxis = [0, 1, 0]\n" + hinge) + more;
}

double value(const std::vector<AssembledCoordinate>& list, const std::string& name) {
  for (const auto& c : list)
    if (c.name == name) return c.assembled;
  FAIL("no " << name);
  return 0;
}
double value(const EquilibriumResult& r, const std::string& name) {
  for (std::size_t i = 0; i < r.names.size(); ++i)
    if (r.names[i] == name) return r.coordinates[i];
  FAIL("no " << name);
  return 0;
}

}  // namespace

TEST_CASE("assembly in space keeps an orientation or a joint's angle, and says what was turned") {
  // The crank stays at angle 0: its pin at (0.2, 0, 0). The rocker's pin has to be 0.9 m from there.
  for (const char* keep : {"crank", "crank.turn", "A.angle"}) {
    AssembleOptions options;
    options.keep = {keep};
    const Assembly a = assemble(model(rssr(0.7)), options);
    INFO(keep);
    CHECK(value(a.coordinates, "crank.e0") == Approx(1).epsilon(1e-15));
    CHECK(std::abs(value(a.coordinates, "crank.e3")) < 1e-14);
    const double A = 2 * 0.5 * 0.4, C = 0.81 - 0.25 - 0.16 - 0.0625, lean = std::asin(C / A);
    CHECK(value(a.coordinates, "rocker.x") == Approx(0.6 + 0.25 * std::sin(lean)).epsilon(1e-13));
    CHECK(a.rows == 11);
    CHECK(a.rank == 11);
    REQUIRE(a.free.size() == 1);
    REQUIRE(a.turns.size() == 1);
    CHECK(a.turns[0].body == "rocker");
    CHECK(a.turns[0].angle == Approx(lean - 0.7).epsilon(1e-12));
    CHECK(a.turns[0].axis[1] == Approx(1).epsilon(1e-12));
    // Angles in joints count from the estimate of the file.
    CHECK(value(a.coordinates, "D.angle") == Approx(lean - 0.7).epsilon(1e-12));
  }
}

TEST_CASE("an assembled spatial configuration is the nearest one: no shift along the motion is shorter") {
  const auto distance = [](const Assembly& a) {
    double sum = 0;  // lengths over the model's length: the farthest coordinate of a body
    for (const auto& c : a.coordinates)
      if (c.unit == "m" && c.name.find(".slide") == std::string::npos)
        sum += std::pow((c.assembled - c.estimate) / (0.6 + 0.25 * std::sin(0.7)), 2);
    for (const AssembledTurn& t : a.turns) sum += t.angle * t.angle;
    return sum;
  };
  const Assembly best = assemble(model(rssr(0.7)));
  const double at = value(best.coordinates, "A.angle"), least = distance(best);
  CHECK(std::abs(at) > 1e-3);
  for (const double shift : {-3e-3, 3e-3}) {
    ModelSpec moved = model(rssr(0.7));
    AssembleOptions options;
    options.keep = {"crank"};
    moved.spatial.bodies[0].orientation = {std::cos((at + shift) / 2), 0, 0, std::sin((at + shift) / 2)};
    Assembly a = assemble(moved, options);
    a.turns.push_back({"crank", std::abs(at + shift), {0, 0, 1}});
    CHECK(distance(a) > least);
  }
}

TEST_CASE("a heavy weight keeps its body nearly where it is") {
  AssembleOptions options;
  options.weights = {{"rocker.turn", 1e4}};
  const Assembly a = assemble(model(rssr(0.3)), options);
  double turned = 0;
  for (const AssembledTurn& t : a.turns)
    if (t.body == "rocker") turned = t.angle;
  CHECK(turned < 1e-6);
  CHECK(assembly_text(a).find("crank turned by") != std::string::npos);
  CHECK(assembly_json(a).find("\"turns\"") != std::string::npos);
}

TEST_CASE("a rod that does not reach: the open joints and the gap are said") {
  try {
    static_cast<void>(assemble(model(rssr(0.3, 2.0))));
    FAIL("assembled");
  } catch (const InputError& error) {
    INFO(error.what());
    CHECK(std::string(error.what()).find("joint \"rod\"") != std::string::npos);
  }
}

TEST_CASE("a spring wound up by whole turns: inverse dynamics and equilibrium count them") {
  const std::string spring =
      "[[force]]\nname = \"coil\"\ntype = \"rotational_spring_damper\"\nbodies = [\"ground\", \"bob\"]\n"
      "axis = [0, 1, 0]\nstiffness = 0.8\n";
  const InverseResult r = inverse_dynamics(
      model(pendulum(spring + joint("motor", "rotation", "ground", "bob", "axis = [0, 1, 0]\nvalue = \"11*t\"\n"))));
  REQUIRE(r.reached_end);
  for (const auto& row : r.rows) {
    const double angle = 11 * row.t;
    CHECK(row.force[0] == Approx(0.8 * angle + 15 * 0.3 * std::sin(angle)).margin(1e-11));
    CHECK(row.power[0] == Approx(row.force[0] * 11).margin(1e-11));
  }
  CHECK(r.notices.empty());
}

TEST_CASE("a nut on a swinging arm rests on its own thread, though springs pull it far") {
  // Arm and springs about y and x, the nut's centre on the thread: with r = r0 + lead theta
  //   k (alpha - alpha0) = (m_a a + m_n r) g cos alpha,   c (theta - theta0) = m_n g lead sin alpha.
  const double m = 1.5, g = 10, a = 0.2, r0 = 0.5, c = 0.002, theta0 = 5;
  for (const double pitch : {0.003, 0.0007})
    for (const auto& [k, alpha0] : {std::pair{12.0, 1.5}, {40.0, 2.5}, {200.0, 0.6}, {200.0, 2.5}}) {
      INFO("pitch " << pitch << ", k " << k << ", alpha0 " << alpha0);
      const auto spring = [](const char* name, const char* first, const char* second, const char* axis, double k1,
                             double free) {
        return fmt::format(
            "[[force]]\nname = \"{}\"\ntype = \"rotational_spring_damper\"\nbodies = [\"{}\", \"{}\"]\naxis = {}\n"
            "stiffness = {}\nfree_angle = {}\n",
            name, first, second, axis, k1, free);
      };
      const EquilibriumResult r = find_equilibrium(
          model("gravity = [0, 0, -10]\n[simulation]\nend = 1\n" + body("arm", a, 0, 0) + body("nut", r0, 0, 0) +
                joint("pivot", "revolute", "ground", "arm", "at = [0, 0, 0]\naxis = [0, 1, 0]\n") +
                joint("thread", "screw", "arm", "nut",
                      fmt::format("at = [0.5, 0, 0]\naxis = [1, 0, 0]\npitch = {}\n", pitch)) +
                spring("bend", "ground", "arm", "[0, 1, 0]", k, alpha0) +
                spring("twist", "arm", "nut", "[1, 0, 0]", c, theta0)));
      REQUIRE(r.found);
      const double alpha = value(r, "pivot.angle"), slide = value(r, "thread.slide"), lead = pitch / (2 * pi),
                   theta = slide / lead;
      CHECK(k * (alpha - alpha0) == Approx((m * a + m * (r0 + slide)) * g * std::cos(alpha)).margin(1e-9));
      CHECK(c * (theta - theta0) == Approx(m * g * lead * std::sin(alpha)).margin(1e-9));
    }
}

TEST_CASE("modes in space: rotation vectors in the axes the user wrote, springs' turns are no freedom") {
  const std::string spring =
      "[[force]]\nname = \"coil\"\ntype = \"rotational_spring_damper\"\nbodies = [\"ground\", \"bob\"]\n"
      "axis = [0, 1, 0]\nstiffness = 0.8\n";
  const NaturalModesResult r = natural_modes(model(pendulum(spring)));
  REQUIRE(r.modes.size() == 1);
  CHECK(r.stability == "stable");
  CHECK(r.modes[0].frequency == Approx(std::sqrt((15 * 0.3 + 0.8) / (0.03 + 1.5 * 0.09))).epsilon(1e-13));
  REQUIRE(r.names == std::vector<std::string>{"bob.x", "bob.y", "bob.z", "bob.turn_x", "bob.turn_y", "bob.turn_z"});
  // A turn about y by 1 moves the centre of mass by -0.3 along x; a shape's largest entry is 1 (0.3 m counts as 1).
  const auto shape = [&](std::size_t i) { return r.modes[0].shape[i].real() / r.modes[0].shape[4].real(); };
  CHECK(shape(0) == Approx(-0.3).epsilon(1e-13));
  for (const std::size_t i : {1U, 2U, 3U, 5U}) CHECK(std::abs(shape(i)) < 1e-13);
}

TEST_CASE("redundant joints in space: the same equilibrium and modes") {
  const std::string once = pendulum();
  const std::string twice = once + joint("second", "revolute", "ground", "bob", "at = [0, 0.4, 0]\naxis = [0, 1, 0]\n");
  for (const std::string& text : {once, twice}) {
    const NaturalModesResult r = natural_modes(model(text));
    REQUIRE(r.modes.size() == 1);
    CHECK(r.modes[0].frequency == Approx(std::sqrt(4.5 / (0.03 + 0.135))).epsilon(1e-12));
    const EquilibriumResult e = find_equilibrium(model(text));
    REQUIRE(e.found);
    CHECK(e.stability == "stable");
    double weight = 0;
    for (const auto& [name, force] : e.reactions)
      if (name.ends_with(".fz")) weight += force;
    CHECK(weight == Approx(15).epsilon(1e-13));
  }
}

TEST_CASE("an upright body in space is an equilibrium that is not stable, and is left for the lowest one") {
  const std::string text = "gravity = [0, 0, -10]\n[simulation]\nend = 1\n" +
                           body("bob", 0.02, 0.01, 0.3, "axis = [0, 1, 0]\nangle = 0.05\n") +
                           joint("ball", "spherical", "ground", "bob", "points = [[0, 0, 0], [0, 0, -0.3]]\n");
  EquilibriumOptions nearest;
  nearest.nearest = true;
  const EquilibriumResult up = find_equilibrium(model(text), nearest);
  REQUIRE(up.found);
  CHECK(value(up, "bob.z") == Approx(0.3).epsilon(1e-13));
  CHECK(up.stability == "unstable");
  CHECK(up.stiffness.front() < 0);
  const EquilibriumResult down = find_equilibrium(model(text));
  REQUIRE(down.found);
  CHECK(value(down, "bob.z") == Approx(-0.3).epsilon(1e-13));
  CHECK(down.stability == "indifferent");  // the turn about the vertical has no stiffness
}

TEST_CASE("varying a parameter of a model without friction keeps the equilibrium a point") {
  const EquilibriumResult r = find_equilibrium(model(pendulum()));
  REQUIRE(r.found);
  CHECK(r.intervals.empty());
  CHECK(value(r, "hinge.angle") == Approx(0).margin(1e-14));
}

TEST_CASE("bad input of the analyses of spatial models is refused with the exact message") {
  struct Bad {
    std::function<void()> act;
    const char* message;
  };
  const auto assembled = [](const std::string& text, const AssembleOptions& o) {
    return [=] { static_cast<void>(assemble(model(text), o)); };
  };
  const auto modes = [](const std::string& text) { return [=] { static_cast<void>(natural_modes(model(text))); }; };
  const auto rest = [](const std::string& text, const std::string& coordinate = {}) {
    return [=] {
      EquilibriumOptions o;
      if (!coordinate.empty()) o.coordinates = {coordinate};
      static_cast<void>(find_equilibrium(model(text), o));
    };
  };
  const auto inverse = [](const std::string& text) {
    return [=] { static_cast<void>(inverse_dynamics(model(text))); };
  };
  const std::string over =
      "[simulation]\nend = 1\n" + body("bob", 0, 0, 0, "axis = [1, 0, 0]\nangle = 3.1\n") +
      joint("hinge", "revolute", "ground", "bob", "points = [[0, 0, 0], [0, 0, 0]]\naxes = [[0, 0, 1], [0, 0, 1]]\n");
  const char* const coordinates =
      "the coordinates are bob.x, bob.y, bob.z, bob.e0, bob.e1, bob.e2, bob.e3, hinge.angle";
  const std::string known = std::string("there is no coordinate 'bob.angle'; ") + coordinates;
  const std::vector<Bad> table = {
      {assembled(pendulum(), {{"bob.angle"}, {}}), known.c_str()},
      {assembled(pendulum(), {{}, {{"bob.angle", 2.0}}}), known.c_str()},
      {assembled(pendulum(), {{}, {{"bob.e1", 2.0}}}),
       "bob.e1 has no weight of its own: bodies (rod), their x, y, z (rod.x) and their orientation (rod.turn) have"},
      {assembled(pendulum(), {{}, {{"hinge.angle", 2.0}}}),
       "hinge.angle has no weight of its own: bodies (rod), their x, y, z (rod.x) and their orientation (rod.turn) "
       "have"},
      {assembled(pendulum(), {{}, {{"bob", -1.0}}}),
       "weight bob = -1 must be > 0; the larger, the less the coordinate moves"},
      {rest(pendulum(), "bob.angle"), known.c_str()},
      {rest(over),
       "m.toml:11:1: joint \"hinge\" closes only with its axis turned over; turn the estimates of its bodies"},
      {inverse(pendulum()),
       "no joint drives this mechanism; give it a driver (rotation, translation, ...) with the motion as a formula of "
       "t"},
      {modes("[simulation]\nend = 1\n" + body("bob", 0, 0, 0) + joint("weld", "fixed", "ground", "bob", "")),
       "nothing can move: joints, contacts and friction hold every freedom"},
  };
  for (const Bad& bad : table) {
    CHECK(support::said(bad.act) == bad.message);
  }
}
