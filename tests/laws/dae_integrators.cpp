// tests/laws/dae_integrators.cpp
//
// Laws of every method for a DaeProblem (formulations index3, ggl, index1):
//   - With fixed steps positions, velocities and multipliers converge with the method's order, on a pendulum and a
//     slider-crank; position constraints hold to round-off at every step.
//   - Under error control the error is no more than steps times tolerance, and follows it at the method's rate, down to
//     1e-12 (methods of order 1 and 2 as far as is practical).
//   - Restarts change nothing beyond the order; damped methods lose energy and never gain any.
//   - Interpolant and steps that end early have the order too; the interpolant joins the ends of the step.
//   - Full, modified and quasi-Newton iteration give the same motion; the quasi-Newton one needs more iterations the
//     longer the step.
//   - Nothing allocates after the first steps.
// Truth: the same model under dop853 with projection at rtol 1e-13 (checked against closed forms elsewhere).
#include "hstar/dae.hpp"
#include "hstar/integrator/fixed_step.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "laws/dae_problems.hpp"
#include "laws/flow_allocations.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;
using namespace laws;

namespace {

struct FixedCase {
  std::string integrator, keys;
  double order;
  double h;  ///< first of two steps between which the order is measured
  const char* formulation = "index3";
};

std::vector<FixedCase> fixed_cases() {
  std::vector<FixedCase> cases{
      {"newmark", "", 1, 0.0025},
      {"newmark", "newmark_gamma = 0.5\nnewmark_beta = 0.25\n", 2, 0.0025},
      {"hht", "", 2, 0.0025},
      {"hht", "hht_alpha = 0.0\n", 2, 0.0025},
      {"hht", "hht_alpha = -0.3\n", 2, 0.0025},
      {"generalized_alpha", "", 2, 0.0025},
      {"generalized_alpha", "rho_infinity = 0.0\n", 2, 0.0025},
      {"generalized_alpha", "rho_infinity = 1.0\n", 2, 0.0025},
      {"backward_euler", "", 1, 0.00125},
  };
  for (int k = 1; k <= 6; ++k)
    cases.push_back({"bdf", "max_order = " + std::to_string(k) + "\n", double(k),
                     k < 3   ? 0.00125
                     : k > 4 ? 0.004
                             : 0.0025});
  for (int k = 2; k <= 4; ++k)
    cases.push_back({"bdf", "max_order = " + std::to_string(k) + "\n", double(k), k < 3 ? 0.00125 : 0.0025, "ggl"});
  for (const char* formulation : {"index3", "ggl", "index1"}) cases.push_back({"radau", "", 5, 0.016, formulation});
  return cases;
}

const std::map<std::string, std::string>& models() {
  static const std::map<std::string, std::string> table{{"pendulum", pendulum()}, {"slider-crank", slider_crank()}};
  return table;
}

/// Size of the reactions of a run [N].
double largest_reaction(RunResult run) {
  RunResult nothing = run;
  for (auto& row : nothing.rows) std::fill(row.begin(), row.end(), 0.0);
  return end_errors(run, nothing).lambda;
}

class Nobody final : public EventLog {
 public:
  bool wanted() const override { return false; }
  void add(EventRecord) override {}
};

/// A mechanism started and ready for a flow.
struct Started {
  MechanismProcess process;
  std::vector<double> y;
  Started(const std::string& model, const char* formulation)
      : process(build_system(parse_model(model + "[simulation]\nend = 1.0\n", "law")), *find_formulation(formulation)),
        y(process.system().initial_state()) {
    Nobody nobody;
    REQUIRE(process.start(0, y, nobody).then == Settled::Then::go_on);
  }
  double constraint_error(double t, std::span<const double> state) {
    DaeProblem& dae = *process.dae();
    dae.begin(t, state.data());
    const std::vector<double> lambda(static_cast<std::size_t>(dae.max_rows()));
    dae.evaluate(t, state.data(), lambda.data());
    double worst = 0;
    for (int i = 0; i < dae.rows(); ++i) worst = std::max(worst, std::abs(dae.position()[i]));
    return worst;
  }
};

}  // namespace

