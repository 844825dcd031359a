// tests/integrator/stiff_steps.cpp
//
// What the iteration of an implicit step leaves must stay well below the tolerance: predictions multiply it, and where
// it is as large as the tolerance error control sees an error that no shorter step lessens. Steps then grow like 1/rtol
// instead of its fifth or sixth root. On the Oregonator (Field & Noyes 1974; fast by 1e4 beside its period) from rtol
// 1e-9 to 1e-13 steps of order 5 grow by 10^(4/6) to 10^(4/5) = 4.6 to 6.3; allowed 20. At the end the digits of the
// Test Set for IVP Solvers (Mazzia & Magherini 2008), which tell twelve.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "hstar/flow.hpp"

using namespace hstar;

namespace {

class Oregonator final : public OdeProblem {
 public:
  [[nodiscard]] std::size_t size() const override { return 3; }
  bool rates(double, const double* y, double* ydot) override {
    ydot[0] = 77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]));
    ydot[1] = (y[2] - (1 + y[0]) * y[1]) / 77.27;
    ydot[2] = 0.161 * (y[0] - y[2]);
    return true;
  }
};

int steps_to_end(double rtol, std::vector<double>& end) {
  Oregonator problem;
  FlowOptions options;
  options.rtol = options.atol = rtol;
  options.t_end = 360;
  const auto entries = further_integrators();
  const auto bdf = std::find_if(entries.begin(), entries.end(), [](const auto& e) { return e.name == "bdf"; });
  REQUIRE(bdf != entries.end());
  const auto flow = bdf->make(problem, options);
  REQUIRE(flow->restart(0, std::vector<double>{1, 2, 3}) == StepResult::accepted);
  int steps = 0;
  for (; flow->t1() < 360 && steps < 1000000; ++steps) REQUIRE(flow->step(360) == StepResult::accepted);
  end.assign(flow->y1().begin(), flow->y1().end());
  return steps;
}

}  // namespace

TEST_CASE("bdf takes steps in proportion to its order's root of the tolerance, to the last digits") {
  std::vector<double> end;
  const int loose = steps_to_end(1e-9, end), tight = steps_to_end(1e-13, end);
  INFO(loose << " and " << tight << " steps");
  CHECK(tight < 20 * loose);
  const double digits[] = {0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3};
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(end[i] / digits[i] - 1) < 1e-10);
}
