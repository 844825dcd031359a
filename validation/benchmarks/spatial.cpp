// validation/benchmarks/spatial.cpp
//
// Spatial mechanisms: the Bricard loop over 10 s at an energy error below 1e-5 J (wanted: less than 0.1 s on one core),
// and processor time of one step of a chain of N bodies on spherical joints, which is to grow linearly with N.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <ctime>

#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"
#include "simulate/model_process.hpp"
#include "simulate/options.hpp"
#include "transition/mechanism_process.hpp"

namespace {

/// [s] of this process: what others do on the machine does not count.
double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Energy at the end of every step, with the time of looking at it taken out.
class Watch final : public hstar::LoopObserver {
 public:
  explicit Watch(std::shared_ptr<const hstar::System> system, bool energy, std::size_t most)
      : system_(std::move(system)), energy_(energy), most_(most) {
    system_->prepare(k_);
  }
  void step(hstar::Flow& flow, double t) override {
    const double begun = now();
    ++steps;
    if (steps == 2) first = begun;
    last = begun;
    if (energy_) {
      system_->update(k_, t, flow.y1().data());
      const double e = system_->kinetic_energy(k_) + system_->potential_energy(k_);
      if (steps == 1) start_ = e;
      error = std::max(error, std::abs(e - start_));
      own += now() - begun;
    }
  }
  bool wants_events() const override { return false; }
  bool stop_requested() override { return most_ > 0 && steps >= most_; }

  std::size_t steps = 0;
  double error = 0, own = 0, first = 0, last = 0;

 private:
  std::shared_ptr<const hstar::System> system_;
  hstar::Kinematics k_;
  bool energy_;
  std::size_t most_;
  double start_ = 0;
};

double run(const hstar::ModelSpec& model, bool energy, std::size_t most, Watch*& out) {
  const auto system = hstar::build_system(model);
  const auto process = hstar::model_process(model, system);
  auto y = system->initial_state();
  out = new Watch(system, energy, most);
  hstar::RunCounters counters;
  const double begun = now();
  const auto outcome = hstar::run_process(*process, y, hstar::loop_options(model, *system), out, counters);
  const double time = now() - begun - out->own;
  if (!outcome.success() && most == 0) fmt::print("ended at t = {}: {}\n", outcome.t, outcome.message);
  return time;
}

void bricard() {
  fmt::print("Bricard loop, 10 s\n{:<10}{:>8}{:>8}{:>16}{:>12}\n", "method", "rtol", "steps", "energy error, J",
             "time, s");
  for (const auto& [method, rtol] :
       {std::pair{"dopri5", "1e-4"}, {"dopri5", "1e-5"}, {"dop853", "1e-4"}, {"dop853", "1e-5"}}) {
    const auto model = hstar::read_model(std::string(HSTAR_SOURCE_DIR) + "/validation/iftomm_a04_bricard/model.toml",
                                         {{"simulation.integrator", method}, {"simulation.rtol", rtol}});
    double best = HUGE_VAL;
    Watch* watch = nullptr;
    for (int i = 0; i < 5; ++i) {
      delete watch;
      best = std::min(best, run(model, true, 0, watch));
    }
    fmt::print("{:<10}{:>8}{:>8}{:>16.1e}{:>12.4f}\n", method, rtol, watch->steps, watch->error, best);
    delete watch;
  }
}

std::string chain(int n) {
  return fmt::format(
      "dimension = 3\ngravity = [0, 0, -9.81]\n[parameters]\nN = {}\n"
      "[simulation]\nend = 1.0\nfixed_step = 1e-3\nintegrator = \"dopri5\"\n"
      "[[body]]\ncount = \"N\"\nname = \"link{{i}}\"\nmass = 1.0\ninertia = [0.01, 0.09, 0.09]\n"
      "position = [\"i + 0.5\", 0, 0]\nangular_velocity = [0, 0, \"0.1*(i == 0)\"]\n"
      "[[joint]]\nname = \"anchor\"\ntype = \"spherical\"\nbodies = [\"ground\", \"link0\"]\nat = [0, 0, 0]\n"
      "[[joint]]\ncount = \"N - 1\"\nname = \"ball{{i}}\"\ntype = \"spherical\"\nbodies = [\"link{{i}}\", "
      "\"link{{i+1}}\"]\n"
      "at = [\"i + 1\", 0, 0]\n",
      n);
}

void chains() {
  fmt::print("\nChain on spherical joints, dopri5, projection\n{:>8}{:>16}{:>16}\n", "N", "step, ms", "a body, us");
  for (const int n : {10, 100, 1000, 10000}) {
    Watch* watch = nullptr;
    run(hstar::parse_model(chain(n), "chain"), false, n > 1000 ? 4 : 12, watch);
    const double step = (watch->last - watch->first) / static_cast<double>(watch->steps - 2);
    fmt::print("{:>8}{:>16.3f}{:>16.2f}\n", n, 1e3 * step, 1e6 * step / n);
    delete watch;
  }
}

}  // namespace

int main() {
  bricard();
  chains();
}
