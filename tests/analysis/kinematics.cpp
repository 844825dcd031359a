// tests/analysis/kinematics.cpp
//
// Kinematics of driven mechanisms against closed forms and the recomputed lecture numbers; singular positions must be
// found at the time geometry says, and what is not fully driven is refused by the name of the free coordinate.
#include "hstar/kinematics.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "analysis/kinematics_columns.hpp"
#include "hstar/assemble.hpp"
#include "hstar/error.hpp"
#include "model/document.hpp"

using namespace hstar;

namespace {

constexpr double pi = 3.14159265358979323846;

/// Crank r, rod l (a massless-looking light one would do as well: only kinematics is asked), slider of 2 kg on the x
/// axis.
std::string slider_crank(double r, double l, const std::string& driver, double angle, double end) {
  std::ostringstream text;
  text.precision(17);
  const double phi = std::asin(r * std::sin(angle) / l);
  text << "gravity = [0, 0]\n[simulation]\nend = " << end << "\noutput = " << end / 50
       << "\n[[body]]\nname = \"crank\"\nmass = 1\ninertia = 0.01\nangle = " << angle
       << "\n[[body]]\nname = \"rod\"\nmass = 1\ninertia = 0.01\nangle = " << -phi << "\nposition = ["
       << r * std::cos(angle) + l / 2 * std::cos(phi) << ", " << l / 2 * std::sin(phi)
       << "]\n[[body]]\nname = \"slider\"\nmass = 2\nposition = [" << r * std::cos(angle) + l * std::cos(phi)
       << ", 0]\n[[joint]]\nname = \"pivot\"\ntype = \"revolute\"\nbodies = [\"ground\", \"crank\"]\n"
          "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"crank\", \"rod\"]\npoints = [["
       << r << ", 0], [" << -l / 2
       << ", 0]]\n[[joint]]\nname = \"wrist\"\ntype = \"revolute\"\nbodies = [\"rod\", \"slider\"]\npoints = [["
       << l / 2
       << ", 0], [0, 0]]\n[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"ground\", \"slider\"]\n"
       << driver;
  return text.str();
}

std::string crank_driver(const std::string& value) {
  return "[[joint]]\nname = \"driver\"\ntype = \"absolute_angle\"\nbody = \"crank\"\nvalue = \"" + value + "\"\n";
}

}  // namespace

TEST_CASE("the web cutter: positions, velocities and accelerations of the recomputed tables") {
  const std::string folder = HSTAR_SOURCE_DIR "/validation/lectures/";
  const KinematicsResult r = analyse_kinematics(read_model(folder + "web_cutter.toml"));
  CHECK(r.reached_end);
  CHECK(r.singular.empty());
  std::ifstream stream(folder + "web_cutter_fourbar.toml");
  std::stringstream text;
  text << stream.rdbuf();
  const model::Value file = model::parse_document(text.str(), "web_cutter_fourbar.toml");
  const model::Value& reference = file.find("reference")->value;
  const auto list = [&](const char* key, std::size_t i) { return reference.find(key)->value.items[i].number; };
  CHECK(at(r, 0, "crank.x") == Approx(list("G2", 0)).epsilon(1e-11));
  CHECK(at(r, 0, "crank.y") == Approx(list("G2", 1)).epsilon(1e-11));
  CHECK(at(r, 0, "coupler.angle") * 180 / pi == Approx(reference.find("angles_deg")->value.find("BC")->value.number));
  CHECK(at(r, 0, "rocker.angle") * 180 / pi == Approx(reference.find("angles_deg")->value.find("DC")->value.number));
  CHECK(at(r, 0, "coupler.omega") == Approx(reference.find("omega3")->value.number).epsilon(1e-12));
  CHECK(at(r, 0, "rocker.omega") == Approx(reference.find("omega4")->value.number).epsilon(1e-12));
  const std::vector<std::string> bodies = {"crank", "coupler", "rocker"}, v = {".vx", ".vy", ".omega"},
                                 a = {".ax", ".ay", ".alpha"};
  for (std::size_t b = 0; b < 3; ++b)
    for (std::size_t c = 0; c < 3; ++c) {  // six decimals
      CHECK(std::abs(at(r, 0, bodies[b] + v[c]) - list("qdot", 3 * b + c)) < 1e-6);
      CHECK(std::abs(at(r, 0, bodies[b] + a[c]) - list("qddot", 3 * b + c)) < 1e-6);
    }
  // After one turn everything is where it was.
  for (const char* name : {"coupler.x", "rocker.y", "coupler.alpha", "D.fx"})
    CHECK(at(r, r.rows.size() - 1, name) == Approx(at(r, 0, name)).epsilon(1e-9).margin(1e-9));
}

