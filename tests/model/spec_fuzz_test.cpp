// tests/model/spec_fuzz_test.cpp
//
// What must hold: whatever a program writes into one field of a model in code (NaN, infinity, -1, 0, huge numbers,
// empty and unknown words, empty lists, elements twice, elements with nothing filled in, formulas that mean nothing),
// the model is refused with a message, or runs: to a finite state, or to an end with a reason. No crash, no other
// exception, no hang. Run under the sanitizers, too.
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <limits>

#include "hstar/run.hpp"
#include "model/spec_fields.hpp"

using namespace hstar;
using test::visit_fields;

namespace {

constexpr double bad_numbers[] = {std::numeric_limits<double>::quiet_NaN(), -1, 0,
                                  std::numeric_limits<double>::infinity(), 1e300};

// spoil(field, which): the which-th bad value; false if there are no more.
template <class Number>
requires std::is_arithmetic_v<Number>
bool spoil(Number& x, std::size_t which) {
  if constexpr (std::is_integral_v<Number>) {
    constexpr Number whole[] = {-1, 0, 1000000};
    return which < std::size(whole) && (x = whole[which], true);
  } else {
    return which < std::size(bad_numbers) && (x = bad_numbers[which], true);
  }
}

bool spoil(std::string& x, std::size_t which) {
  const std::string words[] = {"", "nosuch", std::string(300, 'x'), "ground"};
  return which < std::size(words) && (x = words[which], true);
}

bool spoil(Expression& x, std::size_t which) {
  constexpr const char* formulas[] = {"nosuch.x", "sqrt(-1 - t)", "1/(t - t)", "t*1e300"};
  if (which < std::size(bad_numbers)) return x = Expression::constant(bad_numbers[which]), true;
  which -= std::size(bad_numbers);
  return which < std::size(formulas) && (x = Expression::compile(formulas[which], {}, {}), true);
}

template <class T, std::size_t N>
bool spoil(std::array<T, N>& x, std::size_t which) {
  bool done = false;
  for (T& part : x) done = spoil(part, which);
  return done;
}

template <class T>
bool spoil(std::optional<T>& x, std::size_t which) {
  if (which == 0) return x.reset(), true;
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Expression> || std::is_same_v<T, Vec2>) {
    T value{};
    return spoil(value, which - 1) && (x = value, true);
  } else {
    return false;
  }
}

template <class T>
bool spoil(std::vector<T>& x, std::size_t which) {
  if (which == 0) return x.clear(), true;
  if (which == 1) return x.emplace_back(), true;
  if (which == 2) return !x.empty() && (x.push_back(x.front()), true);
  if (which == 3) return x.size() > 1 && (x.pop_back(), true);
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Vec2> || std::is_same_v<T, Vec3>) {
    bool done = false;
    for (T& part : x) done = spoil(part, which - 4);
    return done;
  } else {
    return false;
  }
}

/// Spoils field number `at` with its bad value number `which`.
struct Spoiler {
  std::size_t at, which, seen = 0;
  bool found = false, spoiled = false;
  std::string name = "";
  template <class Field>
  void operator()(const std::string& path, Field& x) {
    if (seen++ != at || found) return;
    found = true;
    name = path + ", bad value " + std::to_string(which);
    spoiled = spoil(x, which);
  }
};

using Clock = std::chrono::steady_clock;

/// Stops a run soon: that it began is enough.
class Briefly : public RunSink {
 public:
  bool stop_requested() override { return Clock::now() - begun_ > std::chrono::milliseconds(3); }

 private:
  Clock::time_point begun_ = Clock::now();
};

