// src/simulate/model_process.cpp
#include "simulate/model_process.hpp"

#include "simulate/options.hpp"

namespace hstar {

std::unique_ptr<MechanismProcess> model_process(const ModelSpec& model, std::shared_ptr<const System> system) {
  const FormulationEntry& formulation = formulation_in_use(model, *system);
  auto process = std::make_unique<MechanismProcess>(std::move(system), formulation, formulation_options(model),
                                                    impact_options(model));
  process->set_constant_loads(has_constant_loads(model));
  process->set_holds_surfaces(model.simulation.sliding == "filippov");
  process->run_until(model.simulation.end);
  return process;
}

RunOutcome run_counted(MechanismProcess& process, std::span<double> y, const LoopOptions& options,
                       LoopObserver* observer, RunCounters& counters) {
  const RunOutcome outcome = run_process(process, y, options, observer, counters);
  counters.mode_solves = process.equations().solves;
  counters.projections = process.formulation().projections();
  counters.repartitions = process.formulation().repartitions();
  return outcome;
}

}  // namespace hstar
