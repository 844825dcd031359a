// src/simulate/model_process.hpp: a model as the run loop takes it, made and run the same way everywhere.
#pragma once

#include <memory>

#include "hstar/hybrid.hpp"
#include "hstar/model_spec.hpp"
#include "transition/mechanism_process.hpp"

namespace hstar {

/// The process of a model with all that its [simulation] says. @throws InputError for an unknown formulation.
[[nodiscard]] std::unique_ptr<MechanismProcess> model_process(const ModelSpec& model,
                                                              std::shared_ptr<const System> system);

/// run_process, with what the process itself has counted.
RunOutcome run_counted(MechanismProcess& process, std::span<double> y, const LoopOptions& options,
                       LoopObserver* observer, RunCounters& counters);

}  // namespace hstar
