// tests/laws/dae_problems.cpp
#include "laws/dae_problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace laws {
namespace {

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  const std::string s = text;
  return s.find_first_of(".en") == std::string::npos ? s + ".0" : s;
}

bool ends_with(const std::string& s, const char* end) {
  const std::string e = end;
  return s.size() >= e.size() && s.compare(s.size() - e.size(), e.size(), e) == 0;
}

}  // namespace

std::string pendulum() {
  return R"toml(
gravity = [0.0, -9.81]
[[body]]
name = "rod"
mass = 2.0
inertia = 0.15
position = ["0.6*sin(pi/3)", "-0.6*cos(pi/3)"]
angle = "pi/3"
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "rod"]
points = [[0.0, 0.0], [0.0, 0.6]]
)toml";
}

std::string slider_crank(const SliderCrank& m) {
  const auto parameter = [](const char* name, double value) {
    return std::string(name) + " = " + number(value) + "\n";
  };
  return "gravity = [0.0, -9.81]\n[parameters]\n" + parameter("r", m.r) + parameter("l", m.l) +
         parameter("crank_inertia", m.crank_inertia) + parameter("rod_mass", m.rod_mass) +
         parameter("rod_inertia", m.rod_inertia) + parameter("slider_mass", m.slider_mass) +
         parameter("theta0", m.angle) + parameter("omega0", m.speed) + R"toml(
phi0 = "asin(r*sin(theta0)/l)"
phid = "r*cos(theta0)*omega0/(l*cos(phi0))"
[[body]]
name = "crank"
mass = 1.0
inertia = "crank_inertia"
angle = "theta0"
angular_velocity = "omega0"
[[body]]
name = "rod"
mass = "rod_mass"
inertia = "rod_inertia"
position = ["r*cos(theta0)+l/2*cos(phi0)", "l/2*sin(phi0)"]
angle = "-phi0"
angular_velocity = "-phid"
velocity = ["-r*sin(theta0)*omega0-l/2*sin(phi0)*phid", "l/2*cos(phi0)*phid"]
[[body]]
name = "slider"
mass = "slider_mass"
position = ["r*cos(theta0)+l*cos(phi0)", 0.0]
velocity = ["-r*sin(theta0)*omega0-l*sin(phi0)*phid", 0.0]
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "crank"]
[[joint]]
name = "crankpin"
type = "revolute"
bodies = ["crank", "rod"]
points = [["r", 0.0], ["-l/2", 0.0]]
[[joint]]
name = "wrist"
type = "revolute"
bodies = ["rod", "slider"]
points = [["l/2", 0.0], [0.0, 0.0]]
[[joint]]
name = "guide"
type = "translational"
bodies = ["ground", "slider"]
axis = [1.0, 0.0]
)toml";
}

std::string ball_pendulum() {
  return R"toml(
dimension = 3
gravity = [0, 0, -9.81]
[[body]]
name = "rod"
mass = 2.0
inertia = [0.15, 0.05, 0.12]
position = [0.6, 0, 0]
angular_velocity = [3.0, 1.0, -4.0]
[[joint]]
name = "ball"
type = "spherical"
bodies = ["ground", "rod"]
at = [0, 0, 0]
)toml";
}

std::string heavy_top() {
  return R"toml(
dimension = 3
gravity = [0, 0, -9.81]
[[body]]
name = "top"
mass = 15.0
inertia = [0.234375, 0.46875, 0.234375]
position = [0, 1, 0]
velocity = [1.0, 0, 0]
angular_velocity = [0, 30.0, -1.0]
[[joint]]
name = "tip"
type = "spherical"
bodies = ["ground", "top"]
at = [0, 0, 0]
)toml";
}

std::string bricard() {
  std::ifstream file(std::string(HSTAR_SOURCE_DIR) + "/validation/iftomm_a04_bricard/model.toml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t first = text.find("[simulation]"), last = text.find("\n[[", first);
  return text.erase(first, last - first);
}

hstar::RunResult run_model(const std::string& model, const DaeRun& how) {
  std::string simulation = "[simulation]\nend = " + number(how.end) + "\nintegrator = \"" + how.integrator +
                           "\"\nrtol = " + number(how.rtol) + "\noutput = " + number(0.1 * how.end) + "\n" + how.keys;
  if (!how.formulation.empty()) simulation += "formulation = \"" + how.formulation + "\"\n";
  if (how.fixed_step > 0) simulation += "fixed_step = " + number(how.fixed_step) + "\n";
  return hstar::run(hstar::parse_model(model + simulation, "law"));
}

EndErrors end_errors(const hstar::RunResult& run, const hstar::RunResult& truth) {
  EndErrors e;
  std::size_t row = 0;
  for (const std::vector<double>& exact : truth.rows) {
    // A restart writes two rows: the last one counts.
    while (row + 1 < run.rows.size() && run.rows[row + 1][0] <= exact[0] + 1e-12) ++row;
    if (std::abs(run.rows[row][0] - exact[0]) > 1e-12) e.q = e.v = e.lambda = INFINITY;
    for (std::size_t i = 1; i < truth.columns.size(); ++i) {
      const std::string& name = truth.columns[i];
      const auto column =
          static_cast<std::size_t>(std::find(run.columns.begin(), run.columns.end(), name) - run.columns.begin());
      const auto ends_in = [&](std::initializer_list<const char*> ends) {
        return std::any_of(ends.begin(), ends.end(), [&](const char* end) { return ends_with(name, end); });
      };
      const bool reaction = ends_in({".fx", ".fy", ".fz", ".tx", ".ty", ".tz"});
      const bool velocity = ends_in({".vx", ".vy", ".vz", ".omega", ".wx", ".wy", ".wz"});
      const bool position = ends_in({".x", ".y", ".z", ".angle", ".e0", ".e1", ".e2", ".e3"});
      if (!reaction && !velocity && !position) continue;
      double& worst = reaction ? e.lambda : velocity ? e.v : e.q;
      worst = std::max(worst, std::abs(run.rows[row][column] - exact[i]));
    }
  }
  return e;
}

}  // namespace laws
