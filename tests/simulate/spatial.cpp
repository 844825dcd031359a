// tests/simulate/spatial.cpp
//
// Spatial mechanisms: what physics says of any of them. Turning and shifting the whole model turns and shifts its
// motion and changes nothing else; the body frame in which an inertia tensor is written does not matter; a free chain
// keeps its momentum, angular momentum and energy; every formulation gives the same motion; loops that are held too
// often are named, loops that cannot close are refused; drivers are followed over many turns.
#include <catch2/catch.hpp>
#include <cmath>

#include "mechanism/spatial/euler_parameters.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

double last(const RunResult& r, const std::string& name) { return r.rows.back()[column(r, name)]; }

std::string text(const Vec3& x) { return "[" + digits(x[0]) + ", " + digits(x[1]) + ", " + digits(x[2]) + "]"; }
std::string text(const Mat3& m) { return "[" + text(m[0]) + ", " + text(m[1]) + ", " + text(m[2]) + "]"; }

/// Two bodies on a universal and a spherical joint, a spring between them and a bushing at the base; the whole of it
/// turned by `turn` and shifted, the second body written in a frame turned by `own`.
std::string two_bodies(const Mat3& turn, const Vec3& shift, const Mat3& own) {
  const auto place = [&](const Vec3& x) { return text(shift + turn * x); };
  const auto vector = [&](const Vec3& x) { return text(turn * x); };
  const Mat3 J{Vec3{0.3, 0, 0}, Vec3{0, 0.2, 0}, Vec3{0, 0, 0.4}};
  // Body axes b of the written frame: principal axes are own^T b.
  const Mat3 written = own * J * transposed(own), frame = turn * transposed(own);
  return "dimension = 3\ngravity = " + vector({0, 0, -9.81}) +
         "\n[simulation]\nend = 2.0\nrtol = 1e-11\nintegrator = \"dop853\"\n"
         "[[body]]\nname = \"a\"\nmass = 2.0\ninertia = [0.1, 0.25, 0.3]\nposition = " +
         place({0.5, 0, 0}) + "\nmatrix = " + text(turn) +
         "\n[[body]]\nname = \"b\"\nmass = 1.5\ninertia = " + text(written) + "\nposition = " + place({1.0, 0.4, 0.1}) +
         "\nmatrix = " + text(frame) + "\nvelocity = " + vector({0, 0, 0}) +
         "\nangular_velocity = " + vector({0.5, -2.0, 1.0}) + "\nangular_velocity_frame = \"global\"\n" +
         "[[joint]]\nname = \"base\"\ntype = \"universal\"\nbodies = [\"ground\", \"a\"]\nat = " + place({0, 0, 0}) +
         "\naxis = " + vector({0, 1, 0}) + "\nsecond_axis = " + vector({0, 0, 1}) +
         "\n[[joint]]\nname = \"ball\"\ntype = \"spherical\"\nbodies = [\"a\", \"b\"]\nat = " + place({1, 0, 0}) +
         "\n[[force]]\nname = \"bush\"\ntype = \"bushing\"\nbodies = [\"ground\", \"a\"]\nat = " +
         place({0.2, 0.1, 0}) + "\naxis = " + vector({1, 2, 2}) + "\nstiffness_matrix = [30, 30, 20, 3, 3, 5]\n" +
         "[[force]]\nname = \"twist\"\ntype = \"torque\"\nbodies = [\"a\", \"b\"]\nframe = \"body\"\ntorque = " +
         text(own * Vec3{0.3, -0.2, 0.1}) + "\n";
}

Mat3 turned_about(const Vec3& axis, double angle) {
  return rotation_matrix(parameters_from_axis(axis, angle, {}, "test"));
}

Vec3 vector_of(const RunResult& r, const std::string& a, const std::string& b, const std::string& c) {
  return {last(r, a), last(r, b), last(r, c)};
}

}  // namespace

