// tests/simulate/no_single_answer.cpp
//
// Where rigid bodies with friction have no single answer, what is said must be true: a state without a mode jams with
// the impulse of its sliding phases (closed form), several modes are listed, the motion of redundant contacts is the
// one that all splits of force share, their ranges are the extremes of all splits, and rest is told with the friction
// reserve.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "hstar/modes.hpp"
#include "simulate/rod_jam.hpp"
#include "support/run_text.hpp"

using namespace hstar;

namespace {

/// A rod sliding on its tip with velocity -1 m/s: m = 1, l = 0.5.
std::string rod(double mu, double theta, double omega, const std::string& law, double e) {
  return "gravity = [0.0, -9.81]\n[parameters]\nl = 0.5\nmu = " + std::to_string(mu) +
         "\ntheta = " + std::to_string(theta) + "\nomega = " + std::to_string(omega) +
         "\n[simulation]\nend = 0.001\nrtol = 1e-10\nintegrator = \"dop853\"\n[[body]]\nname = \"rod\"\nmass = 1.0\n"
         "inertia = \"l^2/3\"\nposition = [\"l*cos(theta)\", \"l*sin(theta)\"]\nangle = \"theta\"\n"
         "velocity = [\"-1 - l*omega*sin(theta)\", \"l*omega*cos(theta)\"]\nangular_velocity = \"omega\"\n"
         "[[contact]]\nname = \"tip\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"rod\", point = "
         "[\"-l\", 0.0], shape = \"point\" }]\nimpact_law = \"" +
         law + "\"\nrestitution = " + std::to_string(e) + "\nfriction = { law = \"coulomb\", mu = \"mu\" }\n";
}

/// A board on feet at the given places, the centre of mass at x = 0, 0.3 above the floor.
std::string board(const std::vector<double>& feet, const std::string& forces, double speed) {
  std::string text =
      "gravity = [0.0, -10.0]\n[simulation]\nend = 2.0\nrtol = 1e-10\nintegrator = \"dop853\"\n"
      "[[body]]\nname = \"board\"\nmass = 2.0\ninertia = 0.5\nposition = [0.0, 0.3]\nvelocity = [" +
      std::to_string(speed) + ", 0.0]\n";
  for (std::size_t i = 0; i < feet.size(); ++i)
    text += "[[contact]]\nname = \"foot" + std::to_string(i + 1) +
            "\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"board\", point = [" +
            std::to_string(feet[i]) +
            ", -0.3], shape = \"point\" }]\nfriction = { law = \"coulomb\", mu_static = 0.5, mu_kinetic = 0.4 }\n";
  return text + forces;
}

}  // namespace

TEST_CASE("no mode is consistent: the contact jams with the impulse of its sliding phases") {
  const RodJam jam;
  const ModeAnswer answer = consistent_modes(parse_model(rod(jam.mu, jam.theta, 0, "newton", 0), "rod"));
  CHECK(answer.kind == "inconsistent");
  REQUIRE(answer.contacts.size() == 1);
  CHECK(answer.contacts[0].p_minus == Approx(jam.p).epsilon(1e-12));
  CHECK(answer.contacts[0].b == Approx(-9.81).epsilon(1e-12));
  for (const double e : {0.0, 0.5})
    jam.check(support::run_text(rod(jam.mu, jam.theta, 0, e > 0 ? "poisson" : "newton", e)), e);
}

TEST_CASE("several modes are consistent: they are listed, the run takes the first and says so") {
  const ModeAnswer answer = consistent_modes(parse_model(rod(1.6, 0.93, 8, "newton", 0), "rod"));
  CHECK(answer.kind == "indeterminate");
  REQUIRE(answer.modes.size() == 2);
  CHECK(answer.modes[0].text == "slip-");
  CHECK(answer.modes[1].text == "open");
  CHECK(answer.modes[0].elements[0].lambda_n == Approx(-answer.contacts[0].b / answer.contacts[0].p_minus));
  CHECK(answer.modes[1].elements[0].gap_acceleration == Approx(answer.contacts[0].b));
}

TEST_CASE("a board on two rough feet breaks loose at mu_static times its weight, wherever it is pulled") {
  for (const double height : {0.0, 0.1, -0.2}) {
    const RunResult r =
        support::run_text(board({-0.5, 0.7},
                                "[[force]]\nname = \"pull\"\ntype = \"point_force\"\nbody = \"board\"\npoint = [0.0, " +
                                    std::to_string(height) + "]\nforce = [\"8*t\", 0.0]\n",
                                0.0));
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(!r.events.empty());
    CHECK(r.events.front().kind == "slip");
    CHECK(r.events.front().t == Approx(0.5 * 20 / 8).margin(1e-9));
  }
}

