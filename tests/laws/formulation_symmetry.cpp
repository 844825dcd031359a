// tests/laws/formulation_symmetry.cpp
//
// Laws of every formulation with every integrator that fits it:
//   - A guard that changes nothing leaves the motion of a one-step method as it was, bit for bit.
//   - What stands still does so to the last bit: two corners that fall side by side land at one instant.
//   - Without friction a mechanism whose velocities are turned round goes back the way it came.
//   - docs/dae-methods.md has a place for it.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "formulation/formulation.hpp"
#include "hstar/dae.hpp"
#include "laws/dae_problems.hpp"
#include "laws/methods.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;
using namespace laws;

namespace {

class Quiet final : public EventLog {
 public:
  bool wanted() const override { return false; }
  void add(EventRecord) override {}
};

/// The state after `duration` seconds from y at time 0; `steps` counts.
std::vector<double> moved(const std::string& model, const FormulationEntry& formulation, const std::string& integrator,
                          std::vector<double> y, double duration, double rtol, std::size_t& steps) {
  const auto system = build_system(parse_model(model + "[simulation]\nend = 100.0\n", "law"));
  if (y.empty()) y = system->initial_state();
  MechanismProcess process(system, formulation);
  LoopOptions o;
  o.integrator = integrator;
  o.flow.rtol = rtol;
  o.flow.atol = 1e-3 * rtol;
  o.flow.t_end = duration;
  RunCounters counters;
  const RunOutcome outcome = run_process(process, y, o, nullptr, counters);
  INFO(outcome.message);
  REQUIRE(outcome.success());
  steps += counters.flow.steps;
  return y;
}

}  // namespace

TEST_CASE("a guard that changes nothing leaves every one-step method under every formulation bit for bit as it was") {
  const std::string guard = "[[guard]]\nname = \"look\"\nwhen = \"rod.angle\"\ncrossing = \"either\"\n";
  const auto check = [&](const std::string& integrator, const std::string& formulation) {
    INFO(formulation << " + " << integrator);
    const RunResult plain = run_model(pendulum(), {integrator, formulation, 2.0, 0, 1e-5, ""});
    const RunResult watched = run_model(pendulum() + guard, {integrator, formulation, 2.0, 0, 1e-5, ""});
    CHECK(watched.events.size() > 0);
    CHECK(plain.y_end == watched.y_end);
  };
  for (const FormulationEntry& f : formulations()) {
    if (!f.dae) {
      for (const IntegratorEntry& i : integrators()) check(i.name, std::string(f.name));
    } else if (*f.dae == DaeForm::index3) {
      for (const char* integrator : {"newmark", "hht", "generalized_alpha"}) check(integrator, "index3");
    }
  }
}

TEST_CASE("what stands still does so to the last bit") {
  const std::string falling =
      "gravity = [0, -9.81]\n[[body]]\nname = \"box\"\nmass = 1.3\ninertia = 0.01\nposition = [0.2, 0.5]\nangle = "
      "-0.3488\n";
  each_method([&](const std::string& formulation, const std::string& integrator) {
    INFO(formulation << " + " << integrator);
    const RunResult result = run_model(falling, {integrator, formulation, 0.3, 0, 1e-5, ""});
    REQUIRE(result.y_end.size() == 6);
    CHECK(result.y_end[0] == 0.2);
    CHECK(result.y_end[2] == -0.3488);
    CHECK(result.y_end[3] == 0);
    CHECK(result.y_end[5] == 0);
  });
}

TEST_CASE("a mechanism whose velocities are turned round goes back the way it came") {
  for (const std::string& model : {pendulum(), slider_crank()})
    for (const FormulationEntry& f : formulations()) {
      const auto check = [&](const std::string& integrator, double rtol) {
        INFO(f.name << " + " << integrator);
        std::size_t steps = 0;
        const std::vector<double> begun =
            build_system(parse_model(model + "[simulation]\nend = 1.0\n", "law"))->initial;
        std::vector<double> y = moved(model, f, integrator, {}, 1.5, rtol, steps);
        const std::size_t n = y.size() / 2;
        for (std::size_t i = n; i < y.size(); ++i) y[i] = -y[i];
        y = moved(model, f, integrator, y, 1.5, rtol, steps);
        const double sum = rtol * static_cast<double>(steps);  // no step errs by more than the tolerance
        for (std::size_t i = 0; i < n; ++i) {
          CHECK(y[i] == Approx(begun[i]).margin(sum));
          CHECK(-y[n + i] == Approx(begun[n + i]).margin(10 * sum));  // speeds of 5 rad/s
        }
      };
      if (!f.dae)
        for (const IntegratorEntry& i : integrators()) check(i.name, 1e-8);
      else
        for (const DaeIntegratorEntry& i : dae_integrators())
          if (i.solves(*f.dae)) check(i.name, i.order > 2 ? 1e-8 : 1e-5);
    }
}

TEST_CASE("every formulation and every integrator has its place in the guide") {
  std::stringstream guide;
  guide << std::ifstream(HSTAR_SOURCE_DIR "/docs/dae-methods.md").rdbuf();
  const std::string text = guide.str();
  const auto heading = [&](const std::string& name) {  // "## ggl and index1" is that of two
    for (std::size_t at = text.find("\n## "); at != std::string::npos; at = text.find("\n## ", at + 1)) {
      const std::string line = " " + text.substr(at + 4, text.find('\n', at + 1) - at - 4) + " ";
      if (line.find(" " + name + " ") != std::string::npos) return true;
    }
    return false;
  };
  for (const FormulationEntry& f : formulations()) {
    INFO(f.name);
    CHECK(heading(std::string(f.name)));
  }
  const auto explained = [&](const std::string& name) {
    INFO(name);
    CHECK(text.find("`" + name + "`") != std::string::npos);
  };
  for (const IntegratorEntry& i : integrators()) explained(i.name);
  for (const IntegratorEntry& i : further_integrators()) explained(i.name);
  for (const IntegratorEntry& i : second_order_integrators()) explained(i.name);
  for (const DaeIntegratorEntry& i : dae_integrators())
    if (i.name != "ida") explained(i.name);
  CHECK(text.find("`integrator = \"ida\"`") != std::string::npos);
}
