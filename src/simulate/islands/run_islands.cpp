// src/simulate/islands/run_islands.cpp
#include "simulate/islands/run_islands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "hstar/simulate/ledger.hpp"
#include "simulate/islands/islands_flow.hpp"

namespace hstar {
namespace {

using namespace islands;

class IslandRun {
 public:
  IslandRun(MechanismProcess& process, Freedoms freedoms, std::span<double> y, const LoopOptions& options,
            LoopObserver* observer, RunCounters& counters)
      : process_(process),
        freedoms_(std::move(freedoms)),
        options_(options),
        watch_(observer ? *observer : nobody_),
        observed_(observer != nullptr),
        wants_segments_(observed_ && watch_.wants_segments()),
        counters_(counters),
        ledger_(watch_, observed_, process, options),
        y_(y),
        t_(options.t_start) {}
  IslandRun(const IslandRun&) = delete;
  IslandRun& operator=(const IslandRun&) = delete;
  ~IslandRun() { process_.follow_elsewhere(false); }

  /// Whether the mechanism is of this kind once it has started, and only then how the run ended.
  std::optional<RunOutcome> run() {
    process_.run_until(options_.flow.t_end);
    const std::vector<double> given(y_.begin(), y_.begin() + process_.system().nq);
    settled_ = process_.start(t_, y_, ledger_);
    if (settled_.then == Settled::Then::fail) return end(settled_.status, settled_.message);
    if (!std::equal(given.begin(), given.end(), y_.begin())) {  // (positions were put onto the constraints)
      std::optional<Freedoms> there = Freedoms::of(process_.system(), y_);
      if (!there) return std::nullopt;
      freedoms_ = std::move(*there);
    }
    for (std::size_t i = 0; i < freedoms_.count(); ++i) driven_ |= freedoms_.by_time(static_cast<int>(i)) != 0;
    IslandMotion motion(freedoms_, options_.t_start, options_.flow.t_end);
    IslandsFlow flow(motion, y_.size());
    return follow(motion, flow);
  }

 private:
  RunOutcome follow(IslandMotion& motion, IslandsFlow& flow) {
    const double t_end = options_.flow.t_end;
    if (!begin(motion)) return breaks_down(motion);
    begin_segment(motion, false);
    while (true) {
      if (observed_ && watch_.stop_requested()) return interrupted(motion);
      counters_.flow.steps = motion.steps();
      const double next = std::min(motion.next(), t_end);
      if (observed_ && next > t_) {
        flow.set(t_, next);
        watch_.step(flow, next);
      }
      t_ = std::max(t_, next);
      if (!(motion.next() < t_end)) break;
      if (motion.arc_ends()) {
        if (!motion.follow()) return breaks_down(motion);
        continue;
      }
      if (!transition(motion)) return end(settled_.status, settled_.message);
      if (options_.stop_after_events != 0 && ledger_.counted() >= options_.stop_after_events) {
        begin_segment(motion, true);
        return end(RunStatus::stopped_after_events,
                   "stopped after " + std::to_string(ledger_.counted()) + " events as asked");
      }
      if (ledger_.piles_up(t_)) {
        motion.write(t_, y_);
        if (!wants_segments_) watch_.segment_end(t_, y_);
        return end(ledger_.pile_up_status(), ledger_.pile_up_message());
      }
      begin_segment(motion, false);
    }
    motion.write(t_, y_);
    watch_.segment_end(t_, y_);
    return end(RunStatus::reached_end, "");
  }

  RunOutcome end(RunStatus status, std::string message) {
    counters_.flow.restarts = counters_.transitions + 1;
    counters_.events = ledger_.events();
    return ledger_.outcome(status, t_, std::move(message));
  }
  RunOutcome interrupted(IslandMotion& motion) {
    motion.write(t_, y_);
    return end(RunStatus::interrupted, "stopped on request");
  }
  RunOutcome breaks_down(IslandMotion& motion) {
    fail(motion);
    watch_.segment_end(t_, y_);
    return end(settled_.status, settled_.message);
  }
  bool fail(IslandMotion& motion) {
    motion.write(t_, y_);
    return settled_.fail(Ledger::status_of(motion.failure()),
                         Ledger::explain(motion.failure(), t_, process_.remark(t_, y_)));
  }

  /// From y_ and the mode of the process on.
  bool begin(IslandMotion& motion) {
    going_.assign(freedoms_.count(), Going::freely);
    for (std::size_t i = 0; i < going_.size(); ++i) {
      const int unit = freedoms_.friction(static_cast<int>(i)).unit;
      if (unit < 0) continue;
      const FrictionMode& f = process_.mode().friction[unit];
      going_[i] = f.slide == Slide::stick ? Going::rests : f.direction < 0 ? Going::backward : Going::forward;
    }
    return motion.begin(t_, y_, going_);
  }

  void begin_segment(IslandMotion& motion, bool last) {
    if (!last && !wants_segments_) return;
    motion.write(t_, y_);
    if (observed_) watch_.segment_begin(t_, y_);
  }

  bool transition(IslandMotion& motion) {
    const double tie = options_.monitor.tie_ulps * std::numeric_limits<double>::epsilon() * std::fabs(t_);
    motion.take_due(tie, due_);
    std::sort(due_.begin(), due_.end(), [this](const Due& a, const Due& b) { return unit(a) < unit(b); });
    const bool clear = is_clear(motion);
    if (observed_ && (wants_segments_ || !clear)) {
      motion.write(t_, y_);
      watch_.segment_end(t_, y_);
    }
    ++counters_.transitions;
    const bool done = clear ? carry_out(motion) : decide_all(motion);
    since_ = t_;
    return done;
  }

