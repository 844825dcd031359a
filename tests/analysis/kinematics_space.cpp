// tests/analysis/kinematics_space.cpp
//
// Kinematics of driven spatial mechanisms against closed forms: the universal joint, an RSSR loop, Bennett's linkage (a
// loop that moves though it has more rows than velocities), a screw whose threads are finer than steps; singular
// positions at the time geometry says; what is not driven is refused by the name of the freedom.
#include "hstar/kinematics.hpp"

#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/kinematics_columns.hpp"
#include "hstar/error.hpp"

using namespace hstar;

namespace {

constexpr double pi = 3.14159265358979323846;

ModelSpec model(const std::string& text) { return parse_model("dimension = 3\n" + text, "m.toml"); }

std::string body(const std::string& name, double x, double y, double z, const std::string& more = "") {
  return fmt::format(
      "[[body]]\nname = \"{}\"\nmass = 1.5\ninertia = [[0.02, 0.003, 0.0], [0.003, 0.03, 0.001], [0.0, 0.001, 0.04]]\n"
      "position = [{:.17g}, {:.17g}, {:.17g}]\n{}",
      name, x, y, z, more);
}
std::string joint(const std::string& name, const std::string& type, const std::string& first, const std::string& second,
                  const std::string& more) {
  return fmt::format("[[joint]]\nname = \"{}\"\ntype = \"{}\"\nbodies = [\"{}\", \"{}\"]\n{}", name, type, first,
                     second, more);
}

}  // namespace

TEST_CASE("universal joint: the second shaft's angle, speed and acceleration over two turns") {
  constexpr double beta = 0.7, w = 3;
  const std::string axis2 = fmt::format("[{:.17g}, {:.17g}, 0]", std::cos(beta), std::sin(beta));
  const auto r = analyse_kinematics(model(
      fmt::format("[simulation]\nend = {:.17g}\noutput = 0.1\n", 4 * pi / w) + body("input", 0, 0, 0) +
      body("output", 0, 0, 0) + joint("bearing1", "revolute", "ground", "input", "axis = [1, 0, 0]\n") +
      joint("bearing2", "revolute", "ground", "output", "axis = " + axis2 + "\n") +
      joint("cross", "universal", "input", "output",
            fmt::format("axis = [0, 0, 1]\nsecond_axis = [{:.17g}, {:.17g}, 0]\n", -std::sin(beta), std::cos(beta))) +
      joint("motor", "rotation", "ground", "input", "axis = [1, 0, 0]\nvalue = \"3*t\"\n")));
  REQUIRE(r.reached_end);
  CHECK(r.singular.empty());
  REQUIRE(!r.notices.empty());  // the loop holds itself more often than it need
  CHECK(r.notices[0].find("redundant") != std::string::npos);
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    // tan(th2) = tan(th1) cos(beta)
    const double th = w * at(r, i, "t"), s = std::sin(th), c = std::cos(th), b = std::cos(beta);
    const double angle = std::atan2(b * s, c), rate = b / (c * c + b * b * s * s) * w;
    const double second = 2 * b * (1 - b * b) * s * c / std::pow(c * c + b * b * s * s, 2) * w * w;
    CHECK(at(r, i, "input.e0") == Approx(std::cos(th / 2)).margin(1e-13));
    // up to whole turns the parameters of a turn about the second shaft
    const double e0 = at(r, i, "output.e0"), ex = at(r, i, "output.e1"), ey = at(r, i, "output.e2");
    const double turned = 2 * std::atan2(ex * std::cos(beta) + ey * std::sin(beta), e0);
    CHECK(std::remainder(turned - angle, 2 * pi) == Approx(0).margin(1e-12));
    CHECK(at(r, i, "output.wx") == Approx(rate * std::cos(beta)).epsilon(1e-12));
    CHECK(at(r, i, "output.wy") == Approx(rate * std::sin(beta)).epsilon(1e-12));
    CHECK(at(r, i, "output.alpha_x") == Approx(second * std::cos(beta)).margin(1e-11));
    CHECK(at(r, i, "output.alpha_y") == Approx(second * std::sin(beta)).margin(1e-11));
  }
}

