// tests/laws/spatial_joint_friction.cpp
//
// What friction in a spatial joint must keep: gamma_T is the relative motion, its rows' gamma that of its rate, their
// slopes the derivatives of both; the normal force is the force of the joint's multipliers across (and along) its axis,
// as the wrench has it, with the right derivative, and the same as the sum of its parts; a turned world changes
// nothing.
#include <catch2/catch.hpp>

#include <array>

#include "laws/spatial_cases.hpp"
#include "mechanism/spatial/joint_slide.hpp"

using namespace hstar;
using namespace laws::spatial;
using support::derivative;
using support::Random;

namespace {

constexpr double radius = 0.3, thrust = 0.7;

struct Rubbing {
  std::string_view type;
  double radius, thrust;
  int directions;
};
constexpr std::array<Rubbing, 6> all_rubbing{{{"revolute", radius, 0, 1},
                                              {"revolute", radius, thrust, 1},
                                              {"revolute", 0, thrust, 1},
                                              {"translational", 0, 0, 1},
                                              {"cylindrical", radius, 0, 2},
                                              {"spherical", radius, 0, 3}}};

struct Joined {
  SpatialJoint joint;
  JointSlide slide;
};
Joined join(const Rubbing& r, Case c) {
  c.numbers.along_axes = true;
  SpatialJoint joint = make_spatial_joint(r.type, c.frame, c.numbers);
  FrictionSpec friction;
  friction.radius = r.radius;
  friction.thrust_radius = r.thrust;
  const JointSlide slide(r.type, joint, friction);
  return {std::move(joint), slide};
}

/// The body `s` later with its velocities: exact to first order, which is all that a rate at s = 0 needs.
SpatialMotion moving_on(const SpatialMotion& b, double s) {
  SpatialMotion c = later(b, s);
  c.v = b.v + s * b.a;
  c.omega_bar = b.omega_bar + s * b.alpha_bar;
  return c;
}

/// Angular velocity in global axes as the rate of the rotation itself: omega~ = A_dot A^T.
Vec3 turning(const SpatialMotion& b) {
  const auto rate = [&](std::size_t i, std::size_t j) {
    return derivative([&](double s) { return dot(later(b, s).A[i], b.A[j]); }, 0, 0.05);
  };
  return {rate(2, 1), rate(0, 2), rate(1, 0)};
}

double times(const Row& row, const SpatialMotion& b1, const SpatialMotion& b2, bool acceleration) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    sum += row.J[0][i] * (acceleration ? b1.a[i] : b1.v[i]) + row.J[1][i] * (acceleration ? b2.a[i] : b2.v[i]) +
           row.J[0][3 + i] * (acceleration ? b1.alpha_bar[i] : b1.omega_bar[i]) +
           row.J[1][3 + i] * (acceleration ? b2.alpha_bar[i] : b2.omega_bar[i]);
  return sum;
}

template <class Check>
void for_every_joint(const Check& check) {
  Random random(20261121);
  for (const Rubbing& r : all_rubbing)
    for (int i = 0; i < 4; ++i) {
      INFO(r.type << " case " << i);
      const Case c = random_case(random, false);
      const Joined j = join(r, c);
      REQUIRE(j.slide.directions() == r.directions);
      const SpatialMotion b1 = random_motion(random), b2 = random_motion(random);
      check(r, c, j, b1, b2, random);
    }
}

}  // namespace

TEST_CASE("gamma_T of a spatial joint is the relative motion of its bodies") {
  for_every_joint(
      [](const Rubbing& r, const Case&, const Joined& j, const SpatialMotion& b1, const SpatialMotion& b2, Random&) {
        std::array<Row, 3> rows;
        j.slide.rows(b1, b2, rows.data());
        const Triad& axes = j.joint.frame.axes1;
        const auto way = [&](double s) {
          const SpatialMotion c1 = later(b1, s), c2 = later(b2, s);
          return dot(c1.global(axes.h), c2.point(j.joint.frame.point2) - c1.point(j.joint.frame.point1));
        };
        const Vec3 relative = turning(b2) - turning(b1);
        const auto about = [&](const Vec3& axis) { return dot(b1.global(axis), relative); };
        std::array<double, 3> expected{};
        if (r.type == "revolute") expected = {about(axes.h)};
        if (r.type == "translational") expected = {derivative(way, 0, 0.05)};
        if (r.type == "cylindrical") expected = {derivative(way, 0, 0.05), radius * about(axes.h)};
        if (r.type == "spherical") expected = {radius * about(axes.f), radius * about(axes.g), radius * about(axes.h)};
        for (int d = 0; d < r.directions; ++d) {
          const auto at = static_cast<std::size_t>(d);
          CHECK(rows[at].nu == 0);
          CHECK(rows[at].speed(b1, b2) == Approx(expected[at]).margin(1e-9).epsilon(1e-9));
          const auto speed = [&](double s) {
            const SpatialMotion c1 = moving_on(b1, s), c2 = moving_on(b2, s);
            std::array<Row, 3> now;
            j.slide.rows(c1, c2, now.data());
            return times(now[at], c1, c2, false);
          };
          CHECK(times(rows[at], b1, b2, true) - rows[at].gamma ==
                Approx(derivative(speed, 0, 0.05)).margin(1e-8).epsilon(1e-8));
        }
      });
}

