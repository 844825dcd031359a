// tests/laws/spatial_joints.cpp
//
// What every row of every spatial joint must keep, in random positions, near the constraint or far from it: along any
// motion of its two bodies d Phi/dt = J v - nu and d2 Phi/dt2 = J a - gamma; its slopes are the derivatives of J and
// gamma; the r-p description says the same as (r_dot, omega_bar); a turned and shifted world changes nothing. And of
// each joint, where it holds: full rank whatever the axes, actio = reactio.
#include <catch2/catch.hpp>

#include <Eigen/Dense>
#include <array>
#include <numbers>

#include "laws/spatial_cases.hpp"

using namespace hstar;
using namespace laws::spatial;
using support::derivative;
using support::Random;
using support::second_derivative;

namespace {

constexpr double h = 0.05;  // of differences: angles come near to +-pi in no case at this width

/// Relative to the size of the numbers compared.
void near(double a, double b, double tolerance = 1e-7) { CHECK(a == Approx(b).epsilon(tolerance).margin(tolerance)); }

/// Skips positions where the angle of an element is not defined well enough for differences.
bool regular(const SpatialScalar& s, const SpatialMotion& b1, const SpatialMotion& b2, double t) {
  SpatialRow row;
  s.row(b1, b2, t, row);
  double size = 0;
  for (const auto& side : row.J)
    for (double x : side) size = std::max(size, std::abs(x));
  return size < 6 && std::abs(s.value(b1, b2, t)) < 20;
}

template <class Check>
void for_every_row(int tries, const Check& check) {
  Random random(20260601);
  for (const SpatialJointEntry& entry : spatial_joints())
    for (int i = 0; i < tries; ++i) {
      const Case c = random_case(random, i % 2 == 1);
      const SpatialJoint joint = make_spatial_joint(entry.type, c.frame, c.numbers);
      REQUIRE(joint.rows() == entry.rows);
      const SpatialMotion b1 = random_motion(random), b2 = random_motion(random);
      const double t = random.uniform(0, 2);
      INFO(entry.type << " case " << i);
      std::size_t row = 0;
      for (const SpatialScalar& s : joint.scalar) {
        INFO("row " << joint.names[row]);
        if (regular(s, b1, b2, t)) check(s, joint, row, b1, b2, t, random);
        ++row;
      }
    }
}

double product(const double* J, const SpatialMotion& b, bool acceleration) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    sum += J[i] * (acceleration ? b.a[i] : b.v[i]) + J[3 + i] * (acceleration ? b.alpha_bar[i] : b.omega_bar[i]);
  return sum;
}

}  // namespace

TEST_CASE("rows of spatial joints are the derivatives of Phi along any motion") {
  int checked = 0;
  for_every_row(6, [&](const SpatialScalar& s, const SpatialJoint& joint, std::size_t at, const SpatialMotion& b1,
                       const SpatialMotion& b2, double t, Random&) {
    const auto phi = [&](double x) { return s.value(later(b1, x), later(b2, x), t + x); };
    std::vector<SpatialRow> rows(joint.scalar.size());
    joint.rows_at(b1, b2, t, rows.data());
    const SpatialRow& row = rows[at];  // points that coincide are filled on a way of their own
    near(product(row.J[0], b1, false) + product(row.J[1], b2, false) - row.nu, derivative(phi, 0, h));
    near(product(row.J[0], b1, true) + product(row.J[1], b2, true) - row.gamma, second_derivative(phi, 0, h), 1e-6);
    std::vector<double> all(rows.size());
    joint.position(b1, b2, t, all.data());
    CHECK(all[at] == phi(0));
    ++checked;
  });
  CHECK(checked > 200);
}

TEST_CASE("slopes of spatial rows are the derivatives of J and gamma") {
  for_every_row(2, [&](const SpatialScalar& s, const SpatialJoint&, std::size_t, const SpatialMotion& b1,
                       const SpatialMotion& b2, double t, Random&) {
    SpatialRowSlope slope;
    s.slope(b1, b2, slope);
    double by_velocity[12];
    gamma_by_velocity(slope, b1, b2, by_velocity);
    for (int b = 0; b < 12; ++b) {
      const auto row_at = [&](double x, bool velocity) {
        SpatialRow row;
        const auto moved = [&](const SpatialMotion& m) {
          return velocity ? faster(m, b % 6, x) : displaced(m, b % 6, x);
        };
        s.row(b < 6 ? moved(b1) : b1, b < 6 ? b2 : moved(b2), t, row);
        return row;
      };
      for (int a = 0; a < 12; ++a)
        near(slope.J[a][b], derivative([&](double x) { return row_at(x, false).J[a / 6][a % 6]; }, 0, h));
      near(slope.gamma[b], derivative([&](double x) { return row_at(x, false).gamma; }, 0, h), 2e-7);
      near(by_velocity[b], derivative([&](double x) { return row_at(x, true).gamma; }, 0, h));
    }
  });
}

