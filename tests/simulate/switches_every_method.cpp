// tests/simulate/switches_every_method.cpp
//
// Formulas that switch, in a rate, in a force and in a coefficient of friction, under every integrator and every
// formulation: the integral must be that of the smooth pieces, to 1e-9 of its size at rtol 1e-9, for two rejected steps
// a switch at most. Between two switches the formulas are constants or straight lines. Methods of first order are asked
// for the constant ones alone: on a straight line their own error is of the root of the tolerance, with and without
// switches (1e-5 at rtol 1e-9).
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hstar/dae.hpp"
#include "hstar/flow.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

struct Case {
  const char* formula;  ///< of t, of the position x = t - 1 and of the velocity v = t - 1 of the body `clock`
  double end, integral;
  std::size_t switches;
  bool constant;  ///< between switches
};

const Case cases[] = {
    {"t > 5 && t < 5.1 ? 100 : 0", 10, 10, 2, true},
    {"sign(sin(40*t)) + 1", 10, 64 * M_PI / 20, 127, true},
    {"min(max(2*V, -1), 1)", 3, -0.5 - 0.25 + 0.25 + 1.5, 2, false},
    {"floor(t)", 5.5, 12.5, 5, true},
    {"V > 0 ? (V > 1 ? 3 : 2) : (t < 0.25 ? 7 : -1)", 3, 0.25 * 7 - 0.75 + 2 + 3, 3, true},
    {"abs(V)", 3, 0.5 + 2, 1, false},
    {"mod(t, 0.001) < 0.0003 ? 1 : 0", 0.05, 0.015, 100, true},
    {"abs(V) < 0.5 ? 0 : V - 0.5*sign(V)", 2, 0, 2, false},
    // On above 0.25 of a rising sine, off below -0.25 of a falling one: half of each of three turns.
    {"on > 0.5 ? 1 : 0", 3, 1.5, 6, true},
    {"saw(t)", 1.0, 0.5, 1000, false},
};

/// 1,001 rows, 0 and 1 in turn.
std::string saw() {
  std::string rows;
  for (int i = 0; i <= 1000; ++i) rows += (i ? ", [" : "[") + digits(i / 1000.0) + ", " + (i % 2 ? "1]" : "0]");
  return rows;
}

/// What the formula names besides.
std::string parts(const std::string& formula) {
  static const std::string rows = saw();
  if (formula.find("saw") != std::string::npos) return "table = [{ name = \"saw\", points = [" + rows + "] }]\n";
  if (formula.find("on >") == std::string::npos) return "";
  return R"toml(
guard = [{ name = "high", when = "sin(2*pi*t) - 0.25", crossing = "rising", reset = { on = 1 } },
         { name = "low", when = "sin(2*pi*t) + 0.25", crossing = "falling", reset = { on = 0 } }]
)toml";
}

std::string with(std::string formula, const std::string& velocity) {
  for (std::size_t at = 0; (at = formula.find('V', at)) != std::string::npos; at += velocity.size())
    formula.replace(at, 1, velocity);
  return formula;
}

struct Method {
  std::string integrator, formulation;
  int order;
};

void check(const Method& m, const Case& c, const std::string& model, const std::string& result, double scale = 1) {
  if (m.order == 1 && !c.constant) return;
  INFO(m.formulation << " " << m.integrator << ": " << c.formula);
  const RunResult r = run_with_switches("simulation = { end = " + digits(c.end) + ", rtol = 1e-9, integrator = \"" +
                                        m.integrator + "\"" + m.formulation + " }\n" + model + parts(c.formula));
  REQUIRE(r.outcome.status == RunStatus::reached_end);
  CHECK(std::abs(final_value(r, result) - c.integral) <= 1e-9 * std::max(scale, std::abs(c.integral)));
  // (ida is on the lookout for its step at the start, too.)
  CHECK(r.counters.flow.rejected <= 2 * (c.switches + (m.integrator == "ida" ? 1 : 0)));
}

}  // namespace

