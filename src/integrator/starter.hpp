// src/integrator/starter.hpp: the one-step method that begins a segment for methods with memory.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "hstar/flow.hpp"
#include "hstar/integrator/flow_options.hpp"

namespace hstar::integrator {

/// Under error control dop853: the first points of a segment need no more accuracy than a hundredth of the tolerance,
/// and its steps are as short as stability wants them. A fixed step may be far outside every explicit method's
/// stability region: for implicit formulas radau damps what the formula damps, and its local error h^6 keeps the order
/// of every formula.
[[nodiscard]] inline std::unique_ptr<Flow> make_starter(OdeProblem& ode, FlowOptions options,
                                                        std::string_view of_fixed_steps = "radau") {
  const bool fixed = options.fixed_step > 0;
  if (!fixed) {
    options.rtol = std::max(0.01 * options.rtol, 1e-14);
    options.atol *= 0.01;
  }
  options.first_step = 0;
  return find_integrator(fixed ? of_fixed_steps : "dop853")->make(ode, options);
}

/// The starter of a multistep method: which steps it takes, and what they cost.
class Starter {
 public:
  explicit Starter(std::unique_ptr<Flow> flow) : flow_(std::move(flow)) {}

  /// The next step begins a segment.
  void begin() { fresh_ = true; }
  /// One step from (t, y) that ends at t_limit at the latest; its work is added to `counters`.
  StepResult step(double t, const std::vector<double>& y, double t_limit, FlowCounters& counters) {
    if (fresh_) {
      const StepResult begun = flow_->restart(t, y);
      if (begun != StepResult::accepted) return begun;
      fresh_ = false;
    }
    const FlowCounters before = flow_->counters();
    const StepResult result = flow_->step(t_limit);
    const FlowCounters& after = flow_->counters();
    counters.rejected += after.rejected - before.rejected;
    counters.evaluations += after.evaluations - before.evaluations;
    counters.jacobians += after.jacobians - before.jacobians;
    counters.factorisations += after.factorisations - before.factorisations;
    counters.iterations += after.iterations - before.iterations;
    return result;
  }
  Flow* operator->() { return flow_.get(); }
  const Flow* operator->() const { return flow_.get(); }

 private:
  std::unique_ptr<Flow> flow_;
  bool fresh_ = true;
};

}  // namespace hstar::integrator
