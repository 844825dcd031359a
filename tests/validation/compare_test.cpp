// tests/validation/compare_test.cpp
//
// `hstar compare` must show what is known beforehand: a smaller tolerance gives a smaller error, projection keeps
// the constraints to round-off and direct does not, energy drift is shown only where energy is kept, a method
// that cannot reach the end stays in the table with its reason, and the errors are those against the reference
// that was asked for. The pendulum's period is known in closed form.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "hstar/compare.hpp"
#include "hstar/error.hpp"

using namespace hstar;

namespace {

namespace fs = std::filesystem;

fs::path folder() {
  const fs::path place = fs::temp_directory_path() / "hstar_compare_test";
  fs::create_directories(place);
  return place;
}

/// Point-mass pendulum of length 1 let go from the horizontal; with `friction` a sled that sticks instead.
std::string pendulum() {
  const fs::path file = folder() / "pendulum.toml";
  std::ofstream(file) << R"(gravity = [0.0, -9.81]
[simulation]
end = 2.0
[[body]]
name = "bob"
mass = 1.0
position = [1.0, 0.0]
[[joint]]
name = "link"
type = "distance"
bodies = ["ground", "bob"]
length = 1.0
)";
  return file.string();
}

std::string sled() {
  const fs::path file = folder() / "sled.toml";
  std::ofstream(file) << R"(gravity = [0.0, -10.0]
[simulation]
end = 2.0
[[body]]
name = "sled"
mass = 1.0
velocity = [2.0, 0.0]
[[joint]]
name = "guide"
type = "translational"
bodies = ["ground", "sled"]
friction = { mu = 0.2 }
)";
  return file.string();
}

const CompareRow& row(const Comparison& c, const std::string& formulation, const std::string& integrator, double rtol) {
  for (const CompareRow& r : c.rows)
    if (r.formulation == formulation && r.integrator == integrator && r.rtol == rtol) return r;
  FAIL("no row " << formulation << " " << integrator << " " << rtol);
  return c.rows.front();
}

}  // namespace

TEST_CASE("Tolerances order the errors, and formulations differ where they must") {
  CompareOptions options;
  options.formulations = {"direct", "projection"};
  options.integrators = {"dop853"};
  options.tolerances = {1e-5, 1e-10};
  const Comparison c = compare(pendulum(), {}, options);
  REQUIRE(c.rows.size() == 4);
  CHECK(c.conservative);
  CHECK(c.reference.find("own tightest run") != std::string::npos);
  for (const CompareRow& r : c.rows) {
    CHECK(r.failure.empty());
    REQUIRE(r.end_error.has_value());
    REQUIRE(r.energy_drift.has_value());
    CHECK(r.counters.flow.steps > 0);
    CHECK(r.seconds > 0);
  }
  CHECK(*row(c, "projection", "dop853", 1e-10).end_error < 1e-8);
  CHECK(*row(c, "projection", "dop853", 1e-10).end_error < *row(c, "projection", "dop853", 1e-5).end_error);
  CHECK(row(c, "projection", "dop853", 1e-5).position_error < 1e-13);
  CHECK(row(c, "direct", "dop853", 1e-5).position_error > 1e-11);
  const auto lines = recommendation(c);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].find("Use ") == 0);
}

TEST_CASE("Where friction takes energy, drift is not defined; the stop is found at its known time") {
  CompareOptions options;
  options.formulations = {"projection"};
  options.integrators = {"dopri5"};
  options.tolerances = {1e-8};
  const Comparison c = compare(sled(), {}, options);
  REQUIRE(c.rows.size() == 1);
  CHECK_FALSE(c.conservative);
  CHECK_FALSE(c.rows[0].energy_drift.has_value());
  CHECK(c.events == 1);
  REQUIRE(c.rows[0].event_error.has_value());
  CHECK(*c.rows[0].event_error < 1e-7);
}

TEST_CASE("A file is the truth if it is given, and must fit the model") {
  // x of the pendulum's bob at the end, wrong on purpose: the error must show it.
  const fs::path file = folder() / "truth.csv";
  std::ofstream(file) << "# a comment\nt,bob.x\n0,1\n2,5\n";
  CompareOptions options;
  options.formulations = {"projection"};
  options.integrators = {"dop853"};
  options.tolerances = {1e-9};
  options.reference = file.string();
  const Comparison c = compare(pendulum(), {}, options);
  CHECK(c.reference.find("truth.csv") != std::string::npos);
  REQUIRE(c.rows[0].end_error.has_value());
  CHECK(*c.rows[0].end_error > 0.5);
  CHECK(recommendation(c)[0].find("No run comes within") == 0);
  std::ofstream(file) << "t,bob.x\n0,1\n1,5\n";
  CHECK_THROWS_WITH(compare(pendulum(), {}, options), Catch::Contains("ends at t = 1"));
  options.reference = (folder() / "none.csv").string();
  CHECK_THROWS_WITH(compare(pendulum(), {}, options), Catch::Contains("cannot be read"));
}

