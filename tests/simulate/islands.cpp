// tests/simulate/islands.cpp
//
// Islands give the same events as the whole: blocks on rails, in chains and in random graphs of springs and dampers,
// once with each island on its own clock (integrator "exact") and once as one system (dop853 at its tightest).
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

using namespace hstar;

namespace {

/// Times, speeds and states of both, relative to 1.
constexpr double same = 1e-10;

std::string chain() { return std::string(HSTAR_SOURCE_DIR) + "/examples/19_burridge_knopoff.toml"; }

void check_same(const ModelSpec& model) {
  ModelSpec apart = model, whole = model;
  apart.simulation.integrator = "exact";
  whole.simulation.integrator = "dop853";
  whole.simulation.rtol = 1e-12;
  const RunResult a = run(apart), b = run(whole);
  REQUIRE(a.outcome.success());
  REQUIRE(b.outcome.success());
  CHECK(a.counters.flow.evaluations == 0);  // (islands have moved by themselves)
  CHECK(a.outcome.mode == b.outcome.mode);
  REQUIRE(a.events.size() == b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    const EventRecord &x = a.events[i], &y = b.events[i];
    INFO(y.kind << " of " << y.element << " at " << y.t);
    CHECK(x.kind == y.kind);
    CHECK(x.element == y.element);
    CHECK(x.system_mode_after == y.system_mode_after);
    CHECK(x.note == y.note);
    CHECK(std::abs(x.t - y.t) < same);
  }
  for (std::size_t k = 0; k < a.y_end.size(); ++k) CHECK(std::abs(a.y_end[k] - b.y_end[k]) < same);
}

/// The chain of the example with other springs: each block is coupled with any two others, by springs and dampers of
/// random size, and has random friction.
ModelSpec graph(unsigned seed, std::size_t n) {
  ModelSpec model = read_model(chain(), {{"parameters.n", std::to_string(n)}, {"simulation.end", "3"}});
  std::mt19937 random(seed);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const auto any = [&] {
    return "block" + std::to_string(std::uniform_int_distribution<std::size_t>(0, n - 1)(random));
  };
  for (BodySpec& body : model.bodies)
    if (!body.motion) body.mass = between(0.5, 2);
  for (ForceSpec& force : model.forces) {
    if (force.name.starts_with("leaf")) continue;
    force.markers[0].body = any();
    do force.markers[1].body = any();
    while (force.markers[1].body == force.markers[0].body);
    force.stiffness = Expression::constant(between(1, 60));
    force.damping = Expression::constant(between(0, 2));
  }
  return model;
}

/// A sled on an incline, pulled through a spring and a damper; sometimes left alone, sometimes with viscous friction,
/// too.
ModelSpec lone(unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const double tilt = between(-0.2, 0.2), mu = between(0.05, 0.4), higher = seed % 3 == 0 ? 0 : between(0.01, 0.2);
  const auto text = [](double x) { return std::to_string(x); };
  return parse_model(
      "gravity = [0.0, -9.81]\n[simulation]\nend = 6\noutput = 0.5\n[[body]]\nname = \"sled\"\nmass = " +
          text(between(0.5, 5)) + "\nvelocity = [" + text(seed % 2 * std::cos(tilt)) + ", " +
          text(seed % 2 * std::sin(tilt)) +
          "]\n[[joint]]\nname = \"plate\"\ntype = \"translational\"\nbodies = [\"ground\", \"sled\"]\naxis = [" +
          text(std::cos(tilt)) + ", " + text(std::sin(tilt)) + "]\nfriction = { law = \"coulomb\", mu_static = " +
          text(mu + higher) + ", mu_kinetic = " + text(mu) + (seed % 5 == 0 ? ", viscous = 0.3" : "") +
          " }\n[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\nbetween = [{ body = \"ground\", point = [\"" +
          text(seed % 4 == 0 ? 0.0 : between(0.05, 1)) +
          "*t\", 0.0] }, { body = \"sled\" }]\naxis = [1.0, 0.0]\nstiffness = " + text(between(10, 400)) +
          "\ndamping = " + text(seed % 7 == 0 ? 40 : between(0, 1)) +
          "\nfree_length = 0.0\n[[measure]]\nname = \"speed\"\nvalue = \"abs(sled.vx)\"\n",
      "sled.toml");
}

}  // namespace

TEST_CASE("islands give the same events as the whole: one freedom") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    check_same(lone(seed));
  }
}

TEST_CASE("events of one freedom that has a closed form, to 1e-12") {
  const auto check = [](const char* file, const std::vector<Override>& changes, auto truth) {
    std::vector<Override> all{{"simulation.integrator", "exact"}};
    all.insert(all.end(), changes.begin(), changes.end());
    const RunResult result = run(read_model(std::string(HSTAR_SOURCE_DIR) + file, all));
    REQUIRE(result.outcome.success());
    CHECK(result.counters.flow.evaluations == 0);
    for (std::size_t n = 0; n < result.events.size(); ++n) {
      CHECK(std::abs(result.events[n].t - truth(n)) < 1e-12);
      CHECK(result.events[n].dt_error < 1e-12);
    }
    return result.events.size();
  };
  CHECK(check("/validation/p01_osc_equal/model.toml", {},
              [](std::size_t n) { return static_cast<double>(n + 1) * std::acos(-1.0) / 5; }) == 16);
  const double w = std::sqrt(742.5 / 12.5), force = 12.5 * 9.81, rate = 742.5 * 0.034;
  const double stick = 0.2 * force / rate, slip = 2 * (std::acos(-1.0) - std::atan(0.1 * force * w / rate)) / w;
  CHECK(check("/validation/p02_sled_metal/model.toml", {}, [&](std::size_t n) {
          const auto slips = static_cast<double>((n + 1) / 2), sticks = static_cast<double>(n / 2);
          return 0.4 * force / rate + slips * slip + sticks * stick;
        }) == 81);
}

TEST_CASE("islands give the same events as the whole: chains") {
  for (const char* n : {"10", "100"})
    check_same(read_model(chain(), {{"parameters.n", n}, {"simulation.end", "3"}, {"simulation.output", "0.5"}}));
}

TEST_CASE("islands give the same events as the whole: random graphs") {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    INFO("seed " << seed);
    check_same(graph(seed, 7 + seed));
  }
}

TEST_CASE("islands give the same events as the whole: blocks alike, which stop together") {
  check_same(read_model(chain(), {{"parameters.n", "8"},
                                  {"simulation.end", "3"},
                                  {"body.block{i}.velocity.0", "0.3"},
                                  {"body.block{i}.position.0", "0"}}));
}

TEST_CASE("what islands does not cost: an event of a long chain takes no more steps than one of a short chain") {
  const auto steps = [](const char* n) {
    const RunResult result = run(read_model(chain(), {{"parameters.n", n},
                                                      {"simulation.integrator", "exact"},
                                                      {"simulation.end", "100"},
                                                      {"simulation.stop_after_events", "300"}}));
    CHECK(result.outcome.status == RunStatus::stopped_after_events);
    CHECK(result.counters.flow.evaluations == 0);
    return static_cast<double>(result.counters.flow.steps);
  };
  CHECK(steps("400") < 2 * steps("40"));
}

TEST_CASE("islands = false leaves exact to the modes, and those to dop853") {
  const RunResult result =
      run(read_model(chain(), {{"simulation.integrator", "exact"}, {"simulation.islands", "false"}}));
  CHECK(result.outcome.success());
  CHECK(result.counters.flow.evaluations > 0);
}
