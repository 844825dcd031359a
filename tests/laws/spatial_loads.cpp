// tests/laws/spatial_loads.cpp
//
// Springs, bushings, forces and torques between two spatial bodies: slopes are the derivatives of the load; springs
// without damping are the gradient of their energy, bodies act on each other with equal and opposite force and moment,
// and a turned world changes nothing. Shapes: mass and moments against integrals; what cannot be an inertia is named.
#include <catch2/catch.hpp>

#include <functional>
#include <string>

#include "laws/spatial_cases.hpp"
#include "mechanism/spatial/inertia.hpp"
#include "mechanism/spatial/loads.hpp"

using namespace hstar;
using namespace laws::spatial;
using Catch::Matchers::Contains;
using support::derivative;
using support::Random;

namespace {

struct LoadCase {
  std::string name;
  std::function<void(const SpatialMotion&, const SpatialMotion&, SpatialLoad&)> load;
  std::function<void(const SpatialMotion&, const SpatialMotion&, SpatialLoadSlope&)> slope;
  std::function<double(const SpatialMotion&, const SpatialMotion&)> energy;  ///< empty: none
  bool internal = true;                                                      ///< acts between the bodies alone
};

/// w = k x^3 + c x_dot x^2 on one measured quantity: length or angle.
LoadCase spring(const std::string& name, const SpatialScalar& x, double damping) {
  const auto effort = [x, damping](const SpatialMotion& b1, const SpatialMotion& b2, const SpatialRow& row) {
    const double at = x.value(b1, b2, 0), rate = row.speed(b1, b2);
    Effort e;
    e.w[0] = 3 * at * at * at + damping * rate * at * at;
    e.by_x[0] = 9 * at * at + 2 * damping * rate * at;
    e.by_rate[0] = damping * at * at;
    return e;
  };
  LoadCase c;
  c.name = name;
  c.load = [=](const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoad& out) {
    SpatialRow row;
    x.row(b1, b2, 0, row);
    add_load({&row, 1}, effort(b1, b2, row).w, out);
  };
  c.slope = [=](const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoadSlope& out) {
    SpatialRow row;
    SpatialRowSlope of;
    x.row(b1, b2, 0, row);
    x.slope(b1, b2, of);
    add_slope({&row, 1}, {&of, 1}, effort(b1, b2, row), b1, b2, out);
  };
  if (damping == 0)
    c.energy = [=](const SpatialMotion& b1, const SpatialMotion& b2) { return 0.75 * std::pow(x.value(b1, b2, 0), 4); };
  return c;
}

std::vector<LoadCase> cases(Random& random) {
  std::vector<LoadCase> list;
  const Vec3 s1 = random_vector(random), s2 = random_vector(random), force = random_vector(random, 5);
  const Triad axes1 = random_axes(random), axes2 = random_axes(random);
  for (double damping : {0.0, 0.8}) {
    list.push_back(spring("spring along a line", SpatialScalar::distance(s1, s2), damping));
    list.push_back(spring("spring about an axis", SpatialScalar::angle(axes1, axes2), damping));
    // Of equal axes in both bodies, so that the twist is that between the bodies and may vanish.
    double K[36], C[36];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j) K[6 * i + j] = K[6 * j + i] = random.uniform(-2, 2);
    for (double& x : C) x = damping * random.uniform(-2, 2);
    const Bushing bushing(s1, s2, axes1, axes1, K, C);
    LoadCase c;
    c.name = "bushing";
    c.load = [=](const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoad& out) { bushing.load(b1, b2, out); };
    c.slope = [=](const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoadSlope& out) {
      bushing.slope(b1, b2, out);
    };
    if (damping == 0)
      c.energy = [=](const SpatialMotion& b1, const SpatialMotion& b2) { return bushing.energy(b1, b2); };
    list.push_back(c);
  }
  for (bool turns : {false, true}) {
    LoadCase c;
    c.internal = false;
    c.name = "point force";
    c.load = [=](const SpatialMotion&, const SpatialMotion& b2, SpatialLoad& out) {
      add_point_force(1, s2, force, turns, b2, out);
    };
    c.slope = [=](const SpatialMotion&, const SpatialMotion& b2, SpatialLoadSlope& out) {
      add_point_force_slope(1, s2, force, turns, b2, out);
    };
    if (!turns) c.energy = [=](const SpatialMotion&, const SpatialMotion& b2) { return -dot(force, b2.point(s2)); };
    list.push_back(c);
    c = {};
    c.name = "torque";
    c.load = [=](const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoad& out) {
      add_torque(force, turns, b1, b2, out);
    };
    c.slope = [=](const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoadSlope& out) {
      add_torque_slope(force, turns, b1, b2, out);
    };
    list.push_back(c);
  }
  return list;
}

