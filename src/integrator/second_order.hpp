// src/integrator/second_order.hpp
//
// Newmark's family on plain second-order systems x'' = f(t, x, x'), written as y' = f(t, y) in which the rate of some
// states is another state (OdeProblem::velocity_of): those are positions and velocities of a DaeProblem without
// constraints and with unit mass; all other states are first-order ones beside them. Derivatives are differences.
#pragma once

#include <memory>

#include "hstar/flow.hpp"

namespace hstar::integrator {

/// @throws InputError if no state's rate is another state, or for the options of the method.
std::unique_ptr<Flow> make_second_order_newmark(OdeProblem&, const FlowOptions&);
std::unique_ptr<Flow> make_second_order_hht(OdeProblem&, const FlowOptions&);
std::unique_ptr<Flow> make_second_order_generalized_alpha(OdeProblem&, const FlowOptions&);

}  // namespace hstar::integrator
