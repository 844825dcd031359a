// tests/model/read_model_test.cpp
//
// A model file says what it seems to say: the documented example and a model with every kind of
// section arrive in ModelSpec with their values, defaults, places and order.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <hstar/model_spec.hpp>
#include <numbers>

#include "model/models.hpp"

using namespace hstar;

namespace {
double at(const Expression& e, double t) {
  REQUIRE(e.variables() == std::vector<std::string>{"t"});
  return e.value(&t);
}
}  // namespace

TEST_CASE("the drag sled of the design reads as written", "[model]") {
  const ModelSpec m = parse_model(test::sled, "sled.toml");
  CHECK(m.title == "Drag sled, dry metal on metal");
  CHECK(m.file == "sled.toml");
  CHECK(m.text == test::sled);
  CHECK(m.gravity == Vec2{0, -9.81});
  CHECK(m.parameters ==
        std::vector<std::pair<std::string, double>>{{"mu_static", 0.4}, {"mu_kinetic", 0.3}, {"pull", 0.034}});
  CHECK(m.simulation.start == 0.0);
  CHECK(m.simulation.end == 60.0);
  CHECK(m.simulation.integrator == "dopri5");
  CHECK(m.simulation.rtol == 1e-9);
  CHECK(m.simulation.atol == 0.0);
  CHECK(m.simulation.output == 0.01);
  CHECK(m.simulation.formulation.empty());
  REQUIRE(m.bodies.size() == 1);
  CHECK(m.bodies[0].name == "sled");
  CHECK(m.bodies[0].mass == 12.5);
  CHECK_FALSE(m.bodies[0].inertia);
  CHECK_FALSE(m.bodies[0].motion);
  CHECK(m.bodies[0].where.text() == "sled.toml:15:1");
  REQUIRE(m.joints.size() == 1);
  const JointSpec& plate = m.joints[0];
  CHECK(plate.type == "translational");
  CHECK(plate.axis == Vec2{1, 0});
  REQUIRE(plate.markers.size() == 2);
  CHECK(plate.markers[0].body == "ground");
  CHECK(plate.markers[1].body == "sled");
  CHECK(plate.markers[1].x.constant_value() == 0.0);
  REQUIRE(plate.friction);
  CHECK(plate.friction->law == "coulomb");
  CHECK(plate.friction->mu_static == 0.4);
  CHECK(plate.friction->mu_kinetic == 0.3);
  CHECK_FALSE(plate.friction->normal_force);
  REQUIRE(m.forces.size() == 1);
  const ForceSpec& spring = m.forces[0];
  CHECK(at(spring.markers[0].x, 10.0) == 0.034 * 10.0);
  CHECK(spring.markers[0].y.constant_value() == 0.0);
  CHECK(spring.stiffness.constant_value() == 742.5);
  CHECK(spring.damping.constant_value() == 0.0);
  CHECK_FALSE(spring.axis);
  CHECK(spring.markers[0].x.where().text() == "sled.toml:30:42");
  CHECK(m.notices.empty());
}

TEST_CASE("a homogeneous shape gives a planar body its mass and inertia", "[model]") {
  // Of a plate 0.4 m by 0.3 m of 10 kg/m^2 and a disc of radius 0.5 m: area times density, and the second moments of
  // mass about the centre in any table of solids. Both have an angle.
  const ModelSpec m = parse_model(R"(
[simulation]
end = 1
[[body]]
name = "plate"
shape = "rectangle"
sides = [0.4, 0.3]
density = 10
angle = 0.2
[[body]]
name = "disc"
shape = "disc"
radius = 0.5
density = 10
)",
                                  "m.toml");
  CHECK(m.bodies[0].mass == Approx(1.2).epsilon(1e-15));
  CHECK(m.bodies[0].inertia.value() == Approx(1.2 * 0.25 / 12).epsilon(1e-15));
  CHECK(m.bodies[0].angle == 0.2);
  CHECK(m.bodies[1].mass == Approx(2.5 * std::numbers::pi).epsilon(1e-15));
  CHECK(m.bodies[1].inertia.value() == Approx(2.5 * std::numbers::pi / 8).epsilon(1e-15));
}

