// examples/cpp/mechanism.cpp: the drag sled without a model file.
//
// A mechanism in code is a ModelSpec filled by hand: what a model file says, as data. The sled breaks loose where the
// spring pulls with mu_static m g, at t = mu_static m g / (k V).
#include <cmath>
#include <iostream>

#include "hstar/run.hpp"

namespace {

/// A formula of t; parameters would be looked up here.
hstar::Expression formula(const char* text) {
  return hstar::Expression::compile(text, {}, [](std::string_view) { return std::nullopt; });
}

hstar::MarkerSpec at(const char* body, hstar::Expression x = {}, hstar::Expression y = {}) {
  hstar::MarkerSpec marker;
  marker.body = body;
  marker.x = std::move(x);
  marker.y = std::move(y);
  return marker;
}

}  // namespace

int main() {
  hstar::ModelSpec model;
  model.title = "Drag sled";
  model.gravity = {0, -9.81};
  model.simulation.end = 10;
  model.simulation.rtol = 1e-9;
  model.simulation.integrator = "dop853";

  hstar::BodySpec sled;
  sled.name = "sled";
  sled.mass = 12.5;
  model.bodies.push_back(sled);

  hstar::JointSpec plate;
  plate.name = "plate";
  plate.type = "translational";
  plate.markers = {at("ground"), at("sled")};
  plate.friction.emplace();
  plate.friction->mu_static = 0.4;
  plate.friction->mu_kinetic = 0.3;
  model.joints.push_back(plate);

  hstar::ForceSpec spring;
  spring.name = "spring";
  spring.type = "spring_damper";
  spring.markers = {at("ground", formula("0.034*t")), at("sled")};
  spring.axis = hstar::Vec2{1, 0};
  spring.stiffness = hstar::Expression::constant(742.5);
  model.forces.push_back(spring);

  const hstar::RunResult result = hstar::run(model);
  for (const auto& event : result.events)
    std::cout << event.t << "  " << event.kind << "  " << event.mode_before << " -> " << event.mode_after << '\n';
  const double expected = 0.4 * 12.5 * 9.81 / (742.5 * 0.034);
  return result.outcome.success() && std::abs(result.events.at(0).t - expected) < 1e-9 ? 0 : 1;
}