TEST_CASE("RSSR linkage: the rocker's angle from the loop's closed form, from a rough estimate") {
  constexpr double a = 0.2, b = 0.5, c = 0.9, X = 0.6, Y = 0.25, w = 5;
  const auto rocker = [&](double th) {
    const double A = 2 * b * (X - a * std::cos(th));
    return std::asin((c * c - b * b - std::pow(X - a * std::cos(th), 2) - std::pow(Y - a * std::sin(th), 2)) / A);
  };
  const double estimate = rocker(0) + 0.2;
  const auto r = analyse_kinematics(
      model("[simulation]\nend = 2.6\noutput = 0.02\n" + body("crank", 0, 0, 0) +
            body("rocker", X + b / 2 * std::sin(estimate), Y, b / 2 * std::cos(estimate),
                 fmt::format("axis = [0, 1, 0]\nangle = {:.17g}\n", estimate)) +
            joint("A", "revolute", "ground", "crank", "") +
            joint("D", "revolute", "ground", "rocker",
                  fmt::format("points = [[{}, {}, 0], [0, 0, {}]]\naxes = [[0, 1, 0], [0, 1, 0]]\n", X, Y, -b / 2)) +
            joint("rod", "distance", "crank", "rocker",
                  fmt::format("points = [[{}, 0, 0], [0, 0, {}]]\nlength = {}\n", a, b / 2, c)) +
            joint("motor", "rotation", "ground", "crank", "value = \"5*t\"\n")));
  REQUIRE(r.reached_end);
  CHECK(r.singular.empty());
  CHECK(r.notices.empty());
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    const double th = w * at(r, i, "t"), ph = rocker(th), h = 1e-4;
    CHECK(at(r, i, "rocker.x") == Approx(X + b / 2 * std::sin(ph)).epsilon(1e-12));
    CHECK(at(r, i, "rocker.z") == Approx(b / 2 * std::cos(ph)).epsilon(1e-12));
    const double slope = (rocker(th - 2 * h) - 8 * rocker(th - h) + 8 * rocker(th + h) - rocker(th + 2 * h)) / (12 * h);
    CHECK(at(r, i, "rocker.wy") == Approx(slope * w).margin(1e-9));
    const double bend = (rocker(th - h) - 2 * rocker(th) + rocker(th + h)) / (h * h);
    CHECK(at(r, i, "rocker.alpha_y") == Approx(bend * w * w).margin(1e-5));
  }
}

