// examples/cpp/plain_ode.cpp: equations of one's own with guards, without any mechanism.
//
// x'' = -x, and at every upward crossing of x = 0 the velocity is halved: the times stay multiples of pi, the amplitude
// falls by half every period.
#include <array>
#include <cmath>
#include <iostream>

#include "hstar/hybrid.hpp"

int main() {
  hstar::FunctionProcess process(2, [](double, const double* y, double* rate) {
    rate[0] = y[1];
    rate[1] = -y[0];
  });
  hstar::events::GuardInfo upward;
  upward.name = "x";
  upward.crossing = hstar::events::Crossing::rising;
  int crossings = 0;
  double last = 0;
  process.add_guard(
      upward, [](double, std::span<const double> y) { return y[0]; }, "kick",
      [&](double t, std::span<double> y) {
        ++crossings;
        last = t;
        y[1] /= 2;
        return true;  // false would end the run here
      });

  std::array<double, 2> y{1, 0};
  hstar::LoopOptions options;
  options.flow.t_end = 20;
  options.flow.rtol = 1e-10;
  options.flow.atol = 1e-12;
  hstar::RunCounters counters;
  const hstar::RunOutcome outcome = hstar::run_process(process, y, options, nullptr, counters);
  std::cout << crossings << " kicks, the last at " << last << " s; amplitude " << std::hypot(y[0], y[1]) << " after "
            << counters.flow.steps << " steps\n";
  const double pi = std::acos(-1.0);
  const bool good =
      crossings == 3 && std::abs(last - 5.5 * pi) < 1e-8 && std::abs(std::hypot(y[0], y[1]) - 0.125) < 1e-8;
  return outcome.success() && good ? 0 : 1;
}
