// tests/analysis/statics_cones.cpp
//
// What rests by friction in several directions, where validation/statics_space does not look: forces that prestress
// lets grow without end, the same answer for a model that was turned and shifted, belts, sliding that begins, contacts
// without load, what is listed and how it is reported.
#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>

#include "hstar/equilibrium.hpp"
#include "hstar/error.hpp"
#include "hstar/inverse.hpp"
#include "hstar/modes.hpp"

using namespace hstar;

namespace {

ModelSpec model(const std::string& text) { return parse_model("dimension = 3\n" + text, "m.toml"); }

const ElementAtRest& element(const EquilibriumResult& r, const std::string& name) {
  for (const ElementAtRest& e : r.elements)
    if (e.element == name) return e;
  FAIL("no " << name);
  return r.elements.front();
}
const FrictionAtRest& friction(const EquilibriumResult& r, const std::string& name, const std::string& part) {
  for (const FrictionAtRest& f : element(r, name).friction)
    if (f.name == part) return f;
  FAIL("no " << part << " of " << name);
  return element(r, name).friction.front();
}
const RestInterval& interval(const EquilibriumResult& r, const std::string& name) {
  for (const RestInterval& i : r.intervals)
    if (i.name == name) return i;
  FAIL("no interval of " << name);
  return r.intervals.front();
}
EquilibriumResult rest(const std::string& text, const std::vector<std::string>& coordinates = {"ball.x"}) {
  EquilibriumOptions options;
  options.coordinates = coordinates;
  return find_equilibrium(model(text), options);
}

/// A ball of 2 kg and radius 0.1 m between two plates at `beta` from the vertical.
std::string groove(double beta, double mu, double push) {
  return fmt::format(
      "gravity = [0, 0, -10]\n[simulation]\nend = 1\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [0.01, 0.01, "
      "0.01]\n"
      "position = [0, 0, {0:.17g}]\n"
      "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"ball\"\npoint = [0, 0, {1:.17g}]\n"
      "force = [0, {2:.17g}, 0]\n"
      "[[contact]]\nname = \"left\"\nbetween = [{{ body = \"ground\", shape = \"plane\", normal = [{3:.17g}, 0, "
      "{4:.17g}] }}, "
      "{{ body = \"ball\", shape = \"sphere\", radius = 0.1 }}]\nfriction = {{ mu = {5:.17g} }}\n"
      "[[contact]]\nname = \"right\"\nbetween = [{{ body = \"ground\", shape = \"plane\", normal = [-{3:.17g}, 0, "
      "{4:.17g}] }}, "
      "{{ body = \"ball\", shape = \"sphere\", radius = 0.1 }}]\nfriction = {{ mu = {5:.17g} }}\n",
      0.1 / std::sin(beta), -0.1 * std::sin(beta), push, std::cos(beta), std::sin(beta), mu);
}

}  // namespace

TEST_CASE("a wedge within the angle of friction clamps a ball as hard as one likes") {
  // tan(beta) <= mu: N from the smaller root of the law on (statics_space/v_groove/README.md).
  const double beta = 0.4, mu = 0.5, push = 3, s = std::sin(beta), c = std::cos(beta), half = 10;
  const EquilibriumResult r = rest(groove(beta, mu, push));
  REQUIRE(r.found);
  CHECK(r.held_by_friction);
  const double det = s * s - mu * mu * c * c, b = mu * mu * half * c;
  const double tau = (b - std::sqrt(b * b + det * (mu * mu * half * half - s * s * push * push / 4))) / det;
  for (const char* plate : {"left", "right"}) {
    const ElementAtRest& e = element(r, plate);
    CHECK(e.normal_least == Approx((half + tau * c) / s).epsilon(1e-12));
    CHECK(std::isinf(e.normal_largest));
    // Stiff plates clamp no harder than the ball presses: they creep to the least force that holds it.
    CHECK(e.normal == Approx(e.normal_least).epsilon(1e-12));
    CHECK(e.reserve == Approx(0).margin(1e-12 * e.normal));
    CHECK(friction(r, plate, "fy").value == Approx(-push / 2).epsilon(1e-12));
  }
}

