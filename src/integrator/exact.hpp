// src/integrator/exact.hpp
//
// `exact`: in a mode whose rates are affine (hstar/affine_rates.hpp) the motion is known, and a step is a piece of it
// (arc.hpp). Its length hangs on the mode alone and not on rtol; error() is a bound. In any other mode dop853
// steps, or bdf (stiff_aware.hpp).
#pragma once

#include <memory>

#include "hstar/flow.hpp"

namespace hstar::integrator {

std::unique_ptr<Flow> make_exact(OdeProblem& problem, const FlowOptions& options);

}  // namespace hstar::integrator
