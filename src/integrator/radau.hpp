// src/integrator/radau.hpp
#pragma once

#include <array>
#include <memory>

#include "hstar/dae.hpp"

namespace hstar::integrator {

/// Radau IIA with three stages: nodes and matrix; the weights are its last row.
struct RadauTableau {
  std::array<double, 3> c;
  std::array<std::array<double, 3>, 3> a;
};
[[nodiscard]] const RadauTableau& radau_tableau();

std::unique_ptr<Flow> make_radau(OdeProblem& problem, const FlowOptions& options);
std::unique_ptr<Flow> make_radau_dae(OdeProblem& ode, DaeProblem& problem, const FlowOptions& options);

}  // namespace hstar::integrator