  /// Nothing is near a limit of which only the whole state tells more. Each freedom decides by itself: at one instant
  /// the load of one depends on where the others are and how fast, not on what becomes of them.
  bool is_clear(IslandMotion& motion) {
    if (due_.size() > 1 && ledger_.wants_words()) return false;  // (how several were decided is told in words)
    std::size_t going = motion.count_going();
    for (Due& due : due_) {
      if (!due.clear) return false;
      const bool slid = motion.going(due.freedom) != Going::rests;
      if (slid && !motion.after_stop(due.freedom, t_, due.toward)) return false;
      if (slid) going -= due.toward == Going::rests;
      if (!slid) ++going;
    }
    // (What comes to rest for good is told with its reserves of friction.)
    return going > 0 || driven_;
  }

  bool carry_out(IslandMotion& motion) {
    const Due& first = due_.front();
    const int told = unit(first);
    EventRecord& record = record_;
    const bool words = ledger_.wants_words();
    if (ledger_.wanted()) {
      record.t = t_;
      record.kind = kind(motion, first);
      record.element = unit_name(process_.system(), told);
    }
    if (words) {
      record.t_lo = t_ - first.give;
      record.t_hi = t_ + first.give;
      record.dt_error = first.give;
      record.mode_before = friction_mode_text(process_.system(), process_.mode(), told);
      record.system_mode_before = process_.mode_text();
      record.gap_velocity_before = motion.velocity(first.freedom, t_);
      write_to(record.y_before, motion);
    }
    for (const Due& due : due_) {
      process_.change(unit(due), due.toward == Going::rests ? Slide::stick : Slide::slip,
                      static_cast<signed char>(due.toward));
      if (!motion.change(due.freedom, t_, due.toward)) return fail(motion);
    }
    if (words) {
      record.mode_after = friction_mode_text(process_.system(), process_.mode(), told);
      record.system_mode_after = process_.mode_text();
      write_to(record.y_after, motion);
    }
    if (ledger_.wanted()) ledger_.tell(record);
    return true;
  }
  [[nodiscard]] int unit(const Due& due) const { return freedoms_.friction(due.freedom).unit; }
  static const char* kind(const IslandMotion& motion, const Due& due) {
    return motion.going(due.freedom) == Going::rests ? "slip" : due.toward == Going::rests ? "stick" : "reversal";
  }
  void write_to(std::vector<double>& state, IslandMotion& motion) {
    motion.write(t_, y_);
    state.assign(y_.begin(), y_.end());
  }

  /// The process decides on the whole state.
  bool decide_all(IslandMotion& motion) {
    motion.write(t_, y_);
    process_.stand(since_, t_, y_);
    if (!process_.accepted(t_, y_)) return settled_.fail(process_.refusal(), process_.why());
    if (guard_of_.empty()) find_guards();
    roots_.clear();
    for (const Due& due : due_) {
      const Watch what = motion.going(due.freedom) != Going::rests ? Watch::slide_stops
                         : due.toward == Going::forward            ? Watch::stick_lower
                                                                   : Watch::stick_upper;
      roots_.push_back({.guard = guard_of_[unit(due)] + static_cast<std::size_t>(what),
                        .t = t_,
                        .t_lo = t_ - due.give,
                        .t_hi = t_ + due.give,
                        .dt_error = due.give,
                        .direction = -1});
    }
    settled_ = process_.transition(t_, y_, roots_, {}, ledger_);
    if (settled_.then != Settled::Then::go_on) return false;
    return begin(motion) || fail(motion);
  }

  /// The guards of a unit begin with these three, in this order.
  void find_guards() {
    static_assert(static_cast<int>(Watch::slide_stops) == 0 && static_cast<int>(Watch::stick_upper) == 1 &&
                  static_cast<int>(Watch::stick_lower) == 2);
    guard_of_.resize(process_.system().frictions.size());
    for (std::size_t g = 0; g < process_.guard_count(); ++g)
      if (const WatchRef ref = process_.watch(g); ref.what == Watch::slide_stops) guard_of_[ref.index] = g;
  }

  MechanismProcess& process_;
  Freedoms freedoms_;
  const LoopOptions& options_;
  LoopObserver nobody_;
  LoopObserver& watch_;
  bool observed_, wants_segments_;
  RunCounters& counters_;
  Ledger ledger_;
  std::span<double> y_;
  double t_, since_ = t_;
  Settled settled_;
  bool driven_ = false;  ///< some force changes with time
  std::vector<Going> going_;
  std::vector<Due> due_;
  EventRecord record_;                 ///< of an event that was clear
  std::vector<std::size_t> guard_of_;  ///< by friction unit: the first
  std::vector<events::Root> roots_;
};

}  // namespace

std::optional<RunOutcome> run_islands(MechanismProcess& process, std::span<double> y, const LoopOptions& options,
                                      LoopObserver* observer, RunCounters& counters) {
  std::optional<Freedoms> freedoms = Freedoms::of(process.system(), y);
  if (!freedoms || !process.follow_elsewhere(true)) return std::nullopt;
  return IslandRun(process, std::move(*freedoms), y, options, observer, counters).run();
}

}  // namespace hstar
