// tests/validation/inspect_test.cpp
//
// What `hstar inspect` shows must be the equations: the web cutter's Phi_q and gamma are those printed in the lecture
// notes (validation/lectures/web_cutter_fourbar.toml), a rod's on a pin those of paper and pencil; on every model of
// examples/ and validation/  M a = Q + Phi_q^T lambda + friction,  Phi_q a = gamma,  Phi_q v = nu  hold with the
// numbers shown, at the start and after a while (that they are derivatives of Phi: inspect_differences_test.cpp). The
// archive must be read by NumPy.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hstar/error.hpp"
#include "hstar/inspect.hpp"
#include "hstar/run.hpp"

using namespace hstar;

namespace {

const std::string source = HSTAR_SOURCE_DIR;

const NamedTable& table(const Inspection& i, const std::string& name) {
  const NamedTable* found = i.find(name);
  if (found == nullptr) FAIL("no table " << name);
  return *found;
}

std::string text_of(const Inspection& i) {
  std::ostringstream out;
  print_inspection(i, out);
  return out.str();
}

/// A rod of length 2 on a pin at its end, at the angle 0.3 and turning with 2 rad/s.
std::string rod(const std::string& simulation = "end = 1.0\n") {
  return "gravity = [0, -9.81]\n[simulation]\n" + simulation +
         "[[body]]\nname = \"rod\"\nmass = 3\ninertia = 1\nposition = [\"cos(0.3)\", \"sin(0.3)\"]\nangle = 0.3\n"
         "velocity = [\"-2*sin(0.3)\", \"2*cos(0.3)\"]\nangular_velocity = 2\n"
         "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\npoints = [[0, 0], [-1, 0]]\n";
}

}  // namespace

TEST_CASE("the web cutter: Phi_q and gamma are those printed in the lecture notes") {
  const double J[9][9] = {{1, 0, 1.9938, 0, 0, 0, 0, 0, 0},
                          {0, 1, -0.1569, 0, 0, 0, 0, 0, 0},
                          {-1, 0, 1.9938, 1, 0, 8.6477, 0, 0, 0},
                          {0, -1, -0.1569, 0, 1, -6.4024, 0, 0, 0},
                          {0, 0, 0, -1, 0, 4.3622, 1, 0, -7.8080},
                          {0, 0, 0, 0, -1, 0.6374, 0, 1, -7.0912},
                          {0, 0, 0, 0, 0, 0, 1, 0, 11.2196},
                          {0, 0, 0, 0, 0, 0, 0, 1, 0.0400},
                          {0, 0, 1, 0, 0, 0, 0, 0, 0}};
  const double gamma[9] = {-6.1949, -78.7134, -13.4946, -88.5732, -1.7142, -2.2860, 0.0138, -3.8620, 0};
  const Inspection i = inspect(read_model(source + "/validation/lectures/web_cutter.toml"), {});
  const NamedTable &phi_q = table(i, "Phi_q"), &right = table(i, "gamma");
  REQUIRE(phi_q.rows.size() == 9);
  REQUIRE(phi_q.columns.size() == 9);
  for (std::size_t r = 0; r < 9; ++r) {
    INFO(phi_q.rows[r]);
    for (std::size_t c = 0; c < 9; ++c) CHECK(std::abs(phi_q.at(r, c) - J[r][c]) <= 5.1e-5);
    CHECK(std::abs(right.at(r) - gamma[r]) <= 5.1e-5);
  }
  CHECK(i.independent.empty());
}

TEST_CASE("a rod on a pin: every number by hand") {
  const Inspection i = inspect(parse_model(rod(), "rod"), {});
  const double s = std::sin(0.3), c = std::cos(0.3);
  // The point (-1, 0) of the rod stays at the pin: x - cos(phi) = 0, y - sin(phi) = 0.
  const NamedTable& phi_q = table(i, "Phi_q");
  const double by_hand[2][3] = {{1, 0, s}, {0, 1, -c}};
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t k = 0; k < 3; ++k) CHECK(phi_q.at(r, k) == Approx(by_hand[r][k]).margin(1e-15));
  CHECK(table(i, "gamma").at(0) == Approx(-4 * c));
  CHECK(table(i, "gamma").at(1) == Approx(-4 * s));
  CHECK(table(i, "nu").at(0) == Approx(0).margin(1e-15));
  CHECK(table(i, "Q").at(1) == Approx(-3 * 9.81));
  // About the pin: (J + m) phi'' = -m g cos(phi).
  const double turning = -3 * 9.81 * c / 4;
  CHECK(table(i, "a").at(2) == Approx(turning));
  CHECK(table(i, "lambda").at(0) == Approx(3 * (-turning * s - 4 * c)));
  CHECK(table(i, "lambda").at(1) == Approx(3 * (turning * c - 4 * s) + 3 * 9.81));
  REQUIRE(i.dependent.size() == 2);
  REQUIRE(i.independent.size() == 1);
  const std::string text = text_of(i);
  CHECK(text.find("independent: ") != std::string::npos);
  CHECK(text.find("joint \"pin\" (x)") != std::string::npos);
}

