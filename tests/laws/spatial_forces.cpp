// tests/laws/spatial_forces.cpp
//
// Every spatial force type as a model file has it, between bodies whose inertia has principal axes of its own: slopes
// are the derivatives of the force by virtual displacements, velocities and extra states, through every quantity a
// formula may read; so are those of a spring's length and rate; the work of a spring is its energy; a rotational spring
// counts whole turns. A type of the registry without a line in the table fails.
#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "hstar/run.hpp"
#include "laws/spatial_cases.hpp"
#include "mechanism/spatial/forces.hpp"
#include "mechanism/system.hpp"
#include "support/two_bodies.hpp"

using namespace hstar;
using support::derivative;
using support::Random;

namespace {

const std::string bodies_of_all = std::string(support::two_bodies) + R"(
[[body]]
name = "c"
mass = 2.0
inertia = [1.0, 1.2, 0.9]
position = [1.0, 1.0, -1.0]
[[state]]
name = "w"
initial = 0.4
rate = "-w"
[[force]]
name = "other"
type = "spring_damper"
bodies = ["c", "b"]
points = [[0.1, 0.0, 0.3], [0.0, -0.2, 0.1]]
stiffness = 3.0
[[joint]]
name = "guide"
type = "cylindrical"
bodies = ["c", "b"]
at = [0.2, 0.1, 0.3]
axis = [1.0, 0.3, -0.4]
[[joint]]
name = "cross"
type = "universal"
bodies = ["c", "b"]
at = [0.2, 0.1, 0.3]
axis = [1.0, 0.3, -0.4]
second_axis = [0.3, -1.0, 0.0]
)";

const std::string two = "bodies = [\"a\", \"b\"]\n", one = "bodies = [\"ground\", \"b\"]\n";
const std::string between = two + "points = [[0.3, -0.2, 0.1], [-0.4, 0.1, 0.5]]\n";
const std::string grounded = one + "points = [[0.3, -0.2, 0.1], [-0.4, 0.1, 0.5]]\n";
const std::string law = R"(
stiffness = "10 + 4*length^2 + w"
damping = "0.3 + 0.1*rate^2 + 0.2*a.e1*b.e3"
actuator = "3*sin(2*t) + 0.5*length*rate - 0.2*c.x*c.wy + b.vz*other.length + 0.1*other.rate^2 + w^2 + a.omega_x*b.wz"
)";

const std::map<std::string_view, std::vector<std::string>>& cases() {
  static const std::map<std::string_view, std::vector<std::string>> table{
      {"point_force",
       {"body = \"a\"\npoint = [0.3, 0.5, -0.2]\nforce = [\"3*c.y*b.vx\", \"a.e0^2 - a.wx*w\", \"sin(t)*b.omega_y\"]\n",
        "body = \"a\"\npoint = [0.3, 0.5, -0.2]\nforce = [\"2\", \"other.rate\", \"a.z\"]\nframe = \"body\"\n",
        "body = \"a\"\nforce = [\"b.x*b.e0 + b.y*b.e1^2 + b.z*b.e2 + sin(b.e3)\", \"b.vx*b.wx + b.vy*b.wy^2 + "
        "b.vz*b.wz\", "
        "\"b.omega_x*c.x + b.omega_y*w - b.omega_z^2\"]\n"}},
      {"torque",
       {"bodies = [\"a\", \"b\"]\ntorque = [\"2*sin(3*t) - a.x*b.wx\", \"1\", \"other.length^2\"]\n",
        "bodies = [\"a\", \"b\"]\ntorque = [\"w*b.e2\", \"-2\", \"0.5\"]\nframe = \"body\"\n",
        "body = \"b\"\ntorque = [\"1\", \"w*b.e1\", \"2\"]\n",
        "body = \"b\"\ntorque = [\"guide.slide*guide.angle\", \"guide.slide_rate + w\", "
        "\"guide.angle_rate*sin(guide.angle)\"]\n",
        "body = \"b\"\ntorque = [\"cross.angle1\", \"cross.angle2*w\", \"cross.angle1_rate + "
        "2*cross.angle2_rate\"]\n"}},
      {"spring_damper",
       {between + "stiffness = 30.0\ndamping = 1.7\nfree_length = 0.9\n",
        between + law + "free_length = \"0.9 + 0.1*w + 0.05*c.e1\"\n", grounded + "stiffness = 30.0\n"}},
      {"rotational_spring_damper",
       {two + law + "free_angle = \"0.2*w\"\naxis = [0.3, 1.0, 0.2]\n", one + "stiffness = 5.0\n"}},
      {"bushing",
       {between +
            "stiffness_matrix = [10.0, 12.0, 9.0, 3.0, 2.0, 4.0]\ndamping_matrix = [1.0, 1.1, 1.2, 0.3, 0.2, 0.4]\n",
        grounded + "axis = [1.0, 0.5, 0.0]\nstiffness_matrix = [10.0, 12.0, 9.0, 3.0, 2.0, 4.0]\n"}},
  };
  return table;
}

