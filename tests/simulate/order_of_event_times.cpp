// tests/simulate/order_of_event_times.cpp
//
// Event times must converge with the order of the integrator itself, through many friction events:
// with fixed steps h, h/2, h/4, h/8 the error of all event times falls by 2^p at each halving (p = 3
// for ode23, 5 for dopri5, 8 for dop853), no less and no more. An event time read off the interpolant, or an event left
// with a state that is not on the constraints, loses at least one order. Truth: the reference files
// of validation/ (computed with 40 digits outside of hstar). Steps are large enough that the smallest
// error stays well above the round-off of the event times.
#include <catch2/catch.hpp>

#include <cmath>

#include "hstar/run.hpp"
#include "model/reference_file.hpp"

using namespace hstar;

namespace {

struct Study {
  std::string problem, integrator;
  double h, order, within;
  double ratio = 2;  ///< of steps
};

/// Root mean square of the errors of all event times at fixed step h.
double error_at(const Study& study, double h) {
  const std::string folder = std::string(HSTAR_SOURCE_DIR) + "/validation/" + study.problem;
  const ReferenceFile truth = read_reference(folder + "/reference.toml");
  char step[40];
  std::snprintf(step, sizeof step, "%.17g", h);
  // A reference may end at its last event: go on a little, so that no error pushes it past the end.
  const std::string end = std::to_string(static_cast<double>(truth.t_end) + 0.01);
  const RunResult r =
      run(read_model(folder + "/model.toml", {{"simulation.fixed_step", step},
                                              {"simulation.end", end},
                                              {"simulation.integrator", "\"" + study.integrator + "\""}}));
  REQUIRE(r.outcome.success());
  std::vector<const EventRecord*> events;
  for (const EventRecord& e : r.events)
    if (!e.optional && e.t < static_cast<double>(truth.t_end) + 0.005) events.push_back(&e);
  REQUIRE(truth.events.size() >= 10);
  REQUIRE(events.size() == truth.events.size());
  long double sum = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    CHECK(events[i]->kind == truth.events[i].kind);
    const long double d = events[i]->t - truth.events[i].t;
    sum += d * d;
  }
  return static_cast<double>(std::sqrt(sum / static_cast<long double>(events.size())));
}

}  // namespace

TEST_CASE("event times converge with the order of the method through many friction events") {
  const Study study = GENERATE(
      // 94 events, stick-slip with static friction above kinetic: linear between events
      Study{"p02_sled_damper", "ode23", 0.01, 3, 0.3}, Study{"p02_sled_damper", "dopri5", 0.025, 5, 0.3},
      Study{"p02_sled_damper", "dop853", 0.25, 8, 0.7},
      // 11 reversals and a stop
      Study{"p01_osc_viscous", "ode23", 0.01, 3, 0.3}, Study{"p01_osc_viscous", "dop853", 0.25, 8, 0.7},
      // 23 events on a belt with the Stribeck curve: nonlinear friction
      Study{"p03_belt_stribeck_damped", "ode23", 0.00125, 3, 0.3},
      Study{"p03_belt_stribeck_damped", "dopri5", 0.003, 5, 0.3},
      // 19 reversals, friction proportional to the size of the reaction, which depends on the motion
      Study{"p09_pendulum_pin", "ode23", 0.02, 3, 0.3}, Study{"p09_pendulum_pin", "dopri5", 0.05, 5, 0.3},
      Study{"p09_pendulum_pin_rod", "ode23", 0.02, 3, 0.3}, Study{"p09_pendulum_pin_rod", "dopri5", 0.05, 5, 0.3},
      // (order 8 is reached below h = 0.05 only, round-off at 0.015)
      Study{"p09_pendulum_pin_rod", "dop853", 0.05, 8, 0.7, std::sqrt(2.0)});
  INFO(study.problem << " with " << study.integrator);
  double logs[4];
  std::string table;
  for (int k = 0; k < 4; ++k) {
    const double h = study.h / std::pow(study.ratio, k), error = error_at(study, h);
    logs[k] = std::log2(error);
    table += "h = " + std::to_string(h) + ": error 2^" + std::to_string(logs[k]) + "\n";
  }
  // Slope of the least-squares line through the four points.
  const double observed = (3 * (logs[0] - logs[3]) + (logs[1] - logs[2])) / 10 / std::log2(study.ratio);
  INFO(table << "observed order " << observed);
  CHECK(observed == Approx(study.order).margin(study.within));
}
