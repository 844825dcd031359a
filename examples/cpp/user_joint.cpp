// examples/cpp/user_joint.cpp: a joint of one's own: a bead on a wire of the shape y = a x^2.
//
// A joint gives its equation, and by the chain rule the row of its velocities and accelerations (hstar/elements.hpp):
//   Phi = y - a x^2,   J = (-2 a x, 1, 0),   nu = 0,   gamma = -d(J v)/dq v = 2 a vx^2.
// Released at rest at x = 0.5 the bead keeps its energy: at the bottom its speed is sqrt(2 g y0).
#include <cmath>
#include <iostream>

#include "hstar/elements.hpp"
#include "hstar/run.hpp"

namespace {

constexpr double a = 0.8, g = 9.81;

class Wire final : public hstar::UserJoint {
 public:
  int rows() const override { return 1; }
  void position(double, const hstar::BodyView&, const hstar::BodyView& bead, std::span<double> phi) const override {
    phi[0] = bead.y - a * bead.x * bead.x;
  }
  void rows_at(double, const hstar::BodyView&, const hstar::BodyView& bead,
               std::span<hstar::JointRow> rows) const override {
    rows[0].J[1] = {-2 * a * bead.x, 1, 0};
    rows[0].gamma = 2 * a * bead.vx * bead.vx;
  }
};

}  // namespace

int main() {
  hstar::ModelSpec model = hstar::parse_model(
      "gravity = [0, -9.81]\n[simulation]\nend = 5\nrtol = 1e-10\nintegrator = \"dop853\"\n"
      "[[body]]\nname = \"bead\"\nmass = 0.3\nposition = [0.5, 0.2]\n"
      "[[guard]]\nname = \"bottom\"\nwhen = \"bead.x\"\nterminal = true\n",
      "bead");
  model.joints.push_back(hstar::user_joint("wire", "ground", "bead", std::make_shared<Wire>()));

  bool good = true;
  for (const char* integrator : {"dop853", "ida"}) {  // explicit; implicit on index-2 equations
    model.simulation.integrator = integrator;
    const hstar::RunResult result = hstar::run(model);
    const double speed = std::hypot(result.y_end[2], result.y_end[3]), expected = std::sqrt(2 * g * 0.2);
    std::cout << integrator << ": bottom at " << result.outcome.t << " s with " << speed << " m/s, expected "
              << expected << " m/s\n";
    good &= result.outcome.status == hstar::RunStatus::terminal_event && std::abs(speed - expected) < 1e-7;
  }
  return good ? 0 : 1;
}