struct Stage {
  std::shared_ptr<const System> system;
  std::vector<double> y;
  Kinematics k;

  explicit Stage(const std::string& element)
      : system(build_system(parse_model(bodies_of_all + "[[force]]\nname = \"it\"\n" + element, "case"))),
        y(system->initial) {
    system->prepare(k);
  }
  const Force& it() const { return *system->forces[1]; }
  /// `y` moved: kind 0 by virtual displacement, 1 by velocity, 2 by extra state, of column c of a body (or state c).
  std::vector<double> moved(int kind, std::size_t body, int c, double s) const {
    std::vector<double> x = y;
    const System& m = *system;
    if (kind == 0) {
      std::vector<double> d(static_cast<std::size_t>(m.columns) * m.bodies.size(), 0.0);
      d[m.slot(body, c)] = 1;
      m.displace(d.data(), s, x.data());
    } else if (kind == 1) {
      x[static_cast<std::size_t>(m.nq + m.bodies[body].dof + c)] += s;
    } else {
      x[static_cast<std::size_t>(m.nq + m.nv + c)] += s;
    }
    return x;
  }
  template <class Read>
  double at(const std::vector<double>& x, const Read& read) {
    system->update(k, 0.3, x.data());
    return read();
  }
  std::vector<double> force(const std::vector<double>& x) {
    system->update(k, 0.3, x.data());
    std::vector<double> f(6 * system->bodies.size(), 0.0);
    it().apply(k, f.data());
    return f;
  }
};

void shake(Stage& stage, Random& random) {
  const System& m = *stage.system;
  std::vector<double> d(static_cast<std::size_t>(m.columns) * m.bodies.size(), 0.0);
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    for (int c = 0; c < 6; ++c) d[m.slot(b, c)] = random.uniform(-0.6, 0.6);
  m.displace(d.data(), 1, stage.y.data());
  for (int i = 0; i < m.nv; ++i) stage.y[static_cast<std::size_t>(m.nq + i)] = random.uniform(-1.5, 1.5);
}

}  // namespace