TEST_CASE("the multipliers that a run records are those that inspect shows") {
  const ModelSpec model = parse_model(rod("end = 0.5\nrtol = 1e-9\nmultipliers = true\n"), "rod");
  const RunResult r = run(model);
  const auto column = [&](const std::string& name) {
    const auto found = std::find(r.columns.begin(), r.columns.end(), name);
    REQUIRE(found != r.columns.end());
    return static_cast<std::size_t>(found - r.columns.begin());
  };
  for (const bool end : {false, true}) {
    const std::vector<double>& row = end ? r.rows.back() : r.rows.front();
    const Inspection shown = inspect(model, {row[0], 0});
    CHECK(row[column("pin.lambda1")] == Approx(table(shown, "lambda").at(0)).epsilon(1e-12));
    CHECK(row[column("pin.lambda2")] == Approx(table(shown, "lambda").at(1)).epsilon(1e-12));
  }
}

TEST_CASE("the iteration matrix is that of the method and the step") {
  // Newmark: q = q* + beta h^2 a, v = v* + gamma h a. Of the rod only the forces of the pin depend on q: the derivative
  // of Phi_q^T lambda by phi.
  InspectOptions options;
  options.step = 0.01;
  const Inspection i = inspect(parse_model(rod("end = 1.0\nintegrator = \"newmark\"\n"), "rod"), options);
  const NamedTable &matrix = table(i, "iteration"), &lambda = table(i, "lambda");
  const double s = std::sin(0.3), c = std::cos(0.3), b2 = 0.3025 * 1e-4;
  const double by_phi = c * lambda.at(0) + s * lambda.at(1);
  CHECK(matrix.at(0, 0) == Approx(3));
  CHECK(matrix.at(2, 2) == Approx(1 - b2 * by_phi));
  CHECK(matrix.at(2, 3) == Approx(-s));
  CHECK(matrix.at(3, 2) == Approx(s));
  CHECK(matrix.at(3, 3) == 0);
  CHECK_THROWS_WITH(inspect(parse_model(rod(), "rod"), options),
                    Catch::Contains("newmark, hht, generalized_alpha, bdf"));
}

TEST_CASE("on every model with bodies the numbers shown are the equations") {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source + "/examples"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  for (const auto& entry : std::filesystem::directory_iterator(source + "/validation"))
    if (std::filesystem::exists(entry.path() / "model.toml")) files.push_back(entry.path() / "model.toml");
  std::size_t shown = 0;
  for (const std::filesystem::path& path : files) {
    const ModelSpec model = read_model(path.string());
    if (!model.has_bodies()) continue;
    for (const double part : {0.0, path.filename() == "model.toml" ? 0.01 : 0.07}) {
      InspectOptions options;
      options.t = model.simulation.start + part * (model.simulation.end - model.simulation.start);
      INFO(path.string() << " at " << options.t);
      const Inspection i = inspect(model, options);
      ++shown;
      const NamedTable &M = table(i, "M"), &Q = table(i, "Q"), &a = table(i, "a"), &v = table(i, "v");
      const NamedTable *phi_q = i.find("Phi_q"), *lambda = i.find("lambda"), *friction = i.find("friction");
      double force = 0;
      for (std::size_t j = 0; j < Q.rows.size(); ++j)
        force = std::max({force, std::abs(Q.at(j)), std::abs(M.at(j) * a.at(j))});
      if (lambda != nullptr)
        for (const double x : lambda->values) force = std::max(force, std::abs(x));
      for (std::size_t j = 0; j < Q.rows.size(); ++j) {
        double sum = Q.at(j) - M.at(j) * a.at(j);
        if (phi_q != nullptr)
          for (std::size_t r = 0; r < phi_q->rows.size(); ++r) sum += phi_q->at(r, j) * lambda->at(r);
        if (friction != nullptr) sum += friction->at(j);
        CHECK(std::abs(sum) <= 1e-9 * force);
      }
      if (phi_q == nullptr) continue;
      const NamedTable &gamma = table(i, "gamma"), &nu = table(i, "nu");
      // What rests has accelerations and velocities of round-off: of its forces, and of what they could make in 1 s.
      double fastest = 0;
      for (const double mass : M.values)
        if (mass > 0) fastest = std::max(fastest, force / mass);
      double speed = fastest;
      for (const double x : a.values) fastest = std::max(fastest, std::abs(x));
      for (const double x : gamma.values) fastest = std::max(fastest, std::abs(x));
      for (const double x : v.values) speed = std::max(speed, std::abs(x));
      for (std::size_t r = 0; r < phi_q->rows.size(); ++r) {
        double rate = -gamma.at(r), velocity = -nu.at(r);
        for (std::size_t j = 0; j < v.rows.size(); ++j) {
          rate += phi_q->at(r, j) * a.at(j);
          velocity += phi_q->at(r, j) * v.at(j);
        }
        INFO(phi_q->rows[r]);
        CHECK(std::abs(rate) <= 1e-8 * fastest);
        CHECK(std::abs(velocity) <= 1e-8 * speed);
      }
    }
  }
  CHECK(shown >= 150);
}

