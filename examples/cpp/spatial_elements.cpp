// examples/cpp/spatial_elements.cpp: a force and a joint of one's own in space.
//
// A charged ball in a magnetic field B along z, force q v x B: it flies along a helix, its velocity across the field
// turning at q B / m.
//
// A bead in a bowl z = a (x^2 + y^2) / 2: the joint gives its equation and the row of its velocities and accelerations,
//   Phi = z - a (x^2 + y^2) / 2,   J = (-a x, -a y, 1, 0, 0, 0),   nu = 0,   gamma = a (vx^2 + vy^2).
// It circles at any height with omega = sqrt(g a).
#include <cmath>
#include <iostream>

#include "hstar/elements.hpp"
#include "hstar/run.hpp"

namespace {

constexpr double q = 0.5, B = 3.0, m = 0.25, a = 0.8, g = 9.81;

class Magnet final : public hstar::UserForce {
 public:
  void apply_in_space(double /*t*/, std::span<const hstar::SpatialBodyView> bodies,
                      std::span<hstar::SpatialBodyLoad> loads) const override {
    const hstar::Vec3& v = bodies[0].r_dot;
    loads[0].force = {q * B * v[1], -q * B * v[0], 0};
  }
};

class Bowl final : public hstar::UserJoint {
 public:
  int rows() const override { return 1; }
  void position_in_space(double, const hstar::SpatialBodyView&, const hstar::SpatialBodyView& bead,
                         std::span<double> phi) const override {
    phi[0] = bead.r[2] - 0.5 * a * (bead.r[0] * bead.r[0] + bead.r[1] * bead.r[1]);
  }
  void rows_in_space(double, const hstar::SpatialBodyView&, const hstar::SpatialBodyView& bead,
                     std::span<hstar::SpatialJointRow> rows) const override {
    const hstar::Vec3 &r = bead.r, &v = bead.r_dot;
    rows[0].J[1] = {-a * r[0], -a * r[1], 1, 0, 0, 0};
    rows[0].gamma = a * (v[0] * v[0] + v[1] * v[1]);
  }
};

hstar::ModelSpec ball(const char* gravity) {
  return hstar::parse_model(std::string("dimension = 3\ngravity = ") + gravity +
                                "\n[simulation]\nend = 2\nrtol = 1e-11\nintegrator = \"dop853\"\n[[body]]\n"
                                "name = \"ball\"\nmass = 0.25\ninertia = [0.001, 0.001, 0.001]\n",
                            "ball");
}

bool check(const char* what, const hstar::RunResult& result, double x, double y) {
  const double error = std::hypot(result.y_end[0] - x, result.y_end[1] - y);  // the state begins with x, y, z
  std::cout << what << ": error " << error << " m\n";
  return result.outcome.success() && error < 1e-8;
}

}  // namespace

int main() {
  hstar::ModelSpec charged = ball("[0, 0, 0]");
  charged.spatial.bodies[0].velocity = {1, 0, 0.5};
  charged.forces.push_back(hstar::user_force("magnet", {"ball"}, std::make_shared<Magnet>()));
  const double turn = q * B / m;  // about -z
  bool good = check("helix", hstar::run(charged), std::sin(2 * turn) / turn, (std::cos(2 * turn) - 1) / turn);

  hstar::ModelSpec bead = ball("[0, 0, -9.81]");
  const double radius = 0.6, omega = std::sqrt(g * a);
  bead.spatial.bodies[0].position = {radius, 0, 0.5 * a * radius * radius};
  bead.spatial.bodies[0].velocity = {0, radius * omega, 0};
  bead.joints.push_back(hstar::user_joint("bowl", "ground", "ball", std::make_shared<Bowl>()));
  good &= check("bowl", hstar::run(bead), radius * std::cos(2 * omega), radius * std::sin(2 * omega));
  return good ? 0 : 1;
}