TEST_CASE("slopes of spatial forces are their derivatives") {
  Random random(4);
  for (const SpatialForceEntry& entry : spatial_forces()) {
    REQUIRE(cases().count(entry.type) == 1);
    for (const std::string& text : cases().at(entry.type)) {
      INFO(entry.type << "\n" << text);
      Stage stage("type = \"" + std::string(entry.type) + "\"\n" + text);
      for (int i = 0; i < 3; ++i) {
        shake(stage, random);
        const System& m = *stage.system;
        const std::size_t n = 6 * m.bodies.size();
        (void)stage.force(stage.y);
        ForceSlopes slopes;
        stage.it().slopes(stage.k, slopes);
        for (int kind = 0; kind < 3; ++kind) {
          const auto& entries = kind == 0 ? slopes.by_position : kind == 1 ? slopes.by_velocity : slopes.by_state;
          // The angle of a rotational spring is taken from an extra state up to whole turns: no derivative.
          for (std::size_t b = kind == 2 ? 0 : 1; b < (kind == 2 ? 1 : m.bodies.size()); ++b)
            for (int c = 0; c < (kind == 2 ? m.ns : 6); ++c)
              for (std::size_t row = 0; row < n; ++row) {
                double sum = 0;
                const int column = kind == 2 ? m.nq + m.nv + c : static_cast<int>(6 * b) + c;
                for (const auto& e : entries)
                  if (e.row == static_cast<int>(row) && e.column == column) sum += e.value;
                const double slope =
                    derivative([&](double s) { return stage.force(stage.moved(kind, b, c, s))[row]; }, 0, 0.02);
                CHECK(sum == Approx(slope).epsilon(1e-7).margin(2e-6));
              }
        }
        if (entry.type.find("spring") == std::string_view::npos) continue;
        for (int which : {0, 1}) {
          OutputSlope slope;
          (void)stage.force(stage.y);
          stage.it().output_slope(which, stage.k, slope);
          for (int side = 0; side < 2; ++side)
            for (int c = 0; c < 6 && slope.body[static_cast<std::size_t>(side)] != 0; ++c)
              for (int kind : {0, 1}) {
                const auto b = static_cast<std::size_t>(slope.body[static_cast<std::size_t>(side)]);
                const double by = derivative(
                    [&](double s) {
                      return stage.at(stage.moved(kind, b, c, s), [&] { return stage.it().output(which, stage.k); });
                    },
                    0, 0.02);
                CHECK((kind == 0 ? slope.by_position : slope.by_velocity)[6 * side + c] ==
                      Approx(by).epsilon(1e-8).margin(1e-8));
              }
        }
      }
    }
  }
}

TEST_CASE("spatial springs store the energy that their force takes") {
  Random random(9);
  for (const std::string& text :
       {"type = \"spring_damper\"\n" + between + "stiffness = 30.0\nfree_length = 0.9\n",
        "type = \"rotational_spring_damper\"\n" + two + "stiffness = 4.0\nfree_angle = 0.3\naxis = [1.0, 0.2, 0.0]\n",
        "type = \"bushing\"\n" + between + "stiffness_matrix = [10.0, 12.0, 9.0, 3.0, 2.0, 4.0]\n"}) {
    Stage stage(text);
    shake(stage, random);
    const std::vector<double> f = stage.force(stage.y);
    for (std::size_t b = 1; b < 3; ++b)
      for (int c = 0; c < 6; ++c) {
        const double energy_slope = derivative(
            [&](double s) {
              return stage.at(stage.moved(0, b, c, s), [&] { return stage.it().potential_energy(stage.k); });
            },
            0, 0.02);
        CHECK(f[6 * b + static_cast<std::size_t>(c)] == Approx(-energy_slope).epsilon(1e-8).margin(1e-8));
      }
  }
}

TEST_CASE("a spatial spring of free length 0 is k d, also where its points coincide") {
  Stage stage(
      "type = \"spring_damper\"\nbodies = [\"ground\", \"a\"]\npoints = [[0.3, -0.4, 0.2], [0.0, 0.0, 0.0]]\n"
      "stiffness = 7.0\ndamping = 0.0\n");
  for (const double v : {0.0, 0.5}) {
    stage.y[static_cast<std::size_t>(stage.system->nq)] = v;
    const std::vector<double> f = stage.force(stage.y);
    for (const double x : f) CHECK(x == 0);
    ForceSlopes slopes;
    stage.it().slopes(stage.k, slopes);
    for (int row = 6; row < 9; ++row)
      for (int column = 6; column < 9; ++column) {
        double sum = 0;
        for (const auto& e : slopes.by_position)
          if (e.row == row && e.column == column) sum += e.value;
        CHECK(sum == Approx(row == column ? -7.0 : 0.0).margin(1e-13));
      }
  }
}

