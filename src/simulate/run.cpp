// src/simulate/run.cpp: a model file's run: build, simulate, keep what is asked for.
#include "hstar/run.hpp"

#include <utility>

#include "simulate/options.hpp"
#include "simulate/recorder.hpp"

namespace hstar {

RunResult run(const ModelSpec& model, RunSink* sink) {
  const auto system = build_system(model);
  const LoopOptions options = loop_options(model, *system);
  MechanismProcess process(system, formulation_in_use(model, *system), formulation_options(model),
                           impact_options(model));

  process.set_constant_loads(has_constant_loads(model));
  RunResult result;
  result.state_names = system->state_names();
  result.y_end = system->initial_state();
  Recorder recorder(model, process, result, sink);
  result.outcome = run_process(process, result.y_end, options, &recorder, result.counters);
  result.counters.mode_solves = process.mode_solves();
  result.counters.projections = process.projections();
  result.counters.repartitions = process.repartitions();
  result.notices = model.notices;
  for (const auto& notice : process.notices()) result.notices.push_back(notice);
  if (sink) sink->end(result.outcome, result.counters);
  return result;
}

}  // namespace hstar
