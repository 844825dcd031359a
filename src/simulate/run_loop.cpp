// src/simulate/run_loop.cpp
//
// The story of a run (DESIGN section 3): first mode, smooth step, look, cut, transition, restart, record.
#include <cmath>
#include <limits>

#include "hstar/events/schedule.hpp"
#include "hstar/hybrid.hpp"
#include "simulate/flow_step.hpp"
#include "simulate/ledger.hpp"

namespace hstar {
namespace {

/// The maker that fits both the integrator and the way the equations are written.
std::unique_ptr<Flow> make_flow(HybridProcess& process, const LoopOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  const DaeIntegratorEntry* dae_entry = find_dae_integrator(options.integrator);
  if (!entry && !dae_entry)
    throw InputError("unknown integrator \"" + options.integrator + "\"; `hstar list` shows the known ones");
  if (!(options.flow.t_end > options.t_start))
    throw InputError("end = " + std::to_string(options.flow.t_end) +
                     " s must be later than start = " + std::to_string(options.t_start) + " s");
  const IntegratorEntry* second =
      process.velocity_of().empty() ? nullptr : find_second_order_integrator(options.integrator);
  DaeProblem* dae = process.dae();
  if (dae && dae->coordinates() == 0 && (entry || second)) dae = nullptr;  // without bodies there is one formulation
  if (!dae) {
    if (entry) return entry->make(process, options.flow);
    if (second) return second->make(process, options.flow);
    throw InputError("integrator \"" + options.integrator +
                     "\" solves the equations with their constraints; give formulation = \"" +
                     (dae_entry->index3 ? "index3" : "ggl") + "\"");
  }
  if (dae_entry && dae_entry->solves(dae->form())) return dae_entry->make(process, *dae, options.flow);
  std::string known;
  for (const auto& e : dae_integrators())
    if (e.solves(dae->form())) known += (known.empty() ? "" : ", ") + e.name;
  throw InputError("integrator \"" + options.integrator +
                   "\" cannot solve the equations in this formulation; those that can: " + known);
}

}  // namespace

RunOutcome run_process(HybridProcess& process, std::span<double> y, const LoopOptions& options, LoopObserver* observer,
                       RunCounters& counters) {
  LoopObserver nobody;
  LoopObserver& watch = observer ? *observer : nobody;
  const double t_end = options.flow.t_end;
  double t = options.t_start;

  const auto flow = make_flow(process, options);
  FlowStep step(*flow);
  events::Monitor monitor(process, process.size(), options.monitor);
  events::Schedule schedule;
  for (const auto& [time, id] : process.scheduled())
    if (time > t && time <= t_end) schedule.add(time, id);
  Ledger ledger(watch, observer != nullptr, process, options);

  const auto end = [&](RunStatus status, std::string message) {
    counters.flow = flow->counters();
    counters.guard_evaluations = monitor.counters().guard_evaluations;
    counters.polish_steps = monitor.counters().polish_steps;
    counters.events = ledger.events();
    return ledger.outcome(status, t, std::move(message));
  };
  const auto begin_segment = [&] {
    watch.segment_begin(t, y);
    monitor.restart(t, y);
    return flow->restart(t, y);
  };

  Settled settled = process.start(t, y, ledger);
  if (!std::isnan(settled.t_jump)) t = settled.t_jump;
  if (settled.then == Settled::Then::fail) return end(settled.status, settled.message);
  StepResult result = begin_segment();

  while (t < t_end) {
    if (watch.stop_requested()) return end(RunStatus::interrupted, "stopped on request");
    if (result == StepResult::accepted) result = flow->step(std::min(schedule.next(), t_end));
    if (result != StepResult::accepted) {
      watch.segment_end(t, y);
      return end(ledger.status_of(result), ledger.explain(result, t, process.remark(t, y)));
    }
    const events::Look& look = monitor.look(step);
    if (look.status != events::LookStatus::ok) {
      watch.segment_end(t, y);
      return end(RunStatus::not_finite, ledger.explain(look.status, t));
    }
    for (const events::Root& root : look.passive) ledger.passive(root, *flow);

    const bool located = look.has_event();
    t = located ? look.t_event() : flow->t1();
    const bool scheduled = t >= schedule.next();
    const auto at_t = located ? monitor.event_state() : flow->y1();
    std::copy(at_t.begin(), at_t.end(), y.begin());
    watch.step(*flow, t);
    if (!process.accepted(t, y)) {
      watch.segment_end(t, y);
      return end(process.refusal(), process.why());
    }
    if (!located && !scheduled) continue;

    watch.segment_end(t, y);
    if (scheduled) schedule.advance(t);
    ++counters.transitions;
    settled = process.transition(
        t, y, look.active, scheduled ? std::span<const std::size_t>(schedule.due()) : std::span<const std::size_t>{},
        ledger);
    if (!std::isnan(settled.t_jump)) t = settled.t_jump;
    if (settled.then != Settled::Then::go_on) return end(settled.status, settled.message);
    if (options.stop_after_events != 0 && ledger.counted() >= options.stop_after_events) {
      watch.segment_begin(t, y);
      return end(RunStatus::stopped_after_events,
                 "stopped after " + std::to_string(ledger.counted()) + " events as asked");
    }
    if (ledger.piles_up(t)) return end(ledger.pile_up_status(), ledger.pile_up_message());
    result = begin_segment();
  }
  watch.segment_end(t, y);
  return end(RunStatus::reached_end, "");
}

}  // namespace hstar