TEST_CASE("the r-p description: rows and slopes are derivatives by r and p, unit or not") {
  for_every_row(2, [&](const SpatialScalar& s, const SpatialJoint&, std::size_t, const SpatialMotion& unit1,
                       const SpatialMotion& unit2, double t, Random& random) {
    ParameterMotion b1 = parameters_motion(unit1), b2 = parameters_motion(unit2);
    for (ParameterMotion* b : {&b1, &b2})
      for (std::size_t i = 0; i < 4; ++i) {
        b->p[i] *= 1.1;
        b->p_dot[i] += random.uniform(-0.5, 0.5);
      }
    ParameterRow row;
    ParameterRowSlope slope;
    s.row(b1, b2, t, row);
    double size = 0;
    for (const auto& side : row.J)
      for (double x : side) size = std::max(size, std::abs(x));
    if (size > 8) return;
    s.slope(b1, b2, slope);
    const auto later_phi = [&](double x) {
      const auto moved = [&](ParameterMotion b) {
        b.r = b.r + x * b.v;
        for (std::size_t i = 0; i < 4; ++i) b.p[i] += x * b.p_dot[i];
        return b;
      };
      return s.value(moved(b1), moved(b2), t + x);
    };
    near(-row.gamma, second_derivative(later_phi, 0, h), 1e-6);
    for (int b = 0; b < 14; ++b) {
      const auto moved = [&](ParameterMotion m, bool mine, double x) {
        const auto c = static_cast<std::size_t>(b % 7);
        if (mine) (c < 3 ? m.r[c] : m.p[c - 3]) += x;
        return m;
      };
      const auto row_at = [&](double x) {
        ParameterRow out;
        s.row(moved(b1, b < 7, x), moved(b2, b >= 7, x), t, out);
        return out;
      };
      near(row.J[b / 7][b % 7],
           derivative([&](double x) { return s.value(moved(b1, b < 7, x), moved(b2, b >= 7, x), t); }, 0, h));
      for (int a = 0; a < 14; ++a) {
        near(slope.J[a][b], derivative([&](double x) { return row_at(x).J[a / 7][a % 7]; }, 0, h));
        CHECK(slope.J[a][b] == Approx(slope.J[b][a]).epsilon(1e-13).margin(1e-13));
      }
      near(slope.gamma[b], derivative([&](double x) { return row_at(x).gamma; }, 0, h), 1e-6);
    }
  });
}

// Phi_q q_dot = Phi_r r_dot + Pi_bar omega_bar; Pi_bar = 1/2 Phi_p G^T; and since p_ddot = 1/2 G^T omega_bar_dot
// - 1/4 omega^2 p, the two right-hand sides differ by 1/4 omega^2 Phi_p p.
TEST_CASE("both descriptions of a spatial row agree on unit parameters") {
  for_every_row(6, [&](const SpatialScalar& s, const SpatialJoint&, std::size_t, const SpatialMotion& b1,
                       const SpatialMotion& b2, double t, Random&) {
    const ParameterMotion m1 = parameters_motion(b1), m2 = parameters_motion(b2);
    SpatialRow row;
    ParameterRow in_p;
    s.row(b1, b2, t, row);
    s.row(m1, m2, t, in_p);
    near(s.value(b1, b2, t), s.value(m1, m2, t), 1e-13);
    double speed = 0, gamma = in_p.gamma;
    const ParameterMotion* m[2] = {&m1, &m2};
    const SpatialMotion* b[2] = {&b1, &b2};
    for (int k = 0; k < 2; ++k) {
      const Mat34 G = matrix_G(b[k]->p);
      for (std::size_t i = 0; i < 3; ++i) {
        near(row.J[k][i], in_p.J[k][i], 1e-12);
        double pi_bar = 0;
        for (std::size_t j = 0; j < 4; ++j) pi_bar += 0.5 * in_p.J[k][3 + j] * G[i][j];
        near(row.J[k][3 + i], pi_bar, 1e-12);
        speed += in_p.J[k][i] * m[k]->v[i];
      }
      for (std::size_t j = 0; j < 4; ++j) {
        speed += in_p.J[k][3 + j] * m[k]->p_dot[j];
        gamma += 0.25 * dot(b[k]->omega_bar, b[k]->omega_bar) * in_p.J[k][3 + j] * m[k]->p[j];
      }
    }
    near(row.speed(b1, b2), speed, 1e-12);
    near(row.gamma, gamma, 1e-11);
    CHECK(row.nu == in_p.nu);
  });
}