TEST_CASE("a driven slider-crank: closed form of slider and driving torque") {
  constexpr double r = 0.1, l = 0.35, w = 7;
  const auto result = analyse_kinematics(parse_model(slider_crank(r, l, crank_driver("0.4 + 7*t"), 0.4, 2), "sc.toml"));
  REQUIRE(result.reached_end);
  CHECK(result.singular.empty());
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const double th = 0.4 + w * at(result, i, "t"), s = std::sin(th), c = std::cos(th);
    const double phi = std::asin(r * s / l), dphi = r * c / (l * std::cos(phi)) * w;
    const double ddphi = (std::tan(phi) * dphi * dphi * l * std::cos(phi) - r * s * w * w) / (l * std::cos(phi));
    CHECK(at(result, i, "slider.x") == Approx(r * c + l * std::cos(phi)).epsilon(1e-13));
    CHECK(at(result, i, "slider.vx") == Approx(-r * s * w - l * std::sin(phi) * dphi).margin(1e-13));
    CHECK(at(result, i, "slider.ax") ==
          Approx(-r * c * w * w - l * std::cos(phi) * dphi * dphi - l * std::sin(phi) * ddphi).margin(1e-11));
    CHECK(at(result, i, "rod.alpha") == Approx(-ddphi).margin(1e-11));
    // The driver's power is the rate of kinetic energy.
    double power = 0;
    power += 2 * at(result, i, "slider.vx") * at(result, i, "slider.ax");
    power += at(result, i, "rod.vx") * at(result, i, "rod.ax") + at(result, i, "rod.vy") * at(result, i, "rod.ay");
    power += 0.01 * at(result, i, "rod.omega") * at(result, i, "rod.alpha");
    CHECK(at(result, i, "driver.torque") * w == Approx(power).margin(1e-11));
  }
}

TEST_CASE("a slider-crank in nanometres moves as in millimetres") {
  constexpr double r = 0.1, l = 0.35;
  for (const double unit : {1e3, 1e9}) {
    std::string model = slider_crank(r * unit, l * unit, crank_driver("0.4 + t"), 0.4, 6);
    for (const std::string inertia = "inertia = 0.01\n"; model.find(inertia) != std::string::npos;)
      model.replace(model.find(inertia), inertia.size(), "inertia = " + std::to_string(0.01 * unit * unit) + "\n");
    const auto result = analyse_kinematics(parse_model(model, "sc.toml"));
    REQUIRE(result.reached_end);
    for (std::size_t i = 0; i < result.rows.size(); ++i) {
      const double angle = 0.4 + at(result, i, "t");
      const double x = r * std::cos(angle) + std::sqrt(l * l - r * r * std::sin(angle) * std::sin(angle));
      CHECK(at(result, i, "slider.x") == Approx(x * unit).epsilon(1e-13));
    }
  }
}

TEST_CASE("a slider pulled beyond its reach locks where crank and rod are in line") {
  // x = x0 + t from theta = 1; the reach is r + l.
  constexpr double r = 0.1, l = 0.35;
  const double x0 = r * std::cos(1.0) + l * std::cos(std::asin(r * std::sin(1.0) / l));
  for (const double second : {1.0, 1e-9}) {
    std::ostringstream driver;
    driver.precision(17);
    driver << "[[joint]]\nname = \"driver\"\ntype = \"absolute_x\"\nbody = \"slider\"\nvalue = \"" << x0 << " + "
           << 0.1 / second << "*t\"\n";
    const auto result = analyse_kinematics(parse_model(slider_crank(r, l, driver.str(), 1.0, 2 * second), "sc.toml"));
    CHECK(!result.reached_end);
    REQUIRE(result.singular.size() == 1);
    CHECK(!result.singular[0].passed);
    CHECK(result.singular[0].t == Approx((r + l - x0) / 0.1 * second).epsilon(1e-9));
    CHECK(result.singular[0].row.find("joint \"") == 0);
  }
}

TEST_CASE("equal crank and rod: the position where the rod may turn with the crank is found and passed") {
  const auto result =
      analyse_kinematics(parse_model(slider_crank(0.2, 0.2, crank_driver("0.4 + t"), 0.4, 2), "sc.toml"));
  REQUIRE(result.singular.size() == 1);
  CHECK(result.singular[0].passed);
  CHECK(std::abs(result.singular[0].t - (pi / 2 - 0.4)) < 1e-9 + result.singular[0].t_error);
  CHECK(result.singular[0].t_error < 1e-6);
  CHECK(result.reached_end);
  CHECK(at(result, result.rows.size() - 1, "slider.x") == Approx(0.4 * std::cos(2.4)).epsilon(1e-9));
}

TEST_CASE("what is not fully driven is refused, and assembled") {
  const ModelSpec model = parse_model(slider_crank(0.1, 0.35, "", 0.4, 1), "sc.toml");
  CHECK_THROWS_WITH(analyse_kinematics(model), Catch::Contains("free") && Catch::Contains("driver"));
  CHECK(assemble(model).free.size() == 1);
}
