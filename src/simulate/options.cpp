// src/simulate/options.cpp
#include "simulate/options.hpp"

#include <array>

namespace hstar {

std::span<const FormulationEntry> formulations() {
  static constexpr std::array<FormulationEntry, 2> entries{{
      {"direct", "accelerations and multipliers from the KKT system; constraint drift is left alone"},
      {"projection",
       "direct, then positions and velocities put back onto the constraints after each step (mass-orthogonal)"},
  }};
  return entries;
}

std::string formulation_name(const ModelSpec& model, const System& system) {
  const std::string& given = model.simulation.formulation;
  if (given.empty())
    return system.rows > 0 || !system.contacts.empty() || !system.frictions.empty() ? "projection" : "direct";
  std::string known;
  for (const auto& f : formulations()) {
    if (given == f.name) return given;
    known += (known.empty() ? "" : ", ") + std::string(f.name);
  }
  throw InputError(model.simulation.where,
                   "[simulation] formulation = \"" + given + "\" is not known; known: " + known);
}

bool uses_projection(const ModelSpec& model, const System& system) {
  return formulation_name(model, system) == "projection";
}

double absolute_tolerance(const SimulationSpec& s) { return s.atol > 0 ? s.atol : 1e-3 * s.rtol; }

LoopOptions loop_options(const ModelSpec& model, const System&) {
  const SimulationSpec& s = model.simulation;
  LoopOptions o;
  o.integrator = s.integrator;
  o.t_start = s.start;
  o.flow.rtol = s.rtol;
  o.flow.atol = absolute_tolerance(s);
  o.flow.t_end = s.end;
  o.flow.first_step = s.first_step;
  if (s.max_step > 0) o.flow.max_step = s.max_step;
  o.flow.fixed_step = s.fixed_step;
  o.stop_after_events = static_cast<std::size_t>(s.stop_after_events);
  if (s.max_events_per_instant > 0) o.max_events_per_instant = static_cast<std::size_t>(s.max_events_per_instant);
  return o;
}

}  // namespace hstar