TEST_CASE("a turned and shifted world changes no spatial joint") {
  Random random(5);
  for (const SpatialJointEntry& entry : spatial_joints()) {
    INFO(entry.type);
    for (int i = 0; i < 4; ++i) {
      Case c = random_case(random, i % 2 == 1);
      const SpatialMotion b1 = random_motion(random), b2 = random_motion(random);
      const EulerParameters turn = random_parameters(random);
      const Mat3 R = rotation_matrix(turn);
      const Vec3 shift = random_vector(random, 5);
      const SpatialJoint joint = make_spatial_joint(entry.type, c.frame, c.numbers);
      // What is written in global axes turns along.
      const auto turn_axes = [&](Triad& a) { a = {R * a.f, R * a.g, R * a.h}; };
      turn_axes(c.numbers.ground1);
      turn_axes(c.numbers.ground2);
      c.numbers.direction = R * c.numbers.direction;
      const SpatialJoint other = make_spatial_joint(entry.type, c.frame, c.numbers);
      const SpatialMotion c1 = in_other_world(b1, turn, shift), c2 = in_other_world(b2, turn, shift);
      std::array<double, 6> phi{}, phi_other{};
      joint.position(b1, b2, 0.3, phi.data());
      other.position(c1, c2, 0.3, phi_other.data());
      std::array<SpatialRow, 6> rows, rows_other;
      joint.rows_at(b1, b2, 0.3, rows.data());
      other.rows_at(c1, c2, 0.3, rows_other.data());
      std::size_t from = 0;
      if (joint.names[0] == "x") {  // x, y, z: a vector that turns along
        const Vec3 turned_phi = R * Vec3{phi[0], phi[1], phi[2]};
        const Vec3 gamma = R * Vec3{rows[0].gamma, rows[1].gamma, rows[2].gamma};
        for (std::size_t k = 0; k < 3; ++k) {
          near(phi_other[k], turned_phi[k], 1e-12);
          near(rows_other[k].gamma, gamma[k], 1e-12);
        }
        from = 3;
      }
      for (std::size_t k = from; k < static_cast<std::size_t>(entry.rows); ++k) {
        near(phi_other[k], phi[k], 1e-11);
        near(rows_other[k].gamma, rows[k].gamma, 1e-10);
        for (int side = 0; side < 2; ++side) {
          const double *J = rows[k].J[side], *J_other = rows_other[k].J[side];
          const Vec3 force = R * Vec3{J[0], J[1], J[2]};
          for (std::size_t x = 0; x < 3; ++x) {
            near(J_other[x], force[x], 1e-11);
            near(J_other[3 + x], J[3 + x], 1e-11);
          }
        }
      }
    }
  }
}

