// src/simulate/outcome.cpp: names of outcomes.
#include "hstar/run.hpp"

namespace hstar {

std::string_view name(RunStatus status) noexcept {
  switch (status) {
    case RunStatus::reached_end:
      return "reached_end";
    case RunStatus::terminal_event:
      return "terminal_event";
    case RunStatus::stopped_after_events:
      return "stopped_after_events";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::step_underflow:
      return "step_underflow";
    case RunStatus::not_finite:
      return "not_finite";
    case RunStatus::diverged:
      return "diverged";
    case RunStatus::event_pile_up:
      return "event_pile_up";
    case RunStatus::accumulation:
      return "accumulation";
    case RunStatus::no_consistent_mode:
      return "no_consistent_mode";
    case RunStatus::inconsistent_restart:
      return "inconsistent_restart";
    case RunStatus::unbalanced_event:
      return "unbalanced_event";
    case RunStatus::penetration:
      return "penetration";
    case RunStatus::sliding_mode:
      return "sliding_mode";
  }
  return "unknown";
}

}  // namespace hstar