TEST_CASE("fixed steps on index 3 and ggl: positions, velocities and multipliers have the method's order") {
  for (const auto& [name, model] : models()) {
    const RunResult truth = run_model(model, {"dop853", "projection", 0.5, 0, 1e-13, ""});
    for (const FixedCase& c : fixed_cases()) {
      INFO(name << ", " << c.integrator << " (" << c.formulation << "), " << c.keys);
      const RunResult coarse = run_model(model, {c.integrator, c.formulation, 0.5, c.h, 1e-6, c.keys});
      const RunResult fine = run_model(model, {c.integrator, c.formulation, 0.5, c.h / 2, 1e-6, c.keys});
      REQUIRE(coarse.outcome.success());
      REQUIRE(fine.outcome.success());
      const EndErrors a = end_errors(coarse, truth), b = end_errors(fine, truth);
      const auto check = [&](double e_a, double e_b) {
        INFO(e_a << " -> " << e_b);
        if (e_b < 1e-10 && c.order == 6) return;  // round-off of Phi / h, and of reactions of 20 N
        const double order = std::log2(e_a / e_b);
        CHECK(order == Approx(c.order).margin(0.3));
      };
      check(a.q, b.q);
      check(a.v, b.v);
      check(a.lambda, b.lambda);
    }
  }
}

TEST_CASE("the sum of 40,000 fixed steps leaves no last step that is too short for any method") {
  const std::string crank =
      "[[body]]\nname = \"crank\"\nmass = 1\ninertia = 0.1\nposition = [0.5, 0]\n[[joint]]\nname = \"pin\"\ntype = "
      "\"revolute\"\nbodies = [\"ground\", \"crank\"]\npoints = [[0, 0], [-0.5, 0]]\n[[joint]]\nname = \"motor\"\n"
      "type = \"absolute_angle\"\nbody = \"crank\"\nvalue = \"t + 0.5*sin(3*t)\"\n";
  for (const char* integrator : {"newmark", "backward_euler", "hht"}) {
    INFO(integrator);
    const RunResult run = run_model(crank, {integrator, "index3", 2000, 0.05, 1e-6, ""});
    CHECK(run.outcome.success());
    CHECK(run.counters.flow.steps == 40000);
  }
  // However many they are, no step is longer by more than its thousandth.
  const double t = 999.9999, h = 1e-6;
  CHECK(integrator::fixed_step_end(t, h, 0, 1000) == t + h);
  CHECK(integrator::fixed_step_end(t, h, 0, t + 1.0005 * h) == t + 1.0005 * h);
}

TEST_CASE("position constraints hold to round-off at every fixed step") {
  for (const DaeIntegratorEntry& entry : dae_integrators()) {
    if (!entry.index3) continue;
    INFO(entry.name);
    Started s(slider_crank(), "index3");
    FlowOptions o;
    o.fixed_step = 0.004;
    o.t_end = 1;
    auto flow = entry.make(s.process, *s.process.dae(), o);
    REQUIRE(flow->restart(0, s.y) == StepResult::accepted);
    Started other(slider_crank(), "index3");
    while (flow->t1() < 1) {
      REQUIRE(flow->step(1) == StepResult::accepted);
      CHECK(other.constraint_error(flow->t1(), flow->y1()) < 2e-15);
    }
  }
}