TEST_CASE("every section and element arrives with its values", "[model]") {
  const ModelSpec m = parse_model(test::everything, "m.toml");
  CHECK(m.gravity == Vec2{0, -9.81});
  CHECK(m.parameters[1] == std::pair<std::string, double>("m", 2.0));  // from a parameter given later
  CHECK(m.simulation.start == 1.0);
  CHECK(m.simulation.integrator == "ode45");
  CHECK(m.simulation.rtol == 1e-8);
  CHECK(m.simulation.atol == 1e-10);
  CHECK(m.simulation.max_step == 0.1);
  CHECK(m.simulation.first_step == 1e-4);
  CHECK(m.simulation.stop_after_events == 7);
  CHECK(m.simulation.max_events_per_instant == 50);

  REQUIRE(m.bodies.size() == 4);
  CHECK(m.bodies[0].mass == 2.0);
  CHECK(m.bodies[0].inertia == 0.1);
  CHECK(m.bodies[0].angle == std::numbers::pi / 2);
  CHECK(m.bodies[0].velocity == Vec2{0, 1});
  CHECK(m.bodies[0].angular_velocity == 2.0);
  REQUIRE(m.bodies[3].motion);
  CHECK(at(m.bodies[3].motion->y, 0.5) == 0.02 * std::sin(30.0));
  CHECK(m.bodies[3].motion->x.constant_value() == 0.0);

  REQUIRE(m.joints.size() == 6);
  CHECK(m.joints[0].markers[1].y.constant_value() == 0.5);
  CHECK(m.joints[0].friction->radius == 0.02);
  CHECK(m.joints[0].friction->mu_static == 0.3);
  CHECK(m.joints[0].friction->mu_kinetic == 0.3);
  CHECK(m.joints[1].axis[0] == Approx(0.6).epsilon(1e-15));  // made of length 1
  CHECK(m.joints[1].axis[1] == Approx(0.8).epsilon(1e-15));
  CHECK_FALSE(m.joints[1].angle);
  CHECK(m.joints[1].friction->stribeck_exponent == 2.0);
  CHECK(m.joints[1].friction->viscous == 0.5);
  CHECK(at(*m.joints[1].friction->normal_force, 0.0) == 5.0);
  CHECK(at(*m.joints[2].value, 2.0) == 1.2);
  CHECK(m.joints[3].markers.size() == 2);
  CHECK(at(*m.joints[3].value, 2.0) == 4.0);
  CHECK(m.joints[4].markers.size() == 1);
  CHECK(m.joints[4].markers[0].y.constant_value() == 0.1);
  CHECK(m.joints[5].angle == 0.25);

  REQUIRE(m.forces.size() == 4);
  CHECK(m.forces[0].in_body_frame);
  CHECK(m.forces[0].fx.variables() == std::vector<std::string>{"ball.vx"});
  CHECK(m.forces[0].fy.variables() == std::vector<std::string>{"spring.length"});
  CHECK(m.forces[1].torque.variables() == std::vector<std::string>{"u", "rod.omega"});
  CHECK(m.forces[2].axis == Vec2{0, 1});
  CHECK(m.forces[2].stiffness.variables() == std::vector<std::string>{"length"});
  CHECK(m.forces[2].actuator.variables() == std::vector<std::string>{"u", "rate"});
  CHECK(m.forces[2].free_length.constant_value() == 0.2);
  CHECK(m.forces[3].free_length.constant_value() == Approx(std::numbers::pi / 6));

  REQUIRE(m.contacts.size() == 1);
  CHECK(m.contacts[0].first.normal == Vec2{0, 1});
  CHECK(at(*m.contacts[0].first.surface_velocity, 2.0) == 0.6);
  CHECK(m.contacts[0].second.radius == 0.05);
  CHECK(m.contacts[0].restitution == 0.8);
  CHECK(m.contacts[0].friction->mu_static == 0.4);  // law table: its first mu
  CHECK(m.contacts[0].friction->table[2] == Vec2{1, 0.2});

  CHECK(m.states[0].initial == 8.0);
  REQUIRE(m.guards.size() == 2);
  CHECK(m.guards[0].crossing == "falling");
  CHECK(m.guards[0].kind == "thermostat");
  CHECK(m.guards[0].reset[0].first == "u");
  CHECK(m.guards[0].g_tol == 1e-9);
  CHECK_FALSE(m.guards[0].terminal);
  CHECK(m.guards[1].times == std::vector<double>{1.5, 2, 2.5});
  CHECK(m.guards[1].terminal);
  CHECK(m.guards[1].crossing == "either");
  CHECK(m.measures[0].unit == "N");
}

