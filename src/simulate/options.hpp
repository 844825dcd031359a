// src/simulate/options.hpp: what a model's [simulation] means to the run loop.
#pragma once

#include "hstar/hybrid.hpp"
#include "mechanism/system.hpp"

namespace hstar {

[[nodiscard]] LoopOptions loop_options(const ModelSpec& model, const System& system);
/// The formulation in use: the one asked for, or "projection" where there is something to project.
/// @throws InputError for an unknown one.
[[nodiscard]] std::string formulation_name(const ModelSpec& model, const System& system);
[[nodiscard]] bool uses_projection(const ModelSpec& model, const System& system);
/// Absolute tolerance in use: the given one, or rtol * 1e-3.
[[nodiscard]] double absolute_tolerance(const SimulationSpec& simulation);

struct FormulationEntry {
  std::string_view name, about;
};
[[nodiscard]] std::span<const FormulationEntry> formulations();

}  // namespace hstar
