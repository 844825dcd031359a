// src/simulate/run_loop.cpp
//
// Chooses the integrator and runs the loop on it.
#include "hstar/simulate/run_loop.hpp"

#include <cmath>
#include <memory>
#include <string>

#include "hstar/hybrid.hpp"
#include "hstar/profile.hpp"
#include "hstar/stop.hpp"
#include "simulate/islands/run_islands.hpp"
#include "simulate/profiler.hpp"

namespace hstar {
namespace {

/// The maker that fits both the integrator and the way the equations are written.
std::unique_ptr<Flow> make_flow(HybridProcess& process, const LoopOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  const DaeIntegratorEntry* dae_entry = find_dae_integrator(options.integrator);
  if (!entry && !dae_entry)
    throw InputError("unknown integrator \"" + options.integrator + "\"; `hstar list` shows the known ones");
  check_interval(options);
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

bool moves_by_islands(const LoopOptions& options) {
  return options.integrator == "exact" && options.islands && options.flow.fixed_step == 0 &&
         !std::isfinite(options.flow.max_step);
}

}  // namespace

void check_interval(const LoopOptions& options) {
  if (!(options.flow.t_end > options.t_start))
    throw InputError("end = " + std::to_string(options.flow.t_end) +
                     " s must be later than start = " + std::to_string(options.t_start) + " s");
}

RunOutcome run_process(HybridProcess& process, std::span<double> y, const LoopOptions& options, LoopObserver* observer,
                       RunCounters& counters) {
  const StopScope scope([observer] { return observer != nullptr && observer->stop_requested(); });
  auto* mechanism = moves_by_islands(options) ? dynamic_cast<MechanismProcess*>(&process) : nullptr;
  if (mechanism) check_interval(options);
  if (RunProfile* profile = ProfileScope::wanted()) {
    Profiler profiler(*profile, process, observer, options);
    if (mechanism)
      if (const auto outcome = run_islands(*mechanism, y, options, &profiler.observer(), counters)) return *outcome;
    const auto flow = make_flow(profiler.process(), options);
    return run_loop(profiler.process(), profiler.put_on(*flow), y, options, &profiler.observer(), counters);
  }
  if (mechanism)
    if (const auto outcome = run_islands(*mechanism, y, options, observer, counters)) return *outcome;
  const auto flow = make_flow(process, options);
  return run_loop(process, *flow, y, options, observer, counters);
}

}  // namespace hstar
