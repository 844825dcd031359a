// validation/benchmarks/chain.cpp
//
// Processor time of one step against the number of bodies, for the chain (chain.toml) and the N-four-bar
// (../iftomm_a02_n_four_bar), under every formulation that is registered with one integrator each. Methods with
// matrices that grow linearly show 1 in the last column: (time for N = 1000 / time for N = 100) / 10.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"
#include "simulate/options.hpp"
#include "transition/mechanism_process.hpp"

namespace bench {
namespace {

/// [s] of this process: what others do on the machine does not count.
double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

constexpr std::size_t kSteps = 40;  ///< timed ones
/// Timed ones of ida. At its start it raises its order, with one or two evaluations a step as it happens; after 80
/// steps this no longer decides.
constexpr std::size_t kVariableSteps = 80;
constexpr const char* kEnd = "0.6";  ///< [s] the four-bar's first singular position is at 0.71 s
constexpr double kPatience = 20.0;   ///< [s] for one run
constexpr double kFixedStep = 1e-3;  ///< [s]
constexpr int kSizes[] = {1, 10, 100, 1000};

/// Times the steps after the first, which pays for what happens once a mode.
class StepTimes final : public hstar::LoopObserver {
 public:
  explicit StepTimes(std::size_t steps) : steps_(steps) {}
  void step(hstar::Flow&, double) override { times_.push_back(now()); }
  bool wants_events() const override { return false; }
  bool stop_requested() override {
    return times_.size() > steps_ || (times_.size() > 1 && times_.back() - times_.front() > kPatience);
  }
  /// The median: neither page faults nor a new matrix now and then. With `mean`, the mean, where new matrices belong
  /// to the method's steps.
  [[nodiscard]] double per_step(bool mean) const {
    if (times_.size() < 2) return 0;
    if (mean) return (times_.back() - times_.front()) / static_cast<double>(times_.size() - 1);
    std::vector<double> each;
    for (std::size_t i = 1; i < times_.size(); ++i) each.push_back(times_[i] - times_[i - 1]);
    std::nth_element(each.begin(), each.begin() + static_cast<std::ptrdiff_t>(each.size() / 2), each.end());
    return each[each.size() / 2];
  }
  [[nodiscard]] double first() const { return times_.empty() ? 0 : times_.front(); }

 private:
  std::size_t steps_;
  std::vector<double> times_;
};

struct Method {
  std::string formulation, integrator;
};

struct Times {
  double read = 0, build = 0, start = 0, step = 0;  ///< [s]
  std::string failure;
};

Times measure(const std::string& file, const Method& method, int n) {
  Times times;
  const bool fixed = method.integrator != "ida";
  std::vector<hstar::Override> changes = {{"parameters.N", std::to_string(n)},
                                          {"simulation.formulation", method.formulation},
                                          {"simulation.integrator", method.integrator},
                                          {"simulation.rtol", "1e-6"},
                                          {"simulation.end", kEnd}};
  if (fixed) changes.push_back({"simulation.fixed_step", std::to_string(kFixedStep)});
  const double t0 = now();
  const hstar::ModelSpec model = hstar::read_model(file, changes);
  const double t1 = now();
  const auto system = hstar::build_system(model);
  const double t2 = now();
  hstar::MechanismProcess process(system, hstar::formulation_in_use(model, *system), hstar::formulation_options(model),
                                  hstar::impact_options(model));
  std::vector<double> y = system->initial_state();
  StepTimes steps(fixed ? kSteps : kVariableSteps);
  hstar::RunCounters counters;
  const auto outcome = run_process(process, y, hstar::loop_options(model, *system), &steps, counters);
  times.read = t1 - t0;
  times.build = t2 - t1;
  times.start = steps.first() - t2;
  times.step = steps.per_step(method.formulation == "index3" || !fixed);
  if (!outcome.success() && outcome.status != hstar::RunStatus::interrupted) times.failure = outcome.message;
  return times;
}

void table(const char* title, const std::string& file, const std::string& only) {
  const Method methods[] = {{"direct", "dopri5"},
                            {"baumgarte", "dopri5"},
                            {"projection", "dopri5"},
                            {"partition_simple", "dopri5"},
                            {"partition_full", "dopri5"},
                            {"index3", "hht"},
                            {"index3", "bdf"},
                            {"ggl", "ida"},
                            {"index1", "ida"}};
  std::printf("%s: processor time of one step [ms]; once a run: read and build, start with the first step [ms]\n",
              title);
  std::printf("  %-17s %-8s", "formulation", "method");
  for (const int n : kSizes) std::printf(" %9s%4d", "N =", n);
  std::printf("  %8s  %10s %10s\n", "1000/100", "read+build", "start");
  for (const Method& method : methods) {
    if (!only.empty() && method.formulation != only) continue;
    std::printf("  %-17s %-8s", method.formulation.c_str(), method.integrator.c_str());
    double before = 0, last = 0;
    Times times;
    bool stopped = false;
    for (const int n : kSizes) {
      // A step that would take minutes is not waited for: the growth has been seen.
      stopped |= last > 0.005 && n == 1000 && last > 40 * before;
      if (stopped) {
        std::printf(" %13s", "-");
        continue;
      }
      times = measure(file, method, n);
      if (!times.failure.empty()) {
        std::printf(" %13s", "failed");
        stopped = true;
        continue;
      }
      std::printf(" %13.4f", 1e3 * times.step);
      std::fflush(stdout);
      before = last;
      last = times.step;
    }
    if (stopped)
      std::printf("  %8s\n", "-");
    else
      std::printf("  %8.2f  %10.1f %10.1f\n", last / before / 10, 1e3 * (times.read + times.build), 1e3 * times.start);
    if (!times.failure.empty()) std::printf("      %s\n", times.failure.c_str());
  }
  std::printf("\n");
}

}  // namespace
}  // namespace bench

/// bench_chain [formulation]
int main(int argc, char** argv) {
  const std::string folder = HSTAR_SOURCE_DIR "/validation/", only = argc > 1 ? argv[1] : "";
  bench::table("Chain of N bars", folder + "benchmarks/chain.toml", only);
  bench::table("N-four-bar", folder + "iftomm_a02_n_four_bar/model.toml", only);
}
