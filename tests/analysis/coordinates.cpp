// tests/analysis/coordinates.cpp
//
// What holds for the coordinates that the analyses show, in the plane and in space, with principal axes that are not
// the user's: rows are their derivatives by displacements; `between` undoes a displacement; the curvature is the
// derivative of its gradient, along and across turns of any size.
#include "analysis/statics/coordinates.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/statics/force_balance.hpp"
#include "mechanism/spatial/euler_parameters.hpp"
#include "support/random.hpp"
#include "support/two_bodies.hpp"

using namespace hstar;

namespace {

const std::string spatial = std::string(support::two_bodies) + R"(
[[joint]]
name = "pipe"
type = "cylindrical"
bodies = ["a", "b"]
axis = [1, 2, 0.5]
[[joint]]
name = "guide"
type = "translational"
bodies = ["ground", "b"]
axis = [0, 1, 1]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "a"]
axis = [0, 0.3, 1]
[[joint]]
name = "cross"
type = "universal"
bodies = ["a", "b"]
axis = [0.2, 0.3, 1]
second_axis = [1, 0.1, 0]
)";
const std::string planar = R"(
[simulation]
end = 1
[[body]]
name = "a"
mass = 1.3
inertia = 0.2
position = [0.3, -0.4]
angle = 2.0
[[body]]
name = "point"
mass = 1.3
position = [0.3, 0.4]
)";

ForceBalance balance(const std::string& text) { return {build_system(parse_model(text, "m.toml")), 0}; }

}  // namespace

TEST_CASE("rows of coordinates are their derivatives by displacements") {
  for (const std::string& text : {spatial, planar}) {
    ForceBalance m = balance(text);
    support::Random random(7);
    Eigen::VectorXd shift(m.system().nv);
    for (double& x : shift) x = random.uniform(-0.3, 0.3);
    m.move(shift);
    const auto start = m.y;
    CHECK(m.coordinates().count() == m.system().nq + (m.system().is_spatial() ? 6 : 0));
    for (int i = 0; i < m.coordinates().count(); ++i) {
      const Eigen::RowVectorXd row = m.coordinate_row(i);
      for (int j = 0; j < m.system().nv; ++j) {
        constexpr double h = 1e-5;
        double value[2];
        for (const int side : {0, 1}) {
          m.y = start;
          m.move((side == 0 ? -h : h) * Eigen::VectorXd::Unit(m.system().nv, j));
          value[side] = m.coordinate(i);
        }
        m.y = start;
        INFO(m.coordinates().name(i) << " by " << m.coordinates().freedom_name(j));
        CHECK((value[1] - value[0]) / (2 * h) == Approx(row[j]).margin(1e-9));
      }
    }
  }
}

TEST_CASE("between undoes a displacement, and its curvature is the derivative of the gradient") {
  for (const std::string& text : {spatial, planar})
    for (const double size : {1e-6, 0.3, 1.7}) {
      ForceBalance m = balance(text);
      support::Random random(11);
      Eigen::VectorXd shift(m.system().nv);
      for (double& x : shift) x = random.uniform(-size, size) / 2;
      const auto start = m.y;
      m.move(shift);
      CHECK((m.away(start) + shift).norm() <= 1e-14 * (1 + size));
      // The gradient of |away|^2 / 2 by displacements is -away; along a line of turns its rate is the curvature.
      const auto there = m.y;
      const Eigen::MatrixXd curvature = m.coordinates().distance_curvature(m.away(start));
      Eigen::VectorXd direction(m.system().nv);
      for (double& x : direction) x = random.uniform(-1, 1);
      constexpr double h = 1e-4;
      double half[3];
      for (const int side : {0, 1, 2}) {
        m.y = there;
        m.move((side - 1) * h * direction);
        half[side] = 0.5 * m.away(start).squaredNorm();
      }
      const double second = (half[0] - 2 * half[1] + half[2]) / (h * h);
      CHECK(direction.dot(curvature * direction) == Approx(second).margin(1e-6));
    }
}

TEST_CASE("the angles of a universal joint are turns about its two axes, one after the other") {
  // R = Rot(h_1, first) Rot(h_2, second), h_1 in the ground, h_2 as the body stands in the file.
  const std::string text = R"(
dimension = 3
[simulation]
end = 1
[[body]]
name = "fork"
mass = 1
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "cross"
type = "universal"
bodies = ["ground", "fork"]
axis = [0.6, 0.0, 0.8]
second_axis = [0, 1, 0]
)";
  ForceBalance m = balance(text);
  const auto about = [](const Vec3& axis, double angle) {
    const double s = std::sin(angle / 2);
    return EulerParameters{std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
  };
  const int one = m.coordinates().find("cross.angle1"), two = m.coordinates().find("cross.angle2");
  CHECK(m.coordinate(one) == Approx(0).margin(1e-15));
  CHECK(m.coordinate(two) == Approx(0).margin(1e-15));
  for (const double first : {-3.0, -0.4, 1.7})
    for (const double second : {-2.8, 0.3, 3.1}) {
      const EulerParameters p = compose(about({0.6, 0, 0.8}, first), about({0, 1, 0}, second));
      std::copy(p.begin(), p.end(), m.y.begin() + 3);
      CHECK(m.coordinate(one) == Approx(first).epsilon(1e-14));
      CHECK(m.coordinate(two) == Approx(second).epsilon(1e-14));
      m.evaluate(Eigen::VectorXd::Zero(m.rows()));
      CHECK(m.positions().norm() < 1e-14);
    }
}
