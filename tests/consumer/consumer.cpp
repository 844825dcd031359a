// Reads a model, runs it and checks the one event it has: the block breaks loose where the pull 4 t
// reaches mu_static m g = 10 N, so at t = 2.5 s.
#include <cmath>
#include <iostream>

#include "hstar/run.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const hstar::RunResult result = hstar::run(hstar::read_model(argv[1]));
  std::cout << result.outcome.t << " s, " << result.events.size() << " event(s)\n";
  if (!result.outcome.success() || result.events.size() != 1) return 1;
  const hstar::EventRecord& slip = result.events.front();
  std::cout << slip.kind << " of " << slip.element << " at " << slip.t << " s\n";
  return slip.kind == "slip" && std::abs(slip.t - 2.5) < 1e-8 ? 0 : 1;
}
