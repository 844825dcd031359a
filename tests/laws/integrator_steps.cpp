// tests/laws/integrator_steps.cpp
//
// Laws of stepping that every entry of integrators() and further_integrators() must keep.
//   - Steps end exactly where the caller says, anywhere inside the accepted step, and never exceed max_step.
//   - A shift of time or a restart changes nothing; a projection is part of the step.
//   - After the first steps nothing allocates.
//   - What cannot be evaluated is told, never stored, nor what a pole makes of a step that ends early; bad options are
//     refused.
// Truth: closed forms.
#include <catch2/catch.hpp>

#include "hstar/error.hpp"
#include "laws/flow_allocations.hpp"
#include "laws/ode_problems.hpp"

using namespace hstar;
using namespace laws;

TEST_CASE("steps end exactly at the limit and leave no splinter before it") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator problem;
    auto flow = entry.make(problem, tolerance(1e-6, 100));
    flow->restart(0, problem.solution(0));
    for (const double limit : {0.3, 0.3 + 1e-9, 0.300001, 1.0 / 3, 7.7, 20.0, 99.9}) {
      double previous = INFINITY, last = 0;
      while (flow->t1() < limit) {
        REQUIRE(flow->step(limit) == StepResult::accepted);
        previous = last;
        last = flow->t1() - flow->t0();
      }
      CHECK(flow->t1() == limit);
      CHECK(last >= 0.09 * previous);
    }
    const double end = std::nextafter(99.9, 200.0);  // one ulp further on
    REQUIRE(flow->step(end) == StepResult::accepted);
    CHECK(flow->t1() == end);
  }
}

TEST_CASE("a step that ends early ends anywhere, down to one ulp, and leaves the accepted step alone") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator problem;
    auto flow = entry.make(problem, tolerance(1e-8, 100));
    flow->restart(3, problem.solution(3));
    REQUIRE(flow->step(100) == StepResult::accepted);
    const double t0 = flow->t0(), t1 = flow->t1();
    std::vector<double> before(2), after(2), y(2);
    flow->at(t0 + 0.4 * (t1 - t0), before);
    const std::vector<double> end(flow->y1().begin(), flow->y1().end());
    REQUIRE(flow->finish_at(std::nextafter(t0, t1), y) == StepResult::accepted);
    CHECK(distance(y, problem.solution(3)) < 1e-14);
    REQUIRE(flow->finish_at(t0 + 0.5 * (t1 - t0), y) == StepResult::accepted);
    CHECK(distance(y, problem.solution(t0 + 0.5 * (t1 - t0))) < 1e-7);
    REQUIRE(flow->finish_at(t1, y) == StepResult::accepted);
    CHECK(y == end);
    flow->at(t0 + 0.4 * (t1 - t0), after);
    CHECK(before == after);
    CHECK(distance(flow->y1(), end) == 0);
  }
}

namespace {
/// y'' = -y, with a pole that the accepted step has not seen.
struct WithPole final : OdeProblem {
  double pole = NAN;
  [[nodiscard]] std::size_t size() const override { return 2; }
  bool rates(double t, const double* y, double* ydot) override {
    ydot[0] = y[1];
    ydot[1] = -y[0];
    if (!std::isnan(pole)) ydot[1] += 1 / (t - pole);
    return true;
  }
};
}  // namespace

TEST_CASE("a step that ends early beside a pole is refused, or stays near the accepted one") {
  for (const IntegratorEntry& entry : every_integrator())
    for (const int steps : {1, 30}) {  // (the second one by what methods with memory do after their start)
      INFO(entry.name << ", " << steps);
      WithPole problem;
      auto flow = entry.make(problem, tolerance(1e-8, 100));
      flow->restart(3, std::vector{1.0, 0.0});
      for (int i = 0; i < steps; ++i) REQUIRE(flow->step(100) == StepResult::accepted);
      const double t = flow->t0() + 0.5 * (flow->t1() - flow->t0());
      std::vector<double> inside(2), y(2);
      const std::vector<double> start(flow->y0().begin(), flow->y0().end());
      flow->at(t, inside);
      problem.pole = std::nextafter(t, 0.0);
      if (flow->finish_at(t, y) == StepResult::accepted) CHECK(distance(y, inside) <= distance(flow->y1(), start));
    }
}

TEST_CASE("a shift of time changes nothing beyond round-off") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Bell problem;
    Shifted later(problem, 64);
    for (const bool controlled : {false, true}) {
      auto a = entry.make(problem, controlled ? tolerance(1e-7, 4) : fixed(0.125, 4));
      auto b = entry.make(later, controlled ? tolerance(1e-7, 68) : fixed(0.125, 68));
      a->restart(0, problem.solution(0));
      b->restart(64, problem.solution(0));
      REQUIRE(go(*a, 4));
      REQUIRE(go(*b, 68));
      // An accepted or rejected step may hang on the last bit, so under control only the tolerance can be asked for.
      const double round_off = controlled       ? std::max(1e-7, 0.01 * allowed_error(entry, 1e-7))
                               : entry.implicit ? 1e-10
                                                : 1e-13;  // one ulp of 64 is 1.4e-14
      CHECK(std::abs(a->y1()[0] - b->y1()[0]) < round_off);
      CHECK(double(a->counters().steps) == Approx(double(b->counters().steps)).epsilon(entry.order == 1 ? 0.2 : 0.05));
    }
  }
}