// The second body is put where the joint holds, with what is free at random. Axes along coordinates, where helping
// vectors are most likely to fail, are among the cases.
TEST_CASE("rows of one spatial joint are independent, and act on both bodies alike") {
  Random random(77);
  for (const SpatialJointEntry& entry : spatial_joints()) {
    const std::string_view type = entry.type;
    if (type == "gear" || type == "cd" || type == "dp1" || type == "d" || type == "dp2")
      continue;  // one row; the ground
    INFO(type);
    for (int i = 0; i < 20; ++i) {
      Case c = random_case(random, false);
      const double sign = i % 2 ? 1 : -1;
      Vec3 axis = random_vector(random);
      if (i < 6) axis = {i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0, i / 2 == 2 ? sign : 0};
      c.frame.axes1 = triad_along(axis);
      c.numbers.f = TimeFunction(type == "distance" ? 1.3 : 0.0);
      SpatialMotion b1 = random_motion(random), b2 = random_motion(random);
      if (i % 4 == 1) b1.turn_to({1, 0, 0, 0});
      const bool turns = type != "fixed" && type != "translational" && type != "rotation";
      const double angle = turns ? random.uniform(-3, 3) : 0;
      const bool slides = type == "cylindrical" || type == "translational" || type == "point_on_line" ||
                          type == "rotation" || type == "screw";
      double way = slides ? random.uniform(-2, 2) : 0;
      if (type == "screw") way = c.numbers.pitch * angle / (2 * std::numbers::pi);
      Triad axes = c.frame.axes1;
      axes.f = std::cos(angle) * c.frame.axes1.f + std::sin(angle) * c.frame.axes1.g;
      axes.g = cross(axes.h, axes.f);
      if (type == "universal") axes = {axes.g, axes.h, axes.f};
      // Axes in body 2, random; where b2 then stands.
      const Mat3 a2 = {c.frame.axes2.f, c.frame.axes2.g, c.frame.axes2.h}, a1 = {axes.f, axes.g, axes.h};
      b2.turn_to(parameters_of(b1.A * transposed(a1) * a2));
      Vec3 offset = way * b1.global(axes.h);
      if (type == "distance") offset = 1.3 * b1.global(axes.f);
      if (type == "point_on_plane" || type == "translation")
        offset = 0.4 * b1.global(c.frame.axes1.f) - 0.7 * b1.global(c.frame.axes1.g);
      b2.r = b1.point(c.frame.point1) + offset - b2.A * c.frame.point2;

      const SpatialJoint joint = make_spatial_joint(type, c.frame, c.numbers);
      std::array<double, 6> phi{};
      joint.position(b1, b2, 0, phi.data());
      const auto rows = static_cast<std::size_t>(entry.rows);
      for (std::size_t k = 0; k < rows; ++k) CHECK(std::abs(phi[k]) < 1e-12);
      CHECK_FALSE(joint.turned_over(b1, b2));
      std::array<SpatialRow, 6> row;
      joint.rows_at(b1, b2, 0, row.data());
      // About the common point: what the frame says, not how far the bodies' centres are.
      Eigen::MatrixXd J(entry.rows, 6);
      for (std::size_t k = 0; k < rows; ++k) {
        const double lambda = 1;
        const Wrench w = reaction({&row[k], 1}, &lambda, b2, c.frame.point2);
        for (std::size_t x = 0; x < 3; ++x) {
          J(static_cast<int>(k), static_cast<int>(x)) = w.force[x];
          J(static_cast<int>(k), static_cast<int>(3 + x)) = w.torque[x];
        }
        // Actio = reactio: the first body's force and torque about the same point are opposite.
        const Vec3 force{row[k].J[0][0], row[k].J[0][1], row[k].J[0][2]};
        const Vec3 arm = b2.point(c.frame.point2) - b1.r;
        const Vec3 torque = global_columns(row[k].J[0] + 3, b1.A) - cross(arm, force);
        for (std::size_t x = 0; x < 3; ++x) {
          CHECK(force[x] == Approx(-w.force[x]).margin(1e-12));
          CHECK(torque[x] == Approx(-w.torque[x]).margin(1e-11));
        }
      }
      const auto values = J.jacobiSvd().singularValues();
      CHECK(values(entry.rows - 1) > 0.1);
    }
  }
}

TEST_CASE("spatial drivers and screws go round as often as they like") {
  JointFrame frame;
  JointNumbers n;
  n.f = moving("40*t");
  n.pitch = 0.2;
  const SpatialJoint driver = make_spatial_joint("rotation", frame, n);
  n.f = TimeFunction(0.0);
  const SpatialJoint screw = make_spatial_joint("screw", frame, n);
  n.teeth1 = 20;
  n.teeth2 = -35;
  const SpatialJoint gear = make_spatial_joint("gear", frame, n);
  for (int i = 0; i <= 2000; ++i) {
    const double t = 0.01 * i, angle = 40 * t;
    SpatialMotion b1, b2, wheel;
    b2.turn_to(turned(b2.p, {0, 0, angle + 1e-3}));
    wheel.turn_to(turned(wheel.p, {0, 0, angle * 35 / 20}));
    double phi[6];
    driver.position(b1, b2, t, phi);
    CHECK(phi[0] == Approx(1e-3).epsilon(1e-9));
    b2.turn_to(turned(b1.p, {0, 0, angle}));
    b2.r = {0, 0, 0.2 * angle / (2 * std::numbers::pi) + 1e-4};
    screw.position(b1, b2, t, phi);
    CHECK(phi[4] == Approx(1e-4).epsilon(1e-9));
    gear.position(wheel, b2, t, phi);
    CHECK(std::abs(phi[0]) < 1e-9);
    CHECK(unwrapped(driver.free.angle.value(b1, b2, 0), angle + 2.5) == Approx(angle).margin(1e-10));
  }
}
