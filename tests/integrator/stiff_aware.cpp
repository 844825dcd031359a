// tests/integrator/stiff_aware.cpp
//
// Outside linear modes `exact` steps with dop853, and where its steps are at the limit of stability with bdf. On
// y' = -k (y - cos t) - sin t, whose solution from y(0) = 1 is cos t whatever k is, dop853 needs k t / 6 steps and bdf
// as many as the cosine asks for. Where nothing is stiff not a bit may differ from dop853, and a new segment begins
// with dop853 again.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "hstar/flow.hpp"

using namespace hstar;

namespace {

class Relaxation final : public OdeProblem {
 public:
  double k = 1e5;
  [[nodiscard]] std::size_t size() const override { return 1; }
  bool rates(double t, const double* y, double* ydot) override {
    ydot[0] = -k * (y[0] - std::cos(t)) - std::sin(t);
    return true;
  }
};

class Pendulum final : public OdeProblem {
 public:
  [[nodiscard]] std::size_t size() const override { return 2; }
  bool rates(double, const double* y, double* ydot) override {
    ydot[0] = y[1];
    ydot[1] = -std::sin(y[0]);
    return true;
  }
};

struct End {
  std::vector<double> y;
  std::size_t evaluations, jacobians;
};

End run(const std::string& integrator, OdeProblem& problem, std::vector<double> y, double end, double rtol) {
  FlowOptions options;
  options.rtol = options.atol = rtol;
  options.t_end = end;
  const auto flow = find_integrator(integrator)->make(problem, options);
  REQUIRE(flow->restart(0, y) == StepResult::accepted);
  while (flow->t1() < end) REQUIRE(flow->step(end) == StepResult::accepted);
  y.assign(flow->y1().begin(), flow->y1().end());
  return {y, flow->counters().evaluations, flow->counters().jacobians};
}

}  // namespace

TEST_CASE("a motion that is stiff for dop853 goes on with bdf") {
  const double rtol = GENERATE(1e-5, 1e-8, 1e-11);
  Relaxation problem;
  const End one = run("exact", problem, {1.0}, 10, rtol), other = run("dop853", problem, {1.0}, 10, rtol);
  INFO(one.evaluations << " and " << other.evaluations << " evaluations");
  CHECK(one.jacobians > 0);
  CHECK(10 * one.evaluations < other.evaluations);
  CHECK(std::abs(one.y[0] - std::cos(10.0)) < 10 * rtol);
}

TEST_CASE("what is not stiff is dop853's to the bit") {
  const double rtol = GENERATE(1e-3, 1e-6, 1e-9, 1e-13);
  Pendulum problem;
  const End one = run("exact", problem, {2.0, 0.0}, 1000, rtol), other = run("dop853", problem, {2.0, 0.0}, 1000, rtol);
  CHECK(one.jacobians == 0);
  CHECK(one.y == other.y);
  CHECK(50 * one.evaluations < 51 * other.evaluations);
}

TEST_CASE("a new segment begins with dop853 again, and goes on with bdf again") {
  Relaxation problem;
  FlowOptions options;
  options.t_end = 20;
  const auto flow = find_integrator("exact")->make(problem, options);
  std::vector<double> y{1.0};
  for (const double end : {10.0, 20.0}) {
    REQUIRE(flow->restart(flow->t1(), y) == StepResult::accepted);
    REQUIRE(flow->step(end) == StepResult::accepted);
    CHECK(flow->order() == 8);
    while (flow->t1() < end) REQUIRE(flow->step(end) == StepResult::accepted);
    CHECK(flow->order() == 5);
    y.assign(flow->y1().begin(), flow->y1().end());
    CHECK(std::abs(y[0] - std::cos(end)) < 1e-6);
  }
}
