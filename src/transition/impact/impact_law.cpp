// src/transition/impact/impact_law.cpp: the registry of impact laws, and what follows from impulses.
#include "transition/impact/impact_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hstar {

std::span<const ImpactLawEntry> impact_laws() {
  static constexpr std::array<ImpactLawEntry, 4> entries{{
      {"newton", "gamma_N+ = -e gamma_N-, Coulomb's law on post-impact sliding velocity; all contacts together",
       "Moreau 1988", newton_moreau},
      {"whittaker", "gamma_N+ = -e gamma_N-, kinematic stick or slip in the first direction; may gain energy",
       "Whittaker 1904", newton_whittaker},
      {"poisson", "impulse of restitution = e times impulse of compression, friction along the impulse",
       "Routh 1891; Glocker & Pfeiffer 1995", poisson},
      {"stronge", "work of restitution = -e^2 times work of compression, friction along the impulse", "Stronge 1990",
       stronge},
  }};
  return entries;
}

const ImpactLawEntry* find_impact_law(std::string_view name) {
  const auto laws = impact_laws();
  const auto it = std::find_if(laws.begin(), laws.end(), [&](const auto& l) { return l.name == name; });
  return it == laws.end() ? nullptr : &*it;
}

void complete(const ImpactProblem& p, ImpactSolution& s) {
  const int n = 2 * p.contacts;
  s.velocity.assign(static_cast<std::size_t>(n), 0.0);
  s.energy_change = 0;
  for (int i = 0; i < n; ++i) {
    double v = p.c[static_cast<std::size_t>(i)];
    for (int j = 0; j < n; ++j) v += p.g(i, j) * s.impulse[static_cast<std::size_t>(j)];
    s.velocity[static_cast<std::size_t>(i)] = v;
    s.energy_change += 0.5 * s.impulse[static_cast<std::size_t>(i)] * (v + p.c[static_cast<std::size_t>(i)]);
  }
  s.slide.assign(static_cast<std::size_t>(p.contacts), 2);
  for (int k = 0; k < p.contacts; ++k) {
    const double normal = s.impulse[static_cast<std::size_t>(2 * k)],
                 tangential = s.impulse[static_cast<std::size_t>(2 * k + 1)];
    if (!(normal > 0)) continue;
    const bool edge = std::abs(tangential) >= p.mu[static_cast<std::size_t>(k)] * normal * (1 - 1e-12);
    s.slide[static_cast<std::size_t>(k)] = static_cast<signed char>(!edge ? 0 : tangential > 0 ? -1 : 1);
  }
}

}  // namespace hstar