TEST_CASE("under error control the errors of the steps add up, and follow the tolerance at the method's rate") {
  struct Case {
    const char *integrator, *formulation;
    double order;  ///< that the method has at the tight end
    double tightest, apart;
    double fastest = 1;  ///< power of rtol with which the error may fall: p/(e + 1) with an estimate of order e below p
  };
  for (const auto& [name, model] : models()) {
    const RunResult truth = run_model(model, {"dop853", "projection", 3.0, 0, 1e-13, ""});
    const double reaction = largest_reaction(truth);
    for (const Case c :
         {Case{"newmark", "index3", 1, 1e-5, 10}, Case{"hht", "index3", 2, 1e-6, 10},
          Case{"generalized_alpha", "index3", 2, 1e-6, 10}, Case{"bdf", "index3", 5, 1e-12, 1e3},
          Case{"ida", "ggl", 5, 1e-12, 1e3}, Case{"ida", "index1", 5, 1e-12, 1e3}, Case{"bdf", "ggl", 5, 1e-12, 1e3},
          Case{"radau", "ggl", 5, 1e-12, 1e3, 1.25}, Case{"radau", "index1", 5, 1e-12, 1e3, 1.25}}) {
      EndErrors first, before;
      for (double rtol = 1e-3; rtol > 0.5 * c.tightest; rtol /= c.apart) {
        INFO(name << ", " << c.integrator << " (" << c.formulation << ") at rtol " << rtol);
        const RunResult r = run_model(model, {c.integrator, c.formulation, 3.0, 0, rtol, ""});
        REQUIRE(r.outcome.success());
        const EndErrors e = end_errors(r, truth);
        // No step may err by more than the tolerance, and the motion amplifies nothing much in 3 s.
        const double sum = rtol * static_cast<double>(r.counters.flow.steps);
        CHECK(e.q < sum);
        CHECK(e.v < 2 * sum);
        CHECK(e.lambda < sum * reaction);
        if (rtol == 1e-3) {
          first = e;
        } else {
          CHECK(e.q < before.q);
          CHECK(e.v < before.v);
          CHECK(e.lambda < before.lambda);
        }
        before = e;
      }
      // A step's error is h^(p+1): h follows rtol^(1/(p+1)), and the error of the motion h^p. Where the order grows
      // with the accuracy, the error falls a little faster, but not faster than rtol.
      INFO(name << ", " << c.integrator << " (" << c.formulation << ")");
      const double decades = std::log(1e-3 / c.tightest), rate = c.order / (c.order + 1);
      for (const double gain : {first.q / before.q, first.v / before.v, first.lambda / before.lambda}) {
        CHECK(std::log(gain) / decades > rate - 0.1);
        CHECK(std::log(gain) / decades < (c.order > 2 ? c.fastest : rate + 0.1));
      }
    }
  }
}

TEST_CASE("restarts change nothing beyond the method's order") {
  // A state that counts is changed at nine times: the mechanism does not notice, the method starts anew. The last step
  // before each is 0.4 h long, whatever h is.
  const std::string counter =
      "[[state]]\nname = \"count\"\nrate = 0.0\n[[guard]]\nname = \"restart\"\n"
      "times = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]\nreset = { count = \"count + 1\" }\n";
  for (const auto& [name, model] : models()) {
    const RunResult truth = run_model(model, {"dop853", "projection", 1.0, 0, 1e-13, ""});
    for (const FixedCase& c : fixed_cases()) {
      if (c.order > 5) continue;  // starting steps and round-off leave no range to measure in
      INFO(name << ", " << c.integrator << ", " << c.keys);
      EndErrors e[2];
      double h[2];
      for (int k = 0; k < 2; ++k) {
        h[k] = 0.1 / ((1 << k) * std::round((c.order < 5 ? 0.1 : 0.2) / c.h) + 0.4);
        const RunResult r = run_model(model + counter, {c.integrator, c.formulation, 1.0, h[k], 1e-6, c.keys});
        REQUIRE(r.outcome.success());
        REQUIRE(r.counters.flow.restarts == 10);
        e[k] = end_errors(r, truth);
      }
      INFO(e[0].q << " -> " << e[1].q << ", " << e[0].v << " -> " << e[1].v << ", " << e[0].lambda << " -> "
                  << e[1].lambda);
      const double halving = std::log(h[0] / h[1]);
      CHECK(std::log(e[0].q / e[1].q) / halving == Approx(c.order).margin(0.3));
      CHECK(std::log(e[0].v / e[1].v) / halving == Approx(c.order).margin(0.3));
      CHECK(std::log(e[0].lambda / e[1].lambda) / halving == Approx(c.order).margin(0.3));
    }
    for (const char* formulation : {"ggl", "index1"}) {
      INFO(name << ", " << formulation);
      const RunResult r = run_model(model + counter, {"ida", formulation, 1.0, 0, 1e-8, ""});
      REQUIRE(r.outcome.success());
      REQUIRE(r.counters.flow.restarts == 10);
      const EndErrors e = end_errors(r, truth);
      CHECK(e.q < 1e-8 * static_cast<double>(r.counters.flow.steps));
      CHECK(e.v < 2e-8 * static_cast<double>(r.counters.flow.steps));
    }
  }
}

