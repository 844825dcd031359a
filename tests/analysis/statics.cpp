// tests/analysis/statics.cpp
//
// Assembly, equilibrium, inverse dynamics and natural modes where validation/statics does not look: what is kept, what
// opens, what is redundant, what the shapes are, against closed forms; and every bad input with its whole message.
#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>

#include "hstar/assemble.hpp"
#include "hstar/equilibrium.hpp"
#include "hstar/error.hpp"
#include "hstar/inverse.hpp"
#include "hstar/natural_modes.hpp"
#include "support/said.hpp"

using namespace hstar;

namespace {

constexpr double pi = 3.14159265358979323846;

std::string bar(const std::string& name, double x, double y, double angle, double length) {
  return "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = " + std::to_string(length * length / 12) +
         "\nposition = [" + std::to_string(x) + ", " + std::to_string(y) + "]\nangle = " + std::to_string(angle) + "\n";
}
std::string pin(const std::string& name, const std::string& a, double xa, const std::string& b, double xb,
                const std::string& more = "") {
  return "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\nbodies = [\"" + a + "\", \"" + b +
         "\"]\npoints = [[" + std::to_string(xa) + ", 0], [" + std::to_string(xb) + ", 0]]\n" + more;
}
/// Bars of 0.5 m between ground points 0 and d on the x axis.
std::string three_bars(double d) {
  return "[simulation]\nend = 1\n" + bar("crank", 0.2, 0.15, 0.6, 0.5) + bar("coupler", 0.6, 0.3, 0.1, 0.5) +
         bar("rocker", 1.0, 0.2, -0.9, 0.5) + pin("A", "ground", 0, "crank", -0.25) +
         pin("B", "crank", 0.25, "coupler", -0.25) + pin("C", "coupler", 0.25, "rocker", -0.25) +
         pin("D", "ground", d, "rocker", 0.25);
}
/// A mass over a floor on a spring that hangs from height 1 m, free length 0.5 m; m g = 20 N.
std::string over_floor(double k, const std::string& friction = "") {
  return "gravity = [0, -10]\n[parameters]\nside = 0.0\n[simulation]\nend = 1\n[[body]]\nname = \"mass\"\nmass = 2\n"
         "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"mass\", shape "
         "= "
         "\"point\" }]\n" +
         friction +
         "[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\nbetween = [{ body = \"ground\", point = [\"side\", "
         "1] }, "
         "{ body = \"mass\" }]\nfree_length = 0.5\nstiffness = " +
         std::to_string(k) + "\n";
}
ModelSpec model(const std::string& text) { return parse_model(text, "m.toml"); }

double value(const std::vector<AssembledCoordinate>& list, const std::string& name) {
  for (const auto& c : list)
    if (c.name == name) return c.assembled;
  FAIL("no " << name);
  return 0;
}

/// The interval of a parameter too.
EquilibriumOptions varying(const std::string& parameter, const std::string& text) {
  EquilibriumOptions options;
  options.vary = {parameter};
  options.remake = [text](const std::string& name, double x) {
    return parse_model(text, "m.toml", {{"parameters." + name, fmt::format("{:.17g}", x)}});
  };
  return options;
}

}  // namespace

TEST_CASE("assembly tells its iterates, whose residuals fall quadratically to the end") {
  // x - e^y = 1 and log(1 + x) - cos y = 0, of the kinematics lecture: x = 1.00416464138, y = -5.48112510914.
  const Assembly a =
      assemble(parse_model("[simulation]\nend = 1\n[[body]]\nname = \"p\"\nmass = 1\nposition = [1.0, -5.4]\n"
                           "[[joint]]\nname = \"one\"\ntype = \"equation\"\nequation = \"p.x - exp(p.y) - 1\"\n"
                           "[[joint]]\nname = \"two\"\ntype = \"equation\"\nequation = \"log(1 + p.x) - cos(p.y)\"\n",
                           "newton"));
  REQUIRE(a.iterates.size() >= 4);
  CHECK(a.iterates.front().coordinates == std::vector<double>{1.0, -5.4});
  CHECK(a.iterates.back().coordinates[0] == Approx(1.00416464138).epsilon(1e-11));
  CHECK(a.iterates.back().coordinates[1] == Approx(-5.48112510914).epsilon(1e-11));
  for (std::size_t k = 1; k < a.iterates.size(); ++k) {
    const double before = a.iterates[k - 1].residual, now = a.iterates[k].residual;
    INFO("iterate " << k << ": " << before << " -> " << now);
    CHECK(now < before);
    if (before > 1e-7) CHECK(now < 10 * before * before);  // beyond, the square is round-off
  }
  CHECK(assembly_trace(a).find("r_k/r_k-1^2") != std::string::npos);
}

