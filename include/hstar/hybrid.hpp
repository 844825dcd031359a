// include/hstar/hybrid.hpp
//
// The three things the run loop sees: a flow that steps, guards, and a transition. A mechanism with
// friction and impact, a hybrid automaton from a model file and a plain C++ right-hand side with
// guards are all a HybridProcess and run through the same loop.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hstar/dae.hpp"
#include "hstar/events/guard.hpp"
#include "hstar/events/monitor.hpp"
#include "hstar/flow.hpp"
#include "hstar/run.hpp"

namespace hstar {

/// What a start or a transition decided.
struct Settled {
  enum class Then : unsigned char { go_on, begin_again, stop, fail };
  Then then = Then::go_on;
  RunStatus status = RunStatus::reached_end;  ///< of the run, if `stop` or `fail`
  /// Text for the outcome if `fail` or `stop`. Empty otherwise (no allocation in the steady state).
  std::string message;
  /// If finite: the motion goes on from this later time (the limit of an accumulation of events), to
  /// which the transition has already carried the state.
  double t_jump = std::numeric_limits<double>::quiet_NaN();
  /// What putting the state back onto constraints has changed, the error of the integrator: no guard is carried through
  /// zero by it. Of every component or of none; holds until the next transition.
  std::span<const double> moved;