TEST_CASE("a wedge beyond the angle of friction lets the ball go at the push the clamped ball bears") {
  const double beta = 0.7, mu = 0.3, s = std::sin(beta), c = std::cos(beta);
  const double most = mu * 20 / std::sqrt(s * s - mu * mu * c * c);
  CHECK(rest(groove(beta, mu, (1 - 1e-9) * most)).held_by_friction);
  CHECK_FALSE(rest(groove(beta, mu, (1 + 1e-9) * most)).held_by_friction);
}

TEST_CASE("a model that is turned and shifted rests with the same forces and intervals") {
  const auto table = [](double turn) {
    // Three legs, one of them pressed down by a load; the room turned about the vertical.
    const double C = std::cos(turn), S = std::sin(turn);
    std::string text = fmt::format(
        "gravity = [0, 0, -10]\n[simulation]\nend = 1\n[[body]]\nname = \"table\"\nmass = 6\ninertia = [1, 1, 1]\n"
        "position = [{:.17g}, {:.17g}, 0.5]\naxis = [0, 0, 1]\nangle = {:.17g}\n"
        "[[force]]\nname = \"load\"\ntype = \"point_force\"\nbody = \"table\"\npoint = [0.3, 0.1, 0]\n"
        "force = [{:.17g}, {:.17g}, -20]\n",
        0.7 * C, 0.7 * S, turn, 9 * C - 4 * S, 9 * S + 4 * C);
    for (int i = 0; i < 4; ++i)
      text += fmt::format(
          "[[contact]]\nname = \"leg{}\"\nbetween = [{{ body = \"ground\", shape = \"plane\" }}, {{ body = \"table\", "
          "shape = \"point\", point = [{}, {}, -0.5] }}]\nfriction = {{ mu = 0.4 }}\n",
          i, i % 2 ? 0.5 : -0.45, i / 2 ? 0.4 : -0.35);
    return text;
  };
  EquilibriumOptions options;
  options.intervals = false;
  const EquilibriumResult one = find_equilibrium(model(table(0)), options),
                          other = find_equilibrium(model(table(0.8)), options);
  REQUIRE(one.found);
  REQUIRE(other.found);
  CHECK(one.held_by_friction);
  for (int i = 0; i < 4; ++i) {
    const ElementAtRest &a = element(one, fmt::format("leg{}", i)), &b = element(other, fmt::format("leg{}", i));
    CHECK(b.normal_least == Approx(a.normal_least).epsilon(1e-9).margin(1e-9));
    CHECK(b.normal_largest == Approx(a.normal_largest).epsilon(1e-9));
    CHECK(a.tangential <= 0.4 * a.normal);
    CHECK(b.tangential <= 0.4 * b.normal);
  }
}

