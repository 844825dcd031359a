// src/transition/impact/friction_lcp.hpp
//
// One phase of an impact with friction in the plane, on all contacts at once: a linear complementarity problem with
// exact mu (Stewart & Trinkle 1996). In space: cone_phases.hpp.
#pragma once

#include <vector>

#include "transition/impact/impact_law.hpp"

namespace hstar {

/// Impulses of one phase: Lambda_N = least + x with
///   0 <= x  _|_  gap + (G Lambda)_N >= 0,    -Lambda_T in mu Lambda_N Sgn(slide + (G Lambda)_T).
/// @param v      rows(): gap and sliding velocities that the phase begins with, N_0, T_0, N_1, ...
/// @param least  by contact: normal impulses that act in any case, >= 0
/// @param step   rows(): the impulses
/// @return false if no solution was found. There is one where v belongs to a motion and least = 0; cost O(k^3) a try.
bool friction_lcp(const ImpactProblem& problem, const std::vector<double>& v, const std::vector<double>& least,
                  std::vector<double>& step);

}  // namespace hstar