TEST_CASE("slopes of gamma_T's rows are the derivatives of J and gamma") {
  for_every_joint(
      [](const Rubbing& r, const Case&, const Joined& j, const SpatialMotion& b1, const SpatialMotion& b2, Random&) {
        std::array<SpatialRowSlope, 3> slopes;
        j.slide.slopes(b1, b2, slopes.data());
        for (int d = 0; d < r.directions; ++d)
          for (int b = 0; b < 12; ++b) {
            const auto at = static_cast<std::size_t>(d);
            const auto row_at = [&](double x) {
              std::array<Row, 3> rows;
              j.slide.rows(b < 6 ? displaced(b1, b, x) : b1, b < 6 ? b2 : displaced(b2, b - 6, x), rows.data());
              return rows[at];
            };
            for (int a = 0; a < 12; ++a)
              CHECK(slopes[at].J[a][b] ==
                    Approx(derivative([&](double x) { return row_at(x).J[a / 6][a % 6]; }, 0, 0.05)).margin(1e-8));
            CHECK(slopes[at].gamma[b] ==
                  Approx(derivative([&](double x) { return row_at(x).gamma; }, 0, 0.05)).margin(1e-7).epsilon(1e-8));
          }
      });
}

TEST_CASE("the normal force of a spatial joint is that of its reaction, and its derivative is right") {
  for_every_joint([](const Rubbing& r, const Case&, const Joined& j, const SpatialMotion& b1, const SpatialMotion& b2,
                     Random& random) {
    const int n = j.joint.rows();
    std::array<double, 6> lambda{}, slope{}, unused{};
    for (double& x : lambda) x = random.uniform(-2, 2);
    const double normal = j.slide.normal_force(lambda.data(), n, 0, slope.data());

    std::array<SpatialRow, 6> rows;
    j.joint.rows_at(b1, b2, 0, rows.data());
    const Wrench global = reaction({rows.data(), static_cast<std::size_t>(n)}, lambda.data(), b2, j.joint.frame.point2);
    const Vec3 force = in_joint_axes(global, b1, j.joint.frame.axes1).force;
    const double across = std::hypot(force[0], force[1]), along = std::abs(force[2]);
    const double expected = r.type == "spherical"  ? norm(force)
                            : r.type != "revolute" ? across
                            : r.radius > 0         ? across + r.thrust / r.radius * along
                                                   : along;
    CHECK(normal == Approx(expected).epsilon(1e-13));

    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      const auto normal_at = [&](double x) {
        auto moved = lambda;
        moved[i] = x;
        return j.slide.normal_force(moved.data(), n, 0, unused.data());
      };
      CHECK(slope[i] == Approx(derivative(normal_at, lambda[i], 1e-3)).margin(1e-8));
    }

    std::array<NormalPart, 2> parts;
    double sum = 0;
    const int count = j.slide.normal_parts(parts.data());
    for (int p = 0; p < count; ++p) {
      const NormalPart& part = parts[static_cast<std::size_t>(p)];
      Vec3 x{0, 0, 0};
      for (int i = 0; i < part.size; ++i)
        for (std::size_t k = 0; k < 6; ++k) x[static_cast<std::size_t>(i)] += part.by_lambda[i][k] * lambda[k];
      sum += part.weight * norm(x);
    }
    CHECK(normal == Approx(sum).epsilon(1e-14));

    // No reaction, no friction: a derivative is given all the same, of the length of a force along the first axis.
    lambda = {};
    CHECK(j.slide.normal_force(lambda.data(), n, 0, slope.data()) == 0);
    CHECK(std::abs(slope[r.radius == 0 && r.type == "revolute" ? 2 : 0]) == 1);
  });
}

TEST_CASE("a turned and shifted world changes nothing of a spatial joint's friction") {
  for_every_joint([](const Rubbing& r, const Case&, const Joined& j, const SpatialMotion& b1, const SpatialMotion& b2,
                     Random& random) {
    const EulerParameters turn = random_parameters(random);
    const Vec3 shift = random_vector(random, 5);
    std::array<Row, 3> rows, other;
    j.slide.rows(b1, b2, rows.data());
    const SpatialMotion c1 = in_other_world(b1, turn, shift), c2 = in_other_world(b2, turn, shift);
    j.slide.rows(c1, c2, other.data());
    for (std::size_t d = 0; d < static_cast<std::size_t>(r.directions); ++d) {
      CHECK(other[d].speed(c1, c2) == Approx(rows[d].speed(b1, b2)).margin(1e-12));
      CHECK(other[d].gamma == Approx(rows[d].gamma).margin(1e-11));
    }
  });
}