TEST_CASE("a restart half-way costs no accuracy") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator problem;
    const double rtol = 1e-8;
    auto flow = entry.make(problem, tolerance(rtol, 10));
    flow->restart(0, problem.solution(0));
    for (const double t : {1.0, 2.5, 2.6, 7.0, 10.0}) {
      REQUIRE(go(*flow, t));
      const std::vector<double> y(flow->y1().begin(), flow->y1().end());
      flow->restart(t, y);
      CHECK(flow->t0() == t);
      CHECK(flow->t1() == t);
    }
    CHECK(distance(flow->y1(), problem.solution(10)) < allowed_error(entry, rtol));
  }
}

TEST_CASE("steps never exceed max_step") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator problem;
    FlowOptions options = tolerance(1e-3, 10);
    options.max_step = 0.01;
    auto flow = entry.make(problem, options);
    flow->restart(0, problem.solution(0));
    while (flow->t1() < 1) {
      REQUIRE(flow->step(1) == StepResult::accepted);
      CHECK(flow->t1() - flow->t0() < 0.011);
    }
  }
}

TEST_CASE("after the first steps nothing allocates") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Bell problem;
    auto flow = entry.make(problem, tolerance(1e-6, 50));
    laws::check_steps_do_not_allocate(*flow, {1.0}, 4, 10);
  }
}

TEST_CASE("rates that do not exist end the steps in front of them") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Wall problem;
    auto flow = entry.make(problem, tolerance(1e-6, 2));
    const std::vector<double> y = {1.0};
    flow->restart(0, y);
    StepResult result = StepResult::accepted;
    for (int k = 0; k < 100000 && result == StepResult::accepted; ++k) {
      result = flow->step(2);
      CHECK(std::isfinite(flow->y1()[0]));
      CHECK(flow->t1() <= 1);
    }
    CHECK(result != StepResult::accepted);
    CHECK(!describe(result).empty());
    CHECK(flow->t1() > 0.99);
    const std::vector<double> nan = {NAN};
    CHECK(flow->restart(0, nan) == StepResult::not_finite);
    CHECK(flow->step(1) == StepResult::not_finite);
    CHECK(flow->restart(0, y) == StepResult::accepted);
    CHECK(flow->step(1) == StepResult::accepted);
  }
}

TEST_CASE("a projection is part of the step") {
  class OnCircle final : public OdeProblem {  // the circle y0^2 + y1^2 = 1 is kept by hand
   public:
    std::size_t size() const override { return 2; }
    bool rates(double, const double* y, double* ydot) override {
      ydot[0] = y[1];
      ydot[1] = -y[0];
      return true;
    }
    bool project(double, double* y) override {
      const double r = std::hypot(y[0], y[1]);
      y[0] /= r;
      y[1] /= r;
      return true;
    }
  };
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    OnCircle problem;
    auto flow = entry.make(problem, tolerance(1e-4, 20));
    std::vector<double> y = {1, 0};
    flow->restart(0, y);
    while (flow->t1() < 20) {
      REQUIRE(flow->step(20) == StepResult::accepted);
      CHECK(std::abs(std::hypot(flow->y1()[0], flow->y1()[1]) - 1) < 1e-15);
      flow->at(std::nextafter(flow->t1(), 0.0), y);
      CHECK(std::abs(y[0] - flow->y1()[0]) + std::abs(y[1] - flow->y1()[1]) < 1e-14);
      flow->finish_at(0.5 * (flow->t0() + flow->t1()), y);
      CHECK(std::abs(std::hypot(y[0], y[1]) - 1) < 1e-15);
    }
    CHECK(std::abs(flow->y1()[0] - std::cos(20)) < 0.02);
  }
}

TEST_CASE("bad options are refused with name, value, bound and remedy") {
  struct Case {
    std::function<void(FlowOptions&)> change;
    std::string says;
  };
  const std::vector<Case> cases = {
      {[](FlowOptions& o) { o.rtol = 0; }, "rtol = 0 must be between 1e-14 and 1e-1"},
      {[](FlowOptions& o) { o.rtol = 0.5; }, "rtol = 0.5 must be between 1e-14 and 1e-1"},
      {[](FlowOptions& o) { o.rtol = NAN; }, "rtol = nan must be between 1e-14 and 1e-1"},
      {[](FlowOptions& o) { o.atol = 0; }, "atol = 0 must be positive and finite"},
      {[](FlowOptions& o) { o.atol = -1e-9; }, "atol = -1e-09 must be positive and finite"},
      {[](FlowOptions& o) { o.max_step = 0; }, "max_step = 0 must be positive"},
      {[](FlowOptions& o) { o.first_step = -1; }, "first_step = -1 must be zero or positive"},
      {[](FlowOptions& o) { o.fixed_step = -0.1; }, "fixed_step = -0.1 must be zero or positive"},
      {[](FlowOptions& o) { o.fixed_step = 1, o.max_step = 0.5; }, "fixed_step = 1 must be at most max_step = 0.5"},
      {[](FlowOptions& o) { o.t_end = INFINITY; }, "t_end = inf must be finite"},
  };
  for (const IntegratorEntry& entry : every_integrator()) {
    for (const Case& bad : cases) {
      FlowOptions options = tolerance(1e-6, 1);
      bad.change(options);
      Bell problem;
      CHECK_THROWS_WITH(entry.make(problem, options), Catch::Matchers::StartsWith(bad.says + "; "));
    }
  }
}
