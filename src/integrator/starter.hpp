// src/integrator/starter.hpp: the one-step method that begins a segment for methods with memory.
#pragma once

#include <algorithm>
#include <memory>

#include "hstar/flow.hpp"
#include "hstar/integrator/flow_options.hpp"

namespace hstar::integrator {

/// Under error control dop853: the first points of a segment need no more accuracy than a hundredth of the tolerance,
/// and its steps are as short as stability wants them. A fixed step may be far outside every explicit method's
/// stability region: radau damps what the formula damps, and its local error h^6 keeps the order of every formula.
[[nodiscard]] inline std::unique_ptr<Flow> make_starter(OdeProblem& ode, FlowOptions options) {
  const bool fixed = options.fixed_step > 0;
  if (!fixed) {
    options.rtol = std::max(0.01 * options.rtol, 1e-14);
    options.atol *= 0.01;
  }
  options.first_step = 0;
  return find_integrator(fixed ? "radau" : "dop853")->make(ode, options);
}

}  // namespace hstar::integrator