TEST_CASE("Bennett's linkage moves, and its joint angles keep their closed form") {
  // Denavit-Hartenberg: links a, b, a, b with twists al, be, al, be and sin(al) / a = sin(be) / b; then
  // tan(th1/2) tan(th2/2) = sin((be + al)/2) / sin((be - al)/2), th3 = -th1, th4 = -th2 (Bennett 1903).
  const double al = 0.6, be = 1.1, a = 0.3, b = a * std::sin(be) / std::sin(al);
  const double ratio = std::sin((be + al) / 2) / std::sin((be - al) / 2);
  struct Frame {
    double R[3][3], p[3];
  };
  const auto advance = [](const Frame& f, double th, double length, double twist) {
    Frame out{};
    const double c = std::cos(th), s = std::sin(th), ca = std::cos(twist), sa = std::sin(twist);
    const double T[3][4] = {{c, -s * ca, s * sa, length * c}, {s, c * ca, -c * sa, length * s}, {0, sa, ca, 0}};
    for (int i = 0; i < 3; ++i) {
      out.p[i] = f.p[i];
      for (int k = 0; k < 3; ++k) {
        out.p[i] += f.R[i][k] * T[k][3];
        for (int j = 0; j < 3; ++j) out.R[i][j] += f.R[i][k] * T[k][j];
      }
    }
    return out;
  };
  const double th1 = 0.8, th2 = 2 * std::atan2(ratio, std::tan(th1 / 2));
  // Link 4 (b, be) is the ground: joint 1 stands at its far end; links 1 (a, al), 2, 3 follow.
  Frame f[4] = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}}};
  f[1] = advance(f[0], th1, a, al);
  f[2] = advance(f[1], th2, b, be);
  f[3] = advance(f[2], -th1, a, al);
  const Frame closed = advance(f[3], -th2, b, be);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(std::abs(closed.p[i]) < 1e-14);
    REQUIRE(closed.R[i][i] == Approx(1).epsilon(1e-14));
  }
  const auto vector = [](double x, double y, double z) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x, y, z); };
  const auto hinge = [&](const std::string& name, const std::string& one, const std::string& two, const Frame& g) {
    return joint(
        name, "revolute", one, two,
        "at = " + vector(g.p[0], g.p[1], g.p[2]) + "\naxis = " + vector(g.R[0][2], g.R[1][2], g.R[2][2]) + "\n");
  };
  const auto link = [&](const std::string& name, const Frame& one, const Frame& two) {
    return body(name, (one.p[0] + two.p[0]) / 2, (one.p[1] + two.p[1]) / 2, (one.p[2] + two.p[2]) / 2);
  };
  const auto r = analyse_kinematics(model("[simulation]\nend = 3.0\noutput = 0.05\n" + link("one", f[0], f[1]) +
                                          link("two", f[1], f[2]) + link("three", f[2], f[3]) +
                                          hinge("J1", "ground", "one", f[0]) + hinge("J2", "one", "two", f[1]) +
                                          hinge("J3", "two", "three", f[2]) + hinge("J4", "ground", "three", f[3]) +
                                          joint("motor", "rotation", "ground", "one", "value = \"t\"\n")));
  REQUIRE(r.reached_end);
  // Body "one" turns with th1; the turn of "two" against it is that of joint 2.
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    const double now1 = th1 + at(r, i, "t"), now2 = 2 * std::atan2(ratio, std::tan(now1 / 2));
    const auto p = [&](const char* name) {
      const std::string n = name;
      return std::array{at(r, i, n + ".e0"), at(r, i, n + ".e1"), at(r, i, n + ".e2"), at(r, i, n + ".e3")};
    };
    const auto p1 = p("one"), p2 = p("two");
    const double e0 = p1[0] * p2[0] + p1[1] * p2[1] + p1[2] * p2[2] + p1[3] * p2[3];
    CHECK(std::abs(e0) == Approx(std::abs(std::cos((now2 - th2) / 2))).margin(1e-11));
  }
}

TEST_CASE("a nut on a swinging arm stays on its thread however far apart the report times are") {
  // The arm turns by 1.5 t + 0.4 sin 2t, the nut by 2 sin 3t on it; between report times both go far, and what the
  // prediction is off is many threads.
  for (const double pitch : {0.02, 0.0007, -0.0007})
    for (const double interval : {0.05, 0.25, 1.0}) {
      const auto r = analyse_kinematics(
          model(fmt::format("[simulation]\nend = 2.0\noutput = {}\n", interval) + body("arm", 0.2, 0, 0) +
                body("nut", 0.6, 0.1, 0) + joint("pivot", "revolute", "ground", "arm", "at = [0, 0, 0]\n") +
                joint("thread", "screw", "arm", "nut",
                      fmt::format("at = [0.5, 0, 0]\naxis = [1, 0, 0]\npitch = {}\n", pitch)) +
                joint("motor", "rotation", "ground", "arm", "value = \"1.5*t + 0.4*sin(2*t)\"\n") +
                joint("spindle", "rotation", "arm", "nut", "axis = [1, 0, 0]\nvalue = \"2*sin(3*t)\"\n")));
      REQUIRE(r.reached_end);
      for (std::size_t i = 0; i < r.rows.size(); ++i) {
        const double t = at(r, i, "t"), turn = 2 * std::sin(3 * t), swing = 1.5 * t + 0.4 * std::sin(2 * t);
        const double along = 0.6 + pitch * turn / (2 * pi), across = 0.1 * std::cos(turn);
        CHECK(at(r, i, "nut.x") == Approx(along * std::cos(swing) - across * std::sin(swing)).margin(1e-12));
        CHECK(at(r, i, "nut.y") == Approx(along * std::sin(swing) + across * std::cos(swing)).margin(1e-12));
        CHECK(at(r, i, "nut.z") == Approx(0.1 * std::sin(turn)).margin(1e-12));
      }
    }
}

