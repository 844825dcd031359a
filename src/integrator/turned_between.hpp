// src/integrator/turned_between.hpp
//
// Methods that move orientations by rotation vectors are exact for a body that turns steadily, however long the step
// is. Between the ends of a step its Euler parameters are read from polynomials all the same, and guards and rows with
// them: a step may be no longer than these are good for.
#pragma once

#include <algorithm>
#include <cmath>

#include "hstar/dae.hpp"

namespace hstar::integrator {

/// The remainder of an interpolant of y: `part` times h^power times the derivative of that order.
struct Remainder {
  int power;
  double part;
};

/// Raises `error`, an entry each of q, to what the interpolant of a step of length h is off in Euler parameters with
/// the rates q_dot. They go round a circle: by phi = |p'| h in a step, entry i as A_i cos(phi s + ..), its n-th
/// derivative being phi^n A_i.
inline void raise_to_turn_error(const DaeProblem& problem, const double* q, const double* q_dot, double h,
                                Remainder remainder, double* error) {
  if (problem.places() == problem.coordinates()) return;  // in the plane an angle is a coordinate like any other
  for (int first = 0; first < problem.places(); ++first) {
    if (!problem.is_turned(first)) continue;
    const double *p = q + first, *rate = q_dot + first;
    const double phi = h * std::sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2] + rate[3] * rate[3]);
    if (phi > 0) {
      const double off = remainder.part * std::pow(phi, remainder.power);
      for (int i = 0; i < 4; ++i)
        error[first + i] = std::max(std::abs(error[first + i]), off * std::hypot(p[i], h * rate[i] / phi));
    }
    first += 3;
  }
}

}  // namespace hstar::integrator
