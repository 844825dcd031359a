// tests/laws/spatial_dae.cpp
//
// The implicit formulations index3, ggl and index1 on spatial mechanisms: a rod on a ball joint, a heavy top, and
// Bricard's loop with its row too many.
//   - With fixed steps positions with orientations, velocities and reactions converge with the method's order.
//   - Under error control errors follow the tolerance, and what a step leaves of constraints and of |p| = 1 stays
//   small.
//   - A stiff spring costs Newton's method no more iterations than a soft one: its derivatives are exact.
//   - Nothing allocates after the first steps.
//   - What turns fast is no reason for radau to refuse steps.
// Truth: the same model under dop853 with projection at rtol 1e-13.
#include <catch2/catch.hpp>
#include <cmath>

#include "hstar/dae.hpp"
#include "laws/dae_problems.hpp"
#include "laws/flow_allocations.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;
using namespace laws;

namespace {

struct Problem {
  std::string name, model;
  double end, step;  ///< of which methods of order 2 take a quarter
};

std::vector<Problem> problems() {
  return {{"ball pendulum", ball_pendulum(), 0.4, 0.004},
          {"heavy top", heavy_top(), 0.2, 0.001},
          {"Bricard", bricard(), 0.4, 0.008}};
}

struct Method {
  const char* integrator;
  std::string keys;
  double order;
  const char* formulation = "index3";
};

std::vector<Method> methods() {
  std::vector<Method> list{{"newmark", "", 1},
                           {"newmark", "newmark_gamma = 0.5\nnewmark_beta = 0.25\n", 2},
                           {"hht", "", 2},
                           {"generalized_alpha", "", 2},
                           {"backward_euler", "", 1}};
  for (int k = 2; k <= 5; ++k) list.push_back({"bdf", "max_order = " + std::to_string(k) + "\n", double(k)});
  for (int k = 2; k <= 4; ++k) list.push_back({"bdf", "max_order = " + std::to_string(k) + "\n", double(k), "ggl"});
  return list;
}

double last(const RunResult& r, const std::string& name) {
  const auto at = std::find(r.columns.begin(), r.columns.end(), name) - r.columns.begin();
  return r.rows.back()[static_cast<std::size_t>(at)];
}

}  // namespace

TEST_CASE("fixed steps in space: positions, velocities and reactions have the method's order") {
  for (const Problem& problem : problems()) {
    const RunResult truth = run_model(problem.model, {"dop853", "projection", problem.end, 0, 1e-13, ""});
    REQUIRE(truth.outcome.success());
    for (const Method& m : methods()) {
      INFO(problem.name << ", " << m.integrator << " (" << m.formulation << "), " << m.keys);
      const double h = m.order > 2 ? problem.step : problem.step / 4;
      EndErrors e[2];
      for (int k = 0; k < 2; ++k) {
        const RunResult r =
            run_model(problem.model, {m.integrator, m.formulation, problem.end, h / (1 << k), 1e-6, m.keys});
        INFO(r.outcome.message);
        REQUIRE(r.outcome.success());
        CHECK(last(r, "drift.position") < 1e-12);
        e[k] = end_errors(r, truth);
      }
      INFO(e[0].q << " -> " << e[1].q << ", " << e[0].v << " -> " << e[1].v << ", " << e[0].lambda << " -> "
                  << e[1].lambda);
      CHECK(std::log2(e[0].q / e[1].q) == Approx(m.order).margin(0.3));
      CHECK(std::log2(e[0].v / e[1].v) == Approx(m.order).margin(0.3));
      CHECK(std::log2(e[0].lambda / e[1].lambda) == Approx(m.order).margin(0.3));
    }
  }
}

TEST_CASE("under error control errors in space follow the tolerance") {
  struct Case {
    const char *integrator, *formulation;
    double order, tightest;
  };
  for (const Problem& problem : problems()) {
    const RunResult truth = run_model(problem.model, {"dop853", "projection", 1.0, 0, 1e-13, ""});
    for (const Case c : {Case{"hht", "index3", 2, 1e-6}, Case{"bdf", "index3", 5, 1e-10}, Case{"bdf", "ggl", 5, 1e-10},
                         Case{"ida", "ggl", 5, 1e-10}, Case{"ida", "index1", 5, 1e-10}}) {
      double first = 0, e = 0;
      for (double rtol = 1e-4; rtol > 0.5 * c.tightest; rtol *= c.order > 2 ? 1e-3 : 1e-1) {
        INFO(problem.name << ", " << c.integrator << " (" << c.formulation << ") at rtol " << rtol);
        const RunResult r = run_model(problem.model, {c.integrator, c.formulation, 1.0, 0, rtol, ""});
        INFO(r.outcome.message);
        REQUIRE(r.outcome.success());
        const EndErrors errors = end_errors(r, truth);
        e = std::max(errors.q, errors.v);
        CHECK(errors.q < 10 * rtol * static_cast<double>(r.counters.flow.steps));
        CHECK(last(r, "drift.position") < 10 * rtol * static_cast<double>(r.counters.flow.steps));
        if (rtol == 1e-4) first = e;
      }
      // h follows rtol^(1/(p+1)), the error of the motion h^p.
      INFO(problem.name << ", " << c.integrator << " (" << c.formulation << "): " << first << " -> " << e);
      CHECK(std::log(first / e) / std::log(1e-4 / c.tightest) > c.order / (c.order + 1) - 0.15);
    }
  }
}

