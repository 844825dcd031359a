// tests/model/check_model_test.cpp
//
// One validator for every door: what a model file is refused for, a model that a program fills in is refused for too,
// with the same words but for the place. Without it a negative coefficient of friction accelerated, a negative mass
// "succeeded" and a joint without markers was a segmentation fault.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>

#include "hstar/check_model.hpp"
#include "mechanism/system.hpp"
#include "model/models.hpp"

using namespace hstar;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN(),
             infinity = std::numeric_limits<double>::infinity();

const char* const box_in_space = R"toml(
dimension = 3
gravity = [0, 0, -9.81]
simulation = { end = 1 }
[[body]]
name = "box"
mass = 2
inertia = [0.1, 0.2, 0.25]
position = [0, 0, 1]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "box"]
friction = { mu = 0.3, radius = 0.02 }
[[force]]
name = "spring"
type = "spring_damper"
bodies = ["ground", "box"]
points = [[0, 0, 0], [0, 0, 0]]
stiffness = 100
[[contact]]
name = "floor"
between = [{ body = "ground", shape = "plane" }, { body = "box", shape = "sphere", radius = 0.1 }]
)toml";

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// What a program hears, and a run, an analysis or a description of its model too.
std::string message_of(const ModelSpec& spec) {
  return message_of([&] { static_cast<void>(build_system(spec)); });
}

/// A model read from text with the places taken away, as if a program had made it.
ModelSpec made(const char* text) {
  ModelSpec spec = parse_model(text, "");
  spec.simulation.where = {};
  const auto clear = [](auto& list) {
    for (auto& element : list) element.where = {};
  };
  clear(spec.bodies);
  clear(spec.joints);
  clear(spec.forces);
  clear(spec.contacts);
  clear(spec.states);
  clear(spec.guards);
  clear(spec.measures);
  clear(spec.spatial.bodies);
  clear(spec.spatial.joints);
  clear(spec.spatial.forces);
  clear(spec.spatial.contacts);
  for (auto& joint : spec.joints)
    if (joint.friction) joint.friction->where = {};
  for (auto& contact : spec.contacts) {
    contact.first.marker.where = contact.second.marker.where = {};
    if (contact.friction) contact.friction->where = {};
  }
  for (auto& joint : spec.spatial.joints)
    if (joint.friction) joint.friction->where = {};
  for (auto& contact : spec.spatial.contacts) contact.first.where = contact.second.where = {};
  return spec;
}

using Change = std::function<void(ModelSpec&)>;

/// The same mistake through both doors.
struct Both {
  const char* path;   ///< of --set
  const char* value;  ///< as a file would have it
  Change change;
};

void check_same_words(const char* text, const Both& both) {
  INFO(both.path << " = " << both.value);
  ModelSpec spec = made(text);
  both.change(spec);
  const std::string made_in_program = message_of(spec);
  const std::string read = message_of([&] {
    static_cast<void>(parse_model(text, "m.toml", {{both.path, both.value}}));
  });
  CHECK(made_in_program != "no error");
  REQUIRE(read.size() > made_in_program.size());
  CHECK(read.substr(read.size() - made_in_program.size()) == made_in_program);
}

/// What only a program can get wrong, or what a file says otherwise.
struct Own {
  const char* message;
  Change change;
};

void check_message(const char* text, const Own& own) {
  ModelSpec spec = made(text);
  own.change(spec);
  CHECK(message_of(spec) == own.message);
}

BodySpec& rod(ModelSpec& s) { return s.bodies[0]; }
JointSpec& joint(ModelSpec& s, const std::string& name) {
  for (JointSpec& j : s.joints)
    if (j.name == name) return j;
  throw std::logic_error("no joint " + name);
}

}  // namespace

TEST_CASE("a model that a program fills in passes as it is", "[model][check]") {
  for (const char* text : {test::sled, test::automaton, box_in_space}) {
    const ModelSpec spec = made(text);
    CHECK(message_of([&] { check_model(spec); }) == "no error");
  }
}