TEST_CASE("assembly keeps what is to be kept, to the bit, and closes the rest") {
  AssembleOptions options;
  options.keep = {"crank.angle"};
  const Assembly a = assemble(model(three_bars(1.1)), options);
  CHECK(value(a.coordinates, "crank.angle") == 0.6);
  CHECK(a.free.size() == 1);
  CHECK(a.rank == 8);
  // The other end of the rocker is where it belongs.
  const double angle = value(a.coordinates, "rocker.angle");
  CHECK(value(a.coordinates, "rocker.x") + 0.25 * std::cos(angle) == Approx(1.1).margin(1e-15));
  CHECK(std::abs(value(a.coordinates, "rocker.y") + 0.25 * std::sin(angle)) < 1e-15);
  for (const auto& c : a.coordinates) CHECK(c.moved == (std::abs(c.assembled - c.estimate) > 1e-12));
}

TEST_CASE("assembly keeps velocities: the others are those of the mechanism driven with them") {
  // Truth: the web cutter's velocities by its own driver (a different path: kinematics by elimination of the driven
  // rows).
  const std::string folder = HSTAR_SOURCE_DIR "/docs/course/";
  AssembleOptions options;
  options.keep = {"crank.angle", "crank.omega"};
  const ModelSpec spec = read_model(folder + "web_cutter_dynamics.toml");
  const Assembly a = assemble(spec, options);
  CHECK(value(a.velocities, "crank.omega") == 2 * std::acos(-1.0));
  std::string text = spec.text;
  const std::string joints = "joint = [";
  text.insert(text.find(joints) + joints.size(),
              "{name = \"drive\", type = \"absolute_angle\", body = \"crank\", value = \"start + 2*pi*t\"}, ");
  const Assembly truth = assemble(parse_model(text, "driven.toml"));
  for (const auto& v : truth.velocities) CHECK(value(a.velocities, v.name) == Approx(v.assembled).margin(1e-9));
  // One too many: the rocker cannot stand still while the crank turns.
  options.keep.push_back("rocker.omega");
  CHECK_THROWS_WITH(assemble(spec, options), Catch::Matchers::Contains("the kept velocities contradict the joints"));
}

TEST_CASE("an assembled configuration is the nearest one: no shift along the motion is shorter") {
  // Along the one degree of freedom the distance to the estimate has a minimum: Z^T W (q - estimate) = 0, tested by
  // keeping the crank a little to both sides.
  const auto distance = [](const Assembly& a) {
    double sum = 0;
    for (const auto& c : a.coordinates)
      // lengths count over the model's length, which is the farthest position or point: 1.1 m
      sum += std::pow((c.assembled - c.estimate) / (c.unit == "m" ? 1.1 : 1.0), 2);
    return sum;
  };
  const Assembly best = assemble(model(three_bars(1.1)));
  const double at = value(best.coordinates, "crank.angle"), least = distance(best);
  for (const double shift : {-1e-3, 1e-3}) {
    ModelSpec moved = model(three_bars(1.1));
    ModelSpec given = moved;
    given.bodies[0].angle = at + shift;
    AssembleOptions options;
    options.keep = {"crank.angle"};
    Assembly a = assemble(given, options);
    for (auto& c : a.coordinates)
      if (c.name == "crank.angle") c.estimate = 0.6;
    CHECK(distance(a) > least);
  }
}

TEST_CASE("bars that do not reach: the message names the open joints, and the gaps add up to what is missing") {
  try {
    static_cast<void>(assemble(model(three_bars(1.9))));
    FAIL("assembled");
  } catch (const InputError& error) {
    const std::string text = error.what();
    INFO(text);
    for (const char* name : {"\"A\"", "\"B\"", "\"C\"", "\"D\"", "cannot be assembled"})
      CHECK(text.find(name) != std::string::npos);
    const std::size_t sum = text.find("together ");
    REQUIRE(sum != std::string::npos);
    CHECK(std::stod(text.substr(sum + 9)) == Approx(1.9 - 1.5).epsilon(1e-5));
  }
}

