// src/integrator/stiff_aware.hpp
//
// dop853, and bdf where the motion has become stiff for it. Each segment begins with dop853. Where its steps are at the
// limit of its stability bdf goes on, until the segment ends or its steps turn out not to be longer. How fast the
// fastest motion decays is told by a power iteration on differences of the rates (Sommeijer, Shampine & Verwer 1997, J.
// Comput. Appl. Math. 88, sec. 4).
#pragma once

#include <memory>

#include "hstar/flow.hpp"

namespace hstar::integrator {

std::unique_ptr<Flow> make_stiff_aware(OdeProblem& problem, const FlowOptions& options);

}  // namespace hstar::integrator
