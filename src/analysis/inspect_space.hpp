// src/analysis/inspect_space.hpp
#pragma once

#include "formulation/dae_problem.hpp"
#include "hstar/inspect.hpp"

namespace hstar::analysis {

/// The same equations by Euler parameters p (Haug 1989, ch. 9): Phi_q in its parts Phi_r, Pi-bar and Phi_p, the rates
/// p_dot and p_ddot, and the multiplier of p^T p = 1.
void add_euler_parameters(const System& system, MechanismDae& dae, const double* y, const double* a, Inspection& out);

}  // namespace hstar::analysis
