// tests/validation/traces_test.cpp
//
// The closed forms that judge the ode23 traces must themselves be right: they meet the published turning
// points and rest of the Coulomb oscillator, the independently computed events of the drag sled
// (validation/p02_*), and their own differential equations; and recorded traces are read as written.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "analysis/traces.hpp"
#include "hstar/error.hpp"
#include "hstar/model_spec.hpp"

using namespace hstar;
using namespace hstar::validation;

namespace {

const std::string folder = std::string(HSTAR_SOURCE_DIR) + "/validation";

/// State of a closed form at t.
std::vector<double> truth_at(const std::string& name, double t,
                             const std::vector<std::pair<std::string, double>>& parameters) {
  TraceEntry entry;
  entry.name = "test";
  entry.truth = name;
  Trace trace;
  trace.rows.t = {t};
  trace.rows.y = {{0.0, 0.0}};
  return judge(entry, folder, trace, parameters).truth.y.front();
}

const std::vector<std::pair<std::string, double>> oscillator = {{"m", 1.0}, {"k", 100.0}, {"c", 0.4}, {"Fc", 0.5}};

}  // namespace

TEST_CASE("Coulomb oscillator: turning points (-1)^n (1 - n/100) at n pi/10, rest at n = 100") {
  for (int n = 0; n <= 100; ++n) {
    const double t = n * M_PI / 10.0, sign = n % 2 == 0 ? 1.0 : -1.0;
    const auto y = truth_at("coulomb", t, oscillator);
    CHECK(y[0] == Approx(sign * (1.0 - 0.01 * n)).margin(1e-13));
    CHECK(y[1] == Approx(0.0).margin(1e-11));  // the time is rounded: 100 m/s^2 times its error
  }
  const auto rest = truth_at("coulomb", 40.0, oscillator);
  CHECK(rest[0] == Approx(0.0).margin(1e-15));
  CHECK(rest[1] == 0.0);
}

TEST_CASE("Drag sled: the closed form passes through every event of the reference") {
  const ReferenceFile reference = read_reference(folder + "/p02_sled_metal/reference.toml");
  const std::vector<std::pair<std::string, double>> sled = {{"m", 12.5},  {"g", 9.81},   {"k", 742.5},
                                                            {"V", 0.034}, {"mu_s", 0.4}, {"mu_d", 0.3}};
  REQUIRE(reference.events.size() == 81);
  for (const ReferenceEvent& e : reference.events) {
    const auto y = truth_at("dragsled", static_cast<double>(e.t), sled);
    CHECK(y[0] == Approx(e.after[0]).epsilon(0).margin(1e-13));
    CHECK(y[1] == Approx(0.0).margin(1e-12));
  }
  const auto end = truth_at("dragsled", 60.0, sled);
  CHECK(end[0] == Approx(reference.final_state[0]).epsilon(0).margin(1e-13));
  CHECK(end[1] == Approx(reference.final_state[1]).epsilon(0).margin(1e-12));
}

TEST_CASE("Viscous oscillator: starts at (1, 0) and satisfies m x'' + c x' + k x = 0") {
  CHECK(truth_at("viscous", 0.0, oscillator) == std::vector<double>{1.0, 0.0});
  constexpr double h = 1e-5;
  for (double t = 0.1; t < 10.0; t += 0.37) {
    const auto before = truth_at("viscous", t - h, oscillator), at = truth_at("viscous", t, oscillator),
               after = truth_at("viscous", t + h, oscillator);
    CHECK((after[0] - before[0]) / (2 * h) == Approx(at[1]).margin(1e-6));
    CHECK((after[1] - before[1]) / (2 * h) == Approx(-0.4 * at[1] - 100.0 * at[0]).margin(1e-5));
  }
}

TEST_CASE("A trace is read as written, without the peer's interpolated event rows") {
  const Trace trace = read_trace(folder + "/ode23/traces/coulomb_events_default.csv", 2);
  CHECK(trace.steps == 1406);
  CHECK(trace.event_rows == 88);
  CHECK(trace.rows.t.front() == 0.0);
  CHECK(trace.rows.y[1] == std::vector<double>{0.98426766864066229, -1.7600625193459885});
  for (std::size_t i = 1; i < trace.rows.t.size(); ++i) REQUIRE(trace.rows.t[i] > trace.rows.t[i - 1]);
}

TEST_CASE("Every trace of the list has its file and at least 160 judged rows") {
  for (const TraceEntry& entry : read_traces(folder + "/ode23/traces.toml")) {
    INFO(entry.name);
    const Trace trace = read_trace(folder + "/ode23/" + entry.file, entry.states.size());
    CHECK(trace.rows.t.back() <= entry.end);
    const ModelSpec model = read_model(folder + "/ode23/" + entry.model);
    const Judged judged = judge(entry, folder + "/ode23", trace, model.parameters);
    CHECK(judged.truth.t.size() >= 160);
    CHECK(judged.truth.t == judged.peer.t);
  }
}

TEST_CASE("An unknown truth is bad input") {
  CHECK_THROWS_WITH(truth_at("guess", 1.0, oscillator), Catch::Contains("known: viscous, coulomb, dragsled"));
  CHECK_THROWS_WITH(truth_at("dragsled", 1.0, oscillator), Catch::Contains("parameter 'V'"));
}
