// tests/laws/partition_sizes.cpp
//
// Large mechanisms are partitioned sparse, small ones dense; nothing else may depend on the size:
//   - a mechanism with friction, stuck joints or impacts has the same events and ends where it does alone when a chain
//     that is not connected with it moves beside it, which makes its rows many;
//   - a chain moves under partitions as under projection, with constraints at round-off;
//   - a joint that is there twice changes nothing;
//   - a run that cannot come through a singular position says so after some thousand steps, as a small one does.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "laws/dae_problems.hpp"

using namespace hstar;
using namespace laws;

namespace {

constexpr int kBars = 13;  ///< 26 rows

/// Bars 0.1 m long hung from a point, `angle` from horizontal. `hooks`: times that point holds the first of them.
std::string chain(double angle, int hooks = 1) {
  const std::string count = std::to_string(kBars), phi = std::to_string(angle);
  std::string text =
      "\n[[body]]\nname = \"bar{i}\"\ncount = " + count + "\nmass = 1.0\ninertia = \"0.01/12\"\nangle = " + phi +
      "\nposition = [\"(i + 0.5)*0.1*cos(" + phi + ")\", \"(i + 0.5)*0.1*sin(" + phi +
      ")\"]\n[[joint]]\nname = \"link{i}\"\ncount = " + std::to_string(kBars - 1) +
      "\ntype = \"revolute\"\nbodies = [\"bar{i}\", \"bar{i+1}\"]\npoints = [[0.05, 0.0], [-0.05, 0.0]]\n";
  for (int hook = 0; hook < hooks; ++hook)
    text += "[[joint]]\nname = \"hook" + std::to_string(hook) +
            "\"\ntype = \"revolute\"\nbodies = [\"ground\", \"bar0\"]\npoints = [[0.0, 0.0], [-0.05, 0.0]]\n";
  return text;
}

RunResult run_text(const std::string& text, const std::string& formulation, double h) {
  return run(parse_model(text, "law",
                         {{"simulation.formulation", formulation},
                          {"simulation.integrator", "dop853"},
                          {"simulation.fixed_step", std::to_string(h)}}));
}

}  // namespace

TEST_CASE("a mechanism moves as it does alone when a chain makes its rows many") {
  struct Case {
    const char* problem;
    double h;
  };
  for (const Case c : {Case{"p13_slider_crank", 0.002}, Case{"p13_slider_crank_fast", 0.002},
                       Case{"p13_double_pendulum_wall", 0.002}, Case{"p09_pendulum_pin", 0.005}}) {
    std::ifstream file(std::string(HSTAR_SOURCE_DIR "/validation/") + c.problem + "/model.toml");
    REQUIRE(file);
    std::stringstream text;
    text << file.rdbuf();
    for (const char* formulation : {"partition_simple", "partition_full"}) {
      INFO(c.problem << ", " << formulation);
      const RunResult alone = run_text(text.str(), formulation, c.h);
      const RunResult both = run_text(text.str() + chain(-1.2), formulation, c.h);
      REQUIRE(alone.outcome.success());
      REQUIRE(both.outcome.success());
      REQUIRE(alone.events.size() > 1);
      REQUIRE(both.events.size() == alone.events.size());
      for (std::size_t i = 0; i < alone.events.size(); ++i) {
        INFO("event " << i << " at " << static_cast<double>(alone.events[i].t));
        CHECK(both.events[i].kind == alone.events[i].kind);
        CHECK(std::abs(static_cast<double>(both.events[i].t - alone.events[i].t)) < 1e-9);
      }
      const std::size_t n = alone.y_end.size() / 2, all = both.y_end.size() / 2;
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(std::abs(both.y_end[i] - alone.y_end[i]) < 1e-8);
        CHECK(std::abs(both.y_end[all + i] - alone.y_end[n + i]) < 1e-7);
      }
    }
  }
}

TEST_CASE("a chain under partitions moves as under projection, hooked once or twice") {
  const std::string head = "gravity = [0.0, -9.81]\n[simulation]\nend = 1.0\n";
  const RunResult truth = run_text(head + chain(0.0), "projection", 0.001);
  REQUIRE(truth.outcome.success());
  for (const int hooks : {1, 2})
    for (const char* formulation : {"partition_simple", "partition_full"}) {
      INFO(formulation << ", " << hooks << " hooks");
      const RunResult r = run_text(head + chain(0.0, hooks), formulation, 0.001);
      REQUIRE(r.outcome.success());
      REQUIRE(r.y_end.size() == truth.y_end.size());
      for (std::size_t i = 0; i < truth.y_end.size() / 2; ++i) CHECK(std::abs(r.y_end[i] - truth.y_end[i]) < 1e-7);
      double worst = 0;  // pins, from the state itself
      for (std::size_t b = 0; b + 1 < kBars; ++b) {
        const double *p = r.y_end.data() + 3 * b, *q = p + 3;
        worst = std::max({worst, std::abs(p[0] + 0.05 * std::cos(p[2]) - q[0] + 0.05 * std::cos(q[2])),
                          std::abs(p[1] + 0.05 * std::sin(p[2]) - q[1] + 0.05 * std::sin(q[2]))});
      }
      CHECK(worst < 1e-14);
    }
}

TEST_CASE("partitions of many rows say where constraints lose rank") {
  for (const char* formulation : {"partition_simple", "partition_full"}) {
    INFO(formulation);
    const RunResult r = run(read_model(HSTAR_SOURCE_DIR "/validation/iftomm_a02_n_four_bar/model.toml",
                                       {{"parameters.N", "10"},
                                        {"simulation.formulation", formulation},
                                        {"simulation.integrator", "dop853"},
                                        {"simulation.end", "1.0"},
                                        {"simulation.rtol", "1e-9"}}));
    INFO(r.outcome.message << " after " << r.counters.flow.steps);
    REQUIRE_FALSE(r.outcome.success());
    CHECK(r.outcome.message.find("lose rank") != std::string::npos);
    CHECK(std::abs(static_cast<double>(r.outcome.t) - 0.7216) < 0.005);  // where all bars lie flat
    CHECK(r.outcome.message.find("joint \"") != std::string::npos);
    CHECK(r.counters.flow.steps < 8000);
  }
}
