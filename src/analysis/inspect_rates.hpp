// src/analysis/inspect_rates.hpp: what integrators of y' = f(t, y) see, as tables of an inspection.
#pragma once

#include <string>
#include <vector>

#include "hstar/hybrid.hpp"
#include "hstar/inspect.hpp"

namespace hstar::analysis {

/// Eigenvalues of df/dy at (t, y) in the mode of the process, the largest first. Of many states, whose eigenvalues
/// would take minutes, there is no table.
void add_eigenvalues(HybridProcess& process, const FlowOptions& options, const std::string& formulation, double t,
                     const std::vector<double>& y, Inspection& out);

/// y, f and df/dy of a model of plain states, and with a step the iteration matrix I - b df/dy of its method.
/// @throws InputError for a step of a method that has no such matrix.
void add_rates(HybridProcess& process, const LoopOptions& options, double t, const std::vector<double>& y, double step,
               Inspection& out);

}  // namespace hstar::analysis
