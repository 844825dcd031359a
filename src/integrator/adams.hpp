// src/integrator/adams.hpp
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "hstar/flow.hpp"

namespace hstar::integrator {

/// Weights of the rates at `points` places one step apart, newest first, in the integral over a step that begins at the
/// newest place (Bashforth) or ends there (Moulton).
[[nodiscard]] std::vector<double> adams_weights(std::size_t points, bool ends_there);

std::unique_ptr<Flow> make_adams(OdeProblem&, const FlowOptions&);

}  // namespace hstar::integrator
