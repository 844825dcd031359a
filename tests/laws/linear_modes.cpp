// tests/laws/linear_modes.cpp
//
// A linear mode's matrix is another way to compute what kinematics, rows and the saddle-point system give: the same
// accelerations, multipliers, friction and normal forces in every state and at every time, whatever the mode and the
// order in which modes come. Results it calls constant never change, results it calls affine have no curvature; and
// where coefficients depend on the motion it does not claim the mode.
#include <catch2/catch.hpp>
#include <cmath>

#include "formulation/linear_mode.hpp"
#include "support/random.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using support::digits;
using support::Random;

namespace {

/// Two blocks on inclined guides (the second with an angle), a ball on a line, a free rotor; springs between them and
/// to a moving point, dampers, drives; every kind of friction that keeps a mode linear.
std::string blocks(Random& random, const std::string& more) {
  const double tilt = random.uniform(-0.6, 0.6);
  const std::string axis = "axis = [" + digits(std::cos(tilt)) + ", " + digits(std::sin(tilt)) + "]\n";
  const auto number = [&](double a, double b) { return digits(random.uniform(a, b)); };
  return "gravity = [0.3, -9.81]\n[simulation]\nend = 1.0\n"
         "[[body]]\nname = \"one\"\nmass = " +
         number(0.5, 4) +
         "\n"
         "[[body]]\nname = \"two\"\nmass = " +
         number(0.5, 4) +
         "\ninertia = 0.3\nposition = [2.0, 0.0]\n"
         "[[body]]\nname = \"ball\"\nmass = " +
         number(0.5, 4) +
         "\ninertia = 0.2\nposition = [0.0, 3.5]\n"
         "[[body]]\nname = \"plate\"\nmotion = { x = \"1 + 0.2*t\", y = \"-0.1*t\" }\n"
         "[[joint]]\nname = \"a\"\ntype = \"translational\"\nbodies = [\"ground\", \"one\"]\n" +
         axis + "friction = { law = \"coulomb\", mu_static = 0.4, mu_kinetic = " + number(0.05, 0.4) +
         ", viscous = 0.7 }\n"
         "[[joint]]\nname = \"b\"\ntype = \"translational\"\nbodies = [\"ground\", \"two\"]\npoints = [[1.0, 0.0], "
         "[0.0, 0.0]]\nfriction = { law = \"coulomb\", mu_static = 0.3, mu_kinetic = 0.2, normal_force = 25.0 }\n"
         "[[contact]]\nname = \"floor\"\n"
         "between = [{ body = \"ground\", shape = \"line\", point = [0.0, 3.0], normal = [-0.1, 1.0] }, "
         "{ body = \"ball\", shape = \"circle\", radius = 0.5 }]\n"
         "friction = { law = \"coulomb\", mu_static = 0.5, mu_kinetic = 0.3 }\n"
         "[[force]]\nname = \"pull\"\ntype = \"spring_damper\"\nbetween = [{ body = \"plate\" }, { body = \"one\" }]\n"
         "axis = [0.8, 0.6]\nstiffness = " +
         number(10, 300) +
         "\ndamping = 2.0\nfree_length = \"0.1 + 0.3*t\"\n"
         "[[force]]\nname = \"link\"\ntype = \"spring_damper\"\nbetween = [{ body = \"one\" }, { body = \"two\" }]\n"
         "axis = [1.0, 0.0]\nstiffness = 40.0\ndamping = 0.5\nactuator = \"2*t - 3*length + 0.5*rate\"\n"
         "[[force]]\nname = \"twist\"\ntype = \"rotational_spring_damper\"\nbodies = [\"ground\", "
         "\"ball\"]\nstiffness = 1.5\ndamping = 0.1\n"
         "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"two\"\nforce = [\"3 - 2*one.vx + t\", "
         "\"one.y\"]\n"
         "[[force]]\nname = \"off\"\ntype = \"point_force\"\nbody = \"one\"\nforce = [\"0*cos(3*t)\", 0.0]\n" +
         more;
}

Mode random_mode(const System& s, Random& random) {
  Mode mode;
  mode.closed.assign(s.contacts.size(), 0);
  mode.friction.assign(s.frictions.size(), {});
  for (auto& closed : mode.closed) closed = random.uniform(0, 1) < 0.6;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    if (unit.contact >= 0 && !mode.closed[static_cast<std::size_t>(unit.contact)]) continue;
    FrictionMode& f = mode.friction[u];
    f.slide = random.uniform(0, 1) < 0.4 ? Slide::stick : Slide::slip;
    f.direction = static_cast<signed char>(f.slide == Slide::stick ? 0 : random.uniform(-1, 1) < 0 ? -1 : 1);
    f.side = static_cast<signed char>(!unit.side_matters ? 0 : random.uniform(-1, 1) < 0 ? -1 : 1);
  }
  return mode;
}

