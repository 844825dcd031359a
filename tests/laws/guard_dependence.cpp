// tests/laws/guard_dependence.cpp
//
// A guard depends on no other component of the state than those it names: whatever is added to the others, its value
// stays as it is. A list that misses one would make error estimates of event times too small, and that silently.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "simulate/options.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;

namespace {
class Quiet final : public EventLog {
 public:
  [[nodiscard]] bool wanted() const override { return false; }
  void add(EventRecord) override {}
};
}  // namespace

TEST_CASE("the value of a guard stays when components it does not depend on change") {
  const auto [file, sparse] =
      GENERATE(table<std::string, bool>({{"validation/p08_chain3_free/model.toml", true},
                                         {"validation/p08_stacked_static_higher/model.toml", false},
                                         {"validation/p13_slider_crank/model.toml", false},
                                         {"validation/p13_double_pendulum_wall/model.toml", false},
                                         {"validation/p05_two_ball_drop/model.toml", true},
                                         {"validation/p07_sphere_slip/model.toml", false},
                                         {"validation/p09_pendulum_pin/model.toml", false},
                                         {"examples/19_burridge_knopoff.toml", true}}));
  INFO(file);
  const ModelSpec model = read_model(std::string(HSTAR_SOURCE_DIR) + "/" + file);
  const auto system = build_system(model);
  MechanismProcess process(system, *find_formulation("direct"));
  auto y = system->initial_state();
  Quiet quiet;
  REQUIRE(process.start(model.simulation.start, y, quiet).then == Settled::Then::go_on);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> u(0.1, 0.2);
  bool spared = false;
  for (std::size_t i = 0; i < process.guard_count(); ++i) {
    if (!process.info(i).enabled) continue;
    INFO(process.info(i).name);
    const auto only = process.depends_on(i);
    REQUIRE(!only.empty());
    CHECK(std::is_sorted(only.begin(), only.end()));
    CHECK(std::adjacent_find(only.begin(), only.end()) == only.end());
    auto moved = y;
    for (std::size_t j = 0; j < moved.size(); ++j)
      if (!std::binary_search(only.begin(), only.end(), j)) moved[j] += u(random);
    spared |= only.size() < y.size();
    const std::size_t which[1] = {i};
    double before[1], after[1];
    REQUIRE(process.values(model.simulation.start, y, which, before));
    REQUIRE(process.values(model.simulation.start, moved, which, after));
    CHECK(after[0] == before[0]);
  }
  CHECK(spared >= sparse);
}