TEST_CASE("damped methods lose energy and never gain any") {
  // 35 swings of the pendulum, looked at ten times. Undamped members of Newmark's family (gamma = 1/2, alpha = 0, rho =
  // 1) are weakly unstable on index 3 (Cardona & Geradin 1989); without constraints they keep energy: second_order.cpp.
  const std::string measure = "[[measure]]\nname = \"e\"\nvalue = \"energy\"\n";
  for (const auto& [integrator, keys] :
       {std::pair{"newmark", ""}, std::pair{"generalized_alpha", "rho_infinity = 0.0\n"},
        std::pair{"hht", "hht_alpha = -0.3\n"}, std::pair{"bdf", "max_order = 2\n"}, std::pair{"backward_euler", ""}}) {
    INFO(integrator);
    const RunResult r = run_model(pendulum() + measure, {integrator, "index3", 60, 0.02, 1e-6, keys});
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    const auto e = static_cast<std::size_t>(std::find(r.columns.begin(), r.columns.end(), "e") - r.columns.begin());
    REQUIRE(e < r.columns.size());
    REQUIRE(r.rows.size() == 11);
    // Energy also swings a little with the motion: means of thirds are compared, and each with the start.
    double thirds[3] = {0, 0, 0};
    for (std::size_t i = 1; i < r.rows.size(); ++i) {
      CHECK(r.rows[i][e] < r.rows[0][e]);
      if (i > 1) thirds[(i - 2) / 3] += r.rows[i][e];
    }
    CHECK(thirds[1] < thirds[0]);
    CHECK(thirds[2] < thirds[1]);
  }
}

TEST_CASE("interpolant and steps that end early join the accepted step and have its order") {
  for (const DaeIntegratorEntry& entry : dae_integrators()) {
    if (!entry.index3) continue;
    INFO(entry.name);
    const RunResult truth = run_model(pendulum(), {"dop853", "projection", 0.5, 0, 1e-13, ""});
    const auto errors = [&](double h, double& between, double& early) {
      Started s(pendulum(), "index3");
      FlowOptions o;
      o.fixed_step = h;
      o.t_end = 1;
      auto flow = entry.make(s.process, *s.process.dae(), o);
      flow->restart(0, s.y);
      while (flow->t1() < 0.5) REQUIRE(flow->step(1) == StepResult::accepted);
      std::vector<double> y(s.y.size()), end(flow->y1().begin(), flow->y1().end());
      const double t0 = flow->t0(), t1 = flow->t1();
      flow->at(t0, y);
      CHECK(std::equal(y.begin(), y.end(), flow->y0().begin()));
      flow->at(std::nextafter(t1, t0), y);
      for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - end[i]) < 1e-13);
      flow->at(std::nextafter(t0, t1), y);
      for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - flow->y0()[i]) < 1e-13);
      flow->at(0.5, y);
      between = early = 0;
      for (std::size_t i = 0; i < y.size(); ++i) between = std::max(between, std::abs(y[i] - truth.y_end[i]));
      REQUIRE(flow->finish_at(0.5, y) == StepResult::accepted);
      for (std::size_t i = 0; i < y.size(); ++i) early = std::max(early, std::abs(y[i] - truth.y_end[i]));
      CHECK(std::equal(end.begin(), end.end(), flow->y1().begin()));
      for (const double e : flow->error()) CHECK(std::isfinite(e));
    };
    // 0.5 lies 0.4 of the way into the last step in both cases
    double between[2], early[2];
    errors(0.5 / 99.4, between[0], early[0]);
    errors(0.5 / 199.4, between[1], early[1]);
    INFO(between[0] << " -> " << between[1] << ", " << early[0] << " -> " << early[1]);
    CHECK(std::log2(between[0] / between[1]) > entry.order - 0.4);
    CHECK(std::log2(early[0] / early[1]) > entry.order - 0.4);
  }
}