TEST_CASE("turning and shifting the model, and another body frame, change nothing") {
  const RunResult plain = run_text(two_bodies(identity3, {0, 0, 0}, identity3));
  REQUIRE(plain.outcome.success());
  const Mat3 turn = turned_about({1, -2, 0.5}, 1.1), own = turned_about({0.3, 1, -0.4}, 0.9);
  const bool turns = GENERATE(true, false);
  const Vec3 shift = turns ? Vec3{0.3, -0.2, 0.7} : Vec3{0, 0, 0};
  const RunResult other =
      turns ? run_text(two_bodies(turn, shift, identity3)) : run_text(two_bodies(identity3, shift, own));
  REQUIRE(other.outcome.success());
  const Mat3 A = turns ? turn : identity3;
  for (const std::string body : {"a", "b"}) {
    const Vec3 expected = shift + A * vector_of(plain, body + ".x", body + ".y", body + ".z");
    const Vec3 place = vector_of(other, body + ".x", body + ".y", body + ".z");
    for (std::size_t i = 0; i < 3; ++i) CHECK(place[i] == Approx(expected[i]).margin(1e-8));
  }
  const auto attitude = [](const RunResult& r) {
    return rotation_matrix({last(r, "b.e0"), last(r, "b.e1"), last(r, "b.e2"), last(r, "b.e3")});
  };
  const Mat3 expected = A * attitude(plain) * (turns ? identity3 : transposed(own)), found = attitude(other);
  const Vec3 omega = vector_of(other, "b.wx", "b.wy", "b.wz"),
             omega_expected = (turns ? identity3 : own) * vector_of(plain, "b.wx", "b.wy", "b.wz");
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(omega[i] == Approx(omega_expected[i]).margin(1e-7));
    for (std::size_t j = 0; j < 3; ++j) CHECK(found[i][j] == Approx(expected[i][j]).margin(1e-8));
  }
  CHECK(last(other, "base.tx") != 0);
  const Vec3 force = A * vector_of(plain, "ball.fx", "ball.fy", "ball.fz");
  CHECK(last(other, "ball.fx") == Approx(force[0]).margin(1e-6));
  CHECK(last(other, "ball.fz") == Approx(force[2]).margin(1e-6));
}

