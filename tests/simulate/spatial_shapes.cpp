// tests/simulate/spatial_shapes.cpp
//
// Runs of bodies with shapes in space. A ball that slides off the edge of a table without friction: its way over the
// edge and the place where it leaves are those of a point on a circle (closed form and one quadrature). Convex bodies
// of all shapes that collide without friction and loss keep momentum, angular momentum and energy, do collide, and
// never overlap (distance by an algorithm of its own); nothing else happens on the way. Their contact is recorded as a
// whole: the distance is that of the bodies, wherever their features are, and the force on the second body at the
// centre of the normal forces is what its motion needs.
#include <catch2/catch.hpp>

#include <cmath>

#include "hstar/run.hpp"
#include "laws/spatial_contact_cases.hpp"

using namespace hstar;
using namespace laws::spatial;
using support::Random;

namespace {

std::string text_of(const Vec3& v) {
  char text[100];
  std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", v[0], v[1], v[2]);
  return text;
}

std::string text_of(const SpatialShapeSpec& s) {
  std::string text = "shape = \"" + s.shape + "\", point = " + text_of(s.point);
  if (s.shape == "sphere" || s.shape == "capsule") text += ", radius = " + std::to_string(s.radius);
  if (s.shape == "capsule") text += ", ends = [" + text_of(s.ends[0]) + ", " + text_of(s.ends[1]) + "]";
  if (s.shape == "box") text += ", sides = " + text_of(s.sides);
  if (s.shape == "hull") {
    text += ", points = [";
    for (const Vec3& p : s.points) text += text_of(p) + ", ";
    text += "]";
  }
  return text;
}

double at(const RunResult& r, const std::vector<double>& row, const std::string& name) {
  for (std::size_t i = 0; i < r.columns.size(); ++i)
    if (r.columns[i] == name) return row[i];
  FAIL("no column " << name);
  return 0;
}

SpatialMotion motion_at(const RunResult& r, const std::vector<double>& row, const std::string& body) {
  SpatialMotion b;
  const auto vector = [&](const char* x, const char* y, const char* z) {
    return Vec3{at(r, row, body + x), at(r, row, body + y), at(r, row, body + z)};
  };
  b.r = vector(".x", ".y", ".z");
  b.v = vector(".vx", ".vy", ".vz");
  b.omega_bar = vector(".wx", ".wy", ".wz");
  b.turn_to({at(r, row, body + ".e0"), at(r, row, body + ".e1"), at(r, row, body + ".e2"), at(r, row, body + ".e3")});
  return b;
}

}  // namespace

TEST_CASE("a ball slides off the edge of a table") {
  const double R = 0.1, v0 = 0.5, g = 9.81, way = 0.2;
  const RunResult r = run(parse_model(
      "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 0.8\nintegrator = \"dop853\"\nrtol = 1e-12\n"
      "[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\ndensity = 1000\nposition = [-0.2, 0.05, 0.1]\n"
      "velocity = [0.5, 0.1, 0]\n"
      "[[contact]]\nname = \"table\"\nbetween = [{ body = \"ground\", shape = \"box\", sides = [1, 1, 1], point = "
      "[-0.5, 0, "
      "-0.5] }, { body = \"ball\", shape = \"sphere\", radius = 0.1 }]\n",
      "edge"));
  REQUIRE(r.outcome.success());
  std::vector<const EventRecord*> events;
  for (const EventRecord& e : r.events)
    if (e.mode_before != e.mode_after) events.push_back(&e);
  REQUIRE(events.size() >= 2);
  CHECK(events[0]->kind == "vertex");
  CHECK(events[0]->t == Approx(way / v0).epsilon(1e-11));
  // On the edge v^2 = v0^2 + 2 g R (1 - cos theta); it leaves where the normal force m g cos theta - m v^2 / R is zero.
  const double cosine = (v0 * v0 / (g * R) + 2) / 3, theta = std::acos(cosine);
  double time = 0;
  const int n = 2000;  // Simpson
  for (int i = 0; i <= n; ++i) {
    const double x = theta * i / n, weight = i == 0 || i == n ? 1 : i % 2 ? 4 : 2;
    time += weight * R / std::sqrt(v0 * v0 + 2 * g * R * (1 - std::cos(x)));
  }
  time *= theta / n / 3;
  const EventRecord& leaves = *events.back();
  CHECK(leaves.kind == "liftoff");
  CHECK(leaves.element == "table.edge7");
  CHECK(leaves.t == Approx(way / v0 + time).epsilon(1e-10));
  const double x = R * std::sin(theta), speed = std::sqrt(v0 * v0 + 2 * g * R * (1 - cosine)), vx = speed * cosine;
  CHECK(r.y_end[0] == Approx(x + vx * (0.8 - leaves.t)).epsilon(1e-10));
  CHECK(r.y_end[1] == Approx(0.05 + 0.1 * 0.8).epsilon(1e-12));
}

