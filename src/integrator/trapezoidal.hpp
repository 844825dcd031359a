// src/integrator/trapezoidal.hpp
#pragma once

#include <memory>

#include "hstar/flow.hpp"

namespace hstar::integrator {

std::unique_ptr<Flow> make_trapezoidal(OdeProblem&, const FlowOptions&);

}  // namespace hstar::integrator