TEST_CASE("in space the parts of Phi_q and the Euler parameters' rates are those of the motion") {
  // Phi_r v + Pi-bar omega_bar = nu = Phi_r v + Phi_p p_dot; p stays of length 1, twice differentiated; p_ddot is the
  // rate of p_dot, by central differences of an accurate run.
  const ModelSpec model = read_model(source + "/validation/heavy_top/model.toml");
  const double d = 1e-4;
  const Inspection at = inspect(model, {0.1, 0}), before = inspect(model, {0.1 - d, 0}),
                   after = inspect(model, {0.1 + d, 0});
  const NamedTable &v = table(at, "v"), &q = table(at, "q"), &p_dot = table(at, "p_dot"), &p_ddot = table(at, "p_ddot");
  const NamedTable &phi_r = table(at, "Phi_r"), &pi = table(at, "Pi-bar"), &phi_p = table(at, "Phi_p"),
                   &nu = table(at, "nu");
  REQUIRE(phi_r.rows.size() == 3);
  for (std::size_t r = 0; r < phi_r.rows.size(); ++r) {
    double by_turn = 0, by_parameters = 0;
    for (std::size_t c = 0; c < 3; ++c) by_turn += phi_r.at(r, c) * v.at(c) + pi.at(r, c) * v.at(3 + c);
    for (std::size_t c = 0; c < 3; ++c) by_parameters += phi_r.at(r, c) * v.at(c);
    for (std::size_t e = 0; e < 4; ++e) by_parameters += phi_p.at(r, e) * p_dot.at(e);
    CHECK(by_turn == Approx(nu.at(r)).margin(1e-12 * 150));
    CHECK(by_parameters == Approx(nu.at(r)).margin(1e-12 * 150));
  }
  double along = 0, twice = 0;
  for (std::size_t e = 0; e < 4; ++e) {
    along += q.at(3 + e) * p_dot.at(e);
    twice += q.at(3 + e) * p_ddot.at(e) + p_dot.at(e) * p_dot.at(e);
    const double slope = (table(after, "p_dot").at(e) - table(before, "p_dot").at(e)) / (2 * d);
    CHECK(p_ddot.at(e) == Approx(slope).margin(1e-4 * 75 * 75));  // the difference errs by (75/s * d)^2 / 6 of it
  }
  CHECK(std::abs(along) < 1e-13 * 75);
  CHECK(std::abs(twice) < 1e-13 * 75 * 75);
  // -2 omega_bar^T J omega_bar, by hand from the model's J.
  const double w[] = {v.at(3), v.at(4), v.at(5)};
  CHECK(table(at, "lambda^P").at(0) ==
        Approx(-2 * (0.234375 * w[0] * w[0] + 0.46875 * w[1] * w[1] + 0.234375 * w[2] * w[2])).epsilon(1e-14));
}

TEST_CASE("a time outside the run is refused by name") {
  InspectOptions options;
  options.t = 3;
  CHECK_THROWS_WITH(inspect(parse_model(rod(), "rod"), options), Catch::Contains("t = 3 s must be in [0, 1] s"));
}

TEST_CASE("many instants of one run are those of single inspections, and make columns") {
  // The web cutter driven by torques: multipliers, accelerations and the choice of dependent velocities over time.
  const ModelSpec model = read_model(source + "/docs/course/web_cutter_dynamics.toml", {{"simulation.end", "0.3"}});
  const std::vector<Inspection> series = inspect_every(model, 0.1);
  REQUIRE(series.size() == 4);  // 3 * 0.1 > 0.3 by round-off, and is the end
  for (const Inspection& at : series) {
    InspectOptions options;
    options.t = at.t;
    const Inspection alone = inspect(model, options);
    for (const char* name : {"a", "lambda", "gamma", "Phi_q^T lambda"}) {
      INFO("t = " << at.t << ", " << name);
      const NamedTable &one = table(at, name), &other = table(alone, name);
      REQUIRE(one.rows == other.rows);
      double largest = 0;
      for (const double x : other.values) largest = std::max(largest, std::abs(x));
      // rtol = 1e-9 of the run; inside a step y is read from the interpolant.
      for (std::size_t i = 0; i < one.values.size(); ++i)
        CHECK(std::abs(one.values[i] - other.values[i]) <= 1e-7 * largest);
    }
  }
  const std::string csv = inspections_csv(series);
  CHECK(csv.compare(0, 17, "t,mode,dependent,") == 0);
  CHECK_THAT(csv, Catch::Contains("\"lambda " + table(series[0], "lambda").rows[0] + "\""));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
  std::ostringstream text;
  print_partitions(series, text);
  CHECK_THAT(text.str(), Catch::Contains("t = 0 s: dependent " + series[0].dependent[0]));
  CHECK_THROWS_WITH(inspect_every(model, 0), Catch::Contains("every 0 s must be > 0"));
}