TEST_CASE("convex bodies collide without loss and never overlap") {
  Random random(2026);
  const std::vector<std::pair<const char*, const char*>> pairs{{"box", "box"},         {"box", "hull"},
                                                               {"hull", "hull"},       {"capsule", "box"},
                                                               {"capsule", "capsule"}, {"sphere", "hull"}};
  int impacts = 0, on_edges = 0;
  for (const auto& [first, second] : pairs)
    for (int i = 0; i < 4; ++i) {
      SpatialShapeSpec shape[2] = {random_shape(first, random), random_shape(second, random)};
      std::string text =
          "dimension = 3\ngravity = [0, 0, 0]\n[simulation]\nend = 2.0\nintegrator = \"dop853\"\nrtol = 1e-11\n";
      double mass[2];
      Vec3 moment[2];
      for (int b = 0; b < 2; ++b) {
        shape[b].radius = std::round(1e4 * shape[b].radius) / 1e4;
        mass[b] = random.uniform(1, 3);
        moment[b] = {random.uniform(0.2, 0.3), random.uniform(0.2, 0.3), random.uniform(0.2, 0.3)};
        const EulerParameters p = random_parameters(random);
        const Vec3 place = b == 0 ? Vec3{-1.7, 0, 0} : Vec3{0, random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)};
        char numbers[200];
        std::snprintf(numbers, sizeof numbers, "mass = %.17g\neuler_parameters = [%.17g, %.17g, %.17g, %.17g]\n",
                      mass[b], p[0], p[1], p[2], p[3]);
        text += std::string("[[body]]\nname = \"") + (b == 0 ? "a" : "b") + "\"\n" + numbers +
                "inertia = " + text_of(moment[b]) + "\nposition = " + text_of(place) +
                "\nvelocity = " + (b == 0 ? "[2, 0, 0]" : "[0, 0, 0]") +
                "\nangular_velocity = " + text_of(random_vector(random, 2)) + "\n";
      }
      text += "[[contact]]\nname = \"c\"\nrestitution = 1\nbetween = [{ body = \"a\", " + text_of(shape[0]) +
              " }, { body = \"b\", " + text_of(shape[1]) + " }]\n";
      INFO(first << " and " << second << " case " << i << "\n" << text);
      const RunResult r = run(parse_model(text, "pair"));
      REQUIRE(r.outcome.success());
      const bool as_a_whole = shape[0].shape != "capsule" || shape[1].shape != "capsule";
      for (const EventRecord& e : r.events) {
        CHECK(e.kind == "impact");
        ++impacts;
        on_edges += e.element.find("edge") != std::string::npos || e.element.find("side") != std::string::npos;
      }
      const Rounded one = rounded(shape[0]), two = rounded(shape[1]);
      Vec3 momentum{0, 0, 0}, angular{0, 0, 0};
      double energy = 0;
      for (std::size_t k = 0; k < r.rows.size(); ++k) {
        const SpatialMotion b[2] = {motion_at(r, r.rows[k], "a"), motion_at(r, r.rows[k], "b")};
        Rounded here = one, there = two;
        for (Vec3& p : here.points) p = b[0].point(p);
        for (Vec3& p : there.points) p = b[1].point(p);
        const double distance = nearest(here.points, there.points).distance - one.radius - two.radius;
        CHECK(distance > -1e-8);
        if (as_a_whole) CHECK(at(r, r.rows[k], "c.gap") == Approx(distance).margin(1e-8));
        Vec3 p{0, 0, 0}, l{0, 0, 0};
        double t = 0;
        for (int j = 0; j < 2; ++j) {
          Vec3 spin;
          for (std::size_t x = 0; x < 3; ++x) spin[x] = moment[j][x] * b[j].omega_bar[x];
          p = p + mass[j] * b[j].v;
          l = l + mass[j] * cross(b[j].r, b[j].v) + b[j].global(spin);
          t += 0.5 * mass[j] * dot(b[j].v, b[j].v) + 0.5 * dot(spin, b[j].omega_bar);
        }
        if (k == 0) momentum = p, angular = l, energy = t;
        CHECK(norm(p - momentum) < 1e-9);
        CHECK(norm(l - angular) < 1e-8);
        CHECK(t == Approx(energy).epsilon(1e-9));
      }
    }
  CHECK(impacts > 15);
  CHECK(on_edges > 4);
}

