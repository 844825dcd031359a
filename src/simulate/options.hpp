// src/simulate/options.hpp: what a model's [simulation] means to the run loop.
#pragma once

#include "formulation/formulation.hpp"
#include "hstar/hybrid.hpp"
#include "mechanism/system.hpp"
#include "transition/impact_solver.hpp"

namespace hstar {

[[nodiscard]] LoopOptions loop_options(const ModelSpec& model, const System& system);
/// The formulation in use: the one asked for, or "projection" where there is something to project.
/// @throws InputError for an unknown one.
[[nodiscard]] const FormulationEntry& formulation_in_use(const ModelSpec& model, const System& system);
[[nodiscard]] FormulationOptions formulation_options(const ModelSpec& model);
[[nodiscard]] ImpactOptions impact_options(const ModelSpec& model);
/// Absolute tolerance in use: the given one, or rtol * 1e-3.
[[nodiscard]] double absolute_tolerance(const SimulationSpec& simulation);

/// No formula of a joint, force, contact, prescribed motion or effective guard reads t.
[[nodiscard]] bool has_constant_loads(const ModelSpec& spec);

}  // namespace hstar
