// A run compiled with a process of one's own, from the installed headers alone: a stone falls 1 m, event at sqrt(2/g).
#include <cmath>
#include <iostream>

#include "hstar/compiled.hpp"

namespace {

class Fall final : public hstar::HybridProcess {
 public:
  static constexpr std::size_t state_size = 2;  // lets the states live in std::array

  double landed = 0;

  Fall() {
    floor_.name = "floor";
    floor_.g_tol = 1e-14;
    floor_.degree = 1;  // linear in t and y
  }
  std::size_t size() const override { return state_size; }
  bool rates(double, const double* y, double* ydot) override {
    ydot[0] = y[1];
    ydot[1] = -9.81;
    return true;
  }
  std::size_t guard_count() const override { return 1; }
  const hstar::events::GuardInfo& info(std::size_t) const override { return floor_; }
  bool values(double, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override {
    for (std::size_t i = 0; i < which.size(); ++i) g[i] = y[0];
    return true;
  }
  hstar::Settled start(double, std::span<double>, hstar::EventLog&) override { return {}; }
  hstar::Settled transition(double t, std::span<double>, std::span<const hstar::events::Root>,
                            std::span<const std::size_t>, hstar::EventLog&) override {
    landed = t;
    hstar::Settled settled;
    settled.then = hstar::Settled::Then::stop;
    settled.status = hstar::RunStatus::terminal_event;
    return settled;
  }
  void passive(const hstar::events::Root&, std::span<const double>, hstar::EventLog&) override {}
  std::vector<std::string> state_names() const override { return {"height", "speed"}; }

 private:
  hstar::events::GuardInfo floor_;
};

}  // namespace

int main() {
  Fall fall;
  std::array<double, 2> y{1.0, 0.0};
  hstar::LoopOptions options;
  options.flow.t_end = 10.0;
  hstar::RunCounters counters;
  hstar::run_compiled(fall, y, options, nullptr, counters);
  std::cout << "landed at " << fall.landed << " s after " << counters.flow.steps << " steps\n";
  return std::abs(fall.landed - std::sqrt(2 / 9.81)) < 1e-9 ? 0 : 1;
}
