// examples/cpp/stepper.cpp: a loop of one's own over the steps of an integrator, for programs that keep the reins.
//
// A flow steps, can be read anywhere inside the step it has just taken, and can end a step exactly where one wants:
// that is all the run loop of hstar knows too.
#include <cmath>
#include <iostream>
#include <vector>

#include "hstar/flow.hpp"

namespace {

class Oscillator final : public hstar::OdeProblem {
 public:
  std::size_t size() const override { return 2; }
  bool rates(double, const double* y, double* rate) override {
    rate[0] = y[1];
    rate[1] = -y[0];
    return true;
  }
};

}  // namespace

int main() {
  Oscillator problem;
  hstar::FlowOptions options;
  options.rtol = 1e-9;
  options.t_end = 10;
  const auto flow = hstar::find_integrator("dop853")->make(problem, options);
  const std::vector<double> start{1, 0};
  if (flow->restart(0.0, start) != hstar::StepResult::accepted) return 1;

  double worst = 0;
  std::vector<double> y(2);
  while (flow->t1() < options.t_end) {
    if (const auto result = flow->step(options.t_end); result != hstar::StepResult::accepted) {
      std::cerr << hstar::describe(result) << '\n';
      return 1;
    }
    const double middle = 0.5 * (flow->t0() + flow->t1());
    flow->at(middle, y);  // dense output
    worst = std::max(worst, std::abs(y[0] - std::cos(middle)));
  }
  std::cout << flow->counters().steps << " steps, worst error between them " << worst << '\n';
  return worst < 1e-6 && flow->t1() == 10 ? 0 : 1;
}
