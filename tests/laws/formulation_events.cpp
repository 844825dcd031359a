// tests/laws/formulation_events.cpp
//
// Friction and impact under constraints give the same events whatever the formulation and the integrator: the sleds,
// the pendulums with friction in their pins, the slider-cranks with friction in their guides, the double pendulums
// against a wall. Three laws, over everything that is registered:
//   - at rtol 1e-12 the explicit methods of order 5 and 8 have every time of the reference to 1e-10 s;
//   - at a middling rtol every method has the reference's events, in its order, each nearer to its own time than to a
//     neighbour's;
//   - with fixed steps, which never end where an event is, event times converge at the order of the method; under ida,
//     which has no fixed step, they follow rtol.
// Truth: reference.toml of validation/ (Taylor series in 50 digits).
#include <catch2/catch.hpp>
#include <cmath>

#include "formulation/formulation.hpp"
#include "hstar/flow.hpp"
#include "hstar/run.hpp"
#include "model/reference_file.hpp"

using namespace hstar;

namespace {

struct Method {
  std::string formulation, integrator;
  int order;
};

/// Every formulation with every integrator that takes it.
std::vector<Method> methods() {
  std::vector<Method> all;
  for (const FormulationEntry& f : formulations()) {
    if (f.dae) {
      for (const DaeIntegratorEntry& i : dae_integrators())
        // Of Radau IIA on index 3 multipliers have order 2 with fixed steps, and friction passes that on (Hairer,
        // Lubich & Roche 1989).
        if (i.solves(*f.dae))
          all.push_back({std::string(f.name), i.name, i.name == "radau" && *f.dae == DaeForm::index3 ? 2 : i.order});
    } else {
      for (const IntegratorEntry& i : integrators()) all.push_back({std::string(f.name), i.name, i.order});
    }
  }
  return all;
}

RunResult run_problem(const std::string& problem, const Method& m, std::vector<Override> changes) {
  changes.push_back({"simulation.formulation", m.formulation});
  changes.push_back({"simulation.integrator", m.integrator});
  return run(read_model(HSTAR_SOURCE_DIR "/validation/" + problem + "/model.toml", changes));
}

/// Without changes of a guide's side, which need not be reported (reference: optional).
std::vector<EventRecord> events_of(const RunResult& result) {
  std::vector<EventRecord> events;
  for (const EventRecord& e : result.events)
    if (e.kind != "normal_sign") events.push_back(e);
  return events;
}

struct Truth {
  double end = 0;
  std::vector<ReferenceEvent> events;
};
Truth truth_of(const std::string& problem) {
  const std::string folder = HSTAR_SOURCE_DIR "/validation/" + problem;
  Truth truth;
  truth.end = read_model(folder + "/model.toml").simulation.end;
  for (const ReferenceEvent& e : read_reference(folder + "/reference.toml").events)
    if (!e.optional) truth.events.push_back(e);
  return truth;
}

/// Largest error of the first `count` event times; NaN if their kinds are not the reference's.
double worst_error(const std::vector<EventRecord>& events, const Truth& truth, std::size_t count) {
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= events.size() || events[i].kind != truth.events[i].kind) return std::nan("");
    worst = std::max(worst, std::abs(static_cast<double>(events[i].t - truth.events[i].t)));
  }
  return worst;
}

}  // namespace

TEST_CASE("the same events under every formulation that is an ordinary differential equation") {
  const std::string problem = GENERATE(as<std::string>{}, "p02_sled_metal", "p09_pendulum_pin", "p09_pendulum_pin_rod",
                                       "p13_slider_crank", "p13_slider_crank_fast", "p13_double_pendulum_wall");
  const Truth truth = truth_of(problem);
  for (const Method& m : methods()) {
    if (m.integrator != "dopri5" && m.integrator != "dop853") continue;
    INFO(problem << ", " << m.formulation << ", " << m.integrator);
    const RunResult result = run_problem(problem, m, {{"simulation.rtol", "1e-12"}});
    INFO(result.outcome.message);
    CHECK(result.outcome.success());
    const auto events = events_of(result);
    REQUIRE(events.size() == truth.events.size());
    CHECK(worst_error(events, truth, events.size()) < 1e-10);
  }
}

