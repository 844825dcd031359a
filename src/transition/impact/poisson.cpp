// src/transition/impact/poisson.cpp: Poisson's ratio of impulses for one contact, along its normal impulse. Several
// contacts: two phases, phases.cpp.
#include "transition/impact/hodograph.hpp"
#include "transition/impact/incremental.hpp"

namespace hstar {

void poisson_along(const ImpactProblem& p, ImpactSolution& s) {
  if (p.directions == 2) {
    along_hodograph(p, Hodograph::Restitution::impulse, s);
    return;
  }
  IncrementalImpact impact(p);
  if (!impact.compress()) {
    s.impulse.assign(2, 0.0);
    s.why = "the compression never ends: the normal velocity does not grow while the contact slips";
    return;
  }
  impact.restore_impulse(p.e[0] * impact.normal());
  s.impulse = {impact.normal(), impact.tangential()};
  s.sequence = impact.sequence();
  s.solved = true;
  complete(p, s);
}

}  // namespace hstar