TEST_CASE("the force of a whole contact is that on the second body, at its centre") {
  // A box slides down on another that is held, on its corners, until it tips over the edge: m (a - g) and the moments.
  const double m = 2, g = 9.81;
  const bool swapped = GENERATE(false, true);
  const std::string table = "{ body = \"ground\", shape = \"box\", sides = [1, 1, 0.2], point = [0, 0, -0.1] }",
                    box = "{ body = \"box\", shape = \"box\", sides = [0.2, 0.3, 0.4] }";
  const RunResult r = run(parse_model(
      "dimension = 3\ngravity = [0.5, 0.3, -9.81]\n[simulation]\nend = 2\noutput = 0.01\nrtol = 1e-10\n[[body]]\n"
      "name = \"box\"\nmass = 2\ninertia = [0.04, 0.03, 0.02]\nposition = [0.1, 0.2, 0.2]\nvelocity = [1.9, 0.3, 0]\n"
      "[[contact]]\nname = \"table\"\nfriction = { mu_static = 0.3, mu_kinetic = 0.2 }\nbetween = [" +
          (swapped ? box + ", " + table : table + ", " + box) +
          "]\n[[measure]]\nname = \"ax\"\nvalue = \"box.ax\"\n[[measure]]\nname = \"ay\"\nvalue = \"box.ay\"\n"
          "[[measure]]\nname = \"az\"\nvalue = \"box.az\"\n[[measure]]\nname = \"twice\"\nvalue = \"2*table.normal\"\n",
      "whole"));
  REQUIRE(r.outcome.success());
  int loaded = 0, tipped = 0;
  const double sign = swapped ? -1 : 1;
  for (const auto& row : r.rows) {
    const auto now = [&](const char* name) { return at(r, row, name); };
    CHECK(sign * now("table.fx") == Approx(m * (now("ax") - 0.5)).margin(1e-8));
    CHECK(sign * now("table.fy") == Approx(m * (now("ay") - 0.3)).margin(1e-8));
    CHECK(sign * now("table.fz") == Approx(m * (now("az") + g)).margin(1e-8));
    CHECK(now("twice") == 2 * now("table.normal"));
    const bool rests = std::abs(now("az")) < 1e-9 && now("table.normal") > 0;
    if (rests) {
      // No turning: with F_T at the table, the normal force is where r x F vanishes about the centre of mass.
      ++loaded;
      CHECK(now("table.normal") == Approx(m * g));
      CHECK(now("table.gap") == Approx(0).margin(1e-12));
      CHECK(now("table.px") == Approx(now("box.x") - 0.2 * now("table.fx") / now("table.fz")).margin(1e-8));
      CHECK(now("table.py") == Approx(now("box.y") - 0.2 * now("table.fy") / now("table.fz")).margin(1e-8));
      CHECK(now("table.pz") == Approx(0).margin(1e-12));
    }
    tipped += std::abs(now("box.e0")) < 0.99;
  }
  CHECK(loaded > 20);
  CHECK(tipped > 20);
}