/// Not near an angle of +-pi, where a spring about an axis or a bushing is cut.
bool regular(const SpatialMotion& b1, const SpatialMotion& b2, const LoadCase& c) {
  SpatialLoad load;
  c.load(b1, b2, load);
  for (double x : load.f)
    if (std::abs(x) > 200) return false;
  return true;
}

}  // namespace

TEST_CASE("spatial loads: slopes, energy, actio = reactio, turned worlds") {
  Random random(31);
  for (int i = 0; i < 8; ++i)
    for (const LoadCase& c : cases(random)) {
      INFO(c.name << " " << i);
      const SpatialMotion b1 = random_motion(random);
      SpatialMotion b2 = random_motion(random);
      // The second body's axes near the first's up to 1.3 rad, small and vanishing twists among them.
      if (c.name == "bushing") {
        const double size = i == 0 ? 0 : i == 1 ? 1e-5 : i == 2 ? 0.1 : 0.75;
        b2.turn_to(turned(b1.p, size * random_vector(random)));
      }
      if (!regular(b1, b2, c)) continue;
      SpatialLoad load;
      SpatialLoadSlope slope;
      c.load(b1, b2, load);
      c.slope(b1, b2, slope);
      for (int b = 0; b < 12; ++b) {
        const auto load_at = [&](double x, bool velocity, int a) {
          const auto moved = [&](const SpatialMotion& m) {
            return velocity ? faster(m, b % 6, x) : displaced(m, b % 6, x);
          };
          SpatialLoad out;
          c.load(b < 6 ? moved(b1) : b1, b < 6 ? b2 : moved(b2), out);
          return out.f[a];
        };
        for (int a = 0; a < 12; ++a) {
          CHECK(slope.by_position[a][b] ==
                Approx(derivative([&](double x) { return load_at(x, false, a); }, 0, 0.02)).epsilon(1e-7).margin(1e-6));
          CHECK(slope.by_velocity[a][b] ==
                Approx(derivative([&](double x) { return load_at(x, true, a); }, 0, 0.1)).epsilon(1e-8).margin(1e-8));
        }
        if (c.energy)
          CHECK(load.f[b] == Approx(derivative(
                                        [&](double x) {
                                          return -c.energy(b < 6 ? displaced(b1, b, x) : b1,
                                                           b < 6 ? b2 : displaced(b2, b - 6, x));
                                        },
                                        0, 0.02))
                                 .epsilon(1e-8)
                                 .margin(1e-8));
      }
      const Vec3 F1{load.f[0], load.f[1], load.f[2]}, F2{load.f[6], load.f[7], load.f[8]};
      const Vec3 M1 = cross(b1.r, F1) + b1.A * Vec3{load.f[3], load.f[4], load.f[5]};
      const Vec3 M2 = cross(b2.r, F2) + b2.A * Vec3{load.f[9], load.f[10], load.f[11]};
      if (!c.internal) continue;
      CHECK(norm(F1 + F2) < 1e-12 * (1 + norm(F1)));
      CHECK(norm(M1 + M2) < 1e-12 * (1 + norm(M1)));
      if (c.name == "torque") continue;
      const EulerParameters turn = random_parameters(random);
      const Vec3 shift = random_vector(random, 3);
      SpatialLoad other;
      c.load(in_other_world(b1, turn, shift), in_other_world(b2, turn, shift), other);
      const Mat3 R = rotation_matrix(turn);
      CHECK(norm(R * F2 - Vec3{other.f[6], other.f[7], other.f[8]}) < 1e-10 * (1 + norm(F2)));
      for (int a = 9; a < 12; ++a) CHECK(other.f[a] == Approx(load.f[a]).epsilon(1e-9).margin(1e-10));
    }
}

TEST_CASE("a relative rotation is the vector it was made of") {
  Random random(8);
  for (int i = 0; i < 20; ++i) {
    const SpatialMotion b1 = random_motion(random);
    SpatialMotion b2 = b1;
    const Triad axes = random_axes(random);
    Vec3 theta = random_vector(random);
    theta = (random.uniform(0, 3.1) / norm(theta)) * theta;
    b2.turn_to(turned(b1.p, theta));
    const Vec3 found = RelativeRotation(axes, axes).value(b1, b2);
    CHECK(found[0] == Approx(dot(axes.f, theta)).margin(1e-13));
    CHECK(found[1] == Approx(dot(axes.g, theta)).margin(1e-13));
    CHECK(found[2] == Approx(dot(axes.h, theta)).margin(1e-13));
  }
}

