// tests/simulate/off_the_edge.cpp
//
// Boxes thrown over a table, with friction, near its edges and corners: they slide over the edge, tip, hang on it, rock
// on two feet, stop or fall. Every run reaches its end; energy never grows; no corner of the box is in the table and no
// corner of the table in the box. One in seven of such runs had no end or ended by name at first: a foot that comes
// onto the table over the edge was held by the plane of its side, a slide whose speed is the error of the integration
// never stopped, and what several feet at their limits do next was asked farther ahead than their slides lasted.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "hstar/run.hpp"
#include "mechanism/spatial/motion.hpp"
#include "support/random.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

struct Thrown {
  std::string text;
  Vec3 sides;
};

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}
std::string text_of(const Vec3& v) { return "[" + number(v[0]) + ", " + number(v[1]) + ", " + number(v[2]) + "]"; }

Thrown thrown(Random& random) {
  const auto some = [&](auto... of) {
    const double values[] = {of...};
    return values[random.below(sizeof...(of))];
  };
  Thrown out;
  for (double& side : out.sides) side = random.uniform(0.1, 0.4);
  const double mu = random.uniform(0.05, 0.6), angle = some(0.0, 0.0, random.uniform(-3, 3));
  Vec3 gravity{0, 0, -9.81};
  if (random.below(2) == 0) gravity[0] = random.uniform(-1, 1), gravity[1] = random.uniform(-1, 1);
  const std::string table = "{ body = \"ground\", shape = \"box\", sides = [1, 1, 0.2], point = [0, 0, -0.1] }",
                    box = "{ body = \"box\", shape = \"box\", sides = " + text_of(out.sides) + " }";
  const bool swapped = random.below(2) == 0;
  out.text =
      "dimension = 3\ngravity = " + text_of(gravity) +
      "\n[simulation]\nend = 2\noutput = 0.01\nrtol = 1e-8\n[[body]]\nname = \"box\"\nshape = \"box\"\nsides = " +
      text_of(out.sides) +
      "\ndensity = 1000\nposition = " + text_of({random.uniform(0, 0.45), random.uniform(0, 0.45), out.sides[2] / 2}) +
      "\neuler_parameters = [" + number(std::cos(angle / 2)) + ", 0, 0, " + number(std::sin(angle / 2)) +
      "]\nvelocity = " + text_of({random.uniform(0, 2.5), random.uniform(-1, 2), 0}) + "\nangular_velocity = [0, 0, " +
      number(some(0.0, 0.0, random.uniform(-3, 3))) +
      "]\n[[contact]]\nname = \"table\"\nrestitution = " + number(some(0.0, 0.0, 0.3, 0.5)) + "\nimpact_law = \"" +
      (random.below(2) == 0 ? "newton" : "poisson") +
      "\"\nfriction = { mu_static = " + number(mu * some(1.0, 1.2, 1.5)) + ", mu_kinetic = " + number(mu) +
      " }\nbetween = [" + (swapped ? box + ", " + table : table + ", " + box) + "]\n";
  return out;
}

/// How far a point is inside a box about the origin.
double inside(const Vec3& p, const Vec3& sides) {
  double depth = HUGE_VAL;
  for (std::size_t i = 0; i < 3; ++i) depth = std::min(depth, sides[i] / 2 - std::abs(p[i]));
  return depth;
}

Vec3 corner(int i, const Vec3& sides) {
  return {(i & 1 ? 0.5 : -0.5) * sides[0], (i & 2 ? 0.5 : -0.5) * sides[1], (i & 4 ? 0.5 : -0.5) * sides[2]};
}

}  // namespace

TEST_CASE("boxes thrown over the edges of a table reach their end, lose energy and do not enter it") {
  Random random(2026);
  const Vec3 table{1, 1, 0.2}, centre{0, 0, -0.1};
  int fallen = 0, stopped = 0;
  for (int i = 0; i < 150; ++i) {
    const Thrown model = thrown(random);
    INFO("case " << i << "\n" << model.text);
    const RunResult r = run_text(model.text);
    CHECK(r.outcome.success());
    const std::size_t energy = column(r, "energy");
    double least = HUGE_VAL, deepest = 0;
    for (const auto& row : r.rows) {
      const auto now = [&](const char* name) { return row[column(r, name)]; };
      CHECK(row[energy] <= least + 1e-7 * (std::abs(r.rows.front()[energy]) + 1));
      least = std::min(least, row[energy]);
      SpatialMotion box;
      box.r = {now("box.x"), now("box.y"), now("box.z")};
      box.turn_to({now("box.e0"), now("box.e1"), now("box.e2"), now("box.e3")});
      for (int c = 0; c < 8; ++c) {
        deepest = std::max(deepest, inside(box.point(corner(c, model.sides)) - centre, table));
        deepest = std::max(deepest, inside(box.bar(centre + corner(c, table) - box.r), model.sides));
      }
    }
    CHECK(deepest < 1e-8);
    (r.rows.back()[column(r, "box.z")] < -0.5 ? fallen : stopped)++;
  }
  CHECK(fallen > 30);
  CHECK(stopped > 30);
}

TEST_CASE("a ball that rolls over an edge strikes nothing there") {
  // At 0.6 m/s from 0.25 m before the edge: it is there at t = 0.25 / 0.6, rolls on about the edge and leaves it. The
  // distance to the edge (in the plane to a corner) has a double root there, which is no impact, whatever drifts.
  const std::string in_space = R"toml(
dimension = 3
gravity = [0, 0, -9.81]
body = [{ name = "ball", mass = 1, inertia = [0.004, 0.004, 0.004], position = [0, 0.03, 0.1], velocity = [0.6, 0.2, 0], angular_velocity = [-2, 6, 0] }]
contact = [{ name = "table", between = [{ body = "ground", shape = "box", sides = [0.5, 1, 0.2], point = [0, 0, -0.1] },
                                        { body = "ball", shape = "sphere", radius = 0.1 }], friction = { mu = 0.5 } }]
)toml";
  const std::string in_the_plane = R"toml(
gravity = [0, -9.81]
body = [{ name = "ball", mass = 1, inertia = 0.004, position = [0, 0.1], velocity = [0.6, 0], angular_velocity = -6 }]
contact = [{ name = "table", between = [{ body = "ground", shape = "polygon", corners = [[-0.25, -0.2], [0.25, -0.2], [0.25, 0], [-0.25, 0]] },
                                        { body = "ball", shape = "circle", radius = 0.1 }], friction = { mu = 0.5 } }]
)toml";
  for (const std::string& model : {in_space, in_the_plane})
    for (const char* method : {R"(integrator = "dopri5", formulation = "direct", rtol = 1e-8)",
                               R"(integrator = "dop853", formulation = "projection", rtol = 1e-10)",
                               R"(integrator = "ode23", formulation = "projection", rtol = 1e-6)",
                               R"(integrator = "dop853", formulation = "partition_full", rtol = 1e-9)",
                               R"(integrator = "dopri5", formulation = "baumgarte", rtol = 1e-7)"}) {
      INFO(method << model);
      const RunResult r = run_text(std::string("simulation = { end = 0.6, ") + method + " }" + model);
      REQUIRE(r.outcome.status == RunStatus::reached_end);
      CHECK(count(r, "impact") == 0);
      CHECK(first_event(r, "vertex").t == Approx(0.25 / 0.6).margin(1e-9));
      CHECK(count(r, "vertex") == 1);
      CHECK(count(r, "liftoff") == 1);
    }
}
