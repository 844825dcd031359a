// validation/benchmarks/crowd.cpp
//
// Discs in a box, every pair with a contact: what the broad phase leaves to be watched. Pairs watched at each step and
// processor time per step, at one density. Processor time of one core; reading, output and records excluded.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>

#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"
#include "simulate/options.hpp"
#include "transition/mechanism_process.hpp"

namespace {

double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// n discs of radius 0.05 m in a square with 0.16 m^2 each, speeds to 1 m/s, elastic.
std::string crowd(int n, double end) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> u(-1, 1);
  const int side = static_cast<int>(std::ceil(std::sqrt(n)));
  const std::string width = std::to_string(0.4 * side);
  std::string text = "gravity = [0.0, 0.0]\n[simulation]\nrtol = 1e-9\nend = " + std::to_string(end) + "\n";
  for (int i = 0; i < n; ++i)
    text += "[[body]]\nname = \"d" + std::to_string(i) + "\"\nmass = 1.0\nposition = [" +
            std::to_string(0.2 + 0.4 * (i % side) + 0.1 * u(random)) + ", " +
            std::to_string(0.2 + 0.4 / side * (i - i % side) + 0.1 * u(random)) + "]\nvelocity = [" +
            std::to_string(u(random)) + ", " + std::to_string(u(random)) + "]\n";
  const auto circle = [](int i) {
    return "{ body = \"d" + std::to_string(i) + "\", shape = \"circle\", radius = 0.05 }";
  };
  const std::string walls[4][2] = {{"[0.0, 0.0]", "[1.0, 0.0]"},
                                   {"[0.0, 0.0]", "[0.0, 1.0]"},
                                   {"[" + width + ", 0.0]", "[-1.0, 0.0]"},
                                   {"[0.0, " + width + "]", "[0.0, -1.0]"}};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j)
      text += "[[contact]]\nname = \"c" + std::to_string(j) + "_" + std::to_string(i) + "\"\nbetween = [" + circle(j) +
              ", " + circle(i) + "]\nrestitution = 1.0\n";
    for (int w = 0; w < 4; ++w)
      text += "[[contact]]\nname = \"w" + std::to_string(w) + "_" + std::to_string(i) +
              "\"\nbetween = [{ body = \"ground\", shape = \"line\", point = " + walls[w][0] +
              ", normal = " + walls[w][1] + " }, " + circle(i) + "]\nrestitution = 1.0\n";
  }
  return text;
}

/// Counts what is watched at each accepted step.
class Watched final : public hstar::LoopObserver {
 public:
  explicit Watched(const hstar::MechanismProcess& process) : process_(process) {}
  [[nodiscard]] bool wants_events() const override { return false; }
  void segment_begin(double, std::span<const double>) override {
    ++segments;
    for (std::size_t i = 0; i < process_.guard_count(); ++i) {
      const auto& info = process_.info(i);
      gaps += info.enabled && info.name.find(".g_N") != std::string::npos;
    }
  }
  std::size_t segments = 0;
  double gaps = 0;

 private:
  const hstar::MechanismProcess& process_;
};

void measure(int n) {
  const double end = 40.0 / n;
  const hstar::ModelSpec model = hstar::parse_model(crowd(n, end), "crowd");
  const auto system = hstar::build_system(model);
  const auto options = loop_options(model, *system);
  double best = 1e9;
  hstar::RunCounters counters;
  std::size_t segments = 0;
  double gaps = 0;
  for (int repeat = 0; repeat < 4; ++repeat) {
    hstar::MechanismProcess process(system, hstar::formulation_in_use(model, *system));
    auto y = system->initial_state();
    counters = {};
    Watched watched(process);
    const double begin = now();
    // The first repeat counts, the others are timed.
    const auto outcome = run_process(process, y, options, repeat == 0 ? &watched : nullptr, counters);
    if (repeat == 0) segments = watched.segments, gaps = watched.gaps;
    if (repeat > 0) best = std::min(best, now() - begin);
    if (!outcome.success()) std::printf("%s\n", outcome.message.c_str());
  }
  const auto steps = static_cast<double>(counters.flow.steps);
  std::printf("%5d %9d %8.0f %8zu %12.1f %14.0f %12.1f %10.2f\n", n, n * (n - 1) / 2 + 4 * n, steps, segments - 1,
              gaps / static_cast<double>(segments), static_cast<double>(counters.guard_evaluations) / steps,
              1e6 * best / steps, 1e3 * best);
}

}  // namespace

int main() {
  std::printf("%5s %9s %8s %8s %12s %14s %12s %10s\n", "discs", "contacts", "steps", "restarts", "gaps watched",
              "guards a step", "us a step", "run ms");
  for (const int n : {25, 50, 100, 200}) measure(n);
}