TEST_CASE("A closed form is the truth if it is given") {
  // A body on a spring, omega = 2: x = cos 2t. No constraint can be off, and every integrator fits.
  const fs::path file = folder() / "oscillator.toml";
  std::ofstream(file) << R"([parameters]
m = 0.5
[simulation]
end = 3.0
[[body]]
name = "mass"
mass = "m"
position = [1.0, 0.0]
[[force]]
name = "spring"
type = "spring_damper"
between = [{ body = "ground" }, { body = "mass" }]
axis = [1.0, 0.0]
stiffness = 2.0
)";
  CompareOptions options;
  options.tolerances = {1e-8};
  options.exact = {{"mass.x", "cos(sqrt(2/m)*t)"}};
  const Comparison c = compare(file.string(), {}, options);
  CHECK(c.reference.find("closed form of 1 state") != std::string::npos);
  CHECK_FALSE(c.constrained);
  CHECK(c.conservative);
  for (const char* name : {"dopri5", "dop853", "bdf", "hht", "newmark"}) {
    const CompareRow& r = row(c, "direct", name, 1e-8);
    REQUIRE(r.end_error.has_value());
    CHECK(*r.end_error > 0);
    CHECK(*r.end_error < (std::string(name) == "newmark" ? 1e-3 : std::string(name) == "hht" ? 1e-4 : 1e-6));
  }
  options.exact = {{"mass.x", "cos(2*t) + 0.5"}};
  CHECK(*compare(file.string(), {}, options).rows[0].end_error > 0.3);
  options.exact = {{"mass.z", "0"}};
  CHECK_THROWS_WITH(compare(file.string(), {}, options), Catch::Contains("no such state; it has: mass.x, "));
  options.exact = {{"mass.x", "cos(omega*t)"}};
  CHECK_THROWS_WITH(compare(file.string(), {}, options), Catch::Contains("'omega' is neither t nor a parameter"));
}

TEST_CASE("What a model says of its impacts holds in a comparison too") {
  // Three equal balls, the last two in touch, hit at t = 0.5 without loss. One impact after the other: the last one
  // alone goes on. As one problem it would have 2/3 of the speed.
  const fs::path file = folder() / "balls.toml";
  std::ofstream(file) << R"([simulation]
end = 1.0
multiple_impact = "sequential"
[[body]]
count = 3
name = "ball{i}"
mass = 1.0
position = ["i == 0 ? -1.5 : i - 1", 0.0]
velocity = ["i == 0 ? 1.0 : 0.0", 0.0]
[[contact]]
count = 2
name = "pair{i}"
between = [{ body = "ball{i}", shape = "circle", radius = 0.5 }, { body = "ball{i+1}", shape = "circle", radius = 0.5 }]
restitution = 1.0
)";
  CompareOptions options;
  options.formulations = {"direct"};
  options.integrators = {"dop853"};
  options.tolerances = {1e-8};
  for (const bool exact : {true, false}) {  // against the closed form, and by the comparison's own truth
    if (exact) options.exact = {{"ball2.x", "1 + (t - 0.5)"}, {"ball1.x", "0"}, {"ball0.x", "-1"}};
    const Comparison c = compare(file.string(), {}, options);
    REQUIRE(c.rows.size() == 1);
    CHECK(c.rows[0].failure.empty());
    REQUIRE(c.rows[0].end_error.has_value());
    CHECK(*c.rows[0].end_error < 1e-9);
    options.exact.clear();
  }
}

TEST_CASE("A run that takes too long stays in the table with its reason, and the files can be written") {
  CompareOptions options;
  options.formulations = {"direct"};
  options.integrators = {"ode23", "dop853"};
  options.tolerances = {1e-12};
  options.time_limit = 0.001;
  const Comparison c = compare(pendulum(), {{"simulation.end", "200"}}, options);
  REQUIRE(c.rows.size() == 2);
  CHECK(c.rows[0].failure.find("ended after 0.001 s") != std::string::npos);
  std::ostringstream table;
  print_comparison(c, table);
  CHECK(table.str().find("[1] direct + ode23") != std::string::npos);
  CHECK(recommendation(c)[2].find("2 of 2 runs are of no use") == 0);

  const std::string csv = (folder() / "c.csv").string(), svg = (folder() / "c.svg").string();
  write_comparison_csv(c, csv);
  write_comparison_svg(c, svg);
  std::ifstream in(csv);
  std::string line;
  int lines = 0;
  while (std::getline(in, line)) ++lines;
  CHECK(lines == 2 + 1 + 2);  // two comments, the header, two rows
  CHECK_THROWS_AS(write_comparison_csv(c, "/no/such/folder/c.csv"), InputError);
}

TEST_CASE("Names and bounds are checked before anything runs") {
  CompareOptions options;
  options.formulations = {"lagrange"};
  CHECK_THROWS_WITH(compare(pendulum(), {}, options), Catch::Contains("formulation 'lagrange' is not known"));
  options.formulations.clear();
  options.integrators = {"euler"};
  CHECK_THROWS_WITH(compare(pendulum(), {}, options), Catch::Contains("integrator 'euler' is not known"));
  options.integrators.clear();
  options.tolerances = {0.5};
  CHECK_THROWS_WITH(compare(pendulum(), {}, options), Catch::Contains("rtol = 0.5 must be in"));
}

TEST_CASE("on a spatial mechanism every method that solves a formulation takes part and comes to the reference") {
  CompareOptions options;
  options.tolerances = {1e-5};
  options.time_limit = 60;
  const Comparison c = compare(std::string(HSTAR_SOURCE_DIR) + "/validation/iftomm_a04_bricard/model.toml",
                               {{"simulation.end", "0.02"}}, options);
  std::set<std::string> formulations;
  for (const CompareRow& r : c.rows) {
    INFO(r.formulation << " with " << r.integrator << ": " << r.failure);
    CHECK(r.finished());
    REQUIRE(r.end_error);
    CHECK(*r.end_error < 1e-3);
    formulations.insert(r.formulation + (r.integrator == "ida" || r.integrator == "bdf" ? " " + r.integrator : ""));
  }
  for (const char* name : {"direct", "baumgarte", "partition_simple", "partition_full", "projection", "index3",
                           "index3 bdf", "ggl bdf", "ggl ida", "index1 ida"})
    CHECK(formulations.count(name) == 1);
}
