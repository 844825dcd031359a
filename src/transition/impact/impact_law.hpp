// src/transition/impact/impact_law.hpp
//
// Laws that bring code (what a law sees: hstar/impact_law.hpp). A law is one line of the table in impact_law.cpp, and a
// file if it has code.
#pragma once

#include "hstar/impact_law.hpp"

namespace hstar {

/// Newton's restitution; a contact sticks if the impulse for that lies in its cone, else it slips in its
/// first direction. The classical textbook rule: may gain energy.
void whittaker(const ImpactProblem&, ImpactSolution&);
/// Poisson's ratio of normal impulses for one contact that slides: Routh's integration along the normal impulse.
void poisson_along(const ImpactProblem&, ImpactSolution&);
/// Stronge's energetic restitution, along the normal impulse of one contact. The work of one of several is not separate
/// from that of the others.
void stronge_along(const ImpactProblem&, ImpactSolution&);

}  // namespace hstar
