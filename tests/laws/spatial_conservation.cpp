// tests/laws/spatial_conservation.cpp
//
// Two bodies float in space, held together by one joint and pulled by springs and a bushing between them. Whatever the
// joint: energy, momentum and moment of momentum stay as they are at the accuracy of the integrator, and the whole
// model turned and shifted moves the same.
#include <catch2/catch.hpp>

#include <fmt/core.h>

#include <map>
#include <string>

#include "hstar/run.hpp"
#include "laws/spatial_cases.hpp"

using namespace hstar;
using namespace laws::spatial;
using support::Random;

namespace {

struct World {
  EulerParameters turn{1, 0, 0, 0};
  Vec3 shift{0, 0, 0};
  [[nodiscard]] Vec3 direction(const Vec3& x) const { return rotation_matrix(turn) * x; }
  [[nodiscard]] Vec3 place(const Vec3& x) const { return direction(x) + shift; }
};

const Vec3 inertia_a{0.9, 0.7, 1.1}, inertia_b{0.5, 0.6, 0.4};
constexpr double mass_a = 1.3, mass_b = 0.8;

std::string vector(const Vec3& x) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x[0], x[1], x[2]); }

std::string body(const char* name, double mass, const Vec3& J, const World& w, const Vec3& r, const EulerParameters& p,
                 const Vec3& v, const Vec3& omega) {
  const EulerParameters q = compose(w.turn, p);
  return fmt::format(
      "[[body]]\nname = \"{}\"\nmass = {}\ninertia = {}\nposition = {}\neuler_parameters = [{:.17g}, {:.17g}, {:.17g}, "
      "{:.17g}]\nvelocity = {}\nangular_velocity = {}\n",
      name, mass, vector(J), vector(w.place(r)), q[0], q[1], q[2], q[3], vector(w.direction(v)), vector(omega));
}

std::string model(std::string_view type, const World& w) {
  const bool axis = type != "spherical" && type != "fixed" && type != "distance" && type != "d" && type != "cd";
  std::string joint = fmt::format("[[joint]]\nname = \"j\"\ntype = \"{}\"\nbodies = [\"a\", \"b\"]\n", type);
  if (type == "distance")
    joint += "points = [[0.1, 0.2, 0.0], [0.0, -0.3, 0.1]]\nlength = 1.1\n";
  else
    joint += "at = " + vector(w.place({0.2, 0.1, 0.4})) + "\n";
  if (axis) joint += "axis = " + vector(w.direction({0.3, -0.4, 0.8})) + "\n";
  if (type == "universal") joint += "second_axis = " + vector(w.direction({0.8, 0.6, 0.0})) + "\n";
  if (type == "screw") joint += "pitch = 0.7\n";
  return "dimension = 3\n[simulation]\nend = 1.0\nrtol = 1e-11\nintegrator = \"dop853\"\n" +
         body("a", mass_a, inertia_a, w, {0.1, 0.2, -0.1}, normalised({0.8, 0.1, -0.3, 0.4}), {0.3, 0.1, -0.2},
              {0.7, -0.3, 0.9}) +
         body("b", mass_b, inertia_b, w, {0.5, -0.4, 0.6}, normalised({0.5, -0.6, 0.2, 0.3}), {-0.4, 0.2, 0.5},
              {-0.2, 0.8, 0.3}) +
         joint +
         "[[force]]\nname = \"s\"\ntype = \"spring_damper\"\nbodies = [\"a\", \"b\"]\n"
         "points = [[0.3, 0.1, 0.2], [-0.2, 0.2, -0.1]]\nstiffness = 4.0\nfree_length = 0.3\n"
         "[[force]]\nname = \"r\"\ntype = \"rotational_spring_damper\"\nbodies = [\"a\", \"b\"]\n"
         "axes = [[0.0, 0.6, 0.8], [0.3, 0.1, 1.0]]\nstiffness = 0.2\n" +
         "[[force]]\nname = \"u\"\ntype = \"bushing\"\nbodies = [\"a\", \"b\"]\n"
         "points = [[0.0, 0.1, 0.1], [0.2, 0.0, 0.0]]\nstiffness_matrix = [2.0, 1.0, 1.5, 0.1, 0.2, 0.3]\n";
}

struct Motion {
  std::map<std::string, double> at;
  [[nodiscard]] SpatialMotion body(const std::string& name) const {
    const auto get = [&](const char* what) { return at.at(name + what); };
    SpatialMotion b;
    b.r = {get(".x"), get(".y"), get(".z")};
    b.turn_to({get(".e0"), get(".e1"), get(".e2"), get(".e3")});
    b.v = {get(".vx"), get(".vy"), get(".vz")};
    b.omega_bar = {get(".wx"), get(".wy"), get(".wz")};
    return b;
  }
  [[nodiscard]] Vec3 momentum() const { return mass_a * body("a").v + mass_b * body("b").v; }
  [[nodiscard]] Vec3 moment() const {
    const auto of = [](const SpatialMotion& b, double m, const Vec3& J) {
      const Vec3& w = b.omega_bar;
      return m * cross(b.r, b.v) + b.A * Vec3{J[0] * w[0], J[1] * w[1], J[2] * w[2]};
    };
    return of(body("a"), mass_a, inertia_a) + of(body("b"), mass_b, inertia_b);
  }
};

Motion row(const RunResult& result, bool last) {
  Motion m;
  const auto& values = last ? result.rows.back() : result.rows.front();
  for (std::size_t i = 0; i < values.size(); ++i) m.at[result.columns[i]] = values[i];
  return m;
}

}  // namespace

TEST_CASE("floating pairs of bodies keep energy and momentum, and a turned world moves the same") {
  Random random(3);
  for (const SpatialJointEntry& entry : spatial_joints()) {
    // Of constraints between bodies alone: not those to the ground's directions, nor drivers.
    if (entry.type == "gear" || entry.type == "cd" || entry.type == "d" || entry.type == "dp1" || entry.type == "dp2")
      continue;
    INFO(entry.type);
    const World other{random_parameters(random), random_vector(random, 3)};
    const RunResult here = run(parse_model(model(entry.type, {}), "here")),
                    there = run(parse_model(model(entry.type, other), "there"));
    REQUIRE(here.outcome.t == 1.0);
    REQUIRE(there.outcome.t == 1.0);
    const Motion start = row(here, false), end = row(here, true), end_there = row(there, true);
    CHECK(norm(end.momentum() - start.momentum()) < 1e-11);
    CHECK(norm(end.moment() - start.moment()) < 1e-9);
    CHECK(end.at.at("energy") == Approx(start.at.at("energy")).epsilon(1e-9).margin(1e-9));
    for (const std::string name : {"a", "b"}) {
      const SpatialMotion b = end.body(name), c = end_there.body(name);
      CHECK(norm(b.r - start.body(name).r) > 0.05);  // it moves
      CHECK(norm(c.r - other.place(b.r)) < 1e-8);
      CHECK(norm(c.v - other.direction(b.v)) < 1e-8);
      CHECK(norm(c.omega_bar - b.omega_bar) < 1e-8);
      for (std::size_t i = 0; i < 3; ++i) CHECK(norm(column(c.A, i) - other.direction(column(b.A, i))) < 1e-8);
    }
  }
}