TEST_CASE("a bench on three feet: ranges of its forces") {
  const ModeAnswer answer = consistent_modes(parse_model(board({-1.0, 0.0, 1.0}, "", 0.0), "bench"));
  CHECK(answer.kind == "unique");
  REQUIRE(answer.modes.size() == 1);
  INFO(answer.modes[0].note);
  CHECK(answer.modes[0].note.find("foot1 lambda_N in [0, 10]") != std::string::npos);
  CHECK(answer.modes[0].note.find("foot2 lambda_N in [0, 20]") != std::string::npos);
  double sum = 0;
  for (const ElementInMode& e : answer.modes[0].elements) {
    CHECK(e.lambda_n > 1);
    sum += e.lambda_n;
  }
  CHECK(sum == Approx(20).epsilon(1e-12));
}

TEST_CASE("a bench on thirteen feet: a run tells how many forces there are too many, not their bounds") {
  std::vector<double> feet;
  for (int i = -6; i <= 6; ++i) feet.push_back(i / 6.0);
  const std::string bench = board(feet, "", 0.0);
  const RunResult r = support::run_text(bench);
  REQUIRE(r.outcome.success());
  const auto tells = [](const std::string& notice) {
    return notice.find("23 of 26 rows of contacts and friction depend on others") != std::string::npos;
  };
  CHECK(std::count_if(r.notices.begin(), r.notices.end(), tells) == 1);
  // An answer about one instant has time for all of them: a foot carries what the weight allows, by levers.
  const ModeAnswer answer = consistent_modes(parse_model(bench, "bench"));
  REQUIRE(answer.modes.size() == 1);
  CHECK(answer.modes[0].note.find("foot1 lambda_N in [0, 10]") != std::string::npos);
}

TEST_CASE("a board that slides to rest says so, with its friction reserve") {
  const RunResult r = support::run_text(board({-0.5, 0.5}, "", 1.0));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(r.events.size() == 1);
  CHECK(r.events.front().kind == "stick");
  CHECK(r.events.front().t == Approx(1.0 / 4.0).epsilon(1e-9));
  CHECK(r.events.front().note.find("at rest, nothing can move any more; friction reserve: foot1 5 N, foot2 5 N") !=
        std::string::npos);
  CHECK(r.y_end[3] == Approx(0).margin(1e-13));
}

TEST_CASE("of two joints that hold one crank the one at its limit creeps, and never slides along its own friction") {
  // The gas and a spring press the piston; it hops from rest to rest, held by the friction of its guide and of the
  // wrist. Where the guide came to its limit beside the wrist that held, the round-off of its rate was taken for a
  // slide in the direction of its friction, and both events of such a mode followed at once, a hundred times.
  for (const char* integrator : {"dopri5", "bdf"}) {
    INFO(integrator);
    const RunResult r =
        support::run_text("simulation = { end = 2, rtol = 1e-9, integrator = \"" + std::string(integrator) + R"toml(" }
gravity = [0, -9.81]
body = [
  { name = "crank", mass = 1, inertia = 0.01, angle = 1.373717475705192 },
  { name = "rod", mass = 1, inertia = 0.01, position = [0.18757118008078832, 0.049032136910479765], angle = -0.28398540567997727 },
  { name = "piston", mass = 1, inertia = 0.01, position = [0.35556180347981009, 0] },
]
joint = [
  { name = "main", type = "revolute", bodies = ["ground", "crank"] },
  { name = "pin", type = "revolute", bodies = ["crank", "rod"], points = [[0.1, 0], [-0.175, 0]] },
  { name = "wrist", type = "revolute", bodies = ["rod", "piston"], points = [[0.175, 0], [0, 0]], friction = { mu_static = 0.866, mu_kinetic = 0.747, radius = 0.005 } },
  { name = "guide", type = "translational", bodies = ["ground", "piston"], friction = { mu = 0.742 } },
]
force = [
  { name = "gas", type = "point_force", body = "piston", force = [100, 0] },
  { name = "hold", type = "rotational_spring_damper", bodies = ["ground", "crank"], stiffness = 1000, free_angle = 1.39332 },
  { name = "load", type = "torque", body = "crank", torque = "-10*t" },
]
)toml");
    INFO(r.outcome.message);
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(support::final_value(r, "crank.angle") == Approx(1.3636).margin(5e-4));
    CHECK(r.events.size() < 150);
  }
}