TEST_CASE("a program hears what a model file hears: bodies, joints, forces and contacts", "[model][check]") {
  const Both table[] = {
      {"body.rod.mass", "-1", [](ModelSpec& s) { rod(s).mass = -1; }},
      {"body.rod.mass", "0", [](ModelSpec& s) { rod(s).mass = 0; }},
      {"body.rod.inertia", "-0.1", [](ModelSpec& s) { rod(s).inertia = -0.1; }},
      {"body.rod.name", "\"2nd\"", [](ModelSpec& s) { rod(s).name = "2nd"; }},
      {"body.rod.name", "\"ground\"", [](ModelSpec& s) { rod(s).name = "ground"; }},
      {"joint.slide.friction.mu_kinetic", "-0.3", [](ModelSpec& s) { joint(s, "slide").friction->mu_kinetic = -0.3; }},
      {"joint.pin.friction.radius", "-1", [](ModelSpec& s) { joint(s, "pin").friction->radius = -1; }},
      {"joint.slide.friction.mu_static", "0.2", [](ModelSpec& s) { joint(s, "slide").friction->mu_static = 0.2; }},
      {"joint.slide.friction.stribeck_velocity", "0",
       [](ModelSpec& s) { joint(s, "slide").friction->stribeck_velocity = 0; }},
      {"joint.slide.friction.law", "\"stribek\"", [](ModelSpec& s) { joint(s, "slide").friction->law = "stribek"; }},
      {"joint.slide.axis", "[0, 0]",
       [](ModelSpec& s) {
         joint(s, "slide").axis = {0, 0};
       }},
      {"joint.slide.type", "\"translation\"", [](ModelSpec& s) { joint(s, "slide").type = "translation"; }},
      {"joint.rope.length", "-1", [](ModelSpec& s) { joint(s, "rope").value = Expression::constant(-1); }},
      {"contact.floor.restitution", "1.5", [](ModelSpec& s) { s.contacts[0].restitution = 1.5; }},
      {"contact.floor.impact_law", "\"hertz\"", [](ModelSpec& s) { s.contacts[0].impact_law = "hertz"; }},
      {"contact.floor.between.1.radius", "-0.05", [](ModelSpec& s) { s.contacts[0].second.radius = -0.05; }},
      {"contact.floor.friction.table", "[[0.1, 0.4]]",
       [](ModelSpec& s) {
         s.contacts[0].friction->table = {Vec2{0.1, 0.4}};
       }},
      {"simulation.rtol", "0.5", [](ModelSpec& s) { s.simulation.rtol = 0.5; }},
      {"simulation.end", "0", [](ModelSpec& s) { s.simulation.end = 0; }},
      {"simulation.output", "1e-12", [](ModelSpec& s) { s.simulation.output = 1e-12; }},
      {"simulation.integrator", "\"dopri7\"", [](ModelSpec& s) { s.simulation.integrator = "dopri7"; }},
      {"simulation.max_step", "-1", [](ModelSpec& s) { s.simulation.max_step = -1; }},
  };
  for (const Both& both : table) check_same_words(test::everything, both);
}

TEST_CASE("a program hears what a model file hears: space", "[model][check]") {
  const Both table[] = {
      {"body.box.mass", "-2", [](ModelSpec& s) { s.spatial.bodies[0].mass = -2; }},
      {"joint.hinge.type", "\"hinge\"", [](ModelSpec& s) { s.spatial.joints[0].type = "hinge"; }},
      {"joint.hinge.friction.radius", "-1", [](ModelSpec& s) { s.spatial.joints[0].friction->radius = -1; }},
      {"contact.floor.between.1.radius", "0", [](ModelSpec& s) { s.spatial.contacts[0].second.radius = 0; }},
      {"contact.floor.between.0.normal", "[0, 0, 0]",
       [](ModelSpec& s) {
         s.spatial.contacts[0].first.normal = {0, 0, 0};
       }},
      {"contact.floor.restitution", "-1", [](ModelSpec& s) { s.spatial.contacts[0].restitution = -1; }},
  };
  for (const Both& both : table) check_same_words(box_in_space, both);
}