  /// The run ends here, so. Returns false.
  bool fail(RunStatus how, std::string why) {
    then = Then::fail;
    status = how;
    message = std::move(why);
    return false;
  }
};

/// Collects what happened at one instant; the loop numbers and forwards the records.
class EventLog {
 public:
  virtual ~EventLog() = default;
  /// False when nobody listens: the process then skips building records (and allocates nothing).
  [[nodiscard]] virtual bool wanted() const = 0;
  /// Of events that change the motion, too, modes, speeds, states and notes are wanted; else time, kind and element.
  [[nodiscard]] virtual bool wants_words() const { return wanted(); }
  /// The switches of formulas are wanted too; a controller switches more often than anything else happens.
  [[nodiscard]] virtual bool wants_switches() const { return false; }
  virtual void add(EventRecord record) = 0;
};

/// A hybrid system: smooth rates in a mode, guards of that mode, and what happens when they fire.
/// The object owns its mode and its scratch memory; one object serves one run at a time.
class HybridProcess : public OdeProblem, public events::GuardSet {
 public:
  /// The run ends there, or earlier; called before start().
  virtual void run_until(double /*t_end*/) {}
  /// The next time, after the start or the last transition, at which something of the process changes by time alone;
  /// infinity: none. Steps end there, and transition() is called.
  [[nodiscard]] virtual double next_switch() const { return std::numeric_limits<double>::infinity(); }
  /// First mode from the state at t; may make y consistent. Tells every guard its sign just after.
  virtual Settled start(double t, std::span<double> y, EventLog& log) = 0;
  /// Active guards `fired` (one instant) and scheduled times `due` at time t, or neither: next_switch(). y is
  /// the state just before and is overwritten by the state just after. Tells every guard its sign just after.
  virtual Settled transition(double t, std::span<double> y, std::span<const events::Root> fired,
                             std::span<const std::size_t> due, EventLog& log) = 0;
  /// A passive guard's root or a graze at time t with (interpolated) state y: only recorded.
  virtual void passive(const events::Root& root, std::span<const double> y, EventLog& log) = 0;
  /// The segment up to (t, y) has been accepted: scales for round-off may follow the motion. Called
  /// once per accepted step; must not depend on how the monitor looked. False ends the run there as
  /// refusal() with why(): constraints that contradict each other from some time on, or steps that lead nowhere.
  virtual bool accepted(double /*t*/, std::span<const double> /*y*/) { return true; }
  [[nodiscard]] virtual RunStatus refusal() const { return RunStatus::inconsistent_restart; }
  [[nodiscard]] virtual std::string why() const { return {}; }
  /// The step that has just been accepted, up to the event at which these have fired, is too long to tell what happens
  /// there: it is taken again, in shorter ones, as long as time can be told apart.
  virtual bool is_too_long(std::span<const events::Root> /*fired*/) { return false; }
  /// What is special about (t, y), from where a step failed: a sentence without its end, or nothing.
  virtual std::string remark(double /*t*/, std::span<const double> /*y*/) { return {}; }
  /// No step however small leads on from (t, y). A process that knows why (a pole of its forces just ahead) moves t and
  /// y there, records it and returns `stop`; one that has another mode there, or soon, but no sooner than `least` [s],
  /// `begin_again`; `go_on`: neither.
  virtual Settled breakdown(double& /*t*/, std::span<double> /*y*/, EventLog& /*log*/, double /*least*/) { return {}; }
  /// Scheduled times, (time, id) pairs; called once before the run.
  [[nodiscard]] virtual std::vector<std::pair<double, std::size_t>> scheduled() const { return {}; }
  /// Mode of all elements in words, "stick/slip+".
  [[nodiscard]] virtual std::string mode_text() const { return {}; }
  [[nodiscard]] virtual std::vector<std::string> state_names() const = 0;
  /// The equations for implicit DAE methods, if that is how this process is to be solved; null: as y' = f(t, y).
  virtual DaeProblem* dae() { return nullptr; }
};

struct LoopOptions {
  std::string integrator = "dopri5";
  double t_start = 0.0;
  FlowOptions flow;  ///< tolerances; flow.t_end is the end of the run
  events::MonitorOptions monitor;
  std::size_t stop_after_events = 0;  ///< 0: none
  std::size_t max_events_per_instant = 100;
  bool islands = true;  ///< exact: bodies that only forces couple move by themselves, where the process is of that kind
};

/// Receives the segments of a run while they are computed.
class LoopObserver {
 public:
  virtual ~LoopObserver() = default;
  /// False: where segments begin and end need not be told. Where islands move by themselves the state of all is not
  /// free.
  [[nodiscard]] virtual bool wants_segments() const { return true; }
  virtual void segment_begin(double /*t*/, std::span<const double> /*y*/) {}  ///< right limit
  virtual void step(Flow& /*accepted*/, double /*t_until*/) {}                ///< valid on [t0, t_until]
  virtual void segment_end(double /*t*/, std::span<const double> /*y*/) {}    ///< left limit
  virtual bool wants_events() const { return true; }
  /// EventLog::wants_words
  [[nodiscard]] virtual bool wants_words() const { return true; }
  [[nodiscard]] virtual bool wants_switches() const { return false; }
  virtual void event(const EventRecord&) {}
  virtual bool stop_requested() { return false; }
};

/// Runs a hybrid process from y (overwritten by the final state) under the event monitor.
/// The story of a run (docs/theory.md). @throws InputError for bad options; numerical ends are returned.
RunOutcome run_process(HybridProcess& process, std::span<double> y, const LoopOptions& options, LoopObserver* observer,
                       RunCounters& counters);

/// A plain right-hand side with guards: the smallest HybridProcess.
class FunctionProcess final : public HybridProcess {
 public:
  using Rates = std::function<void(double t, const double* y, double* ydot)>;
  /// Called at an active guard; may change y. Returns false to end the run there (terminal).
  using Effect = std::function<bool(double t, std::span<double> y)>;

  FunctionProcess(std::size_t n, Rates rates);
  /// `kind` goes to the ledger; an empty one becomes guard_up / guard_down. Returns the guard's index.
  /// A guard with an effect is made active, one without passive.
  std::size_t add_guard(events::GuardInfo info, events::FunctionGuards::Function g, std::string kind = {},
                        Effect effect = {});
  /// Sign of guard i after its effect has been applied (default: as the value says, or opposite to
  /// the direction it crossed if the value is within g_tol).
  void set_after(std::size_t i, events::Sign sign);

  [[nodiscard]] std::size_t size() const override;
  bool rates(double t, const double* y, double* ydot) override;
  [[nodiscard]] std::size_t guard_count() const override;
  [[nodiscard]] const events::GuardInfo& info(std::size_t i) const override;
  bool values(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override;
  Settled start(double t, std::span<double> y, EventLog& log) override;
  Settled transition(double t, std::span<double> y, std::span<const events::Root> fired,
                     std::span<const std::size_t> due, EventLog& log) override;
  void passive(const events::Root& root, std::span<const double> y, EventLog& log) override;
  [[nodiscard]] std::vector<std::string> state_names() const override;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace hstar
