// tests/simulate/compiled.cpp
//
// run_compiled is run_process, only faster: the same steps, events, brackets and final state bit for bit (dopri5, which
// is Odeint's in run_process, to the tolerance), the events where the closed form has them, and no heap memory between
// them. Guards that the fast look can settle (linear in t and y) and guards that it must leave to the monitor.
#include "hstar/compiled.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "plain_processes.hpp"
#include "support/allocations.hpp"

using namespace hstar;

namespace {

class Events final : public LoopObserver {
 public:
  void event(const EventRecord& record) override { records.push_back(record); }
  std::vector<EventRecord> records;
};

struct Run {
  RunOutcome outcome;
  std::vector<double> y;
  std::vector<EventRecord> events;
  RunCounters counters;
};

LoopOptions options_for(const std::string& integrator, double rtol, double t_end) {
  LoopOptions options;
  options.integrator = integrator;
  options.flow.rtol = options.flow.atol = rtol;
  options.flow.t_end = t_end;
  return options;
}

template <class Process>
Run run(Process process, std::vector<double> y, const LoopOptions& options, bool compiled) {
  Run r;
  Events events;
  r.y = std::move(y);
  r.outcome = compiled ? run_compiled(process, r.y, options, &events, r.counters)
                       : run_process(process, r.y, options, &events, r.counters);
  r.events = std::move(events.records);
  return r;
}

template <class Process>
void compare(const Process& process, const std::vector<double>& y, const LoopOptions& options,
             const std::function<double(std::size_t)>& event_time, std::size_t count) {
  const Run a = run(process, y, options, true), b = run(process, y, options, false);
  REQUIRE(a.events.size() == count);
  REQUIRE(b.events.size() == count);
  CHECK(a.outcome.status == b.outcome.status);
  for (std::size_t i = 0; i < count; ++i) {
    INFO("event " << i + 1 << ", estimated error " << a.events[i].dt_error << " s");
    CHECK(std::abs(a.events[i].t - event_time(i + 1)) < 100 * options.flow.rtol);
  }
  if (options.integrator == "dopri5") {  // a step size may change where the other's does not: both are as good
    for (std::size_t i = 0; i < count; ++i) CHECK(std::abs(a.events[i].t - b.events[i].t) < 100 * options.flow.rtol);
    return;
  }
  CHECK(a.outcome.t == b.outcome.t);
  CHECK(a.y == b.y);
  CHECK(a.counters.flow.steps == b.counters.flow.steps);
  CHECK(a.counters.flow.evaluations == b.counters.flow.evaluations);
  CHECK(a.counters.polish_steps == b.counters.polish_steps);
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(a.events[i].t == b.events[i].t);
    CHECK(a.events[i].t_lo == b.events[i].t_lo);
    CHECK(a.events[i].t_hi == b.events[i].t_hi);
    CHECK(a.events[i].dt_error == b.events[i].dt_error);
  }
}

}  // namespace

TEST_CASE("a compiled run takes the same steps and finds the same events") {
  const std::string integrator = GENERATE("ode23", "dopri5", "dop853", "bulirsch_stoer");
  const double rtol = GENERATE(1e-5, 1e-9);
  INFO(integrator << " at " << rtol);
  const LoopOptions options = options_for(integrator, rtol, 10.1);
  for (const int degree : {0, 1})
    compare(RoughOscillator(degree), {1.0, 0.0}, options, RoughOscillator::event_time, 16);
  compare(BallOnLift(), {BallOnLift::height, 0.0}, options_for(integrator, rtol, 2.0), BallOnLift::event_time, 3);
}

TEST_CASE("a compiled run refuses what any run refuses") {
  RoughOscillator process(1);
  std::vector<double> y{1.0, 0.0};
  RunCounters counters;
  CHECK_THROWS_AS(run_compiled(process, y, options_for("dopri5", 1e-9, -1.0), nullptr, counters), InputError);
  CHECK_THROWS_AS(run_compiled(process, y, options_for("dopri5", -1.0, 1.0), nullptr, counters), InputError);
  CHECK_THROWS_AS(run_compiled(process, y, options_for("newmark", 1e-9, 1.0), nullptr, counters), InputError);
}

TEST_CASE("a compiled run allocates nothing between its events") {
  const std::string integrator = GENERATE("ode23", "dopri5", "dop853");
  class Counting final : public LoopObserver {
   public:
    void segment_begin(double, std::span<const double>) override {
      if (++segments == 3) before = allocations();
      after = allocations();
    }
    bool wants_events() const override { return false; }
    std::size_t segments = 0, before = 0, after = 0;
  } counting;
  BallOnLift process;
  std::vector<double> y{BallOnLift::height, 0.0};
  RunCounters counters;
  CHECK(run_compiled(process, y, options_for(integrator, 1e-8, 7.0), &counting, counters).success());
  CHECK(counting.segments > 10);
  CHECK(counting.after == counting.before);
}