TEST_CASE("a rate that switches, with every integrator") {
  std::vector<Method> methods;
  for (const auto& entries : {integrators(), further_integrators(), second_order_integrators()})
    for (const IntegratorEntry& e : entries) methods.push_back({e.name, "", e.order});
  for (const Method& m : methods)
    for (const Case& c : cases) {
      // (Newmark's family wants a pair of states. To Euler's methods the position is a curve.)
      const bool pair = m.integrator == "newmark" || m.order == 2;
      check(m, c,
            std::string(pair ? "state = [{ name = \"x\", rate = \"v\" }, " : "state = [") +
                "{ name = \"v\", initial = -1, rate = 1 }, { name = \"on\", discrete = true }, { name = \"y\", rate = "
                "\"" +
                with(c.formula, "v") + "\" }]\n",
            "y");
    }
}

TEST_CASE("a force that switches, with every formulation and its integrators") {
  std::vector<Method> methods;
  for (const char* formulation : {"direct", "baumgarte", "partition_simple", "partition_full", "projection"})
    for (const IntegratorEntry& e : integrators())
      methods.push_back({e.name, std::string(", formulation = \"") + formulation + "\"", e.order});
  for (const DaeIntegratorEntry& e : dae_integrators())
    for (const auto& [formulation, can] :
         {std::pair{"index3", e.index3}, std::pair{"ggl", e.ggl}, std::pair{"index1", e.index1}})
      if (can) methods.push_back({e.name, std::string(", formulation = \"") + formulation + "\"", e.order});
  for (const Method& m : methods) {
    if (m.integrator == "backward_euler") continue;  // to it every position here is a curve: 1e5 steps
    for (const Case& c : cases)
      check(m, c,
            R"toml(
state = [{ name = "on", discrete = true }]
body = [{ name = "clock", mass = 1, velocity = [-1, 0] }, { name = "m", mass = 1 }]
joint = [{ name = "way", type = "translational", bodies = ["ground", "clock"] },
         { name = "rail", type = "translational", bodies = ["ground", "m"] }]
force = [{ name = "steady", type = "point_force", body = "clock", force = [1, 0] },
         { name = "push", type = "point_force", body = "m", force = [")toml" +
                with(c.formula, "clock.vx") + "\", 0] }]\n",
            "m.vx");
  }
}

TEST_CASE("a coefficient of friction that switches, with every integrator and formulation") {
  // 1 kg slides at 40 m/s in a guide pressed with 1 N; mu = 2 + formula, so that it does not turn round.
  std::vector<Method> methods;
  for (const char* formulation : {"direct", "baumgarte", "partition_simple", "partition_full", "projection"})
    for (const IntegratorEntry& e : integrators())
      methods.push_back({e.name, std::string(", formulation = \"") + formulation + "\"", e.order});
  for (const DaeIntegratorEntry& e : dae_integrators())
    for (const auto& [formulation, can] :
         {std::pair{"index3", e.index3}, std::pair{"ggl", e.ggl}, std::pair{"index1", e.index1}})
      if (can) methods.push_back({e.name, std::string(", formulation = \"") + formulation + "\"", e.order});
  constexpr double speed = 40, least = 2;
  for (const Method& m : methods) {
    if (m.integrator == "backward_euler") continue;  // (as above)
    for (Case c : cases) {
      const std::string model = R"toml(
state = [{ name = "on", discrete = true }]
body = [{ name = "clock", mass = 1, velocity = [-1, 0] }, { name = "m", mass = 1, velocity = [40, 0] }]
joint = [{ name = "way", type = "translational", bodies = ["ground", "clock"] },
         { name = "rail", type = "translational", bodies = ["ground", "m"], friction = { normal_force = 1, mu = "()toml" +
                                with(c.formula, "clock.vx") + R"toml() + 2" } }]
force = [{ name = "steady", type = "point_force", body = "clock", force = [1, 0] }]
)toml";
      c.integral = speed - least * c.end - c.integral;
      check(m, c, model, "m.vx", speed);
    }
  }
}
