// src/transition/impact/stronge.cpp: Stronge's energetic restitution (Stronge 1990) for one contact at a
// time. With several contacts "the" order of their compressions is not defined by the law: choose sequential impacts.
#include "transition/impact/hodograph.hpp"
#include "transition/impact/incremental.hpp"

namespace hstar {

ImpactSolution stronge(const ImpactProblem& p) {
  ImpactSolution s;
  s.impulse.assign(static_cast<std::size_t>(p.rows()), 0.0);
  if (p.contacts != 1) {
    s.why = "Stronge's law is defined for one contact at a time; set multiple_impact = \"sequential\"";
    return s;
  }
  if (p.directions == 2) return along_hodograph(p, Hodograph::Restitution::work);
  IncrementalImpact impact(p);
  if (!impact.compress()) {
    s.why = "the compression never ends: the normal velocity does not grow while the contact slips";
    return s;
  }
  if (!impact.restore_work(-p.e[0] * p.e[0] * impact.compression_work())) {
    s.why = "the restitution never reaches its work";
    return s;
  }
  s.impulse = {impact.normal(), impact.tangential()};
  s.sequence = impact.sequence();
  s.solved = true;
  complete(p, s);
  return s;
}

}  // namespace hstar
