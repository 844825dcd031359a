// tests/laws/spatial_orientation.cpp
//
// Euler parameters against what defines them: A(p) is a rotation, global = A body; omega_bar and omega are what
// A_dot = A omega_bar~ = omega~ A says; axis and angle, matrix and twelve sequences of angles against products of
// elementary rotations; the parameters' identities (Haug 1989, sec. 9.3).
#include <catch2/catch.hpp>

#include <numbers>
#include <string>

#include "laws/spatial_cases.hpp"

using namespace hstar;
using namespace laws::spatial;
using Catch::Matchers::Contains;
using support::Random;

namespace {

double largest(const Mat3& m) {
  double size = 0;
  for (const Vec3& row : m)
    for (double x : row) size = std::max(size, std::abs(x));
  return size;
}
/// Rodrigues' formula.
Mat3 turn_about(const Vec3& axis, double angle) {
  const Vec3 u = (1 / norm(axis)) * axis;
  return identity3 + std::sin(angle) * skew(u) + (1 - std::cos(angle)) * (skew(u) * skew(u));
}
const Location nowhere{"m.toml", 3, 5};

}  // namespace

TEST_CASE("Euler parameters: rotation, rates, identities") {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const EulerParameters p = random_parameters(random);
    const Mat3 A = rotation_matrix(p);
    CHECK(largest(transposed(A) * A - identity3) < 1e-15);
    CHECK(largest(quadratic_rotation(p) - A) < 1e-15);
    CHECK(determinant(A) == Approx(1).epsilon(1e-14));
    CHECK(largest(rotation_matrix({1.7 * p[0], 1.7 * p[1], 1.7 * p[2], 1.7 * p[3]}) - A) < 1e-15);
    const Mat34 E = matrix_E(p), G = matrix_G(p);
    Mat3 EG, EE;
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 3; ++c) {
        EG[r][c] = EE[r][c] = 0;
        for (std::size_t k = 0; k < 4; ++k) {
          EG[r][c] += E[r][k] * G[c][k];
          EE[r][c] += E[r][k] * E[c][k];
        }
      }
    CHECK(largest(EG - A) < 1e-15);
    CHECK(largest(EE - identity3) < 1e-15);
    // A_dot = A omega_bar~, and omega_bar = 2 G p_dot, omega = 2 E p_dot.
    const Vec3 w = random_vector(random, 2);
    const EulerParameters p_dot = parameter_rate(p, w);
    Vec3 back{0, 0, 0}, global{0, 0, 0};
    double radial = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::size_t r = 0; r < 3; ++r) {
        back[r] += 2 * G[r][k] * p_dot[k];
        global[r] += 2 * E[r][k] * p_dot[k];
      }
      radial += p[k] * p_dot[k];
    }
    CHECK(norm(back - w) < 1e-14);
    CHECK(norm(global - A * w) < 1e-14);
    CHECK(std::abs(radial) < 1e-15);
    const Mat3 A_dot = A * skew(w);
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 3; ++c)
        CHECK(A_dot[r][c] == Approx(support::derivative(
                                        [&](double s) {
                                          return rotation_matrix({p[0] + s * p_dot[0], p[1] + s * p_dot[1],
                                                                  p[2] + s * p_dot[2], p[3] + s * p_dot[3]})[r][c];
                                        },
                                        0.0))
                                 .margin(1e-9));
    // Composition and finite turns, small ones too.
    const EulerParameters q = random_parameters(random);
    CHECK(largest(rotation_matrix(compose(p, q)) - A * rotation_matrix(q)) < 1e-15);
    const Vec3 theta = std::pow(10.0, -(i % 10)) * random_vector(random, 3);
    CHECK(largest(rotation_matrix(turned(p, theta)) - A * turn_about(theta, norm(theta))) < 2e-15);
    // A and back: p or -p, of which e0 >= 0.
    const EulerParameters again = parameters_of(A);
    CHECK(again[0] >= 0);
    CHECK(largest(rotation_matrix(again) - A) < 1e-15);
  }
  // Half turns, where e0 = 0.
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, -2, 0.5}}) {
    const Mat3 A = turn_about(axis, std::numbers::pi);
    CHECK(largest(rotation_matrix(parameters_of(A)) - A) < 1e-15);
  }
}