TEST_CASE("the friction of a belt in space pulls along the belt, whatever its direction") {
  // A block on a belt moving at 30 degrees, held by a spring at its centre: the spring carries mu m g that way.
  const double mu = 0.3, load = 20, way = 0.5235987755982988;
  const EquilibriumResult r = rest(
      fmt::format(
          "gravity = [0, 0, -10]\n[simulation]\nend = 1\n[[body]]\nname = \"block\"\nmass = 2\ninertia = [0.1, 0.1, "
          "0.1]\n"
          "[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\nbodies = [\"ground\", \"block\"]\n"
          "points = [[-1, 0, 0], [0, 0, 0]]\nstiffness = 100\nfree_length = 0\n"
          "[[joint]]\nname = \"upright\"\ntype = \"dp1\"\nbodies = [\"ground\", \"block\"]\naxes = [[1, 0, 0], [0, 0, "
          "1]]\n"
          "[[joint]]\nname = \"level\"\ntype = \"dp1\"\nbodies = [\"ground\", \"block\"]\naxes = [[0, 1, 0], [0, 0, "
          "1]]\n"
          "[[contact]]\nname = \"belt\"\nbetween = [{{ body = \"ground\", shape = \"plane\", surface_velocity = "
          "[{:.17g}, "
          "{:.17g}, 0] }}, {{ body = \"block\", shape = \"point\" }}]\nfriction = {{ mu = {} }}\n",
          0.2 * std::cos(way), 0.2 * std::sin(way), mu),
      {});
  REQUIRE(r.found);
  const ElementAtRest& belt = element(r, "belt");
  CHECK(belt.mode == "slip");
  CHECK(belt.normal == Approx(load).epsilon(1e-12));
  CHECK(friction(r, "belt", "fx").value == Approx(mu * load * std::cos(way)).epsilon(1e-12));
  CHECK(friction(r, "belt", "fy").value == Approx(mu * load * std::sin(way)).epsilon(1e-12));
  CHECK(r.coordinates[0] == Approx(-1 + mu * load * std::cos(way) / 100).epsilon(1e-12));
  CHECK(r.coordinates[1] == Approx(mu * load * std::sin(way) / 100).epsilon(1e-12));
}

TEST_CASE("a contact that carries nothing does not keep others from their ranges") {
  // A ball on the floor that just touches a wall; nothing presses it there.
  const EquilibriumResult r = rest(
      "gravity = [0, 0, -10]\n[simulation]\nend = 1\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n"
      "position = [0.1, 0, 0.1]\n"
      "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"plane\" }, { body = \"ball\", shape = "
      "\"sphere\", radius = 0.1 }]\nfriction = { mu = 0.3 }\n"
      "[[contact]]\nname = \"wall\"\nbetween = [{ body = \"ground\", shape = \"plane\", normal = [1, 0, 0] }, { body = "
      "\"ball\", shape = \"sphere\", radius = 0.1 }]\n");
  REQUIRE(r.found);
  // The wall could only be pressed by friction of the floor, which would turn the ball.
  CHECK(element(r, "wall").normal == Approx(0).margin(1e-9));
  CHECK(element(r, "wall").normal_largest == Approx(0).margin(1e-9));
  CHECK(element(r, "floor").normal == Approx(20).epsilon(1e-12));
  CHECK(element(r, "floor").normal_least == Approx(20).epsilon(1e-9));
}

TEST_CASE("a sleeve that begins to move: friction has the direction of what begins") {
  // Driven along with constant acceleration from rest, not about: at t = 0 all friction is along.
  const InverseResult r = inverse_dynamics(model(
      "gravity = [0, 0, -10]\n[simulation]\nend = 0.2\noutput = 0.1\n[[body]]\nname = \"shaft\"\nmass = 2\n"
      "inertia = [0.1, 0.1, 0.1]\n[[joint]]\nname = \"sleeve\"\ntype = \"cylindrical\"\nbodies = [\"ground\", "
      "\"shaft\"]\n"
      "axis = [1, 0, 0]\nfriction = { mu = 0.3, radius = 0.05 }\n[[joint]]\nname = \"pull\"\ntype = \"translation\"\n"
      "bodies = [\"ground\", \"shaft\"]\naxis = [1, 0, 0]\nvalue = \"0.5*1.5*t^2\"\n[[joint]]\nname = \"hold\"\ntype "
      "= "
      "\"rotation\"\nbodies = [\"ground\", \"shaft\"]\naxis = [1, 0, 0]\n"));
  REQUIRE(r.rows.size() == 3);
  for (const auto& row : r.rows) {
    CHECK(row.stuck.empty());
    CHECK(row.force[0] == Approx(2 * 1.5 + 0.3 * 20).epsilon(1e-12));
    CHECK(row.force[1] == Approx(0).margin(1e-12));
  }
}