// A disc on an axle, driven by a torsion spring that is wound up by five turns: phi'' = -(k/J) phi, so phi =
// 10 pi cos(t sqrt(k/J)); after half a period it is wound up as far the other way round. The same by a formula that
// reads the joint's angle.
TEST_CASE("rotational springs and the angles of joints count whole turns") {
  const std::string name = GENERATE("spring", "axle");
  const std::string spring = R"([[force]]
name = "spring"
type = "rotational_spring_damper"
bodies = ["ground", "disc"]
axis = [0.0, 0.0, 1.0]
stiffness = 0.5
free_angle = "-10*pi"
)",
                    formula = R"([[force]]
name = "pull"
type = "torque"
body = "disc"
torque = [0, 0, "-0.5*axle.angle - 5*pi"]
[[measure]]
name = "turned"
value = "axle.angle"
[[measure]]
name = "turning"
value = "axle.angle_rate"
)";
  const std::string text = R"(
dimension = 3
[simulation]
end = 2.0
rtol = 1e-10
integrator = "dop853"
[[body]]
name = "disc"
mass = 1.0
inertia = [0.3, 0.3, 0.5]
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "disc"]
axis = [0.0, 0.0, 1.0]
)" + (name == "spring" ? spring : formula);
  const RunResult result = run(parse_model(text, "disc"));
  const double pi = std::numbers::pi, phi = 10 * pi * (std::cos(2.0) - 1);
  std::map<std::string, double> end;
  for (std::size_t i = 0; i < result.state_names.size(); ++i) end[result.state_names[i]] = result.y_end[i];
  CHECK(result.outcome.t == 2.0);
  CHECK(end["disc.wz"] == Approx(-10 * pi * std::sin(2.0)).epsilon(1e-9));
  CHECK(end[name + ".angle"] == Approx(phi).epsilon(1e-9));
  if (name == "axle") {
    const auto& row = result.rows.back();
    CHECK(row[row.size() - 2] == Approx(phi).epsilon(1e-9));
    CHECK(row.back() == end["disc.wz"]);
  }
  CHECK(std::abs(std::remainder(2 * std::atan2(end["disc.e3"], end["disc.e0"]) - phi, 2 * pi)) < 1e-8);
}

// A sleeve on a rod, pushed back by 8 times its way and turned back by 3 times its angle: with m = 2 and moment 0.5
// slide = sin(2 t), angle = 0.5 sin(t sqrt(6)). The guard fires at slide = 0.5, t = pi / 12.
TEST_CASE("formulas read the way and the angle in a joint") {
  const std::string text = R"(
dimension = 3
[simulation]
end = 1.0
rtol = 1e-10
integrator = "dop853"
[[body]]
name = "sleeve"
mass = 2.0
inertia = [0.3, 0.5, 0.4]
velocity = [0.0, 2.0, 0.0]
angular_velocity = [0.0, 1.2247448713915889, 0.0]
[[joint]]
name = "rod"
type = "cylindrical"
bodies = ["ground", "sleeve"]
at = [0.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]
[[force]]
name = "push"
type = "point_force"
body = "sleeve"
force = [0, "-8*rod.slide", 0]
[[force]]
name = "twist"
type = "torque"
body = "sleeve"
torque = [0, "-3*rod.angle", 0]
[[guard]]
name = "middle"
when = "rod.slide - 0.5"
)";
  for (const char* integrator : {"dop853", "ida"}) {
    INFO(integrator);
    ModelSpec model = parse_model(text, "sleeve");
    model.simulation.integrator = integrator;
    const RunResult result = run(model);
    const double tolerance = integrator == std::string("ida") ? 1e-5 : 1e-9;
    REQUIRE(result.events.size() == 1);
    CHECK(result.events[0].t == Approx(std::numbers::pi / 12).epsilon(tolerance));
    std::map<std::string, double> end;
    for (std::size_t i = 0; i < result.state_names.size(); ++i) end[result.state_names[i]] = result.y_end[i];
    CHECK(end["sleeve.y"] == Approx(std::sin(2.0)).epsilon(tolerance));
    CHECK(end["rod.angle"] == Approx(0.5 * std::sin(std::sqrt(6.0))).epsilon(tolerance));
  }
}
