// src/simulate/islands/run_islands.hpp
//
// The story of a run for mechanisms whose freedoms only forces couple (freedoms.hpp): the same start, events, records
// and rows as in run_loop.hpp, but an event costs what it touches. What is not clear - limits that are reached at one
// instant, a force at its limit - is decided by the process on the whole state.
#pragma once

#include <optional>
#include <span>

#include "hstar/hybrid.hpp"
#include "transition/mechanism_process.hpp"

namespace hstar {

/// As run_process() under "exact". None: the mechanism is not of this kind; nothing has happened to the process then.
std::optional<RunOutcome> run_islands(MechanismProcess& process, std::span<double> y, const LoopOptions& options,
                                      LoopObserver* observer, RunCounters& counters);

}  // namespace hstar
