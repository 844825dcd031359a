// src/transition/impact/stronge.cpp: Stronge's energetic restitution (Stronge 1990) for one contact at a
// time. With several contacts "the" order of their compressions is not defined by the law: choose sequential impacts.
#include "transition/impact/hodograph.hpp"
#include "transition/impact/incremental.hpp"

namespace hstar {

void stronge(const ImpactProblem& p, ImpactSolution& s) {
  s.impulse.assign(static_cast<std::size_t>(p.rows()), 0.0);
  if (p.contacts != 1) {
    s.why =
        "Stronge's law is defined for one contact at a time: the work of one is not separate from that of others; set "
        "multiple_impact = \"sequential\" (one after the other, the fastest approach first, until none approaches)";
    return;
  }
  if (p.directions == 2) {
    along_hodograph(p, Hodograph::Restitution::work, s);
    return;
  }
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