TEST_CASE("a free chain keeps momentum, angular momentum and energy, in every formulation") {
  const std::string formulation = GENERATE("direct", "baumgarte", "projection", "partition_simple", "partition_full");
  std::string model =
      "dimension = 3\ngravity = [0, 0, 0]\n[simulation]\nend = 3.0\nrtol = 1e-11\nintegrator = \"dop853\"\n"
      "formulation = \"" +
      formulation + "\"\n";
  const double spin[3][3] = {{1, 0.5, -2}, {0, 2, 1}, {-1.5, 0.3, 0.7}};
  for (int i = 0; i < 3; ++i)
    model += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmass = " + digits(1.0 + i) +
             "\ninertia = [0.02, 0.1, 0.11]\nposition = " + text(Vec3{i + 0.5, 0, 0}) +
             "\nangular_velocity = " + text(Vec3{spin[i][0], spin[i][1], spin[i][2]}) + "\n";
  model +=
      "[[joint]]\nname = \"j0\"\ntype = \"spherical\"\nbodies = [\"b0\", \"b1\"]\nat = [1, 0, 0]\n"
      "[[joint]]\nname = \"j1\"\ntype = \"revolute\"\nbodies = [\"b1\", \"b2\"]\nat = [2, 0, 0]\naxis = [1, 1, 1]\n";
  const RunResult r = run_text(model);
  INFO(formulation << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  const auto momenta = [&](const std::vector<double>& row) {
    std::array<double, 6> sum{};
    for (int i = 0; i < 3; ++i) {
      const std::string b = "b" + std::to_string(i);
      const auto at = [&](const char* what) { return row[column(r, b + what)]; };
      const double m = 1.0 + i;
      const Vec3 x{at(".x"), at(".y"), at(".z")}, v{at(".vx"), at(".vy"), at(".vz")},
          w{at(".wx"), at(".wy"), at(".wz")};
      const Mat3 A = rotation_matrix({at(".e0"), at(".e1"), at(".e2"), at(".e3")});
      const Vec3 own = A * Vec3{0.02 * w[0], 0.1 * w[1], 0.11 * w[2]}, orbit = cross(x, m * v);
      for (std::size_t c = 0; c < 3; ++c) {
        sum[c] += m * v[c];
        sum[3 + c] += own[c] + orbit[c];
      }
    }
    return sum;
  };
  // The first row is after assembly, which makes the velocities fit the joints.
  const auto first = momenta(r.rows.front()), end = momenta(r.rows.back());
  for (std::size_t c = 0; c < 6; ++c) CHECK(end[c] == Approx(first[c]).margin(1e-8));
  const std::size_t energy = column(r, "energy");
  CHECK(r.rows.back()[energy] == Approx(r.rows.front()[energy]).epsilon(1e-8));
  CHECK(std::abs(end[3]) + std::abs(end[4]) > 0.1);
}

TEST_CASE("a driver turns a shaft many times, and its torque is that of Euler's equation") {
  // An asymmetric rotor about a fixed axis: torque along it J w', across it -J_xz w^2 and so on; here principal axes.
  const RunResult r = run_text(
      "dimension = 3\ngravity = [0, 0, 0]\n[simulation]\nend = 20.0\nrtol = 1e-9\nintegrator = \"dop853\"\n"
      "[[body]]\nname = \"rotor\"\nmass = 1.0\ninertia = [0.2, 0.3, 0.4]\nangular_velocity = [0, 0, 0.5]\n"
      "[[joint]]\nname = \"bearing\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rotor\"]\nat = [0, 0, 0]\naxis = "
      "[0, 0, 1]\n"
      "[[joint]]\nname = \"motor\"\ntype = \"rotation\"\nbodies = [\"ground\", \"rotor\"]\naxis = [0, 0, 1]\n"
      "value = \"0.5*t + 0.3*t^2\"\n");
  REQUIRE(r.outcome.success());
  CHECK(last(r, "rotor.wz") == Approx(0.5 + 0.6 * 20).epsilon(1e-10));
  CHECK(last(r, "motor.tz") == Approx(0.4 * 0.6).epsilon(1e-9));
  const double half = 0.5 * (0.5 * 20 + 0.3 * 400);
  CHECK(last(r, "rotor.e0") == Approx(std::cos(half)).margin(1e-8));
  CHECK(last(r, "rotor.e3") == Approx(std::sin(half)).margin(1e-8));
}

TEST_CASE("loops that cannot close and drivers that contradict each other are refused") {
  const std::string head =
      "dimension = 3\ngravity = [0, 0, 0]\n[simulation]\nend = 1.0\n"
      "[[body]]\nname = \"a\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\nposition = [0.5, 0, 0]\n";
  const auto message = [](const std::string& model) -> std::string {
    try {
      return run_text(model).outcome.message;
    } catch (const InputError& error) {
      return error.what();
    }
  };
  // A bar of length 1 between points 3 m apart.
  const std::string open =
      message(head +
              "[[joint]]\nname = \"p\"\ntype = \"spherical\"\nbodies = [\"ground\", \"a\"]\npoints = "
              "[[0, 0, 0], [-0.5, 0, 0]]\n[[joint]]\nname = \"q\"\ntype = \"spherical\"\nbodies = "
              "[\"ground\", \"a\"]\npoints = [[3, 0, 0], [0.5, 0, 0]]\n");
  INFO(open);
  CHECK(open.find("cannot be assembled") != std::string::npos);
  CHECK(open.find("joint \"q\"") != std::string::npos);
  const std::string twice =
      message(head +
              "[[joint]]\nname = \"p\"\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\n"
              "[[joint]]\nname = \"d\"\ntype = \"rotation\"\nbodies = [\"ground\", \"a\"]\nvalue = \"t\"\n"
              "[[joint]]\nname = \"e\"\ntype = \"rotation\"\nbodies = [\"ground\", \"a\"]\nvalue = \"2*t\"\n");
  INFO(twice);
  CHECK(twice.find("contradict") != std::string::npos);
  CHECK(twice.find("joint \"e\"") != std::string::npos);
}

TEST_CASE("second-order methods on index 3 turn bodies at second order") {
  // Halving the step divides the error of position, orientation and angular velocity by four.
  const std::string method = GENERATE("hht", "generalized_alpha", "newmark");
  const std::string text = two_bodies(identity3, {0, 0, 0}, identity3);
  const RunResult exact = run_text(text);
  REQUIRE(exact.outcome.success());
  const auto error = [&](double h) {
    std::string with = text;
    const std::string from = "rtol = 1e-11\nintegrator = \"dop853\"\n";
    with.replace(with.find(from), from.size(),
                 "fixed_step = " + digits(h) + "\nintegrator = \"" + method +
                     "\"\nnewmark_gamma = 0.5\nnewmark_beta = 0.25\nhht_alpha = -0.1\n");
    const RunResult r = run_text(with);
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    double worst = 0;
    for (const char* name : {"a.x", "a.z", "a.e0", "a.e2", "b.x", "b.y", "b.e0", "b.e1", "b.e3", "b.wx", "b.wz"})
      worst = std::max(worst, std::abs(last(r, name) - last(exact, name)));
    CHECK(last(r, "drift.position") < 1e-9);
    return worst;
  };
  const double coarse = error(2e-3), fine = error(1e-3);
  INFO(method << ": " << coarse << ", " << fine);
  CHECK(fine < 1e-3);
  CHECK(coarse / fine == Approx(4).margin(0.6));
}

TEST_CASE("implicit formulations keep momentum, angular momentum and energy to their tolerance") {
  // A free body that tumbles, and one that hangs on it by a ball joint.
  const auto [formulation, integrator, allowed] =
      GENERATE(std::tuple{"index3", "bdf", 1e-6}, std::tuple{"ggl", "bdf", 1e-6}, std::tuple{"ggl", "ida", 1e-6},
               std::tuple{"index1", "ida", 1e-5});
  const RunResult r = run_text(
      std::string("dimension = 3\ngravity = [0, 0, 0]\n[simulation]\nend = 3.0\nrtol = 1e-9\nformulation = \"") +
      formulation + "\"\nintegrator = \"" + integrator +
      "\"\n"
      "[[body]]\nname = \"a\"\nmass = 1.0\ninertia = [0.02, 0.1, 0.11]\nangular_velocity = [1, 0.5, -2]\n"
      "[[body]]\nname = \"b\"\nmass = 2.0\ninertia = [0.1, 0.02, 0.11]\nposition = [0.5, 0.3, 0]\nvelocity = [1, 0, "
      "0.5]\nangular_velocity = [0, 2, 1]\n"
      "[[joint]]\nname = \"ball\"\ntype = \"spherical\"\nbodies = [\"a\", \"b\"]\nat = [0.5, 0, 0]\n");
  INFO(formulation << " with " << integrator << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  const auto momenta = [&](const std::vector<double>& row) {
    std::array<double, 6> sum{};
    const Vec3 J[2] = {{0.02, 0.1, 0.11}, {0.1, 0.02, 0.11}};
    for (std::size_t i = 0; i < 2; ++i) {
      const std::string b = i == 0 ? "a" : "b";
      const auto at = [&](const char* what) { return row[column(r, b + what)]; };
      const double m = i == 0 ? 1 : 2;
      const Vec3 x{at(".x"), at(".y"), at(".z")}, v{at(".vx"), at(".vy"), at(".vz")};
      const Mat3 A = rotation_matrix({at(".e0"), at(".e1"), at(".e2"), at(".e3")});
      const Vec3 own = A * Vec3{J[i][0] * at(".wx"), J[i][1] * at(".wy"), J[i][2] * at(".wz")}, orbit = cross(x, m * v);
      for (std::size_t c = 0; c < 3; ++c) {
        sum[c] += m * v[c];
        sum[3 + c] += own[c] + orbit[c];
      }
      const double p2 = at(".e0") * at(".e0") + at(".e1") * at(".e1") + at(".e2") * at(".e2") + at(".e3") * at(".e3");
      CHECK(p2 == Approx(1).margin(1e-9));
    }
    return sum;
  };
  const auto first = momenta(r.rows.front()), end = momenta(r.rows.back());
  for (std::size_t c = 0; c < 6; ++c) CHECK(end[c] == Approx(first[c]).margin(allowed));
  const std::size_t energy = column(r, "energy");
  CHECK(r.rows.back()[energy] == Approx(r.rows.front()[energy]).margin(allowed));
}