/// "" if the model ends as it must.
std::string complaint(const ModelSpec& spec) {
  try {
    Briefly sink;
    const RunResult result = run(spec, &sink);
    if (!result.outcome.success()) return result.outcome.message.empty() ? "an end without a message" : "";
    for (const double y : result.y_end)
      if (!std::isfinite(y)) return "success with a state that is not finite";
    return "";
  } catch (const InputError& error) {
    return std::string(error.what()).empty() ? "a refusal without a message" : "";
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
}

void spoil_every_field(const char* text) {
  ModelSpec whole = parse_model(text, "whole.toml");
  whole.simulation.sample_times = {0.1};
  REQUIRE(complaint(whole).empty());
  std::size_t models = 0;
  for (std::size_t at = 0;; ++at) {
    for (std::size_t which = 0;; ++which) {
      ModelSpec spec = whole;
      Spoiler spoiler{at, which};
      visit_fields(spec, spoiler);
      if (!spoiler.found) {
        CHECK(models > 500);
        return;
      }
      if (!spoiler.spoiled) break;
      ++models;
      INFO(spoiler.name);
      const auto begun = Clock::now();
      const std::string said = complaint(spec);
      if (!said.empty()) FAIL_CHECK(said);
      if (Clock::now() - begun > std::chrono::seconds(20)) FAIL_CHECK("a hang");
    }
  }
}

const char* const planar = R"toml(
gravity = [0, -9.81]
simulation = { end = 0.3 }
[[state]]
name = "heat"
rate = "1 - heat"
[[body]]
name = "table"
motion = { x = "0.01*sin(t)", y = "0", angle = "0" }
[[body]]
name = "box"
mass = 2
inertia = 0.1
position = [0, 0.05]
[[body]]
name = "ball"
mass = 1
inertia = 0.01
position = [1, 1]
velocity = [0.1, 0]
[[body]]
name = "rod"
mass = 1
inertia = 0.1
position = [3, -0.5]
[[body]]
name = "sled"
mass = 3
position = [5, 0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "rod"]
points = [[3, 0], [0, 0.5]]
friction = { mu = 0.1, radius = 0.02 }
[[joint]]
name = "plate"
type = "translational"
bodies = ["ground", "sled"]
friction = { law = "stribeck", mu_static = 0.4, mu_kinetic = 0.3, stribeck_velocity = 0.1, viscous = 0.1 }
[[force]]
name = "spring"
type = "spring_damper"
between = [{ body = "ground", point = [6, 0] }, { body = "sled" }]
stiffness = 100
damping = 1
axis = [1, 0]
[[force]]
name = "motor"
type = "torque"
body = "rod"
torque = "sin(t)"
[[force]]
name = "push"
type = "point_force"
body = "ball"
force = ["t", 0]
[[force]]
name = "twist"
type = "rotational_spring_damper"
bodies = ["ground", "rod"]
stiffness = 1
[[contact]]
name = "floor"
restitution = 0.3
friction = { law = "table", table = [[0, 0.4], [1, 0.3]] }
between = [{ body = "table", shape = "line", surface_velocity = "t" },
           { body = "box", shape = "polygon", corners = [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]] }]
[[contact]]
name = "yard"
restitution = 0.5
friction = { mu = 0.2 }
between = [{ body = "ground", shape = "segment", ends = [[2, 0], [-2, 0]] }, { body = "ball", shape = "circle", radius = 0.1 }]
[[contact]]
name = "stop"
gap = "6 - sled.x"
[[guard]]
name = "warm"
when = "heat - 0.2"
crossing = "rising"
reset = { heat = "0.1" }
[[guard]]
name = "clock"
times = [0.05, 0.15]
[[measure]]
name = "pull"
value = "pin.fy"
unit = "N"
)toml";

const char* const spatial = R"toml(
dimension = 3
gravity = [0, 0, -9.81]
simulation = { end = 0.3 }
[[body]]
name = "lift"
motion = { x = "0", y = "0", z = "0.01*sin(t)" }
[[body]]
name = "box"
mass = 2
inertia = [0.1, 0.2, 0.25]
position = [0, 0, 0.2]
[[body]]
name = "ball"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [2, 0, 1]
[[body]]
name = "door"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [5, 0, 0]
[[body]]
name = "slide"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [8, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "door"]
at = [5, 0, 0.5]
axis = [0, 1, 0]
friction = { mu = 0.3, radius = 0.02 }
[[joint]]
name = "guide"
type = "translational"
bodies = ["ground", "slide"]
at = [8, 0, 0]
axis = [1, 0, 0]
friction = { mu_static = 0.4, mu_kinetic = 0.3 }
[[force]]
name = "spring"
type = "spring_damper"
bodies = ["ground", "slide"]
points = [[9, 0, 0], [0, 0, 0]]
stiffness = 100
[[force]]
name = "push"
type = "point_force"
body = "ball"
force = ["t", 0, 0]
[[force]]
name = "motor"
type = "torque"
body = "door"
torque = [0, "sin(t)", 0]
[[force]]
name = "rubber"
type = "bushing"
bodies = ["ground", "ball"]
stiffness_matrix = [1, 1, 1, 0, 0, 0]
[[contact]]
name = "floor"
restitution = 0.3
friction = { mu = 0.4, rolling = 0.001 }
between = [{ body = "ground", shape = "plane", surface_velocity = ["t", 0, 0] }, { body = "ball", shape = "sphere", radius = 0.1 }]
[[contact]]
name = "table"
friction = { mu = 0.2 }
between = [{ body = "lift", shape = "plane" }, { body = "box", shape = "box", sides = [0.2, 0.2, 0.3] }]
[[measure]]
name = "pull"
value = "hinge.fz"
)toml";

}  // namespace

TEST_CASE("no field of a planar model in code makes hstar crash", "[model][fuzz]") { spoil_every_field(planar); }

TEST_CASE("no field of a spatial model in code makes hstar crash", "[model][fuzz]") { spoil_every_field(spatial); }