TEST_CASE("an automaton needs no bodies and gives no notice about gravity", "[model]") {
  const ModelSpec m = parse_model(test::automaton, "ball.toml");
  CHECK(m.states.size() == 2);
  CHECK(m.states[1].initial == 0.0);
  CHECK(m.guards[0].reset.size() == 2);
  CHECK(m.guards[0].reset[0].second.constant_value() == 0.0);
  CHECK(m.notices.empty());
}

TEST_CASE("missing gravity is noticed, not guessed silently", "[model]") {
  const ModelSpec m = parse_model("simulation.end = 1\nbody = [{ name = \"b\", mass = 1 }]\n", "b.toml");
  CHECK(m.gravity == Vec2{0, 0});
  CHECK(m.notices == std::vector<std::string>{"gravity is not given; it is taken as [0, 0] m/s^2"});
}

TEST_CASE("windows line ends, comments and multi-line strings keep the right places", "[model]") {
  const std::string text =
      "[simulation]\r\nend = 1\r\n# comment\r\n[[state]]\r\nname = \"x\"\r\nrate = \"\"\"\r\n  -x\r\n  + bad\"\"\"\r\n";
  CHECK_THROWS_WITH(parse_model(text, "w.toml"), Catch::StartsWith("w.toml:7:"));
  const std::string literal = "[simulation]\nend = 1\n[[state]]\nname = \"x\"\nrate = '''-x + bad'''\n";
  CHECK_THROWS_WITH(parse_model(literal, "w.toml"), Catch::StartsWith("w.toml:5:16: "));
}

TEST_CASE("a model is read from a file", "[model]") {
  const std::string path = HSTAR_BINARY_DIR "/read_model_test.toml";
  std::ofstream(path) << test::automaton;
  CHECK(read_model(path).file == path);
  CHECK_THROWS_WITH(read_model("no_such_model.toml"),
                    "cannot read \"no_such_model.toml\": No such file or directory; give the path of a model file");
  CHECK_THROWS_WITH(read_model("."), "cannot read \".\": it is a folder; give the path of a model file");
}

TEST_CASE("what is not used or cannot be real is a notice, so that one --set can change a law", "[model]") {
  const std::string spatial =
      "dimension = 3\ngravity = [0, 0, 0]\nsimulation.end = 1\n"
      "body = [{ name = \"link\", mass = 1, inertia = [0.1, 0.2, 0.4] }]\n"
      "joint = [{ name = \"pin\", type = \"revolute\", bodies = [\"ground\", \"link\"], "
      "friction = { law = \"viscous\", viscous = 0.1, radius = 0.02 } }]\n";
  CHECK(
      parse_model(spatial, "s.toml").notices ==
      std::vector<std::string>{
          "body \"link\": inertia violates the triangle inequality: one principal moment is larger than the sum of the "
          "others, which no distribution of mass has; it is taken as it is",
          "joint \"pin\": friction: radius is not used: law viscous has none"});
}