TEST_CASE("JSON and NumPy's archive hold the same numbers") {
  const Inspection i = inspect(parse_model(rod(), "rod"), {});
  const auto folder = std::filesystem::temp_directory_path() / "hstar_inspect_test";
  std::filesystem::create_directories(folder);
  const std::string json = (folder / "rod.json").string(), npz = (folder / "rod.npz").string();
  std::ofstream(json) << inspection_json(i);
  write_inspection_npz(i, npz);
  const std::string command =
      "/usr/bin/python3 -c \"import json, numpy; j = json.load(open('" + json + "'))['tables']; z = numpy.load('" +
      npz +
      "'); assert all(numpy.array_equal(numpy.array(j[k]['values']), z[k]) for k in j); "
      "assert list(z['Phi_q.columns']) == j['Phi_q']['columns'] and list(z['Phi_q.rows']) == j['Phi_q']['rows']\"";
  CHECK(std::system(command.c_str()) == 0);
  CHECK_THROWS_AS(write_inspection_npz(i, "/no/such/folder/x.npz"), InputError);
}

TEST_CASE("of plain states rates, their derivatives, eigenvalues and the iteration matrix are shown") {
  // Lengyel & Epstein's reaction is linear in x here: x' = -9 x, y' = -2 x, of the BDF lecture's kind: I - h f_y =
  // [[1 + 9 h, 0], [2 h, 1]].
  const ModelSpec model = parse_model(
      "[simulation]\nend = 1\nintegrator = \"backward_euler\"\n[[state]]\nname = \"x\"\ninitial = 3\nrate = \"-9*x\"\n"
      "[[state]]\nname = \"y\"\nrate = \"-2*x\"\n",
      "states");
  InspectOptions options;
  options.step = 0.1;
  const Inspection i = inspect(model, options);
  CHECK(table(i, "f").at(0) == Approx(-27));
  CHECK(table(i, "f_y").at(1, 0) == Approx(-2));
  CHECK(table(i, "eigenvalues").at(0, 0) == Approx(-9));
  const NamedTable& matrix = table(i, "iteration");
  CHECK(matrix.at(0, 0) == Approx(1.9));
  CHECK(matrix.at(0, 1) == 0);
  CHECK(matrix.at(1, 0) == Approx(0.2));
  CHECK(matrix.at(1, 1) == 1);
  ModelSpec other = model;
  other.simulation.integrator = "dopri5";
  CHECK_THROWS_WITH(inspect(other, options), Catch::Contains("bdf, backward_euler or trapezoidal"));
}

TEST_CASE("the unreduced equations have the eigenvalues of the reduced ones, and zeros") {
  // A mass on a guide with c = k = 1e4: direct integration is no stiffer than the motion is.
  const std::string slider =
      "[[body]]\nname = \"bob\"\nmass = 1\ninertia = 1\nposition = [1, 0]\n"
      "[[joint]]\nname = \"g\"\ntype = \"translational\"\nbodies = [\"ground\", \"bob\"]\naxis = [1, 0]\n"
      "[[force]]\nname = \"s\"\ntype = \"spring_damper\"\nbetween = [{body = \"ground\"}, {body = \"bob\"}]\n"
      "axis = [1, 0]\nstiffness = 1e4\ndamping = 1e4\n";
  const double root = std::sqrt(5000.0 * 5000.0 - 1e4);
  for (const char* formulation : {"direct", "partition_simple", "partition_full", "projection"}) {
    INFO(formulation);
    const Inspection i = inspect(
        parse_model("[simulation]\nend = 1\nformulation = \"" + std::string(formulation) + "\"\n" + slider, "slider"),
        {});
    const NamedTable& eigenvalues = table(i, "eigenvalues");
    REQUIRE(eigenvalues.rows.size() == 6);
    CHECK(eigenvalues.at(0, 0) == Approx(-5000 - root));
    CHECK(eigenvalues.at(1, 0) == Approx(-5000 + root).epsilon(1e-6));
    for (std::size_t k = 2; k < 6; ++k) CHECK(std::abs(eigenvalues.at(k, 0)) < 1e-3);
  }
}
