// include/hstar/simulate/run_loop.hpp
//
// The story of a run (docs/theory.md): first mode, smooth step, look, cut, transition, restart, record. A template,
// so that it can also be compiled together with one process and one method (hstar/compiled.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "hstar/events/compiled_monitor.hpp"
#include "hstar/events/monitor.hpp"
#include "hstar/events/schedule.hpp"
#include "hstar/hybrid.hpp"
#include "hstar/simulate/error_growth.hpp"
#include "hstar/simulate/flow_step.hpp"
#include "hstar/simulate/ledger.hpp"
#include "hstar/start_of_motion.hpp"

namespace hstar {

/// Looking is compiled with the process where its class is known.
template <class Process, class FlowType>
struct LoopMonitor {
  using type = events::CompiledMonitor<Process, FlowStep<FlowType>>;
};
template <>
struct LoopMonitor<HybridProcess, Flow> {
  using type = events::Monitor;
};

/// @throws InputError if the end is not later than the start.
void check_interval(const LoopOptions& options);

/// Runs the process from y (overwritten by the final state) on a flow made for it.
template <class Process, class FlowType>
RunOutcome run_loop(Process& process, FlowType& flow, std::span<double> y, const LoopOptions& options,
                    LoopObserver* observer, RunCounters& counters) {
  LoopObserver nobody;
  LoopObserver& watch = observer ? *observer : nobody;
  std::span<const double> at_t = y;  // the state at t
  const double t_end = options.flow.t_end;
  double t = options.t_start;

  FlowStep<FlowType> step(flow);
  typename LoopMonitor<Process, FlowType>::type monitor(process, process.size(), options.monitor);
  events::Schedule schedule;
  for (const auto& [time, id] : process.scheduled())
    if (time > t && time <= t_end) schedule.add(time, id);
  Ledger ledger(watch, observer != nullptr, process, options);
  StartOfMotion beginning(process);
  const IntegratorEntry* integrator = find_integrator(options.integrator);
  ErrorGrowth growth(process.size(), options.flow, integrator == nullptr || integrator->implicit || process.dae());

  const auto end = [&](RunStatus status, std::string message) {
    if (at_t.data() != y.data()) std::copy(at_t.begin(), at_t.end(), y.begin());
    counters.flow = flow.counters();
    counters.guard_evaluations = monitor.counters().guard_evaluations;
    counters.polish_steps = monitor.counters().polish_steps;
    counters.events = ledger.events();
    return ledger.outcome(status, t, std::move(message));
  };
  Settled settled;
  const auto begin_segment = [&] {
    at_t = y;
    growth.begin(y);
    watch.segment_begin(t, y);
    beginning.begin(t, y, t_end);
    monitor.restart(t, y, &beginning, settled.moved);
    return flow.restart(t, y);
  };

  // A root within the resolution of time before a known instant belongs to it, and so do known instants to each other.
  const double tie = options.monitor.tie_ulps * std::numeric_limits<double>::epsilon();
  const auto instant = [&](double time) { return tie * std::fabs(time); };

  process.run_until(t_end);
  settled = process.start(t, y, ledger);
  if (!std::isnan(settled.t_jump)) t = settled.t_jump;
  if (settled.then == Settled::Then::fail) return end(settled.status, settled.message);
  StepResult result = begin_segment();
  // (what the limit of an accumulation has jumped over comes at once)
  const auto next_known = [&] {
    return std::max(std::min(schedule.next(), process.next_switch()), std::nextafter(t, HUGE_VAL));
  };
  double scheduled_next = next_known();
  // The mode leads no further: the process goes on in another one, knows why, or does not. Where it has looked for one
  // a moment later and the motion has not come farther than that by itself, it looks farther the next time.
  double resumed = -HUGE_VAL, skipped = 0;
  double longest = HUGE_VAL;  // of the next step
  const auto goes_on = [&] {
    if (at_t.data() != y.data()) std::copy(at_t.begin(), at_t.end(), y.begin());
    at_t = y;
    const double broken = t;
    const double least = broken - resumed > skipped ? 0 : 2 * std::max(skipped, instant(broken));
    settled = process.breakdown(t, y, ledger, least);
    if (settled.then != Settled::Then::begin_again || !(t - resumed > instant(t))) return false;
    resumed = t;
    skipped = t - broken;
    longest = HUGE_VAL;  // (how short the last steps had to be says nothing of what follows)
    ++counters.transitions;
    result = begin_segment();
    scheduled_next = next_known();
    return true;
  };
  const auto knows_why = [&] { return settled.then == Settled::Then::stop || settled.then == Settled::Then::fail; };
  // A step at whose end a body is behind a surface has missed an impact (a guard that comes back to its side within the
  // step), and one that reaches far beyond the end of its mode may have guards that say nothing there: it is taken
  // again from its beginning in ever shorter pieces.
  // So is one at whose end a slide has turned and might have stopped (is_too_long), and so are those that begin with
  // one event after the other: where each of them changes nothing, it is the interpolant of a step far too long.
  bool at_once = false;
  // So many times before one event: each halves the way to it, and what is left open then has no answer.
  constexpr int most_nearer = 8;
  int nearer = 0;
  const auto take_again = [&](double t_end_of_step) {
    longest = 0.5 * (t_end_of_step - flow.t0());
    if (!(flow.t0() + longest > flow.t0() + instant(t))) return false;
    t = flow.t0();
    std::copy(flow.y0().begin(), flow.y0().end(), y.begin());
    at_t = y;
    monitor.restart(t, y);
    result = flow.restart(t, y);
    return true;
  };

  // What a step of fixed length cannot be taken over, because its mode ends within it or soon after (a slide in space
  // stops), is come near to in ever shorter pieces. Without an event on so many of its lengths it has failed all the
  // same.
  constexpr int most_pieces = 64;  // (Some fifty halve a step down to round-off.)
  constexpr int lengths_to_event = 4;
  struct {
    double begin = HUGE_VAL, end = HUGE_VAL;
    int failed = 0;
    bool any_event = false;
    StepResult why = StepResult::accepted;
  } pieces;
  const auto take_pieces = [&] {
    const double whole = options.flow.fixed_step;
    if (!(whole > 0)) return false;
    if (pieces.end == HUGE_VAL)
      pieces = {t, std::min({t + lengths_to_event * whole, scheduled_next, t_end}), 0, false, result};
    longest = 0.5 * std::min(longest, whole);
    if (++pieces.failed > most_pieces || !(t + longest > t + instant(t))) return false;
    if (at_t.data() != y.data()) std::copy(at_t.begin(), at_t.end(), y.begin());
    at_t = y;
    result = flow.restart(t, y);
    return true;
  };

  // Looking may cost far more than stepping, where bodies turn round and round within one step and events come early in
  // it: then the next steps are of the size of what lay before the event.
  // (Evaluations of each guard, of which one that does nothing special takes nine, and of all: what watches a few
  // guards never steps otherwise for it.)
  constexpr std::size_t dear = 16, dear_at_all = 4096;
  double overseen = HUGE_VAL;

  while (t < t_end) {
    if (observer && observer->stop_requested()) return end(RunStatus::interrupted, "stopped on request");
    if (result == StepResult::accepted)
      result = flow.step(std::min({scheduled_next, t_end, t + std::min(longest, overseen)}));
    if (result != StepResult::accepted) {
      if (take_pieces()) continue;
      watch.segment_end(t, at_t);
      pieces.end = HUGE_VAL;
      if (goes_on()) continue;
      if (knows_why()) return end(settled.status, settled.message);
      return end(ledger.status_of(result), ledger.explain(result, t, process.remark(t, at_t)));
    }
    const std::size_t looked = monitor.counters().guard_evaluations;
    const events::Look& look = monitor.look(step);
    const bool is_dear =
        monitor.counters().guard_evaluations - looked > std::max(dear * process.guard_count(), dear_at_all);
    if (look.status != events::LookStatus::ok) {
      if (take_again(flow.t1())) continue;
      at_t = flow.y0();
      watch.segment_end(t, at_t);
      if (goes_on()) continue;
      if (knows_why()) return end(settled.status, settled.message);
      return end(RunStatus::not_finite, ledger.explain(look.status, t));
    }
    const bool located = look.has_event();
    t = located ? look.t_event() : flow.t1();
    const bool scheduled = scheduled_next - t <= instant(t);
    if (scheduled) t = scheduled_next;
    at_t = located ? monitor.event_state() : flow.y1();
    if (!process.accepted(t, at_t)) {
      const bool behind = process.refusal() == RunStatus::penetration;
      if (behind && take_again(t)) continue;
      if (behind) {  // the last sound state is that before the step
        t = flow.t0();
        at_t = flow.y0();
      } else if (observer) {
        observer->step(flow, t);
      }
      watch.segment_end(t, at_t);
      return end(process.refusal(), process.why());
    }
    if (located && nearer < most_nearer && process.is_too_long(look.active) && take_again(t)) {
      ++nearer;
      continue;
    }
    for (const events::Root& root : look.passive) ledger.passive(root, flow);
    if (observer) observer->step(flow, t);
    if (!located && growth.diverges(flow)) {
      watch.segment_end(t, at_t);
      return end(RunStatus::diverged, growth.message(process.state_names()));
    }
    longest *= 2;
    if (!is_dear)
      overseen *= 2;
    else if (located && t > flow.t0())
      overseen = 4 * (t - flow.t0());
    pieces.any_event |= located;
    if (!(t < pieces.end)) {
      if (!pieces.any_event) {
        watch.segment_end(t, at_t);
        return end(ledger.status_of(pieces.why),
                   ledger.explain(pieces.why, pieces.begin, "shorter steps go on: a shorter fixed_step may help"));
      }
      pieces.end = HUGE_VAL;
    }
    if (!located && !scheduled) continue;

    std::copy(at_t.begin(), at_t.end(), y.begin());
    at_t = y;
    watch.segment_end(t, y);
    const bool due = scheduled && schedule.next() - t <= instant(t);
    if (due) schedule.advance(t + instant(t));
    // (Nor does the length of steps before an event say anything of those after.)
    longest = std::exchange(at_once, located && t - flow.t0() <= instant(t)) && at_once ? 0.5 * (flow.t1() - flow.t0())
                                                                                        : HUGE_VAL;
    nearer = 0;
    ++counters.transitions;
    settled = process.transition(
        t, y, look.active, due ? std::span<const std::size_t>(schedule.due()) : std::span<const std::size_t>{}, ledger);
    if (!std::isnan(settled.t_jump)) t = settled.t_jump;
    if (settled.then != Settled::Then::go_on) return end(settled.status, settled.message);
    if (options.stop_after_events != 0 && ledger.counted() >= options.stop_after_events) {
      watch.segment_begin(t, y);
      return end(RunStatus::stopped_after_events,
                 "stopped after " + std::to_string(ledger.counted()) + " events as asked");
    }
    if (ledger.piles_up(t, look.active)) {
      if (goes_on()) continue;
      if (knows_why()) return end(settled.status, settled.message);
      return end(ledger.pile_up_status(), ledger.pile_up_message());
    }
    result = begin_segment();
    scheduled_next = next_known();
  }
  watch.segment_end(t, at_t);
  return end(RunStatus::reached_end, "");
}

}  // namespace hstar
