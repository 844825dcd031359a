// tests/integrator/ode23_control.cpp
//
// `ode23` chooses its steps as published for MATLAB's ODE suite (Shampine & Reichelt 1997). The numbers expected
// here follow from the published formulas by hand.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "hstar/flow.hpp"

using namespace hstar;

namespace {

class Decay final : public OdeProblem {  // y' = -rate y
 public:
  explicit Decay(double rate) : rate_(rate) {}
  std::size_t size() const override { return 1; }
  bool rates(double, const double* y, double* ydot) override {
    ydot[0] = -rate_ * y[0];
    return true;
  }

 private:
  double rate_;
};

std::unique_ptr<Flow> start(OdeProblem& problem, double rtol, double t_end) {
  FlowOptions o;
  o.rtol = rtol;
  o.atol = 1e-3 * rtol;
  o.t_end = t_end;
  auto flow = find_integrator("ode23")->make(problem, o);
  const std::vector<double> y = {1.0};
  flow->restart(0, y);
  return flow;
}

}  // namespace

TEST_CASE("the first step is 0.8 rtol^(1/3) over the relative rate") {
  Decay problem(40);
  auto flow = start(problem, 1e-3, 10);
  REQUIRE(flow->step(10) == StepResult::accepted);
  CHECK(flow->t1() == Approx(0.8 * 0.1 / 40));
}

TEST_CASE("no step is longer than a tenth of the interval") {
  Decay problem(1e-6);
  auto flow = start(problem, 1e-3, 10);
  for (int k = 0; k < 10; ++k) {
    REQUIRE(flow->step(10) == StepResult::accepted);
    CHECK(flow->t1() - flow->t0() == Approx(1.0));
  }
  CHECK(flow->t1() == 10);
}

TEST_CASE("growth is 1 / (1.25 (err/rtol)^(1/3)), and at most 5") {
  Decay problem(1);
  auto flow = start(problem, 1e-6, 10);
  REQUIRE(flow->step(10) == StepResult::accepted);
  const double h = flow->t1();
  // One step of y' = -y: y_new = 1 - h + h^2/2 - h^3/6; the weights of the error estimate give h^3/48 - h^4/48.
  CHECK(flow->y1()[0] == Approx(1 - h + h * h / 2 - h * h * h / 6).epsilon(1e-14));
  const double error = std::abs(std::pow(h, 3) * (1.0 / 48) - std::pow(h, 4) / 48);
  CHECK(flow->error()[0] >= error);
  REQUIRE(flow->step(10) == StepResult::accepted);
  const double grown = h / std::max(0.2, 1.25 * std::cbrt(error / 1e-6));
  CHECK(flow->t1() - flow->t0() == Approx(grown).epsilon(1e-6));
}

TEST_CASE("one evaluation a step after the first slope, because the last slope is the next first") {
  Decay problem(1);
  auto flow = start(problem, 1e-6, 10);
  for (int k = 0; k < 20; ++k) {
    REQUIRE(flow->step(10) == StepResult::accepted);
  }
  CHECK(flow->counters().rejected == 0);
  CHECK(flow->counters().evaluations == 1 + 3 * 20);
}

TEST_CASE("a force whose zeros are as far apart as the stages of a step is not slept through") {
  // x'' = sin(2 pi t) from rest: x = t/(2 pi) - sin(2 pi t)/(2 pi)^2. A tenth of the interval, with which the published
  // rule begins where nothing moves, is a whole number of periods, and so are its halves and quarters: every stage
  // finds a force of zero.
  class Driven final : public OdeProblem {
   public:
    std::size_t size() const override { return 2; }
    bool rates(double t, const double* y, double* ydot) override {
      ydot[0] = y[1];
      ydot[1] = std::sin(2 * M_PI * t);
      return true;
    }
  };
  for (const double t_end : {10.0, 40.0, 100.0, 1000.0})
    for (const double rtol : {1e-3, 1e-6}) {
      INFO("end " << t_end << ", rtol " << rtol);
      Driven problem;
      FlowOptions o;
      o.rtol = rtol;
      o.atol = 1e-3 * rtol;
      o.t_end = t_end;
      auto flow = find_integrator("ode23")->make(problem, o);
      const std::vector<double> rest = {0.0, 0.0};
      flow->restart(0, rest);
      while (flow->t1() < 5) REQUIRE(flow->step(5) == StepResult::accepted);
      CHECK(flow->y1()[0] == Approx(5 / (2 * M_PI)).epsilon(100 * rtol));
    }
}

TEST_CASE("after an event the first step is a part of the segment before it: bounces come in ever shorter flights") {
  Decay problem(1e-6);
  auto flow = start(problem, 1e-3, 10);
  REQUIRE(flow->step(10) == StepResult::accepted);
  const std::vector<double> y = {1.0};
  flow->restart(1e-3, y);
  REQUIRE(flow->step(10) == StepResult::accepted);
  CHECK(flow->t1() - flow->t0() == Approx(1e-4));
}