/// Everything a solve gives, in the order of LinearMode::product.
std::vector<double> results(const ModeEquations& e) {
  const System& s = e.system();
  std::vector<double> all;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (std::size_t c = 0; c < static_cast<std::size_t>(s.bodies[b].dofs); ++c)
      all.push_back(e.acceleration()[3 * b + c]);
  for (int i = 0; i < e.rows.count(); ++i) all.push_back(e.multipliers()[i]);
  for (int u = 0; u < static_cast<int>(s.frictions.size()); ++u) all.push_back(e.friction_force(u));
  for (int u = 0; u < static_cast<int>(s.frictions.size()); ++u) all.push_back(e.normal_force(u));
  return all;
}

struct Point {
  double t;
  std::vector<double> y;
  Point(const System& s, Random& random) : t(random.uniform(-5, 5)), y(s.size()) {
    for (double& x : y) x = random.uniform(-2, 2);
  }
};

/// Chooses a mode as a transition does.
void choose(ModeEquations& e, const Mode& mode, const Point& at) {
  e.rows.choose(mode);
  e.evaluate(at.t, at.y.data());
  e.rows.fill();
  e.rows.find_redundant();
}

void check_modes(const std::string& text, bool affine, Random& random) {
  const auto system = build_system(parse_model(text, "blocks.toml"));
  ModeEquations tabulated(system), plain(system, false);
  for (int trial = 0; trial < 60; ++trial) {
    const Mode mode = random_mode(*system, random);
    const Point first(*system, random);
    choose(tabulated, mode, first);
    choose(plain, mode, first);
    const LinearMode* linear = tabulated.linear(mode);
    REQUIRE(linear != nullptr);
    CHECK(linear->is_affine() == affine);
    // (What is known of a mode that is too large for a matrix.)
    CHECK(plain.linearity(mode) == tabulated.linearity(mode));
    std::vector<double> constant;
    for (int sample = 0; sample < 5; ++sample) {
      const Point at(*system, random);
      plain.evaluate(at.t, at.y.data());
      REQUIRE(plain.solve(mode));
      REQUIRE(tabulated.solve_at(mode, at.t, at.y.data()));
      const auto truth = results(plain), found = results(tabulated);
      const double scale = plain.force_scale();
      std::vector<double> ydot(system->size()), expected(system->size());
      REQUIRE(tabulated.rates_at(mode, at.t, at.y.data(), ydot.data()));
      plain.store_rates(at.y.data(), expected.data());
      for (std::size_t i = 0; i < truth.size(); ++i) CHECK(std::abs(found[i] - truth[i]) <= 1e-12 * scale);
      for (std::size_t i = 0; i < ydot.size(); ++i) CHECK(std::abs(ydot[i] - expected[i]) <= 1e-12 * scale);
      if (sample == 0) constant = truth;
      for (std::size_t i = 0; i < truth.size(); ++i)
        if (linear->is_constant(static_cast<int>(i))) CHECK(std::abs(truth[i] - constant[i]) <= 1e-12 * scale);
    }
  }
}

}  // namespace

TEST_CASE("the matrix of a linear mode gives what solving the mode gives") {
  Random random(7);
  for (int i = 0; i < 6; ++i) check_modes(blocks(random, ""), true, random);
}

TEST_CASE("forces that are not affine are evaluated beside the matrix") {
  Random random(8);
  const std::string more =
      "[[force]]\nname = \"shake\"\ntype = \"point_force\"\nbody = \"one\"\nforce = [\"4*sin(3*t)\", \"one.vx^2\"]\n"
      "[[force]]\nname = \"cord\"\ntype = \"spring_damper\"\nbetween = [{ body = \"two\", point = [0.1, 0.2] }, { body "
      "= \"ball\" }]\nstiffness = 30.0\nfree_length = 1.0\n";
  for (int i = 0; i < 6; ++i) check_modes(blocks(random, more), false, random);
}