TEST_CASE("orientations that friction holds are not listed as intervals unless asked for") {
  const std::string block =
      "gravity = [0, 0, -10]\n[simulation]\nend = 1\n[[body]]\nname = \"block\"\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n"
      "position = [0, 0, 0.1]\n[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"plane\" }, "
      "{ body = \"block\", shape = \"box\", sides = [0.4, 0.3, 0.2] }]\nfriction = { mu = 0.3 }\n";
  const EquilibriumResult r = rest(block, {});
  REQUIRE(r.intervals.size() == 2);
  CHECK(r.intervals[0].name == "block.x");
  CHECK(r.intervals[1].name == "block.y");
  REQUIRE(r.notices.size() == 1);
  CHECK(r.notices[0] ==
        "friction also holds orientations (block.e3), which have no interval of their own; --coordinate looks for one");
  CHECK(interval(rest(block, {"block.e3"}), "block.e3").largest > 0.9);
}

TEST_CASE("text and JSON say each part of friction with several directions") {
  const EquilibriumResult r = rest(groove(0.7, 0.3, 2));
  const std::string text = equilibrium_text(r), json = equilibrium_json(r);
  CHECK(text.find("      fy        -1\n") != std::string::npos);
  CHECK(json.find("\"fy_largest\"") != std::string::npos);
  CHECK(json.find("tangential_least") == std::string::npos);
}

TEST_CASE(
    "where friction has several directions one consistent mode is found, and that others are not looked for said") {
  const ModeAnswer answer = consistent_modes(model(groove(0.7, 0.3, 2)));
  CHECK(answer.kind == "found");
  REQUIRE(answer.modes.size() == 1);
  CHECK(answer.modes[0].text == "stick/stick");
  CHECK(modes_text(answer).find("where friction has several directions others are not looked for") !=
        std::string::npos);
}

TEST_CASE("boxes on each other: faces that look away do not count, and the upper box slides first") {
  // Pushed at the height of the joint between them, along x: mu m g of the upper box alone.
  std::string text = "gravity = [0, 0, -10]\n[parameters]\nH = 1\n[simulation]\nend = 1\n";
  for (int i = 0; i < 3; ++i) {
    text += fmt::format(
        "[[body]]\nname = \"box{}\"\nmass = 1.5\ninertia = [0.02, 0.03, 0.03]\nposition = [{}, 0, {}]\n"
        "[[contact]]\nname = \"joint{}\"\nbetween = [{}, {{ body = \"box{}\", shape = \"box\", sides = [0.4, 0.3, 0.2] "
        "}}]\nfriction = {{ mu = 0.4 }}\n",
        i, 0.01 * i, 0.1 + 0.2 * i, i,
        i == 0 ? "{ body = \"ground\", shape = \"plane\" }"
               : fmt::format("{{ body = \"box{}\", shape = \"box\", sides = [0.4, 0.3, 0.2] }}", i - 1),
        i);
  }
  text +=
      "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"box2\"\npoint = [0, 0, -0.1]\n"
      "force = [\"H\", 0, 0]\n";
  EquilibriumOptions options;
  options.coordinates = {"box2.x"};
  options.vary = {"H"};
  options.remake = [&](const std::string& name, double value) {
    return parse_model("dimension = 3\n" + text, "m.toml", {{"parameters." + name, fmt::format("{:.17g}", value)}});
  };
  const EquilibriumResult r = find_equilibrium(model(text), options);
  REQUIRE(r.found);
  CHECK(r.held_by_friction);
  CHECK(interval(r, "H").largest == Approx(0.4 * 15).epsilon(1e-11));
  CHECK(interval(r, "H").least == Approx(-0.4 * 15).epsilon(1e-11));
  // Carried on until its weight is over the edge of the box below.
  CHECK(interval(r, "box2.x").largest == Approx(0.21).epsilon(1e-11));
}
