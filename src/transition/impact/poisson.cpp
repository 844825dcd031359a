// src/transition/impact/poisson.cpp: Poisson's restitution. One contact is followed along its impulse
// (Routh 1891; in space Keller 1986); several are solved as two complementarity problems, compression and expansion
// (Glocker & Pfeiffer 1995), in space over cones.
#include <algorithm>
#include <cmath>

#include "transition/impact/cone_phases.hpp"
#include "transition/impact/friction_lcp.hpp"
#include "transition/impact/hodograph.hpp"
#include "transition/impact/incremental.hpp"

namespace hstar {
namespace {
constexpr double round_off = 1e-13;  // relative

/// Adds the impulses of one phase to `impulse` and updates v.
bool phase(const ImpactProblem& p, std::vector<double>& v, const std::vector<double>& least,
           std::vector<double>& impulse) {
  std::vector<double> step;
  if (!friction_lcp(p, v, least, step)) return false;
  for (int i = 0; i < p.rows(); ++i) {
    const auto u = static_cast<std::size_t>(i);
    double size = std::abs(v[u]);
    impulse[u] += step[u];
    for (int j = 0; j < p.rows(); ++j) {
      const double jump = p.g(i, j) * step[static_cast<std::size_t>(j)];
      v[u] += jump;
      size += std::abs(jump);
    }
    if (std::abs(v[u]) <= round_off * size) v[u] = 0;  // the next phase must not mistake it for a motion
  }
  return true;
}

}  // namespace

void poisson(const ImpactProblem& p, ImpactSolution& s) {
  if (p.contacts == 1 && p.directions == 2) {
    along_hodograph(p, Hodograph::Restitution::impulse, s);
    return;
  }
  s.impulse.assign(static_cast<std::size_t>(p.rows()), 0.0);
  if (p.contacts == 1) {
    IncrementalImpact impact(p);
    if (!impact.compress()) {
      s.why = "the compression never ends: the normal velocity does not grow while the contact slips";
      return;
    }
    impact.restore_impulse(p.e[0] * impact.normal());
    s.impulse = {impact.normal(), impact.tangential()};
    s.sequence = impact.sequence();
  } else if (p.directions == 2) {
    ConePhases& phases = cone_phases();
    phases.take(p, false);
    if (const char* why = phases.poisson(p.e.data())) {
      s.why = why;
      return;
    }
    std::copy_n(phases.impulse().begin(), p.rows(), s.impulse.begin());
  } else {
    std::vector<double> v = p.c, least(p.e.size(), 0.0);
    if (!phase(p, v, least, s.impulse)) {
      s.why = "no solution of the complementarity problem of compression was found";
      return;
    }
    for (std::size_t i = 0; i < least.size(); ++i)
      least[i] = p.e[i] * s.impulse[static_cast<std::size_t>(p.block()) * i];
    if (!phase(p, v, least, s.impulse)) {
      s.why = "no solution of the complementarity problem of expansion was found";
      return;
    }
  }
  s.solved = true;
  complete(p, s);
}

}  // namespace hstar
