// include/hstar/run.hpp
//
// What a run gives back: outcome, events, counters, and the sink that receives the trajectory while it is computed.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hstar/flow.hpp"
#include "hstar/model_spec.hpp"

namespace hstar {

/// How a run ended. Only `reached_end`, `terminal_event` and `stopped_after_events` are successes.
enum class RunStatus : unsigned char {
  reached_end,
  terminal_event,        ///< a guard with `terminal = true`
  stopped_after_events,  ///< simulation.stop_after_events
  interrupted,           ///< the caller asked to stop
  step_underflow,        ///< no step however small meets the tolerance
  not_finite,            ///< the equations gave NaN or infinity
  diverged,              ///< with a fixed step: a state has grown by the errors of the steps
  event_pile_up,         ///< too many events at one instant, and not an accumulation
  accumulation,          ///< a Zeno point of a guard whose continuation the model does not state
  no_consistent_mode,    ///< no stick/slip/contact combination satisfies the laws
  inconsistent_restart,  ///< positions or velocities cannot be put back onto the constraints
  unbalanced_event,      ///< the momentum, energy or impulses of an event do not add up
  penetration,           ///< a body was found behind a surface that no event let it through
  beyond_table,          ///< a table with `beyond = "error"` was asked outside of its rows
  sliding_mode           ///< both sides of a switch in a formula drive the motion back to it
};
[[nodiscard]] std::string_view name(RunStatus) noexcept;

struct RunOutcome {
  RunStatus status = RunStatus::reached_end;
  double t = 0.0;          ///< time reached [s]
  std::string mode;        ///< mode at t, by element: "plate: stick"
  std::string last_event;  ///< "impact of floor at t = 1.25", or "" if there was none
  std::string message;     ///< one or two sentences: where, why, what to try
  [[nodiscard]] bool success() const {
    return status == RunStatus::reached_end || status == RunStatus::terminal_event ||
           status == RunStatus::stopped_after_events;
  }
};

/// How well the books of one instant close (docs/theory.md): residuals relative to the size of what is added up. 0
/// where nothing jumped.
struct EventBooks {
  double momentum = 0;  ///< M (v+ - v-) - sum J^T Lambda
  double energy = 0;    ///< T- - T+ - the losses told
  double cone = 0;      ///< impulses outside 0 <= Lambda_N, |Lambda_T| <= mu Lambda_N
};

/// One line of the event ledger: everything that happened at one instant in one element.
struct EventRecord {
  std::size_t index = 0;                           ///< 1-based
  double t = 0, t_lo = 0, t_hi = 0, dt_error = 0;  ///< [s]
  std::string kind;     ///< stick slip reversal impact liftoff zeno graze guard_up guard_down time rest normal_sign ...
  std::string element;  ///< joint, contact or guard
  std::string mode_before, mode_after;                     ///< of this element
  double gap_velocity_before = 0, gap_velocity_after = 0;  ///< gamma_N (contacts) or gamma_T (joints) [m/s or rad/s]
  double impulse_n = 0, impulse_t = 0;                     ///< [N s]
  double energy_loss = 0;                                  ///< kinetic energy before - after [J]
  std::string system_mode_before, system_mode_after;       ///< all elements, "stick/slip+"
  bool optional = false;                                   ///< passive: the motion goes on unchanged
  EventBooks books;                                        ///< of the whole instant
  std::string note;                                        ///< "81 impacts seen, limit at ...", or ""
  std::vector<double> y_before, y_after;                   ///< full state, both one-sided limits
};

struct RunCounters {
  FlowCounters flow;
  std::size_t events = 0, transitions = 0, mode_solves = 0, guard_evaluations = 0, polish_steps = 0, projections = 0,
              repartitions = 0;
};

class LoopObserver;  // hstar/hybrid.hpp

/// Receives a run while it is computed. Every method may be called at any time between begin and end.
class RunSink {
 public:
  virtual ~RunSink() = default;
  /// Names of the recorded columns (after t) and their units.
  virtual void begin(std::span<const std::string> /*columns*/, std::span<const std::string> /*units*/) {}
  /// One row; two rows with the same t at a jump.
  virtual void row(double /*t*/, std::span<const double> /*values*/) {}
  virtual void event(const EventRecord&) {}
  virtual void progress(double /*t*/, double /*t_end*/) {}
  virtual void end(const RunOutcome&, const RunCounters&) {}
  /// Asked between steps; true stops the run with what it has.
  virtual bool stop_requested() { return false; }
};

/// Everything in memory: the convenient form for tests and for programs.
struct RunResult {
  RunOutcome outcome;
  RunCounters counters;
  std::vector<std::string> columns, units;  ///< of `rows`, t first
  std::vector<std::vector<double>> rows;
  std::vector<EventRecord> events;
  std::vector<std::string> state_names;                ///< of y: "sled.x", ..., "sled.vx", ...
  std::vector<double> y_end;                           ///< state at outcome.t
  std::vector<std::string> notices;                    ///< what was moved, dropped, or is not unique
  std::vector<std::pair<std::string, double>> chosen;  ///< options that were left to the run: baumgarte_alpha
  /// Smallest and largest value of each measure over the run, in each mode too.
  struct Extreme {
    std::string measure, mode;  ///< mode "" = the whole run
    double min = 0, t_min = 0, max = 0, t_max = 0;
  };
  std::vector<Extreme> extremes;
};

/// Simulates a model. `sink` and `also` may be null; `also` hears every step of the loop as well. @throws InputError
/// for a model that cannot be built.
[[nodiscard]] RunResult run(const ModelSpec& model, RunSink* sink = nullptr, LoopObserver* also = nullptr);

/// Checks and describes a model without running it: bodies, degrees of freedom, redundant
/// constraints, what assembly moved, initial mode, the value of every option. For `hstar info`.
[[nodiscard]] std::string describe_model(const ModelSpec& model);

}  // namespace hstar
