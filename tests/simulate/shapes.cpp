// tests/simulate/shapes.cpp
//
// Contacts that wander over boundaries with corners: passing from a side to a corner, an arc or another body's
// edge is an event, and the motion goes on as if the boundary were one curve. Closed forms: sliding around a corner
// until the normal force vanishes, a pin that swings in a hole or climbs the round end of a slot, a block pushed off
// a table, a polygon that lands on a polygon.
#include <catch2/catch.hpp>

#include <cmath>

#include "support/run_text.hpp"

using namespace support;

namespace {

constexpr double g = 9.81;

std::string head(double end) {
  return "gravity = [0.0, -9.81]\n[simulation]\nend = " + digits(end) + "\nintegrator = \"dop853\"\nrtol = 1e-12\n";
}

std::string body(const std::string& name, double x, double y, double vx, double inertia = 0.02) {
  return "[[body]]\nname = \"" + name + "\"\nmass = 0.8\ninertia = " + digits(inertia) + "\nposition = [" + digits(x) +
         ", " + digits(y) + "]\nvelocity = [" + digits(vx) + ", 0.0]\n";
}

std::string contact(const std::string& first, const std::string& second, const std::string& more = {}) {
  return "[[contact]]\nname = \"c\"\nbetween = [{ " + first + " }, { " + second + " }]\n" + more;
}

const hstar::EventRecord& nth_event(const hstar::RunResult& r, const std::string& kind, std::size_t n) {
  for (const auto& e : r.events)
    if (e.kind == kind && n-- == 0) return e;
  throw std::runtime_error("no event " + kind);
}

}  // namespace

