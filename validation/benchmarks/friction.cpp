// validation/benchmarks/friction.cpp
//
// Event-time error against time for two friction problems with closed-form answers: event loops written by hand on
// Odeint (the floor), the library on a plain C++ right-hand side, and the planar mechanism from the model file.
// Times are of one whole run on one core; reading the model and output are excluded.
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "friction_problems.hpp"
#include "hstar/compiled.hpp"
#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"
#include "odeint_loops.hpp"
#include "simulate/options.hpp"
#include "transition/mechanism_process.hpp"
#include "work_precision.hpp"

namespace bench {
namespace {

constexpr double kWanted = 1e-8, kTight = 1e-12;  ///< [s] event-time errors at which the times are compared

/// A problem of friction_problems.hpp as the library sees it: a right-hand side with one guard.
template <class Problem>
class PlainProcess final : public hstar::HybridProcess {
 public:
  PlainProcess() {
    events.reserve(200);
    guard_.name = "mode";
    guard_.crossing = hstar::events::Crossing::falling;
    guard_.g_tol = 1e-13;
    guard_.degree = 1;  // linear in t and y
  }

  static constexpr std::size_t state_size = 2;
  std::vector<double> events;

  std::size_t size() const override { return state_size; }
  bool rates(double t, const double* y, double* ydot) override {
    problem_.rates(t, y, ydot);
    return true;
  }
  std::size_t guard_count() const override { return 1; }
  const hstar::events::GuardInfo& info(std::size_t) const override { return guard_; }
  bool values(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override {
    for (std::size_t i = 0; i < which.size(); ++i) g[i] = problem_.guard(t, y.data());
    return true;
  }
  hstar::Settled start(double, std::span<double> y, hstar::EventLog&) override {
    const State y0 = problem_.start();
    std::copy(y0.begin(), y0.end(), y.begin());
    describe_guard();
    return {};
  }
  hstar::Settled transition(double t, std::span<double> y, std::span<const hstar::events::Root>,
                            std::span<const std::size_t>, hstar::EventLog&) override {
    events.push_back(t);
    hstar::Settled settled;
    if (!problem_.next(t, y.data())) {
      settled.then = hstar::Settled::Then::stop;
      settled.status = hstar::RunStatus::terminal_event;
    }
    describe_guard();
    return settled;
  }
  void passive(const hstar::events::Root&, std::span<const double>, hstar::EventLog&) override {}
  std::vector<std::string> state_names() const override { return {"x", "v"}; }

 private:
  void describe_guard() {
    guard_.start = hstar::events::Sign::positive;  // the mode has just begun
  }

  Problem problem_;
  hstar::events::GuardInfo guard_;
};

hstar::LoopOptions loop_options(const char* integrator, double rtol, double t_end) {
  hstar::LoopOptions options;
  options.integrator = integrator;
  options.flow.rtol = options.flow.atol = rtol;
  options.flow.t_end = t_end;
  return options;
}

template <class Problem>
Contestant library(const char* integrator, bool compiled) {
  return {std::string(compiled ? "library, " : "library, any process, ") + integrator,
          [=](double rtol) {
            PlainProcess<Problem> process;
            State y{};
            hstar::RunCounters counters;
            const auto options = loop_options(integrator, rtol, Problem::t_end);
            if (compiled)
              run_compiled(process, y, options, nullptr, counters);
            else
              run_process(process, y, options, nullptr, counters);
            return std::move(process.events);
          },
          {},
          {}};
}

/// Collects the times of the events that change the motion.
class Times final : public hstar::LoopObserver {
 public:
  void event(const hstar::EventRecord& record) override {
    if (!record.optional) times.push_back(record.t);
  }
  std::vector<double> times;
};

/// The model file; read once.
template <class Problem>
Contestant mechanism(const char* integrator) {
  struct Run {
    hstar::ModelSpec model = hstar::read_model(std::string(HSTAR_SOURCE_DIR) + "/" + Problem::model);
    std::shared_ptr<const hstar::System> system = hstar::build_system(model);
    std::optional<hstar::MechanismProcess> process;
    std::vector<double> y;

    void prepare() {
      process.emplace(system, hstar::formulation_in_use(model, *system));
      y = system->initial_state();
    }
    void run(const char* name, double rtol, hstar::LoopObserver* observer) {
      hstar::RunCounters counters;
      run_process(*process, y, loop_options(name, rtol, Problem::t_end), observer, counters);
    }
  };
  auto shared = std::make_shared<Run>();
  return {std::string("model file, ") + integrator,
          [=](double rtol) {
            Times times;
            shared->prepare();
            shared->run(integrator, rtol, &times);
            return times.times;
          },
          [=](double) { shared->prepare(); }, [=](double rtol) { shared->run(integrator, rtol, nullptr); }};
}

template <class Problem>
void compare(bool details) {
  using Dopri5 = odeint::runge_kutta_dopri5<State>;
  using Fehlberg78 = odeint::runge_kutta_fehlberg78<State>;
  using CashKarp = odeint::runge_kutta_cash_karp54<State>;
  using BulirschStoer = odeint::bulirsch_stoer_dense_out<State>;
  const auto by_hand = [](const char* what, auto loop) {
    return Contestant{std::string("by hand, ") + what, [loop](double rtol) { return loop(rtol); }, {}, {}};
  };
  const std::vector<Contestant> contestants = {
      by_hand("dopri5, root of the dense output",
              [](double tol) { return dense_loop(odeint::make_dense_output(tol, tol, Dopri5()), Problem()); }),
      by_hand("dopri5, root by its own steps", [](double tol) { return stepping_loop<Dopri5>(tol, Problem()); }),
      by_hand("cash_karp54, root by its own steps", [](double tol) { return stepping_loop<CashKarp>(tol, Problem()); }),
      by_hand("fehlberg78, root by its own steps",
              [](double tol) { return stepping_loop<Fehlberg78>(tol, Problem()); }),
      by_hand("bulirsch_stoer, root of the dense output",
              [](double tol) { return dense_loop(BulirschStoer(tol, tol), Problem()); }),
      library<Problem>("dopri5", true),
      library<Problem>("dop853", true),
      library<Problem>("dopri5", false),
      library<Problem>("dop853", false),
      mechanism<Problem>("dopri5"),
      mechanism<Problem>("dop853"),
      mechanism<Problem>("exact"),
  };
  const auto truth = Problem::event_times();
  std::printf("%s\n", Problem::name);
  std::printf("  %-50s %14s %10s %10s %14s\n", "", "us at 1e-8 s", "/ same", "/ best", "us at 1e-12 s");
  double same = 0, best = 1e300;
  std::size_t index = 0;
  for (const Contestant& contestant : contestants) {
    const auto points = measure(contestant, truth);
    const double time = time_at_error(points, kWanted), tight = time_at_error(points, kTight);
    if (index == 0) same = time;
    if (index < 5 && time < best) best = time;
    if (index < 5) {
      std::printf("  %-50s %14.1f %10s %10s %14.1f\n", contestant.name.c_str(), time, "", "", tight);
    } else {
      std::printf("  %-50s %14.1f %10.2f %10.2f %14.1f\n", contestant.name.c_str(), time, time / same, time / best,
                  tight);
    }
    if (details) {
      for (const Point& p : points) {
        std::printf("      rtol %8.1e  error %8.1e s  %10.1f us  %zu events\n", p.rtol, p.error, p.microseconds,
                    p.events);
      }
    }
    ++index;
  }
  std::printf("  same = %s; best = the fastest by hand\n\n", contestants.front().name.c_str());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const bool details = argc > 1 && std::strcmp(argv[1], "--details") == 0;
  std::printf("Event-time error against time; interpolated at errors of 1e-8 s and 1e-12 s.\n\n");
  bench::compare<bench::CoulombOscillator>(details);
  bench::compare<bench::DragSled>(details);
}
