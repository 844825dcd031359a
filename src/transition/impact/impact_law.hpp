// src/transition/impact/impact_law.hpp
//
// The laws there are (what a law sees: hstar/impact_law.hpp). A law is one file and a line in the registry.
#pragma once

#include "hstar/impact_law.hpp"

namespace hstar {

/// Newton's restitution, Coulomb's law on post-impact tangential velocity; all contacts together. With xi = gamma+ +
/// diag(e, e_t) gamma-: 0 <= xi_N _|_ Lambda_N >= 0, -Lambda_T in mu Lambda_N Sgn(xi_T). The energy changes by
///   Lambda_T . xi_T' - 1/2 Lambda^T D G Lambda,    D = (1 - diag(e, e_t)) / (1 + diag(e, e_t)),   xi' = xi / (1 + e),
/// so that it never grows without friction, with e = e_t = 0, or with one number for all e and e_t (Moreau 1988).
void newton_moreau(const ImpactProblem&, ImpactSolution&);
/// Newton's restitution; a contact sticks if the impulse for that lies in its cone, else it slips in its
/// first direction. The classical textbook rule: may gain energy.
void newton_whittaker(const ImpactProblem&, ImpactSolution&);
/// Poisson's ratio of normal impulses. One contact: Routh's integration along the normal impulse; several: two
/// complementarity problems, compression and expansion.
void poisson(const ImpactProblem&, ImpactSolution&);
/// Stronge's energetic restitution. One contact: as Poisson; several: refused, see stronge.cpp.
void stronge(const ImpactProblem&, ImpactSolution&);

}  // namespace hstar
