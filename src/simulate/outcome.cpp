// src/simulate/outcome.cpp
#include "simulate/outcome.hpp"

#include <algorithm>

namespace hstar {

std::span<const RunStatusEntry> run_statuses() noexcept {
  using enum RunStatus;
  static constexpr RunStatusEntry entries[] = {
      {reached_end, "reached_end", "the end of the simulation was reached"},
      {terminal_event, "terminal_event", "a guard with terminal = true fired"},
      {stopped_after_events, "stopped_after_events", "simulation.stop_after_events was reached"},
      {interrupted, "interrupted", "Ctrl-C, SIGTERM or the calling program asked to stop"},
      {step_underflow, "step_underflow", "no step, however small, meets the tolerance"},
      {not_finite, "not_finite", "the equations gave NaN or infinity"},
      {diverged, "diverged", "with a fixed step: a state has grown by the errors of the steps"},
      {event_pile_up, "event_pile_up", "too many events at one instant, and not an accumulation"},
      {accumulation, "accumulation", "infinitely many events of a guard, and the model does not say what comes after"},
      {no_consistent_mode, "no_consistent_mode", "no combination of stick, slip and contact satisfies the laws"},
      {inconsistent_restart, "inconsistent_restart", "positions or velocities cannot be put back onto the constraints"},
      {unbalanced_event, "unbalanced_event", "the momentum, energy or impulses of an event do not add up"},
      {penetration, "penetration", "a body was found behind a surface that no event let it through"},
      {beyond_table, "beyond_table", "a table with beyond = \"error\" was asked outside of its rows"},
      {sliding_mode, "sliding_mode", "both sides of a switch in a formula drive the motion back to it"},
  };
  return entries;
}

std::string_view name(RunStatus status) noexcept {
  const auto all = run_statuses();
  const auto found = std::ranges::find(all, status, &RunStatusEntry::status);
  return found != all.end() ? found->name : "unknown";
}

}  // namespace hstar