TEST_CASE("a contact that would have to pull opens, one that is pressed stays closed") {
  const EquilibriumResult lifted = find_equilibrium(model(over_floor(100)));
  REQUIRE(lifted.found);
  CHECK(lifted.elements[0].mode == "open");
  CHECK(lifted.coordinates[1] == Approx(1 - 0.5 - 20.0 / 100).epsilon(1e-14));
  CHECK(lifted.stability == "stable");
  const EquilibriumResult pressed = find_equilibrium(model(over_floor(30)));
  REQUIRE(pressed.found);
  CHECK(pressed.elements[0].mode == "closed");
  CHECK(pressed.elements[0].normal == Approx(20 - 30 * 0.5).epsilon(1e-14));
}

TEST_CASE("sides of two boxes that are flush touch nothing: the upper one slides at its own limit") {
  // Pushed at its lower edge, by 0.3 of its weight. (Corners on flush sides have no gap either: clamped between them
  // it held anything.)
  const std::string box = R"(shape = "polygon", corners = [[-0.5, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, 0.25]])";
  const std::string text = R"(
gravity = [0, -10]
parameters = { push = 0 }
simulation = { end = 1 }
body = [{ name = "lower", mass = 2, inertia = 0.2, position = [0, 0.25] }, { name = "upper", mass = 1, inertia = 0.1, position = [0, 0.75] }]
force = [{ name = "push", type = "point_force", body = "upper", point = [0, -0.25], force = ["push", 0] }]
[[contact]]
name = "floor"
between = [{ body = "ground", shape = "line" }, { body = "lower", )" +
                           box + R"( }]
friction = { mu = 0.8 }
[[contact]]
name = "face"
between = [{ body = "lower", )" +
                           box + R"( }, { body = "upper", )" + box + R"( }]
friction = { mu = 0.3 }
)";
  const EquilibriumResult r = find_equilibrium(model(text), varying("push", text));
  REQUIRE(r.found);
  REQUIRE(r.held_by_friction);
  const RestInterval& push = r.intervals.back();
  REQUIRE(push.name == "push");
  CHECK(push.largest == Approx(3).epsilon(1e-9));
  CHECK(push.least == Approx(-3).epsilon(1e-9));
}

TEST_CASE("with friction the interval ends where the force leaves the cone or the contact") {
  // The spring's upper end at x = side: horizontal force k (l - l0) side / l, normal force 20 - k (l - l0) / l.
  const std::string text = over_floor(30, "friction = { mu = 0.3 }\n");
  const EquilibriumResult r = find_equilibrium(model(text), varying("side", text));
  REQUIRE(r.found);
  REQUIRE(r.intervals.size() == 2);
  const auto slack = [](double side) {
    const double l = std::hypot(side, 1.0), force = 30 * (l - 0.5);
    return 0.3 * (20 - force / l) - force * std::abs(side) / l;
  };
  for (const RestInterval& i : r.intervals) {
    INFO(i.name);
    CHECK(slack(i.largest) == Approx(0).margin(1e-10));
    CHECK(slack(i.least) == Approx(0).margin(1e-10));
    CHECK(i.above == "floor slips");
  }
}

TEST_CASE("a ladder that slips is brought to where it stands, and the interval is the same") {
  const auto ladder = [](double theta) {
    return "gravity = [0, -10]\n[simulation]\nend = 1\n" +
           bar("ladder", 2 * std::cos(theta), 2 * std::sin(theta), pi - theta, 4) +
           "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"ladder\", "
           "point = "
           "[-2, 0], shape = \"point\" }]\nfriction = { mu = 0.4 }\n[[contact]]\nname = \"wall\"\nbetween = [{ body = "
           "\"ground\", shape = \"line\", normal = [1, 0] }, { body = \"ladder\", point = [2, 0], shape = \"point\" "
           "}]\n"
           "friction = { mu = 0.25 }\n";
  };
  const double lowest = std::atan((1 - 0.4 * 0.25) / (2 * 0.4));
  for (const double theta : {lowest + 0.1, lowest - 0.25}) {
    EquilibriumOptions options;
    options.coordinates = {"ladder.angle"};
    options.touching = {"floor", "wall"};  // six decimals of the estimate
    const EquilibriumResult r = find_equilibrium(model(ladder(theta)), options);
    REQUIRE(r.found);
    CHECK(r.held_by_friction == (theta > lowest));
    CHECK(r.intervals[0].largest == Approx(pi - lowest).epsilon(1e-11));
    CHECK(r.intervals[0].least == Approx(pi / 2).epsilon(1e-11));
    CHECK(r.intervals[0].above == "floor slips, wall slips");
  }
}

TEST_CASE("redundant joints: the same equilibrium and modes, friction held by prestress is unbounded") {
  const std::string body = "gravity = [0, -10]\n[simulation]\nend = 1\n" + bar("rod", 0.0, -0.25, -pi / 2, 0.5);
  const std::string once = body + pin("A", "ground", 0, "rod", -0.25);
  const std::string twice = once + pin("A2", "ground", 0, "rod", -0.25);
  const double expected = std::sqrt(10 * 0.25 / (0.5 * 0.5 / 3));
  for (const std::string& text : {once, twice}) {
    const NaturalModesResult r = natural_modes(model(text));
    REQUIRE(r.modes.size() == 1);
    CHECK(r.modes[0].frequency == Approx(expected).epsilon(1e-5));  // the file gives six decimals
  }
  const std::string stuck = twice + "friction = { mu = 0.2, radius = 0.01 }\n";
  const EquilibriumResult r = find_equilibrium(model(stuck));
  REQUIRE(r.found);
  // The pins may press against each other without bound, and so the friction moment may be anything.
  CHECK(r.elements[0].reserve > 0);
}

TEST_CASE("what events tell of a contact is no freedom") {
  const std::string mass =
      "[simulation]\nend = 1\n[[body]]\nname = \"b\"\nmass = 1\nposition = [0, 1]\n"
      "[[force]]\nname = \"s\"\ntype = \"spring_damper\"\nbetween = [{ body = \"ground\", point = [0, 1] }, { body = "
      "\"b\" }]\nstiffness = 100\n[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\" }, "
      "{ body = \"b\", shape = \"circle\", radius = 0.1 }]\n";
  for (const char* said : {"", "[[measure]]\nname = \"n\"\nvalue = \"floor.impacts + floor.closed\"\n"}) {
    const NaturalModesResult r = natural_modes(model(mass + said));
    CHECK(r.stability == "stable");
    REQUIRE(r.modes.size() == 2);
    for (const NaturalMode& mode : r.modes) CHECK(mode.frequency == Approx(10).epsilon(1e-12));
    CHECK(find_equilibrium(model(mass + said)).notices.empty() == find_equilibrium(model(mass)).notices.empty());
  }
}

TEST_CASE("shapes of a chain of springs are sines; a chain without walls has a free motion") {
  const auto chain = [](bool walls) {
    std::string text = "[simulation]\nend = 1\n";
    for (int i = 0; i < 4; ++i)
      text += "[[body]]\nname = \"m" + std::to_string(i) + "\"\nmass = 1\nposition = [" + std::to_string(i) +
              ", 0]\n[[joint]]\nname = \"g" + std::to_string(i) +
              "\"\ntype = \"translational\"\nbodies = [\"ground\", \"m" + std::to_string(i) + "\"]\n";
    for (int i = walls ? -1 : 0; i < (walls ? 4 : 3); ++i)
      text += "[[force]]\nname = \"s" + std::to_string(i + 1) + "\"\ntype = \"spring_damper\"\nbetween = [" +
              (i < 0 ? "{ body = \"ground\", point = [-1, 0] }" : "{ body = \"m" + std::to_string(i) + "\" }") + ", " +
              (i == 3 ? "{ body = \"ground\", point = [4, 0] }" : "{ body = \"m" + std::to_string(i + 1) + "\" }") +
              "]\nstiffness = 9\nfree_length = 1\n";
    return text;
  };
  const NaturalModesResult r = natural_modes(model(chain(true)));
  REQUIRE(r.modes.size() == 4);
  for (int k = 1; k <= 4; ++k) {
    const NaturalMode& mode = r.modes[static_cast<std::size_t>(k - 1)];
    CHECK(mode.frequency == Approx(6 * std::sin(k * pi / 10)).epsilon(1e-13));
    for (int j = 1; j < 4; ++j)
      CHECK(mode.shape[static_cast<std::size_t>(2 * j)].real() * std::sin(k * pi / 5) ==
            Approx(mode.shape[0].real() * std::sin((j + 1) * k * pi / 5)).margin(1e-12));
  }
  const NaturalModesResult loose = natural_modes(model(chain(false)));
  CHECK(loose.stability == "indifferent");
  CHECK(loose.modes[0].kind == "free");
  CHECK(loose.modes[0].frequency == 0);
}

TEST_CASE("inverse dynamics of a driven pendulum: moment of inertia and weight") {
  const std::string text =
      "gravity = [0, -10]\n[simulation]\nend = 2\noutput = 0.1\n" + bar("rod", 0.25, 0, 0, 0.5) +
      pin("A", "ground", 0, "rod", -0.25) +
      "[[joint]]\nname = \"motor\"\ntype = \"absolute_angle\"\nbody = \"rod\"\nvalue = \"sin(2*t)\"\n";
  const InverseResult r = inverse_dynamics(model(text));
  REQUIRE(r.reached_end);
  const double J = std::stod(std::to_string(0.25 / 12)) + 0.25 * 0.25;
  for (const auto& row : r.rows) {
    const double angle = std::sin(2 * row.t), torque = J * -4 * angle + 10 * 0.25 * std::cos(angle);
    CHECK(row.force[0] == Approx(torque).margin(1e-12));
    CHECK(row.least[0] == row.largest[0]);
    CHECK(row.power[0] == Approx(torque * 2 * std::cos(2 * row.t)).margin(1e-12));
  }
}

TEST_CASE("bad input of the analyses is refused with the exact message") {
  struct Bad {
    std::function<void()> act;
    const char* message;
  };
  const std::string no_bodies = "[simulation]\nend = 1\n[[state]]\nname = \"x\"\nrate = \"1\"\n";
  const std::string bars = three_bars(1.1);
  const auto assembled = [](const std::string& text, const AssembleOptions& o) {
    return [=] { static_cast<void>(assemble(model(text), o)); };
  };
  enum What { nothing, coordinate, vary, touching };
  const auto rest = [](const std::string& text, What what, const std::string& name = {}) {
    return [=] {
      EquilibriumOptions o;
      if (what == coordinate) o.coordinates = {name};
      if (what == vary) o.vary = {name};
      if (what == touching) o.touching = {name};
      static_cast<void>(find_equilibrium(model(text), o));
    };
  };
  const auto modes = [](const std::string& text) { return [=] { static_cast<void>(natural_modes(model(text))); }; };
  const auto inverse = [](const std::string& text) {
    return [=] { static_cast<void>(inverse_dynamics(model(text))); };
  };
  const std::vector<Bad> table = {
      {assembled(no_bodies, {}), "the model has no free bodies; there is nothing to assemble"},
      {assembled(bars, {{"cranc"}, {}}),
       "there is no coordinate 'cranc'; the coordinates are crank.x, crank.y, crank.angle, coupler.x, coupler.y, "
       "coupler.angle, rocker.x, rocker.y, rocker.angle"},
      {assembled(bars, {{}, {{"crank", 0.0}}}),
       "weight crank = 0 must be > 0; the larger, the less the coordinate moves"},
      {assembled(bars, {{"crank.angle", "rocker.angle", "coupler"}, {}}), nullptr},
      {rest(no_bodies, nothing), "the model has no free bodies; equilibrium needs bodies"},
      {rest(bars, coordinate, "crank.phi"),
       "there is no coordinate 'crank.phi'; the coordinates are crank.x, crank.y, crank.angle, coupler.x, coupler.y, "
       "coupler.angle, rocker.x, rocker.y, rocker.angle"},
      {rest(over_floor(30), vary, "stiffness"), "there is no parameter 'stiffness' to vary; the parameters are side"},
      {rest(over_floor(30), vary, "side"), "parameters can only be varied in a model read from a file or text"},
      {rest(over_floor(30), touching, "wall"), "there is no contact 'wall' to be closed"},
      {modes(no_bodies), "the model has no free bodies; natural modes need bodies"},
      {modes(over_floor(30, "friction = { mu = 0.3 }\n")),
       "nothing can move: joints, contacts and friction hold every freedom"},
      {modes("gravity = [0, -10]\n[simulation]\nend = 1\n[[body]]\nname = \"ball\"\nmass = 1\n"), nullptr},
      {inverse(bars),
       "no joint drives this mechanism; give it a driver (absolute_angle, relative_translation, ...) with the motion "
       "as "
       "a formula of t"},
  };
  for (const Bad& bad : table) {
    const std::string said = support::said(bad.act);
    if (bad.message != nullptr)
      CHECK(said == bad.message);
    else
      CHECK(said != "no error");  // numbers in it
  }
}