TEST_CASE("Bricard's loop goes round in every implicit formulation, whichever row is the one too many") {
  // After 7.5 s the last row of the last hinge no longer depends on the others: another one has to be left away.
  const RunResult truth = run_model(bricard(), {"dop853", "projection", 10, 0, 1e-12, ""});
  REQUIRE(truth.outcome.success());
  for (const auto& [integrator, formulation, rtol] :
       {std::tuple{"hht", "index3", 1e-5}, std::tuple{"bdf", "index3", 1e-8}, std::tuple{"bdf", "ggl", 1e-8},
        std::tuple{"ida", "ggl", 1e-8}, std::tuple{"ida", "index1", 1e-8}}) {
    INFO(formulation << " with " << integrator);
    const RunResult r = run_model(bricard(), {integrator, formulation, 10, 0, rtol, ""});
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    const EndErrors e = end_errors(r, truth);
    CHECK(e.q < 10 * rtol * static_cast<double>(r.counters.flow.steps));
    CHECK(r.counters.flow.steps < 4000);
  }
}

TEST_CASE("Newton's method on stiff springs in space converges as on soft ones") {
  // A spring and a bushing, without force at first, hold a rod on a ball joint that has been struck: with h^2 k / m of
  // 10 an iteration without their derivatives does not converge, and the exact matrix takes over.
  const auto swing = [](double k, const std::string& newton) {
    const std::string stiff = std::to_string(k);
    return run_model(ball_pendulum() +
                         "[[force]]\nname = \"line\"\ntype = \"spring_damper\"\nbodies = [\"ground\", "
                         "\"rod\"]\npoints = [[1, 1, 1], [0.5, 0, 0]]\nfree_length = \"sqrt(2.01)\"\nstiffness = " +
                         stiff +
                         "\n[[force]]\nname = \"bush\"\ntype = \"bushing\"\nbodies = [\"ground\", "
                         "\"rod\"]\nat = [0.3, 0, 0]\nstiffness_matrix = [0, 0, " +
                         stiff + ", 0, 0, " + stiff + "]\n",
                     {"hht", "index3", 0.2, 0.005, 1e-6, "newton = \"" + newton + "\"\n"});
  };
  const auto iterations = [&](double k) {
    const RunResult r = swing(k, "full");
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    return static_cast<double>(r.counters.flow.iterations) / static_cast<double>(r.counters.flow.steps);
  };
  const double soft = iterations(10), hard = iterations(1e6);
  INFO(soft << " and " << hard << " iterations a step");
  CHECK(soft < 5);
  CHECK(hard < 8);
  const RunResult quasi = swing(1e6, "quasi"), exact = swing(1e6, "full");
  REQUIRE(quasi.outcome.success());
  for (std::size_t i = 0; i < exact.y_end.size(); ++i) CHECK(quasi.y_end[i] == Approx(exact.y_end[i]).margin(1e-9));
  // (With the quasi-Newton matrix alone there is one Jacobian a segment.)
  CHECK(quasi.counters.flow.jacobians > quasi.counters.flow.steps);
}

TEST_CASE("implicit steps in space allocate nothing") {
  for (const Problem& problem : problems())
    for (const DaeIntegratorEntry& entry : dae_integrators()) {
      if (!entry.index3) continue;  // IDA allocates inside itself when it is set up, not here
      INFO(problem.name << ", " << entry.name);
      MechanismProcess process(build_system(parse_model(problem.model + "[simulation]\nend = 1.0\n", "law")),
                               *find_formulation("index3"));
      class Nobody final : public EventLog {
       public:
        bool wanted() const override { return false; }
        void add(EventRecord) override {}
      } nobody;
      std::vector<double> y = process.system().initial_state();
      REQUIRE(process.start(0, y, nobody).then == Settled::Then::go_on);
      FlowOptions o;
      o.t_end = 50;
      auto flow = entry.make(process, *process.dae(), o);
      check_steps_do_not_allocate(*flow, y, 12, 5);
    }
}

TEST_CASE("a fast top turns its derivatives within a step, and radau refuses few steps for it") {
  // 150 rad/s, steps of 5 ms and more. With the derivatives at the start of the step Newton's method did not converge
  // in a third of the steps that the error allows.
  for (const char* formulation : {"ggl", "index1"})
    for (const char* rtol : {"1e-3", "1e-4", "1e-6"}) {
      const RunResult r = run(read_model(
          std::string(HSTAR_SOURCE_DIR) + "/validation/heavy_top/model.toml",
          {{"simulation.integrator", "radau"}, {"simulation.formulation", formulation}, {"simulation.rtol", rtol}}));
      INFO(formulation << ", rtol " << rtol << ": " << r.outcome.message);
      REQUIRE(r.outcome.success());
      CHECK(r.counters.flow.rejected <= r.counters.flow.steps / 20);
    }
}
