// src/integrator/ida_check.hpp
//
// IDACalcIC as a judge of our consistent initial values. It solves index-1 equations for the multipliers and the
// derivatives of (q, v, s) at fixed (q, v, s); index 2 (ggl) is outside what it can do (Hindmarsh et al. 2005), but
// accelerations and multipliers are the same there.
#pragma once

#include "hstar/dae.hpp"

namespace hstar::integrator {

/// What IDACalcIC finds at (t, y), relative to the largest of ours: difference of accelerations and of multipliers.
/// It begins at our values times 1 + `disturbance`, so that a disturbance shows that it would find them by itself.
struct CalcIcDifference {
  bool solved = false;
  double acceleration = 0, multiplier = 0;
};
[[nodiscard]] CalcIcDifference compare_with_calc_ic(DaeProblem& index1, double t, const double* y, double disturbance);

}  // namespace hstar::integrator