TEST_CASE("a normal force that nothing can change is known to be constant") {
  // Level guide, forces along it: only the weight and nothing else presses.
  const auto system = build_system(parse_model(
      "gravity = [0.0, -10.0]\n[simulation]\nend = 1.0\n[[body]]\nname = \"m\"\nmass = 2.0\n"
      "[[joint]]\nname = \"floor\"\ntype = \"translational\"\nbodies = [\"ground\", \"m\"]\naxis = [1.0, 0.0]\n"
      "friction = { law = \"coulomb\", mu_static = 0.2, mu_kinetic = 0.1 }\n"
      "[[force]]\nname = \"s\"\ntype = \"spring_damper\"\nbetween = [{ body = \"ground\" }, { body = \"m\" }]\n"
      "axis = [1.0, 0.0]\nstiffness = 50.0\nfree_length = 0.0\n",
      "floor.toml"));
  ModeEquations equations(system);
  Mode mode{{}, {{Slide::slip, 1, 1, 0}}};
  const LinearMode* linear = equations.linear(mode);
  REQUIRE(linear != nullptr);
  CHECK(linear->is_constant(linear->normal_place(0)));
  CHECK(linear->is_constant(linear->multiplier_place(0)));
  CHECK_FALSE(linear->is_constant(0));  // the acceleration is not
}

TEST_CASE("a mode whose coefficients depend on the motion is not taken for linear") {
  const std::string head = "gravity = [0.0, -9.81]\n[simulation]\nend = 1.0\n";
  const std::string block = "[[body]]\nname = \"m\"\nmass = 2.0\ninertia = 0.1\n";
  const auto guide = [](const std::string& friction, const std::string& point) {
    return "[[joint]]\nname = \"g\"\ntype = \"translational\"\nbodies = [\"ground\", \"m\"]\npoints = [[0.0, 0.0], " +
           point + "]\nfriction = { " + friction + " }\n";
  };
  const std::string coulomb = "law = \"coulomb\", mu_static = 0.4, mu_kinetic = 0.3";
  const FrictionMode slip{Slide::slip, 1, 1, 0};
  const auto is_linear = [](const std::string& text, const Mode& mode) {
    ModeEquations equations(build_system(parse_model(text, "not_linear.toml")));
    return equations.linear(mode) != nullptr;
  };
  CHECK(is_linear(head + block + guide(coulomb, "[0.0, 0.0]"), {{}, {slip}}));  // this one is
  CHECK_FALSE(is_linear(head + block + guide(coulomb, "[0.2, 0.0]"), {{}, {slip}}));
  CHECK_FALSE(is_linear(head + block + guide(coulomb, "[0.0, 0.0]"), {{}, {{Slide::slip, 1, 0, 0}}}));  // |lambda|
  CHECK_FALSE(is_linear(
      head + block +
          guide("law = \"stribeck\", mu_static = 0.4, mu_kinetic = 0.3, stribeck_velocity = 0.1", "[0.0, 0.0]"),
      {{}, {slip}}));
  CHECK_FALSE(
      is_linear(head + block + guide("law = \"table\", table = [[0.0, 0.4], [1.0, 0.2]]", "[0.0, 0.0]"), {{}, {slip}}));
  CHECK_FALSE(is_linear(head + block + guide(coulomb + ", normal_force = \"20 + t\"", "[0.0, 0.0]"), {{}, {slip}}));
  CHECK_FALSE(is_linear(head + block + "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"m\"]\n",
                        {{}, {}}));
  const std::string belt =
      "[[contact]]\nname = \"belt\"\nbetween = [{ body = \"ground\", shape = \"line\", "
      "surface_velocity = \"sin(t)\" }, { body = \"m\", shape = \"circle\", radius = 0.5 "
      "}]\nfriction = { " +
      coulomb + " }\n";
  CHECK_FALSE(is_linear(head + block + belt, {{1}, {slip}}));
  CHECK(is_linear(head + block + belt, {{0}, {FrictionMode{}}}));  // in the air
  const std::string plate =
      "[[body]]\nname = \"p\"\nmotion = { x = \"0.1*sin(t)\" }\n"
      "[[joint]]\nname = \"g\"\ntype = \"translational\"\nbodies = [\"p\", \"m\"]\n"
      "friction = { " +
      coulomb + " }\n";
  CHECK_FALSE(is_linear(head + block + plate, {{}, {slip}}));
}