TEST_CASE("orientation as a user writes it") {
  Random random(2);
  for (const std::string sequence :
       {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"}) {
    const Vec3 angles = random_vector(random, 3);
    Mat3 A = identity3;
    for (std::size_t i = 0; i < 3; ++i) {
      Vec3 axis{0, 0, 0};
      axis[static_cast<std::size_t>(sequence[i] - 'x')] = 1;
      A = A * turn_about(axis, angles[i]);
    }
    std::string digits = sequence;
    for (char& c : digits) c = static_cast<char>('1' + (c - 'x'));
    CHECK(largest(rotation_matrix(parameters_from_angles(angles, sequence, nowhere, "body")) - A) < 2e-15);
    CHECK(parameters_from_angles(angles, digits, nowhere, "body") ==
          parameters_from_angles(angles, sequence, nowhere, "body"));
  }
  const Vec3 axis = random_vector(random);
  CHECK(largest(rotation_matrix(parameters_from_axis(axis, 2.1, nowhere, "body")) - turn_about(axis, 2.1)) < 2e-15);
  // Three digits of a matrix, made orthogonal; a rounded p.
  Mat3 rough = turn_about(axis, 2.1);
  for (Vec3& row : rough)
    for (double& x : row) x = std::round(x * 2e3) / 2e3;
  const Mat3 clean = rotation_matrix(parameters_from_matrix(rough, nowhere, "body"));
  CHECK(largest(clean - turn_about(axis, 2.1)) < 1e-3);
  CHECK(largest(transposed(clean) * clean - identity3) < 1e-15);
  CHECK(parameters_from({0.7071, 0, 0.7071, 0}, nowhere, "body")[0] == Approx(std::sqrt(0.5)).epsilon(1e-15));
}

TEST_CASE("an orientation that is none is refused with what is wrong") {
  const auto refused = [](const auto& make, const std::string& part) {
    CHECK_THROWS_WITH(make(), Contains("m.toml:3:5") && Contains("body \"top\"") && Contains(part));
  };
  const std::string owner = "body \"top\"";
  refused([&] { return parameters_from({1, 1, 0, 0}, nowhere, owner); }, "length 1.41421, it must be 1");
  refused([&] { return parameters_from({0, 0, 0, 0}, nowhere, owner); }, "length 0");
  refused([&] { return parameters_from({NAN, 0, 0, 1}, nowhere, owner); }, "length nan");
  refused([&] { return parameters_from_axis({0, 0, 0}, 1, nowhere, owner); }, "has no direction");
  refused([&] { return parameters_from_axis({0, INFINITY, 0}, 1, nowhere, owner); }, "has no direction");
  refused([&] { return parameters_from_axis({0, 1, 0}, NAN, nowhere, owner); }, "angle = nan");
  refused([&] { return parameters_from_matrix(1.1 * identity3, nowhere, owner); }, "not a rotation");
  refused(
      [&] {
        return parameters_from_matrix({Vec3{1, 0, 0}, Vec3{0, NAN, 0}, Vec3{0, 0, 1}}, nowhere, owner);
      },
      "not a rotation");
  refused(
      [&] {
        return parameters_from_matrix({Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, -1}}, nowhere, owner);
      },
      "reflection");
  refused([&] { return parameters_from_angles({0, 0, 0}, "xxy", nowhere, owner); }, "sequence = \"xxy\"");
  refused([&] { return parameters_from_angles({0, 0, 0}, "xy", nowhere, owner); }, "sequence = \"xy\"");
  refused([&] { return parameters_from_angles({0, 0, 0}, "abc", nowhere, owner); }, "two neighbours alike");
  refused([&] { return parameters_from_angles({0, NAN, 0}, "xyz", nowhere, owner); }, "angles[1]");
}
