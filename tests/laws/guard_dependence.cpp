// tests/laws/guard_dependence.cpp
//
// A guard depends on no other component of the state than those it names: whatever is added to the others, its value
// stays as it is. A list that misses one would make error estimates of event times too small, and that silently. In a
// linear mode a guard is the form that it tells: coefficients of y, t and 1.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>
#include <string>

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

namespace {

/// At the beginning of each mode: the forms that guards have there, against their values at random states near by.
class FormsAgainstValues final : public LoopObserver {
 public:
  explicit FormsAgainstValues(MechanismProcess& process) : process_(process) {}
  void segment_begin(double t, std::span<const double> y) override {
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    for (std::size_t i = 0; i < process_.guard_count(); ++i) {
      if (!process_.info(i).enabled) continue;
      const double* form = process_.linear_form(i);
      if (form == nullptr) continue;
      CHECK(process_.info(i).degree == 1);
      const std::string& name = process_.info(i).name;
      seen.insert(name.substr(name.rfind('.') + 1));
      for (int trial = 0; trial < 3; ++trial) {
        std::vector<double> moved(y.begin(), y.end());
        for (double& x : moved) x += u(random_);
        const double later = t + u(random_);
        double sum = form[y.size() + 1] + form[y.size()] * later, size = 1 + std::abs(form[y.size() + 1]);
        size += std::abs(form[y.size()] * later);
        for (std::size_t j = 0; j < y.size(); ++j) {
          sum += form[j] * moved[j];
          size += std::abs(form[j] * moved[j]);
        }
        const std::size_t which[1] = {i};
        double value[1];
        REQUIRE(process_.values(later, moved, which, value));
        INFO(name << " at t = " << t);
        CHECK(std::abs(value[0] - sum) <= 1e-13 * size);
      }
    }
  }
  std::set<std::string> seen;  ///< kinds of guards with forms

 private:
  MechanismProcess& process_;
  std::mt19937 random_{3};
};

}  // namespace

TEST_CASE("a guard that has a form in a mode is that form") {
  // What a guard is stands in two places, its value and its form: events are those of the form.
  std::set<std::string> seen;
  const auto run = [&](const ModelSpec& model) {
    const auto system = build_system(model);
    MechanismProcess process(system, *find_formulation("direct"));
    FormsAgainstValues forms(process);
    auto y = system->initial_state();
    const LoopOptions options = loop_options(model, *system);
    RunCounters counters;
    CHECK(run_process(process, y, options, &forms, counters).success());
    seen.merge(forms.seen);
  };
  const std::string block = "[simulation]\nend = 4\n[[body]]\nname = \"block\"\nmass = 1\nvelocity = [3, 0]\n";
  // Lifted from the floor and let down again; slid along a guide whose normal force changes its sign.
  run(parse_model(
      "gravity = [0, -10]\n" + block +
          "[[force]]\nname = \"lift\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [0, \"4*t\"]\n"
          "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\", normal = [0, 1] }, "
          "{ body = \"block\", shape = \"point\" }]\nrestitution = 0\nfriction = { mu = 0.05 }\n",
      "lifted"));
  run(parse_model("gravity = [0, -10]\n" + block +
                      "[[force]]\nname = \"lift\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [0, \"4*t\"]\n"
                      "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\n"
                      "axis = [1, 0]\nfriction = { mu = 0.05 }\n",
                  "guided"));
  for (const char* file : {"validation/p01_osc_viscous/model.toml", "validation/p02_sled_metal/model.toml",
                           "validation/p02_sled_neolite/model.toml", "validation/p02_sled_tipping/model.toml",
                           "validation/p08_chain3/model.toml", "validation/p08_stacked_static_higher/model.toml",
                           "validation/p08_incline_shaken/model.toml", "validation/p03_belt_stribeck/model.toml",
                           "validation/p05_two_ball_drop/model.toml"}) {
    INFO(file);
    run(read_model(std::string(HSTAR_SOURCE_DIR) + "/" + file));
  }
  std::string kinds;
  for (const std::string& kind : seen) kinds += kind + " ";
  INFO(kinds);
  for (const char* kind : {"gamma_T", "stick_upper", "stick_lower", "lambda_N", "side"}) CHECK(seen.count(kind) == 1);
}
