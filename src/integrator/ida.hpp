// src/integrator/ida.hpp
//
// SUNDIALS IDA (Hindmarsh, Brown et al. 2005) on the equations of a mode, written as
//   ggl     q' = v + J^T mu,  M v' = F(lambda),  s' = r,  J v = nu,  Phi = 0   (Gear, Gupta & Leimkuhler 1985)
//   index1  q' = v,           M v' = F(lambda),  s' = r,  J v' = gamma
// SUNDIALS headers are included in ida*.cpp only.
#pragma once

#include <memory>

#include "hstar/dae.hpp"

namespace hstar::integrator {

std::unique_ptr<Flow> make_ida(OdeProblem&, DaeProblem&, const FlowOptions&);

}  // namespace hstar::integrator
