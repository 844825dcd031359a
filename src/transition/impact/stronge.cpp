// src/transition/impact/stronge.cpp: Stronge's energetic restitution (Stronge 1990) for one contact.
#include "transition/impact/hodograph.hpp"
#include "transition/impact/incremental.hpp"

namespace hstar {

void stronge_along(const ImpactProblem& p, ImpactSolution& s) {
  if (p.directions == 2) {
    along_hodograph(p, Hodograph::Restitution::work, s);
    return;
  }
  s.impulse.assign(2, 0.0);
  IncrementalImpact impact(p);
  if (!impact.compress()) {
    s.why = "the compression never ends: the normal velocity does not grow while the contact slips";
    return;
  }
  if (!impact.restore_work(-p.e[0] * p.e[0] * impact.compression_work())) {
    s.why = "the restitution never reaches its work";
    return;
  }
  s.impulse = {impact.normal(), impact.tangential()};
  s.sequence = impact.sequence();
  s.solved = true;
  complete(p, s);
}

}  // namespace hstar
