// include/hstar/integrator/fixed_step.hpp: where a step of fixed length ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar::integrator {

/// End of a step of length h from t, of steps that began at `begun`: the limit where no more would be left before it
/// than a billionth of a step, or the round-off that the steps' sum may have, of a step's thousandth at most. A step so
/// short no implicit method can take.
[[nodiscard]] inline double fixed_step_end(double t, double h, double begun, double t_limit) {
  const double steps = 1 + (t - begun) / h;
  const double nothing =
      std::clamp(steps * std::numeric_limits<double>::epsilon() * std::abs(t_limit), 1e-9 * h, 1e-3 * h);
  return t_limit - (t + h) <= nothing ? t_limit : t + h;
}

}  // namespace hstar::integrator