TEST_CASE("a shaft and the wheel it drives turn on after a thousand turns") {
  const auto r = analyse_kinematics(
      model("[simulation]\nend = 6.0\noutput = 2\n" + body("shaft", 0, 0, 0) + body("wheel", 1, 0, 0) +
            joint("A", "revolute", "ground", "shaft", "at = [0, 0, 0]\n") +
            joint("B", "revolute", "ground", "wheel", "at = [1, 0, 0]\n") +
            joint("mesh", "gear", "shaft", "wheel", "axis = [0, 0, 1]\nsecond_axis = [0, 0, 1]\nteeth = [60, 17]\n") +
            joint("motor", "rotation", "ground", "shaft", "value = \"1000*t\"\n")));
  REQUIRE(r.reached_end);
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    const double t = at(r, i, "t"), turned = -1000 * t * 60 / 17;
    CHECK(std::abs(at(r, i, "shaft.e0")) == Approx(std::abs(std::cos(500 * t))).margin(1e-10));
    CHECK(std::abs(at(r, i, "wheel.e0")) == Approx(std::abs(std::cos(turned / 2))).margin(1e-10));
    CHECK(at(r, i, "wheel.wz") == Approx(-1000.0 * 60 / 17).epsilon(1e-12));
  }
}

TEST_CASE("a rocker pulled beyond its reach locks where it and its rod are in line") {
  // Slider at (x, 0, 0.3) on a guide; rocker of length b about the axis y through the origin; rod of length c.
  constexpr double b = 0.4, c = 0.7, z = 0.3, x0 = 0.8;
  const double reach = std::sqrt((b + c) * (b + c) - z * z);
  // At the start |P Q| = c with P = (x0, 0, z), Q = b (cos ph, 0, sin ph).
  const double far = std::hypot(x0, z), ph = std::atan2(z, x0) + std::acos((far * far + b * b - c * c) / (2 * far * b));
  const auto r = analyse_kinematics(model(
      "[simulation]\nend = 4\noutput = 0.1\n" + body("slider", x0, 0, z) +
      body("rocker", 0, 0, 0, fmt::format("axis = [0, 1, 0]\nangle = {:.17g}\n", -ph)) +
      joint("guide", "translational", "ground", "slider", "axis = [1, 0, 0]\n") +
      joint("hinge", "revolute", "ground", "rocker", "axis = [0, 1, 0]\n") +
      joint("rod", "distance", "slider", "rocker",
            fmt::format("points = [[0, 0, 0], [{}, 0, 0]]\nlength = {}\n", b, c)) +
      joint("winch", "translation", "ground", "slider",
            fmt::format("points = [[0, 0, {}], [0, 0, 0]]\naxes = [[1, 0, 0], [1, 0, 0]]\nvalue = \"{} + 0.1*t\"\n", z,
                        x0))));
  CHECK(!r.reached_end);
  REQUIRE(r.singular.size() == 1);
  CHECK(!r.singular[0].passed);
  CHECK(r.singular[0].t == Approx((reach - x0) / 0.1).epsilon(1e-9));
  CHECK(r.singular[0].row.find("joint \"") == 0);
}

TEST_CASE("what is not fully driven is refused by the name of the freedom") {
  const std::string free_rod =
      "[simulation]\nend = 1\n" + body("arm", 0, 0, 0) + joint("ball", "spherical", "ground", "arm", "");
  CHECK_THROWS_WITH(analyse_kinematics(model(free_rod)),
                    Catch::Contains("the drivers leave arm.turn_x, arm.turn_y, arm.turn_z free") &&
                        Catch::Contains("(6 velocities, 3 independent constraints)"));
}