TEST_CASE("what only a program can leave out or spoil is refused with element, key and remedy", "[model][check]") {
  const Own table[] = {
      {R"(joint "pin": bodies is missing; give the two bodies, first and second)",
       [](ModelSpec& s) { joint(s, "pin").markers.clear(); }},
      {R"(joint "pin": bodies is missing; give the two bodies, first and second)",
       [](ModelSpec& s) { joint(s, "pin").markers.resize(1); }},
      {R"(joint "push": body is missing; give the body that is driven)",
       [](ModelSpec& s) { joint(s, "push").markers.clear(); }},
      {R"(joint "rope": length is missing; give the distance of the two points in m)",
       [](ModelSpec& s) { joint(s, "rope").value.reset(); }},
      {R"(joint "push": value is missing; give the driven coordinate as a formula of t in m or rad)",
       [](ModelSpec& s) { joint(s, "push").value.reset(); }},
      {R"(joint "pin": friction: radius is missing; give the radius of the pin, shaft or ball in m)",
       [](ModelSpec& s) { joint(s, "pin").friction->radius = 0; }},
      {R"(joint "pin": unknown body "rood"; did you mean "rod"?)",
       [](ModelSpec& s) { joint(s, "pin").markers[1].body = "rood"; }},
      {R"(joint "pin": both bodies are "rod"; give two different bodies)",
       [](ModelSpec& s) { joint(s, "pin").markers[0].body = "rod"; }},
      {R"(joint "pin": the name "pin" is taken; choose another)", [](ModelSpec& s) { joint(s, "slide").name = "pin"; }},
      {R"(body "": name is missing; give the name of the body)", [](ModelSpec& s) { rod(s).name = ""; }},
      {R"(body "rod": mass = nan must be a finite number or a formula in quotes; give the mass in kg)",
       [](ModelSpec& s) { rod(s).mass = not_a_number; }},
      {R"(body "rod": position = [nan, 0] must be finite numbers; give the initial position of the centre of mass as )"
       R"([x, y] in m)",
       [](ModelSpec& s) { rod(s).position[0] = not_a_number; }},
      {"simulation: end = inf must be a finite number or a formula in quotes; give the time the run ends in s",
       [](ModelSpec& s) { s.simulation.end = infinity; }},
      {"simulation: rtol = nan must be a finite number or a formula in quotes; give the relative tolerance of the "
       "integrator",
       [](ModelSpec& s) { s.simulation.rtol = not_a_number; }},
      {R"(force "spring": between is missing; give the two ends as [{ body, point }, { body, point }])",
       [](ModelSpec& s) { s.forces[2].markers.clear(); }},
      {R"(force "wind": body is missing; give the body acted on)", [](ModelSpec& s) { s.forces[0].markers.clear(); }},
      {R"(contact "floor": between[1]: shape = "" is unknown; choose one of: line, circle, point, hole, polygon, )"
       R"(segment, arc, slot)",
       [](ModelSpec& s) { s.contacts[0].second.shape = ""; }},
      {"model: gravity = [0, inf] must be finite numbers; give the acceleration of gravity as [x, y], with dimension = "
       "3 "
       "as [x, y, z] in m/s^2",
       [](ModelSpec& s) { s.gravity[1] = infinity; }},
  };
  for (const Own& own : table) check_message(test::everything, own);
  CHECK(message_of(ModelSpec{}) == "the model is empty: it has neither [[body]] nor [[state]]; give at least one");
}

TEST_CASE("what only a program can spoil in space is refused", "[model][check]") {
  const Own table[] = {
      {R"(body "box": euler_parameters = [0, 0, 0, 0] have length 0, it must be 1 within 0.001; write cos(angle/2), )"
       R"(axis * sin(angle/2), or give axis and angle)",
       [](ModelSpec& s) {
         s.spatial.bodies[0].orientation = {0, 0, 0, 0};
       }},
      {R"(body "box": inertia = [[0.1, 0, 0], [0, -0.2, 0], [0, 0, 0.25]] must be positive definite: about some axis )"
       R"(it is zero or less; give the inertia about the centre of mass in body axes, [Jxx, Jyy, Jzz] or the rows of a )"
       R"(symmetric matrix in kg m^2)",
       [](ModelSpec& s) { s.spatial.bodies[0].inertia[1][1] = -0.2; }},
      {R"(joint "hinge": unknown body "lid"; bodies: ground, box)",
       [](ModelSpec& s) { s.spatial.joints[0].markers[1].body = "lid"; }},
  };
  for (const Own& own : table) check_message(box_in_space, own);
}