TEST_CASE("exact, kept and quasi-Newton matrices give the same motion") {
  for (const auto& [name, model] : models())
    for (const char* integrator : {"newmark", "hht", "bdf", "radau"}) {
      INFO(name << ", " << integrator);
      std::size_t quasi_iterations[2], k = 0;
      for (const double h : {0.01, 0.0025}) {
        const RunResult full = run_model(model, {integrator, "index3", 1.0, h, 1e-6, "newton = \"full\"\n"});
        const RunResult kept = run_model(model, {integrator, "index3", 1.0, h, 1e-6, "newton = \"modified\"\n"});
        const RunResult quasi = run_model(model, {integrator, "index3", 1.0, h, 1e-6, "newton = \"quasi\"\n"});
        for (const RunResult* r : {&full, &kept, &quasi}) REQUIRE(r->outcome.success());
        for (std::size_t i = 0; i < full.y_end.size(); ++i) {
          CHECK(kept.y_end[i] == Approx(full.y_end[i]).margin(1e-9));
          CHECK(quasi.y_end[i] == Approx(full.y_end[i]).margin(1e-9));
        }
        CHECK(full.counters.flow.iterations <= kept.counters.flow.iterations);
        CHECK(full.counters.flow.jacobians > kept.counters.flow.jacobians);
        CHECK(quasi.counters.flow.iterations > full.counters.flow.iterations);
        quasi_iterations[k++] = 1000 * quasi.counters.flow.iterations / quasi.counters.flow.steps;
      }
      CHECK(quasi_iterations[0] > quasi_iterations[1]);
    }
}

TEST_CASE("IDA: pendulum and slider-crank at all tolerances, with and without friction, from rest") {
  const std::string friction = "friction = { law = \"coulomb\", mu_static = 0.3, mu_kinetic = 0.2, radius = 0.05 }\n";
  SliderCrank still;
  still.speed = 0;
  for (const std::string& model : {pendulum(), pendulum() + friction, slider_crank(still)})
    for (const char* formulation : {"ggl", "index1"})
      for (const double rtol : {1e-3, 1e-6, 1e-9, 1e-12}) {
        INFO(formulation << " at rtol " << rtol);
        const RunResult r = run_model(model, {"ida", formulation, 3.0, 0, rtol, ""});
        INFO(r.outcome.message);
        CHECK(r.outcome.status == RunStatus::reached_end);
      }
}

TEST_CASE("after the first steps of a mode nothing allocates") {
  for (const DaeIntegratorEntry& entry : dae_integrators()) {
    if (!entry.index3) continue;  // IDA allocates inside itself when it is set up, not here
    INFO(entry.name);
    Started s(slider_crank(), "index3");
    FlowOptions o;
    o.t_end = 50;
    auto flow = entry.make(s.process, *s.process.dae(), o);
    check_steps_do_not_allocate(*flow, s.y, 12, 5);
  }
}

TEST_CASE("bad options of implicit methods are refused with name, value, bound and remedy") {
  Started s(pendulum(), "index3");
  const auto refused = [&](const char* name, auto change, const std::string& says) {
    FlowOptions o;
    o.t_end = 1;
    change(o);
    CHECK_THROWS_WITH(find_dae_integrator(name)->make(s.process, *s.process.dae(), o),
                      Catch::Matchers::StartsWith(says));
  };
  refused(
      "newmark", [](FlowOptions& o) { o.newmark_gamma = 0.4; }, "newmark_gamma = 0.4 must be between 0.5 and 1; ");
  refused(
      "newmark", [](FlowOptions& o) { o.newmark_beta = 0.2; }, "newmark_beta = 0.2 must be between ");
  refused(
      "hht", [](FlowOptions& o) { o.hht_alpha = 0.1; }, "hht_alpha = 0.1 must be between -1/3 and 0; ");
  refused(
      "generalized_alpha", [](FlowOptions& o) { o.rho_infinity = 1.5; },
      "rho_infinity = 1.5 must be between 0 and 1; ");
  refused(
      "bdf", [](FlowOptions& o) { o.max_order = 7; }, "max_order = 7 must be between 1 and 6; ");
  for (const char* name : {"newmark", "hht", "generalized_alpha", "bdf", "backward_euler"})
    refused(
        name, [](FlowOptions& o) { o.newton = Newton::functional; },
        "newton = \"functional\" is not possible with constraints; give \"quasi\"");
  CHECK_THROWS_WITH(run_model(pendulum(), {"dopri5", "index3", 1.0, 0, 1e-6, ""}),
                    Catch::Matchers::Contains("newmark, hht, generalized_alpha, bdf"));
  CHECK_THROWS_WITH(run_model(pendulum(), {"newmark", "projection", 1.0, 0, 1e-6, ""}),
                    Catch::Matchers::Contains("give formulation = \"index3\""));
  CHECK_THROWS_WITH(run_model(pendulum(), {"ida", "ggl", 1.0, 0.01, 1e-6, ""}),
                    Catch::Matchers::Contains("fixed_step = 0.01 is not possible with ida"));
}