// Against sums over small cells (midpoints; the error is of second order and known for a box: none in mass, a relative
// 1/n^2 in the second moments).
TEST_CASE("shapes have the mass and moments of their volume") {
  const Location nowhere;
  const int n = 60;
  const auto sum = [&](const Vec3& half, const auto& inside, double density) {
    MassProperties total;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          const Vec3 at{half[0] * (2 * (i + 0.5) / n - 1), half[1] * (2 * (j + 0.5) / n - 1),
                        half[2] * (2 * (k + 0.5) / n - 1)};
          if (!inside(at)) continue;
          const double m = density * 8 * half[0] * half[1] * half[2] / (double(n) * n * n);
          total.mass += m;
          for (std::size_t c = 0; c < 3; ++c) total.moment[c] += m * (dot(at, at) - at[c] * at[c]);
        }
    return total;
  };
  const auto same = [](const MassProperties& a, const MassProperties& b) {
    CHECK(a.mass == Approx(b.mass).epsilon(3e-3));
    for (std::size_t c = 0; c < 3; ++c) CHECK(a.moment[c] == Approx(b.moment[c]).epsilon(5e-3));
  };
  const auto everywhere = [](const Vec3&) { return true; };
  same(box_inertia({0.2, 0.5, 0.3}, 700, nowhere, ""), sum({0.1, 0.25, 0.15}, everywhere, 700));
  same(sphere_inertia(0.4, 100, nowhere, ""), sum(
                                                  {0.4, 0.4, 0.4}, [](const Vec3& x) { return norm(x) < 0.4; }, 100));
  same(cylinder_inertia(0.4, 0.7, 100, nowhere, ""),
       sum(
           {0.4, 0.4, 0.35}, [](const Vec3& x) { return std::hypot(x[0], x[1]) < 0.4; }, 100));
  same(rod_inertia(0.4, 0.7, 100, nowhere, ""),
       sum(
           {0.35, 0.4, 0.4}, [](const Vec3& x) { return std::hypot(x[1], x[2]) < 0.4; }, 100));
}

TEST_CASE("what cannot be an inertia is named; what can passes, in any axes") {
  Random random(12);
  const auto diagonal = [](double a, double b, double c) { return Mat3{Vec3{a, 0, 0}, Vec3{0, b, 0}, Vec3{0, 0, c}}; };
  for (int i = 0; i < 20; ++i) {
    const Mat3 A = rotation_matrix(random_parameters(random));
    const auto defect = [&](double a, double b, double c) {
      Mat3 J = A * diagonal(a, b, c) * transposed(A);
      J[0][1] = J[1][0];
      J[0][2] = J[2][0];
      J[1][2] = J[2][1];
      return inertia_defect(J) + inertia_doubt(J);
    };
    const double x = random.uniform(0.1, 2), y = random.uniform(0.1, 2), scale = std::pow(10.0, i - 10);
    CHECK(defect(scale * x, scale * y, scale * (x + y)).empty());  // flat
    CHECK(defect(x, x, x).empty());
    CHECK(inertia_defect(diagonal(x, y, 1.001 * (x + y))).empty());  // a doubt, no defect
    CHECK_THAT(defect(x, y, 1.001 * (x + y)), Contains("triangle inequality"));
    CHECK_THAT(defect(x, -0.001 * y, x), Contains("positive definite"));
    CHECK_THAT(defect(-x, -y, x), Contains("positive definite"));
  }
  CHECK_THAT(inertia_defect(diagonal(1, 0, 1)), Contains("positive definite"));
  CHECK_THAT(inertia_defect(diagonal(0, 0, 0)), Contains("positive definite"));
  CHECK_THAT(inertia_defect(diagonal(1, NAN, 1)), Contains("not a finite number"));
  CHECK_THAT(inertia_defect({Vec3{1, 0.1, 0}, Vec3{0.2, 1, 0}, Vec3{0, 0, 1}}), Contains("symmetric"));
  const Location where{"m.toml", 2, 1};
  CHECK_THROWS_WITH(box_inertia({1, 0, 1}, 1, where, "body \"a\""), Contains("m.toml:2:1") && Contains("side = 0 m"));
  CHECK_THROWS_WITH(sphere_inertia(1, -3, where, "body \"a\""), Contains("density = -3 kg/m^3"));
  CHECK_THROWS_WITH(rod_inertia(NAN, 1, 3, where, "body \"a\""), Contains("radius = nan m"));
  CHECK_THROWS_WITH(cylinder_inertia(1, INFINITY, 3, where, "body \"a\""), Contains("length = inf m"));
}
