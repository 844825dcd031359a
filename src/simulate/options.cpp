// src/simulate/options.cpp
#include "simulate/options.hpp"

#include "record/largest_order.hpp"

namespace hstar {

namespace {
const FormulationEntry& chosen_formulation(const ModelSpec& model, const System& system) {
  const std::string& given = model.simulation.formulation;
  const DaeIntegratorEntry* dae = find_dae_integrator(model.simulation.integrator);
  // A model without bodies is its own formulation, for every method that can take it.
  const bool plain = system.nq == 0 && find_second_order_integrator(model.simulation.integrator);
  if (given.empty() && dae && !find_integrator(model.simulation.integrator) && !plain)
    return *find_formulation(dae->index3 ? "index3" : "ggl");
  if (given.empty()) return *find_formulation(system.held() ? "projection" : "direct");
  if (const FormulationEntry* entry = find_formulation(given)) return *entry;
  std::string known;
  for (const auto& f : formulations()) known += (known.empty() ? "" : ", ") + std::string(f.name);
  throw InputError(model.simulation.where,
                   "[simulation] formulation = \"" + given + "\" is not known; known: " + known);
}

/// Radii of gyration [m], of each coordinate and velocity that turns.
std::vector<double> turning(const System& system) {
  std::vector<double> radii(static_cast<std::size_t>(system.nq) + system.nv, 0.0);
  for (const Body& b : system.bodies) {
    if (b.prescribed || b.mass <= 0) continue;
    const double moment = system.is_spatial() ? (b.moment[0] + b.moment[1] + b.moment[2]) / 3 : b.inertia;
    const double radius = std::sqrt(moment / b.mass);
    for (int i = 0; i < b.coordinates; ++i) radii[b.coordinate + i] = system.turns(i) ? radius : 0;
    for (int i = 0; i < b.dofs; ++i) radii[system.nq + b.dof + i] = system.turns(i) ? radius : 0;
  }
  return radii;
}

}  // namespace

const FormulationEntry& formulation_in_use(const ModelSpec& model, const System& system) {
  return chosen_formulation(model, system);
}

FormulationOptions formulation_options(const ModelSpec& model) {
  const SimulationSpec& s = model.simulation;
  return {.step = s.fixed_step,
          .rtol = s.fixed_step > 0 ? 0.0 : s.rtol,
          .atol = s.fixed_step > 0 ? 0.0 : absolute_tolerance(s),
          .baumgarte_alpha = s.baumgarte_alpha,
          .baumgarte_beta = s.baumgarte_beta};
}

ImpactOptions impact_options(const ModelSpec& model) {
  using Order = ImpactOptions::Order;
  const std::string& order = model.simulation.multiple_impact;
  return {order == "simultaneous"          ? Order::together
          : order == "sequential_forward"  ? Order::forward
          : order == "sequential_backward" ? Order::backward
                                           : Order::fastest,
          model.simulation.impact_energy == "error"};
}

double absolute_tolerance(const SimulationSpec& s) { return s.atol > 0 ? s.atol : 1e-3 * s.rtol; }

LoopOptions loop_options(const ModelSpec& model, const System& system) {
  const SimulationSpec& s = model.simulation;
  LoopOptions o;
  o.integrator = s.integrator;
  o.t_start = s.start;
  o.flow.rtol = s.rtol;
  o.flow.atol = absolute_tolerance(s);
  o.flow.t_end = s.end;
  o.flow.coordinates = static_cast<std::size_t>(system.nq);
  o.flow.velocities = static_cast<std::size_t>(system.nv);
  o.flow.turning = turning(system);
  o.flow.first_step = s.first_step;
  if (s.max_step > 0) o.flow.max_step = s.max_step;
  o.flow.fixed_step = s.fixed_step;
  o.flow.newton = s.newton == "full"         ? Newton::full
                  : s.newton == "quasi"      ? Newton::quasi
                  : s.newton == "functional" ? Newton::functional
                                             : Newton::modified;
  o.flow.max_order = largest_order(s);
  o.flow.newmark_beta = s.newmark_beta;
  o.flow.newmark_gamma = s.newmark_gamma;
  o.flow.hht_alpha = s.hht_alpha;
  o.flow.rho_infinity = s.rho_infinity;
  o.islands = s.islands;
  o.stop_after_events = static_cast<std::size_t>(s.stop_after_events);
  if (s.max_events_per_instant > 0) o.max_events_per_instant = static_cast<std::size_t>(s.max_events_per_instant);
  return o;
}

}  // namespace hstar
