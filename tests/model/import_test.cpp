// tests/model/import_test.cpp
//
// What must hold: a simEngine2D model runs as the model file written by hand for the same mechanism, to round-off, as
// it is and by way of `hstar import`; a model of ours in JSON is that model; what is not taken is refused at its place.
#include <unistd.h>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "hstar/import.hpp"
#include "hstar/kinematics.hpp"
#include "hstar/model_reference.hpp"
#include "model/bad_inputs.hpp"
#include "model/models.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

const std::vector<Override> tight{
    {"simulation.rtol", "1e-10"}, {"simulation.integrator", "dop853"}, {"simulation.end", "3"}};

/// The same columns, row by row, to a few units in the last place of the largest value of the column.
void same_runs(const RunResult& a, const RunResult& b) {
  REQUIRE(a.outcome.success());
  REQUIRE(b.outcome.success());
  REQUIRE(a.columns == b.columns);
  REQUIRE(a.rows.size() == b.rows.size());
  REQUIRE(a.rows.size() > 20);
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    double largest = 1, worst = 0;
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
      largest = std::max(largest, std::abs(b.rows[i][c]));
      worst = std::max(worst, std::abs(a.rows[i][c] - b.rows[i][c]));
    }
    INFO(a.columns[c]);
    CHECK(worst <= 1e-12 * largest);
  }
}

struct File {
  std::string path = (std::filesystem::temp_directory_path() / ("hstar_import_" + std::to_string(::getpid()))).string();
  explicit File(const std::string& text, const char* extension) {
    path += extension;
    std::ofstream(path, std::ios::binary) << text;
  }
  ~File() { std::filesystem::remove(path); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

// A crank (driven by a torque) and a rocker, joined by a coupler; a spring from the coupler to a post.
const char* const native_four_bar = R"~(
title = "Four-bar"
gravity = [0.0, -9.81]
[simulation]
end = 10.0
[[body]]
name = "crank"
mass = 1.0
inertia = 0.1
position = [0.0, 0.5]
angle = "pi/2"
[[body]]
name = "coupler"
mass = 2.0
inertia = 0.8
position = [1.0, 1.5]
angle = 0.4636476090008061
[[body]]
name = "rocker"
mass = 1.5
inertia = 0.6
position = [2.0, 1.0]
angle = "pi/2"
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "crank"]
points = [[0.0, 0.0], [-0.5, 0.0]]
[[joint]]
name = "left"
type = "revolute"
bodies = ["crank", "coupler"]
points = [[0.5, 0.0], [-1.118033988749895, 0.0]]
[[joint]]
name = "right"
type = "revolute"
bodies = ["coupler", "rocker"]
points = [[1.118033988749895, 0.0], [1.0, 0.0]]
[[joint]]
name = "foot_x"
type = "absolute_x"
body = "rocker"
point = [-1.0, 0.0]
value = 2.0
[[joint]]
name = "foot_y"
type = "absolute_y"
body = "rocker"
point = [-1.0, 0.0]
value = 0.0
[[force]]
name = "motor"
type = "torque"
body = "crank"
torque = "6*sin(2*t)^2"
[[force]]
name = "spring"
type = "spring_damper"
between = [{ body = "coupler", point = [0.2, 0.1] }, { body = "ground", point = [1.0, 3.0] }]
stiffness = 20.0
damping = 0.5
free_length = 1.2
actuator = "t"
[[force]]
name = "knee"
type = "rotational_spring_damper"
bodies = ["coupler", "rocker"]
stiffness = 3.0
damping = 0.2
free_angle = 1.0
[[force]]
name = "wind"
type = "point_force"
body = "rocker"
point = [1.0, 0.0]
force = ["cos(t)", 0.3]
frame = "body"
)~";

}  // namespace

TEST_CASE("a simEngine2D pendulum runs as the model written by hand") {
  const char* const native = R"~(
gravity = [0, -9.81]
[simulation]
end = 10.0
[[body]]
name = "pend"
mass = 10.0
inertia = 10.0
position = [0.6, -0.8]
angle = -0.9272952180016123
[[joint]]
name = "absX"
type = "absolute_x"
body = "pend"
point = [-1, 0]
value = 0
[[joint]]
name = "absY"
type = "absolute_y"
body = "pend"
point = [-1, 0]
value = "0.1*sin(2*t)"
[[force]]
name = "RSDA"
type = "rotational_spring_damper"
bodies = ["ground", "pend"]
stiffness = 25.0
damping = 5.0
free_angle = 0.1
)~";
  same_runs(run(parse_model(test::imported_pendulum, "pend.adm", tight)), run(parse_model(native, "m.toml", tight)));
}

