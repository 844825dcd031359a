// examples/cpp/mechanism.cpp: the drag sled without a model file.
//
// A mechanism in code is a ModelSpec: what a model file says, as data. The sled breaks loose where the spring pulls
// with mu_static m g, at t = mu_static m g / (k V).
#include <cmath>
#include <iostream>

#include "hstar/in_code.hpp"
#include "hstar/run.hpp"

int main() {
  using namespace hstar::in_code;
  hstar::ModelSpec model;
  model.gravity = {0, -9.81};
  model.simulation.end = 10;
  model.simulation.rtol = 1e-9;
  model.bodies = {body("sled", 12.5)};
  model.joints = {joint("plate", "translational", at("ground"), at("sled"))};
  model.joints[0].friction = coulomb(0.4, 0.3);
  model.forces = {force("spring", "spring_damper", at("ground", "0.034*t"), at("sled"))};
  model.forces[0].axis = hstar::Vec2{1, 0};
  model.forces[0].stiffness = Formula(742.5);

  const hstar::RunResult result = hstar::run(model);
  for (const auto& event : result.events)
    std::cout << event.t << "  " << event.kind << "  " << event.mode_before << " -> " << event.mode_after << '\n';
  const double expected = 0.4 * 12.5 * 9.81 / (742.5 * 0.034);
  return result.outcome.success() && std::abs(result.events.at(0).t - expected) < 1e-9 ? 0 : 1;
}