TEST_CASE("the same events under every formulation and every integrator it goes with") {
  const std::string problem =
      GENERATE(as<std::string>{}, "p02_sled_metal", "p02_sled_neolite", "p02_sled_damper", "p09_pendulum_pin",
               "p09_pendulum_pin_rod", "p13_slider_crank", "p13_slider_crank_fast", "p13_double_pendulum_wall");
  const Truth truth = truth_of(problem);
  for (const Method& m : methods()) {
    const std::string rtol = m.order == 1 ? "1e-5" : m.order <= 3 ? "1e-6" : "1e-7";
    INFO(problem << ", " << m.formulation << ", " << m.integrator << ", rtol " << rtol);
    const RunResult result = run_problem(problem, m, {{"simulation.rtol", rtol}});
    INFO(result.outcome.message);
    CHECK(result.outcome.success());
    const auto events = events_of(result);
    // One that is due shortly before the end may fall behind it, one shortly after it before it.
    const double margin = 0.02;
    std::size_t due = truth.events.size();
    while (due > 0 && static_cast<double>(truth.events[due - 1].t) > truth.end - margin) --due;
    CHECK(events.size() >= due);
    for (std::size_t i = truth.events.size(); i < events.size(); ++i) CHECK(events[i].t > truth.end - margin);
    for (std::size_t i = 0; i < std::min(events.size(), truth.events.size()); ++i) {
      const auto t = [&](std::size_t j) { return static_cast<double>(truth.events[j].t); };
      INFO("event " << i + 1 << " at " << events[i].t << " s, due at " << t(i) << " s");
      CHECK(events[i].kind == truth.events[i].kind);
      if (i > 0) CHECK(events[i].t > 0.5 * (t(i - 1) + t(i)));
      if (i + 1 < truth.events.size()) CHECK(events[i].t < 0.5 * (t(i) + t(i + 1)));
    }
  }
}

TEST_CASE("event times of friction under constraints converge at the order of the method") {
  // The normal force of the pin is its own reaction: the friction torque is implicit in the accelerations.
  const std::string problem = "p09_pendulum_pin";
  constexpr std::size_t count = 6;
  const Truth truth = truth_of(problem);
  const auto error = [&](const Method& m, const std::string& key, double value) {
    const RunResult result = run_problem(
        problem, m, {{key, std::to_string(value)}, {"simulation.stop_after_events", std::to_string(count)}});
    INFO(m.formulation << ", " << m.integrator << ", " << key << " = " << value << ": " << result.outcome.message);
    const double worst = worst_error(events_of(result), truth, count);
    REQUIRE(worst > 0);
    return worst;
  };
  for (const Method& m : methods()) {
    INFO(m.formulation << ", " << m.integrator);
    if (m.integrator == "ida") continue;
    // Longest steps still in the range where the first term of the error rules, shortest above the round-off.
    const double h = m.order >= 8 ? 0.16 : m.order >= 2 ? 0.025 : 0.0025;
    // The slope of log error over log h, by least squares: errors of single events change their sign now and then.
    double slope = 0, weights = 0;
    std::string errors;
    for (int k = -2; k <= 2; ++k) {
      const double e = error(m, "simulation.fixed_step", h / 2 * std::exp2(-0.5 * k));
      errors += " " + std::to_string(std::log10(e));
      slope -= 0.5 * k * std::log2(e);
      weights += 0.25 * k * k;
    }
    slope /= weights;
    INFO("slope " << slope << ", log10 of errors" << errors);
    // Order 8 has hardly a decade of steps between the next term of the error and the round-off.
    CHECK(slope > m.order - (m.order >= 8 ? 1.0 : 0.3));
  }
  for (const char* formulation : {"ggl", "index1"}) {
    const Method m{formulation, "ida", 5};
    // Error control of order k lets the error fall like rtol^(k/(k+1)): at order 2, the least on the way, 2/3.
    double first = 0, last = 0;
    for (const char* rtol : {"1e-3", "1e-5", "1e-7", "1e-9"}) {
      const RunResult result =
          run_problem(problem, m, {{"simulation.rtol", rtol}, {"simulation.stop_after_events", std::to_string(count)}});
      last = worst_error(events_of(result), truth, count);
      INFO(formulation << ", rtol " << rtol << ": " << last << " s");
      CHECK(last < 100 * std::stod(rtol));  // errors of a multistep method add up over the way
      if (first == 0) first = last;
    }
    INFO(formulation << ": from " << first << " to " << last << " s");
    CHECK(std::log10(first / last) / 6 > 2.0 / 3);
  }
}
