// examples/cpp/user_force.cpp: a force of one's own in a mechanism, and a guard that is a C++ function.
//
// A stone falls through air whose drag grows with the square of its speed: v = v_T tanh(g t / v_T), and it has fallen
// h = v_T^2 / g ln cosh(g t / v_T).
#include <cmath>
#include <iostream>

#include "hstar/elements.hpp"
#include "hstar/run.hpp"

namespace {

constexpr double m = 2.0, g = 9.81, drag = 0.05;

class Drag final : public hstar::UserForce {
 public:
  void apply(double /*t*/, std::span<const hstar::BodyView> bodies, std::span<hstar::Load> loads) const override {
    const hstar::BodyView& b = bodies[0];
    const double speed = std::hypot(b.vx, b.vy);
    loads[0] = {-drag * speed * b.vx, -drag * speed * b.vy, 0};
  }
};

}  // namespace

int main() {
  hstar::ModelSpec model = hstar::parse_model(
      "gravity = [0, -9.81]\n[simulation]\nend = 60\nrtol = 1e-10\n[[body]]\nname = \"stone\"\nmass = 2.0\n", "stone");
  model.forces.push_back(hstar::user_force("air", {"stone"}, std::make_shared<Drag>()));

  hstar::GuardSpec deep;  // the state is x, y, vx, vy of the stone
  deep.name = "hundred_metres";
  deep.function = [](double, std::span<const double> y) { return y[1] + 100; };
  deep.terminal = true;
  model.guards.push_back(deep);

  const hstar::RunResult result = hstar::run(model);
  const double v = std::sqrt(m * g / drag), t = v / g * std::acosh(std::exp(100 * g / (v * v)));
  std::cout << "fallen 100 m at " << result.outcome.t << " s, expected " << t << " s\n";
  return std::abs(result.outcome.t - t) < 1e-8 ? 0 : 1;
}
