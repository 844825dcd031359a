// tests/simulate/planar_in_space.cpp
//
// A planar mechanism is a spatial one whose bodies stay in a plane: run both ways, the plane as it is and turned so
// that nothing lies along an axis, the planar mechanisms of validation/ have the same events, one to one, and the same
// states just after them and at the end, to 1e-9.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "mechanism/spatial/euler_parameters.hpp"
#include "support/lifted.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

constexpr double tolerance = 1e-9;
constexpr long most_events = 120;

/// Problems that are not run in space, and why.
const std::map<std::string, std::string>& left_out() {
  static const std::map<std::string, std::string> table{
      {"p14_woodpecker", "its hinge is an equation in coordinates, its contacts are formulas: for planar models only"},
      {"table_force", "a specification has no tables: they are in its formulas, of which the text in space is made"},
      {"relay_with_ramp", "surfaces of switches are held in the plane only; in space the run says so"},
      {"p09_pendulum_pin", "a body of inertia 0 that turns: in space every body has moments of inertia"},
  };
  return table;
}

/// Ends earlier than in the model, and why.
double end_of(const std::string& name, double end) {
  if (name == "iftomm_a02_n_four_bar") return 0.5;           // both runs end where the constraints lose rank
  if (name == "slider_crank_clearance_flores") return 0.03;  // a corner is two: most_events come sooner in space
  if (name == "andrews_squeezer") return 0.005;              // long in space
  return end;
}

/// What may differ: a bilateral guide has two sides in the plane, in space the direction of its force turns.
bool counts(const EventRecord& e) { return e.kind != "normal_sign"; }

/// The element as written: a corner of a polygon is an edge of two corners in space.
std::string written(const EventRecord& e) { return e.element.substr(0, e.element.find('.')); }

/// How many bounces are seen before their limit is known is up to round-off: those within this time of it are left out.
constexpr double limit = 1e-6;

/// What counts, the same thing at the same element and instant once.
std::vector<const EventRecord*> events_of(const RunResult& run) {
  std::vector<const EventRecord*> list;
  for (const EventRecord& e : run.events) {
    if (!counts(e)) continue;
    const auto late = [&](const EventRecord* b) {
      return b->kind == "impact" && written(*b) == written(e) && e.t - b->t < limit;
    };
    while (e.kind == "zeno" && !list.empty() && late(list.back())) list.pop_back();
    const bool again = !list.empty() && list.back()->kind == e.kind && written(*list.back()) == written(e) &&
                       e.t - list.back()->t < tolerance;
    if (again)
      list.back() = &e;
    else
      list.push_back(&e);
  }
  return list;
}

void check_states(const ModelSpec& model, const RunResult& plane, const std::vector<double>& y, const RunResult& space,
                  const std::vector<double>& z, const Mat3& turn) {
  for (const BodySpec& body : model.bodies) {
    if (body.motion) continue;
    INFO("body " << body.name);
    const PlaneMotion a = planar_motion(plane, y, body), b = lifted_motion(space, z, body, turn);
    const double speed = std::max({1.0, std::abs(a.vx), std::abs(a.vy), std::abs(a.omega)});
    CHECK(b.x == Approx(a.x).margin(tolerance));
    CHECK(b.y == Approx(a.y).margin(tolerance));
    CHECK(b.vx == Approx(a.vx).margin(tolerance * speed));
    CHECK(b.vy == Approx(a.vy).margin(tolerance * speed));
    CHECK(b.cosine == Approx(a.cosine).margin(tolerance));
    CHECK(b.sine == Approx(a.sine).margin(tolerance));
    CHECK(b.omega == Approx(a.omega).margin(tolerance * speed));
    CHECK(b.off < tolerance);
  }
}

void check_in_space(const ModelSpec& model, const RunResult& plane, const Mat3& turn,
                    FrictionJoints joints = FrictionJoints::same) {
  const RunResult space = run(parse_model(lifted(model, turn, joints), "lifted"));
  INFO(space.outcome.message);
  CHECK(space.outcome.success() == plane.outcome.success());
  const auto expected = events_of(plane), found = events_of(space);
  std::string list;
  for (std::size_t i = 0; i < std::max(expected.size(), found.size()); ++i) {
    const auto line = [&](const std::vector<const EventRecord*>& all) {
      return i < all.size() ? digits(all[i]->t) + " " + all[i]->kind + " " + all[i]->element : std::string("-");
    };
    if (i < expected.size() && i < found.size() && expected[i]->kind == found[i]->kind &&
        std::abs(expected[i]->t - found[i]->t) < tolerance)
      continue;
    list += line(expected) + "   in space: " + line(found) + "\n";
  }
  INFO(list);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("event " << i + 1 << " at " << expected[i]->t);
    CHECK(found[i]->kind == expected[i]->kind);
    CHECK(written(*found[i]) == written(*expected[i]));
    CHECK(found[i]->t == Approx(expected[i]->t).margin(tolerance));
    check_states(model, plane, expected[i]->y_after, space, found[i]->y_after, turn);
  }
  CHECK(space.outcome.t == Approx(plane.outcome.t).margin(tolerance));
  check_states(model, plane, plane.y_end, space, space.y_end, turn);
}

const Mat3& some_turn() {
  static const Mat3 turn = rotation_matrix(parameters_from_axis({0.3, -1.1, 0.7}, 1.3, {}, "test"));
  return turn;
}

/// A problem of validation/ as it is run both ways.
ModelSpec problem(const std::string& name) {
  ModelSpec model = read_model(HSTAR_SOURCE_DIR "/validation/" + name + "/model.toml");
  model.simulation.integrator = "dop853";
  model.simulation.rtol = 1e-12;
  model.simulation.formulation.clear();
  model.simulation.output = 0;
  model.simulation.end = end_of(name, model.simulation.end);
  if (model.simulation.stop_after_events == 0 || model.simulation.stop_after_events > most_events)
    model.simulation.stop_after_events = most_events;
  return model;
}

}  // namespace

TEST_CASE("the planar mechanisms of validation/ are the same in space") {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(HSTAR_SOURCE_DIR "/validation"))
    if (std::filesystem::exists(entry.path() / "model.toml")) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  int compared = 0;
  for (const std::string& name : names) {
    if (left_out().count(name) > 0 || name.starts_with("spatial_")) continue;
    const ModelSpec model = problem(name);
    if (model.dimension == 3 || model.bodies.empty()) continue;
    DYNAMIC_SECTION(name) {
      const RunResult plane = run(model);
      INFO(plane.outcome.message);
      for (const bool turned : {false, true}) {
        INFO((turned ? "a turned plane" : "the plane z = 0"));
        check_in_space(model, plane, turned ? some_turn() : identity3);
      }
    }
    ++compared;
  }
  CHECK(compared > 30);
}

// A ball joint and a shaft that slides and turns have friction in three and in two directions, of which a planar motion
// uses one. (Not among them: stacked blocks, which a shaft lets fall over.)
TEST_CASE("a planar mechanism is the same with friction joints that have more directions") {
  const std::string name =
      GENERATE("p01_osc_static_higher", "p02_sled_metal", "p03_belt_stribeck", "p08_chain3", "p08_incline_shaken",
               "p09_pendulum_pin_rod", "p13_slider_crank", "p13_slider_crank_fast");
  INFO(name);
  const ModelSpec model = problem(name);
  check_in_space(model, run(model), some_turn(), FrictionJoints::freer);
}
