// validation/benchmarks/burridge_knopoff.cpp
//
// A chain of n blocks on rough ground, drawn along through leaf springs (examples/19_burridge_knopoff.toml): time per
// event and memory against n. One run for each n, on one core, to the same number of events; output excluded.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"
#include "simulate/options.hpp"
#include "transition/mechanism_process.hpp"

namespace {

/// Processor time of this process: what counts when others load the machine.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// Memory in use now [MB], as the kernel counts it.
double resident() {
  std::ifstream file("/proc/self/statm");
  double total = 0, pages = 0;
  file >> total >> pages;
  return pages * 4096 / 1e6;
}

/// Notes when the first mode is known and counts what happens; wants neither words nor states.
class Counting final : public hstar::LoopObserver {
 public:
  [[nodiscard]] bool wants_words() const override { return false; }
  [[nodiscard]] bool wants_segments() const override { return false; }
  void event(const hstar::EventRecord&) override { ++events; }
  bool stop_requested() override {
    if (began == 0) began = processor_seconds();
    return false;
  }
  std::size_t events = 0;
  double began = 0;
};

void measure(int n, std::size_t events, const std::string& integrator) {
  const double memory_before = resident(), t0 = processor_seconds();
  const hstar::ModelSpec model = hstar::read_model(std::string(HSTAR_SOURCE_DIR) + "/examples/19_burridge_knopoff.toml",
                                                   {{"parameters.n", std::to_string(n)},
                                                    {"simulation.integrator", integrator},
                                                    {"simulation.stop_after_events", std::to_string(events)},
                                                    {"simulation.end", "1e6"}});
  const double t1 = processor_seconds();
  const auto system = hstar::build_system(model);
  hstar::MechanismProcess process(system, hstar::formulation_in_use(model, *system));
  auto y = system->initial_state();
  Counting counting;
  hstar::RunCounters counters;
  const double t2 = processor_seconds();
  const hstar::RunOutcome outcome = run_process(process, y, loop_options(model, *system), &counting, counters);
  const double t3 = processor_seconds(), per_event = (t3 - counting.began) / static_cast<double>(counting.events);
  if (outcome.status != hstar::RunStatus::stopped_after_events) {
    std::printf("n = %d: %s\n", n, outcome.message.c_str());
    std::exit(1);
  }
  const auto each = [&](std::size_t count) {
    return static_cast<double>(count) / static_cast<double>(counting.events);
  };
  std::printf("%7d %9.2f %9.2f %9.2f %12.1f %11.3f %9.1f %9.1f %9.1f %9.1f %9.3f\n", n, t1 - t0, t2 - t1,
              counting.began - t2, 1e6 * per_event, 1e6 * per_event / n, each(counters.flow.evaluations),
              each(counters.flow.steps), each(counters.polish_steps), resident() - memory_before, outcome.t);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t events = argc > 1 ? static_cast<std::size_t>(std::atol(argv[1])) : 200;
  const int most = argc > 2 ? std::atoi(argv[2]) : 10000;
  const std::string integrator = argc > 4 ? argv[4] : "exact";
  std::printf("Burridge-Knopoff, %s, rtol 1e-6, %zu events; processor time on one core\n\n", integrator.c_str(),
              events);
  std::printf("%7s %9s %9s %9s %12s %11s %9s %9s %9s %9s %9s\n", "n", "read/s", "build/s", "start/s", "us/event",
              "us/event/n", "evals", "steps", "polish", "MB", "time/s");
  for (int n = argc > 3 ? std::atoi(argv[3]) : 10; n <= most; n *= 10) measure(n, events, integrator);
}