TEST_CASE("a simEngine2D four-bar runs as the model written by hand, as it is and written as a model file") {
  const RunResult native = run(parse_model(native_four_bar, "m.toml", tight));
  same_runs(run(parse_model(test::imported_four_bar, "four_bar.json", tight)), native);
  const File model(test::imported_four_bar, ".adm");
  const File analysis(R"~({"simulation": "Dynamics", "tend": 3.0, "stepSize": 0.001, "outputSteps": 30})~", ".acf");
  std::vector<Override> more = tight;
  more.push_back({"simulation.output", "0"});
  const std::string text = import_model(model.path, analysis.path);
  CHECK(text.find("output = 0.1\n") != std::string::npos);
  CHECK(text.find("fixed_step = 0.001\n") != std::string::npos);
  CHECK(text.find("integrator = \"newmark\"\n") != std::string::npos);
  CHECK(text.find("# \"stepSize\" is taken, with Newmark's method") != std::string::npos);
  more.push_back({"simulation.fixed_step", "0"});
  same_runs(run(parse_model(text, "imported.toml", more)), native);
  // As it is: Newmark's method, whose order is 1 (0.03 rad of 10 here).
  const RunResult stepped = run(parse_model(text, "imported.toml"));
  REQUIRE(stepped.outcome.success());
  CHECK(stepped.counters.flow.steps == 3000);
  CHECK(final_value(stepped, "crank.angle") == Approx(final_value(native, "crank.angle")).margin(5e-2));
}

TEST_CASE("a rack rolls on a pinion") {
  // Haug 1989, example 3.4.2: the pinion turns by sin(t) about a fixed centre, the rack above it moves by -R sin(t).
  const auto r = run(parse_model(test::imported_rack, "rack.adm", tight));
  REQUIRE(r.outcome.success());
  CHECK(final_value(r, "rack.x") == Approx(1 - 0.2 * std::sin(3.0)).epsilon(1e-9));
  CHECK(final_value(r, "rack.angle") == Approx(0).margin(1e-9));
}

TEST_CASE("a translational joint takes the nearer of the two senses of its directions") {
  std::string text = R"~({"gravity": [0, -9.81], "bodies": [
    {"name": "guide", "id": 1, "mass": 1, "jbar": 1, "q0": [0, 0, 0.3], "qd0": [0, 0, 0]},
    {"name": "block", "id": 2, "mass": 1, "jbar": 1, "q0": [0, 0, 3.44159265358979312], "qd0": [0, 0, 0]}],
    "constraints": [
    {"name": "x", "type": "AbsoluteX", "body1": 1, "sP1": [0, 0], "fun": "0"},
    {"name": "y", "type": "AbsoluteY", "body1": 1, "sP1": [0, 0], "fun": "0"},
    {"name": "a", "type": "AbsoluteAngle", "body1": 1, "fun": "0.3"},
    {"name": "slide", "type": "TranslationalJoint", "body1": 1, "sP1": [0, 0], "vP1": [2, 0], "body2": 2, "sP2": [0, 0], "vP2": [1, 0], "fun": "NONE"}]})~";
  const auto r = run(parse_model(text, "m.json", {{"simulation.end", "1"}}));
  REQUIRE(r.outcome.success());
  CHECK(final_value(r, "block.angle") == Approx(3.44159265358979312).epsilon(1e-12));
  const double way = -0.5 * 9.81 * std::sin(0.3);
  CHECK(final_value(r, "block.x") == Approx(way * std::cos(0.3)).epsilon(1e-6));
}

TEST_CASE("what info --json prints is the same model again") {
  const auto copy = std::filesystem::temp_directory_path() / ("hstar-" + std::to_string(::getpid()) + ".json");
  for (const auto& entry : std::filesystem::directory_iterator(HSTAR_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    INFO(entry.path());
    const std::string json = resolved_model_json(entry.path().string());
    std::ofstream(copy) << json;
    CHECK(resolved_model_json(copy.string()) == json);
  }
  const std::string sled = HSTAR_SOURCE_DIR "/examples/01_drag_sled.toml";
  std::ofstream(copy) << resolved_model_json(sled);
  same_runs(run(read_model(copy.string(), {{"simulation.end", "20"}})),
            run(read_model(sled, {{"simulation.end", "20"}})));
  std::filesystem::remove(copy);
}