TEST_CASE("numbers of every size and kind in every field end in a message or a system, never in a crash",
          "[model][check]") {
  const double numbers[] = {not_a_number, infinity, -infinity, -1, 0, 1e300, -1e300, 5e-324};
  using Field = std::function<double&(ModelSpec&)>;
  const Field planar[] = {
      [](ModelSpec& s) -> double& { return rod(s).mass; },
      [](ModelSpec& s) -> double& { return *rod(s).inertia; },
      [](ModelSpec& s) -> double& { return rod(s).position[1]; },
      [](ModelSpec& s) -> double& { return rod(s).velocity[0]; },
      [](ModelSpec& s) -> double& { return rod(s).angle; },
      [](ModelSpec& s) -> double& { return rod(s).angular_velocity; },
      [](ModelSpec& s) -> double& { return s.gravity[0]; },
      [](ModelSpec& s) -> double& { return joint(s, "slide").axis[0]; },
      [](ModelSpec& s) -> double& { return *joint(s, "weld").angle; },
      [](ModelSpec& s) -> double& { return joint(s, "pin").friction->mu_kinetic; },
      [](ModelSpec& s) -> double& { return joint(s, "pin").friction->viscous; },
      [](ModelSpec& s) -> double& { return joint(s, "slide").friction->stribeck_exponent; },
      [](ModelSpec& s) -> double& { return s.contacts[0].restitution; },
      [](ModelSpec& s) -> double& { return s.contacts[0].restitution_tangential; },
      [](ModelSpec& s) -> double& { return s.contacts[0].first.normal[0]; },
      [](ModelSpec& s) -> double& { return s.contacts[0].second.radius; },
      [](ModelSpec& s) -> double& { return s.contacts[0].friction->table[1][0]; },
      [](ModelSpec& s) -> double& { return s.states[0].initial; },
      [](ModelSpec& s) -> double& { return s.simulation.start; },
      [](ModelSpec& s) -> double& { return s.simulation.first_step; },
      [](ModelSpec& s) -> double& { return s.simulation.atol; },
      [](ModelSpec& s) -> double& { return s.simulation.hht_alpha; },
  };
  const Field spatial[] = {
      [](ModelSpec& s) -> double& { return s.spatial.bodies[0].mass; },
      [](ModelSpec& s) -> double& { return s.spatial.bodies[0].inertia[0][1]; },
      [](ModelSpec& s) -> double& { return s.spatial.bodies[0].orientation[2]; },
      [](ModelSpec& s) -> double& { return s.spatial.bodies[0].angular_velocity[2]; },
      [](ModelSpec& s) -> double& { return s.spatial.joints[0].markers[0].point[2]; },
      [](ModelSpec& s) -> double& { return s.spatial.joints[0].markers[1].h[0]; },
      [](ModelSpec& s) -> double& { return s.spatial.joints[0].friction->thrust_radius; },
      [](ModelSpec& s) -> double& { return s.spatial.contacts[0].second.point[0]; },
      [](ModelSpec& s) -> double& { return s.spatial.gravity[2]; },
  };
  const auto try_all = [&](const char* text, std::span<const Field> fields) {
    const ModelSpec good = made(text);
    for (const Field& field : fields)
      for (const double x : numbers) {
        ModelSpec spec = good;
        field(spec) = x;
        const std::string message = message_of(spec);
        if (!std::isfinite(x)) CHECK(message != "no error");
      }
  };
  try_all(test::everything, planar);
  try_all(box_in_space, spatial);
}
