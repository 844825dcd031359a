// src/simulate/crowd/run_crowd.hpp
//
// The story of a run for a crowd (model_crowd.hpp): the same records and rows as in run_loop.hpp, but an impact costs
// what is near it, and pairs that do not meet cost nothing.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "hstar/hybrid.hpp"
#include "simulate/crowd/model_crowd.hpp"
#include "transition/mechanism_process.hpp"

namespace hstar {

/// Of a model whose pairs stay together the crowd that it is; null where they are better written out, or there are
/// none. `why`: it is no crowd.
[[nodiscard]] std::unique_ptr<crowd::ModelCrowd> crowd_to_run(const ModelSpec& model, std::string& why);

/// As run_process(). `bodies`: those of the crowd alone; y is their state.
RunOutcome run_crowd(const crowd::ModelCrowd& model, MechanismProcess& bodies, std::span<double> y,
                     const LoopOptions& options, bool energy_error, LoopObserver* observer, RunCounters& counters,
                     std::vector<std::string>& notices);

/// run() by this road whatever the number of pairs, written out or not. @throws InputError if the model is no crowd.
[[nodiscard]] RunResult run_as_crowd(const ModelSpec& model, RunSink* sink = nullptr);

}  // namespace hstar
