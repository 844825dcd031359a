// tests/model/override_test.cpp
//
// `--set path=value` changes what the file says before anything is checked: existing values, keys the
// file left out, formulas, words. A path that leads nowhere names the nearest one that does.
#include <catch2/catch.hpp>

#include "hstar/model_spec.hpp"
#include "model/models.hpp"

using namespace hstar;

namespace {

ModelSpec with(const char* model, const std::vector<Override>& overrides) {
  return parse_model(model, "m.toml", overrides);
}

std::string message(const char* model, const std::string& path, const std::string& value) {
  try {
    static_cast<void>(with(model, {{path, value}}));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("overrides replace values and add keys the file left out", "[model][override]") {
  const ModelSpec m = with(test::sled, {{"parameters.mu_kinetic", "0.25"},
                                        {"simulation.rtol", "1e-12"},
                                        {"simulation.max_step", "0.5"},
                                        {"simulation.integrator", "dop853"},
                                        {"body.sled.mass", "2*6"},
                                        {"body.sled.velocity", "[1, 0]"},
                                        {"body.sled.position.1", "mu_kinetic"},
                                        {"joint.plate.friction.mu_static", "2*mu_kinetic"},
                                        {"joint.plate.friction.viscous", "3"},
                                        {"force.spring.between.0.point.0", "0.5*t"},
                                        {"force.spring.damping", "7"},
                                        {"title", "changed"},
                                        {"gravity.1", "-1.62"}});
  CHECK(m.joints[0].friction->mu_kinetic == 0.25);
  CHECK(m.joints[0].friction->mu_static == 0.5);
  CHECK(m.joints[0].friction->viscous == 3.0);
  CHECK(m.simulation.rtol == 1e-12);
  CHECK(m.simulation.max_step == 0.5);
  CHECK(m.simulation.integrator == "dop853");
  CHECK(m.bodies[0].mass == 12.0);
  CHECK(m.bodies[0].velocity == Vec2{1, 0});
  CHECK(m.bodies[0].position == Vec2{0, 0.25});
  CHECK(m.forces[0].markers[0].x.text() == "0.5*t");
  CHECK(m.forces[0].damping.constant_value() == 7.0);
  CHECK(m.title == "changed");
  CHECK(m.gravity == Vec2{0, -1.62});
  CHECK(m.text == test::sled);  // the text as read
}

TEST_CASE("overrides reach sections, sub-tables and aliases", "[model][override]") {
  CHECK(with(test::everything, {{"simulation.rtol", "1e-4"}}).simulation.rtol == 1e-4);  // written RelTol in the file
  CHECK(with(test::everything, {{"contact.floor.restitution", "0.5"}}).contacts[0].restitution == 0.5);
  CHECK(with(test::everything, {{"contact.floor.between.1.radius", "0.1"}}).contacts[0].second.radius == 0.1);
  CHECK(with(test::everything, {{"guard.switch.reset.u", "u - 1"}}).guards[0].reset[0].second.text() == "u - 1");
  CHECK(with(test::everything, {{"body.table.motion.x", "t"}}).bodies[3].motion->x.text() == "t");
  CHECK(with(test::everything, {{"joint.slide.friction.law", "coulomb"}, {"joint.slide.friction", "{mu = 0.2}"}})
            .joints[1]
            .friction->mu_static == 0.2);
  CHECK(with("simulation = {}\nbody = [{ name = \"b\", mass = 1 }]", {{"simulation.end", "3"}}).simulation.end == 3.0);
  CHECK(with("body = [{ name = \"b\", mass = 1 }]", {{"simulation.end", "3"}}).simulation.end == 3.0);
}

TEST_CASE("later overrides win", "[model][override]") {
  CHECK(with(test::sled, {{"body.sled.mass", "1"}, {"body.sled.mass", "2"}}).bodies[0].mass == 2.0);
}

TEST_CASE("bad paths and values name the override", "[model][override][bad]") {
  const char* const table[][3] = {
      {"parameters.mu", "0.3",
       "--set parameters.mu=0.3: parameters.mu is not there; did you mean \"parameters.mu_static\"?"},
      {"parameters.zeta", "0.3",
       "--set parameters.zeta=0.3: parameters.zeta is not there; parameters has: mu_static, mu_kinetic, pull"},
      {"body.slad.mass", "3", "--set body.slad.mass=3: body.slad.mass is not there; did you mean \"body.sled.mass\"?"},
      {"body.sled.mas", "3", "--set body.sled.mas=3: body.sled.mas is not there; did you mean \"body.sled.mass\"?"},
      {"bdy.sled.mass", "3", "--set bdy.sled.mass=3: bdy.sled.mass is not there; did you mean \"body.sled.mass\"?"},
      {"mass", "3",
       "--set mass=3: mass is not there; paths begin with: title, include, dimension, gravity, parameters, simulation, "
       "body, "
       "joint, force, "
       "contact, state, system, guard, measure, controller, table"},
      {"simulation", "3", "--set simulation=3: simulation is a whole section; name a value in it, as simulation.<key>"},
      {"body.sled", "3", "--set body.sled=3: body.sled is a whole element; name a key of it"},
      {"body.sled.mass.x", "3",
       "--set body.sled.mass.x=3: body.sled.mass.x is not there: body.sled.mass is a single value"},
      {"body.sled.position.2", "3",
       "--set body.sled.position.2=3: body.sled.position.2 is not there: \"2\" must be a position from 0 to 1"},
      {"body.sled.velocity.0", "3",
       "--set body.sled.velocity.0=3: body.sled.velocity.0 is not there: body.sled.velocity is not given in the file"},
      {"contact.floor.restitution", "1",
       "--set contact.floor.restitution=1: contact.floor.restitution is not there; contact has: none"},
      {"body.sled.mass", "-3", "--set body.sled.mass=-3: body \"sled\": mass = -3 kg must be > 0; give the mass in kg"},
      {"body.sled.mass", "",
       "--set body.sled.mass=: body \"sled\": mass: formula \"\": the formula is empty; write a "
       "number or a formula"},
      {"simulation.integrator", "dopri4",
       "--set simulation.integrator=dopri4: simulation: integrator = \"dopri4\" is unknown; did you mean \"dopri5\"?"},
      {"simulation.integrator", "ode15x",
       "--set simulation.integrator=ode15x: simulation: integrator = \"ode15x\" is unknown; did you mean \"ode15s\"?"},
      {"simulation.rtol", "tight",
       "--set simulation.rtol=tight: simulation: rtol: unknown name \"tight\" in \"tight\"; "
       "parameters and constants: mu_static, mu_kinetic, pull, pi, e"},
      {"force.spring.stiffness", "2*(",
       "--set force.spring.stiffness=2*(: force \"spring\": stiffness: formula \"2*(\": "
       "ends where a number, a name or \"(\" is expected"},
  };
  for (const auto& [path, value, expected] : table) CHECK(message(test::sled, path, value) == expected);
}