TEST_CASE("a smooth circle slides off the end of a segment, around its corner, and leaves it") {
  // Around the corner: v^2 = v0^2 + 2 g R (1 - cos phi), and R N/m = g R cos phi - v^2 = 0 where it leaves.
  const double R = 0.3, v0 = GENERATE(0.2, 0.7, 1.2);
  const auto r = run_text(head(0.6 / v0 + 1) + body("ball", 0.4, R, v0) +
                          contact("body = \"ground\", shape = \"segment\", ends = [[-1.0, 0.0], [1.0, 0.0]]",
                                  "body = \"ball\", shape = \"circle\", radius = 0.3"));
  INFO("v0 = " << v0 << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  const auto& corner = first_event(r, "vertex");
  CHECK(corner.t == Approx(0.6 / v0).epsilon(1e-10));
  CHECK(corner.element == "c.side");
  const auto& leaves = first_event(r, "liftoff");
  CHECK(leaves.element == "c.end2");
  const double cosine = (2 + v0 * v0 / (g * R)) / 3;
  CHECK(leaves.y_after[0] - 1 == Approx(R * std::sqrt(1 - cosine * cosine)).epsilon(1e-8));
  CHECK(leaves.y_after[1] == Approx(R * cosine).epsilon(1e-8));
  CHECK(std::hypot(leaves.y_after[3], leaves.y_after[4]) == Approx(std::sqrt(g * R * cosine)).epsilon(1e-8));
  CHECK(count(r, "impact") == 0);
}

TEST_CASE("too fast for the corner, a circle leaves the segment at its end") {
  const double v0 = 2.0;  // v0^2 > g R
  const auto r = run_text(head(1) + body("ball", 0.4, 0.3, v0) +
                          contact("body = \"ground\", shape = \"segment\", ends = [[-1.0, 0.0], [1.0, 0.0]]",
                                  "body = \"ball\", shape = \"circle\", radius = 0.3"));
  REQUIRE(r.outcome.success());
  CHECK(count(r, "liftoff") == 0);
  CHECK(first_event(r, "vertex").t == Approx(0.3));
  CHECK(final_value(r, "ball.y") == Approx(0.3 - 0.5 * g * 0.7 * 0.7).epsilon(1e-9));
}

TEST_CASE("a smooth pin in a hole swings like a pendulum as long as the clearance") {
  const double length = 0.05, phi = 0.9;
  const double quarter = std::sqrt(length / g) * std::comp_ellint_1(std::sin(phi / 2));
  const auto r = run_text(head(2.1 * quarter) + body("pin", length * std::sin(phi), -length * std::cos(phi), 0) +
                          contact("body = \"ground\", shape = \"hole\", radius = 0.35",
                                  "body = \"pin\", shape = \"circle\", radius = 0.3") +
                          "[[guard]]\nname = \"lowest\"\nwhen = \"pin.x\"\n");
  REQUIRE(r.outcome.success());
  CHECK(first_event(r, "guard_down").t == Approx(quarter).epsilon(1e-10));
  CHECK(std::hypot(final_value(r, "pin.x"), final_value(r, "pin.y")) == Approx(length).epsilon(1e-12));
}

TEST_CASE("a smooth pin runs along a slot, up its round end, and back") {
  const double clearance = 0.2, v0 = 1.1, half = 0.5;  // of the middle line; pin starts at its centre
  const double phi = 2 * std::asin(v0 / (2 * std::sqrt(g * clearance)));
  const double swing = 2 * std::sqrt(clearance / g) * std::comp_ellint_1(std::sin(phi / 2));
  const auto r = run_text(head(2 * half / v0 + swing) + body("pin", 0.3, 0.4 - clearance, v0) +
                          contact("body = \"ground\", shape = \"slot\", point = [0.3, 0.4], ends = [[-0.5, 0.0], [0.5, "
                                  "0.0]], radius = 0.3",
                                  "body = \"pin\", shape = \"circle\", radius = 0.1"));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(count(r, "vertex") >= 2);
  CHECK(nth_event(r, "vertex", 0).t == Approx(half / v0).epsilon(1e-10));
  CHECK(nth_event(r, "vertex", 1).t == Approx(half / v0 + swing).epsilon(1e-9));
  CHECK(count(r, "impact") == 0);
  CHECK(final_value(r, "pin.x") == Approx(0.3).margin(1e-8));
  CHECK(final_value(r, "pin.vx") == Approx(-v0).epsilon(1e-9));
}

TEST_CASE("a block pushed off a table rests on the table's corner, and tips when its centre is beyond it") {
  const double v0 = 0.5;
  const auto r = run_text(
      head(1.05) + body("block", -0.3, 0.1, v0) +
      contact("body = \"ground\", shape = \"polygon\", corners = [[-2.0, -1.0], [0.0, -1.0], [0.0, 0.0], [-2.0, 0.0]]",
              "body = \"block\", shape = \"polygon\", corners = [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]"));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(first_event(r, "vertex").t == Approx(0.1 / v0).epsilon(1e-10));
  const auto& tips = first_event(r, "liftoff");
  CHECK(tips.t == Approx(0.3 / v0).epsilon(1e-10));
  CHECK(tips.element == "c.edge3_corner1");
  CHECK(count(r, "impact") == 0);
  CHECK(final_value(r, "block.omega") < -0.1);  // it turns over the corner
}

TEST_CASE("a polygon lands flat on a polygon that overhangs it") {
  const double fall = std::sqrt(2 * 0.4 / g);
  const auto r = run_text(
      head(fall + 0.5) + body("block", 0.15, 0.5, 0) +
      contact("body = \"ground\", shape = \"polygon\", corners = [[-0.1, -1.0], [0.1, -1.0], [0.1, 0.0], [-0.1, 0.0]]",
              "body = \"block\", shape = \"polygon\", corners = [[-0.3, -0.1], [0.3, -0.1], [0.3, 0.1], [-0.3, 0.1]]"));
  REQUIRE(r.outcome.success());
  const auto& lands = first_event(r, "impact");  // on the ground's two upper corners, beside the centre of mass
  CHECK(lands.t == Approx(fall).epsilon(1e-10));
  CHECK(lands.element == "c.corner3_edge1");
  CHECK(final_value(r, "block.omega") < -0.5);
}

TEST_CASE("a disc and the box it falls on rattle to rest, the disc on the box and the box on the floor") {
  // Two corners and a disc bounce at once, and no impacts of one contact have a pattern of their own: at the end the
  // disc must be one half height, a whole one and its radius above the floor.
  const double half = 0.2432243581236798, width = 0.33859248702437816, radius = 0.2328628530588449;
  const std::string box = "shape = \"polygon\", corners = [[" + digits(-width) + ", " + digits(-half) + "], [" +
                          digits(width) + ", " + digits(-half) + "], [" + digits(width) + ", " + digits(half) + "], [" +
                          digits(-width) + ", " + digits(half) + "]]";
  const std::string law = "restitution = 0.10352772145414235\nfriction = { mu = 0.7950604001397935 }\n";
  const auto r = run_text(
      "gravity = [0.0, -10.0]\n[simulation]\nend = 1.0\nrtol = 6e-9\nintegrator = \"ode23\"\n[[body]]\nname = "
      "\"box\"\nmass = 3.434130617846213\ninertia = 0.3188272738127095\nposition = [0.09255580135164826, "
      "0.7018723292919407]\nvelocity = [0.0, -0.822589045050083]\n[[body]]\nname = \"disc\"\nmass = "
      "0.4395368289667055\ninertia = 0.00953357286712496\nposition = [0.0, 1.6446030196301047]\nangle = "
      "1.536853869144811\nvelocity = [0.33356319787557887, -2.1203689853099355]\nangular_velocity = "
      "1.0786068017799426\n" +
      contact("body = \"ground\", shape = \"line\"", "body = \"box\", " + box, law) + "[[contact]]\nname = \"top\"\n" +
      "between = [{ body = \"box\", " + box + " }, { body = \"disc\", shape = \"circle\", radius = " + digits(radius) +
      " }]\n" + law);
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(final_value(r, "box.y") == Approx(half).margin(1e-9));
  CHECK(final_value(r, "disc.y") == Approx(2 * half + radius).margin(1e-9));
}

TEST_CASE("blocks on one floor that meet corner to corner exchange momentum, and nothing else") {
  // Their lower corners meet, and each lies at the end of the other's underside: no contact, the blocks are on the same
  // side of it. Newton's law for equal masses: v1 = (1 - e) v / 2, v2 = (1 + e) v / 2.
  const double e = GENERATE(0.0, 0.4, 1.0);
  const std::string law = GENERATE("newton", "poisson", "whittaker"), the_law = "impact_law = \"" + law + "\"\n",
                    block = "shape = \"polygon\", corners = [[-0.1, -0.2], [0.1, -0.2], [0.1, 0.2], [-0.1, 0.2]]";
  const auto floor = [&](const std::string& name) {
    return "[[contact]]\nname = \"floor_" + name + "\"\n" + the_law +
           "between = [{ body = \"ground\", shape = \"line\" }, { body = \"" + name + "\", " + block + " }]\n";
  };
  const auto r = run_text(
      head(2) + body("a", 0, 0.2, 1) + body("b", 0.7, 0.2, 0) + floor("a") + floor("b") +
      contact("body = \"a\", " + block, "body = \"b\", " + block, "restitution = " + digits(e) + "\n" + the_law));
  INFO("e " << e << ", " << law << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  const auto& strike = first_event(r, "impact");
  CHECK(strike.t == Approx(0.5).epsilon(1e-12));
  CHECK(count(r, "impact") == 1);
  CHECK(strike.y_after[6] == Approx((1 - e) / 2).margin(1e-12));
  CHECK(strike.y_after[9] == Approx((1 + e) / 2).margin(1e-12));
}
