// tests/simulate/many_blocks.cpp
//
// Many blocks (examples/19_burridge_knopoff.toml). Without springs between them each block is a sled pulled through its
// leaf spring: it breaks loose and sticks at times known in closed form, whatever the other 59 do. With springs,
// the work of one event grows no faster than the number of blocks.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "hstar/hybrid.hpp"
#include "simulate/options.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;

namespace {

ModelSpec chain(std::vector<Override> overrides) {
  return read_model(std::string(HSTAR_SOURCE_DIR) + "/examples/19_burridge_knopoff.toml", overrides);
}

/// Guard evaluations an event and a block, over the first 60 events.
double guard_evaluations(int n) {
  struct Stop final : LoopObserver {
    std::size_t segments = 0;
    void segment_begin(double, std::span<const double>) override { ++segments; }
    [[nodiscard]] bool wants_events() const override { return false; }
    bool stop_requested() override { return segments > 60; }
  } stop;
  const ModelSpec model = chain({{"parameters.n", std::to_string(n)}});
  const auto system = build_system(model);
  MechanismProcess process(system, formulation_in_use(model, *system));
  auto y = system->initial_state();
  RunCounters counters;
  const RunOutcome outcome = run_process(process, y, loop_options(model, *system), &stop, counters);
  CHECK(outcome.status == RunStatus::interrupted);
  return static_cast<double>(counters.guard_evaluations) / 60.0 / n;
}

}  // namespace

TEST_CASE("blocks that nothing couples stick and slip as each would alone") {
  constexpr int n = 60;
  const RunResult result = run(chain({{"parameters.n", std::to_string(n)},
                                      {"parameters.k_c", "0"},
                                      {"parameters.c", "0"},
                                      {"body.block{i}.velocity.0", "0"},
                                      {"simulation.end", "1.7"},
                                      {"simulation.integrator", "dop853"},
                                      {"simulation.rtol", "1e-10"},
                                      {"simulation.output", "10"}}));
  REQUIRE(result.outcome.success());
  constexpr double m = 1, k = 40, mu_s = 0.4, mu_k = 0.3, V = 0.05, g = 9.81;
  const double omega = std::sqrt(k / m);
  const double slip = 2 * (std::numbers::pi - std::atan((mu_s - mu_k) * m * g * omega / (k * V))) / omega;
  std::size_t expected = 0;
  for (int i = 0; i < n; ++i) {
    const double x0 = -0.9 * mu_s * m * g / k * (0.5 + 0.5 * std::sin(12.9898 * i));
    const double breaks = (mu_s * m * g / k + x0) / V, sticks = breaks + slip;
    for (const auto& [time, kind] : {std::pair{breaks, "slip"}, std::pair{sticks, "stick"}}) {
      if (time > 1.7) continue;
      ++expected;
      INFO("block " << i << " " << kind << " at " << time);
      const auto it =
          std::find_if(result.events.begin(), result.events.end(), [&, what = std::string(kind)](const auto& e) {
            return e.kind == what && e.element == "floor" + std::to_string(i);
          });
      REQUIRE(it != result.events.end());
      CHECK(std::abs(it->t - time) < 1e-9);
      CHECK(std::abs(it->t - time) < std::max(10 * it->dt_error, 1e-12));
    }
  }
  CHECK(result.events.size() == expected);
  CHECK(expected > 60);
}

TEST_CASE("the work of an event grows no faster than the number of blocks") {
  const double few = guard_evaluations(40), many = guard_evaluations(320);
  INFO(few << " and " << many << " guard evaluations a block and event");
  CHECK(many < 1.5 * few);
}
