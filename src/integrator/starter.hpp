// src/integrator/starter.hpp: the one-step method that begins a segment for methods with memory.
#pragma once

#include <algorithm>
#include <memory>

#include "hstar/flow.hpp"
#include "hstar/integrator/flow_options.hpp"

namespace hstar::integrator {

/// dop853. The first points of a segment need no more accuracy than a hundredth of the tolerance.
[[nodiscard]] inline std::unique_ptr<Flow> make_starter(OdeProblem& ode, FlowOptions options) {
  if (options.fixed_step <= 0) {
    options.rtol = std::max(0.01 * options.rtol, 1e-14);
    options.atol *= 0.01;
  }
  options.first_step = 0;
  return find_integrator("dop853")->make(ode, options);
}

}  // namespace hstar::integrator
