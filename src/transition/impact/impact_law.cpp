// src/transition/impact/impact_law.cpp: the registry of impact laws, and what follows from impulses.
#include "transition/impact/impact_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hstar/error.hpp"
#include "transition/impact/phases.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

namespace {

using Restores = ImpactLawEntry::Restores;
using Elements = ImpactLawEntry::Elements;

/// hstar's own laws: a law is a line here, and a file if it has code.
constexpr ImpactLawEntry table[] = {
    {"newton", "gamma_N+ = -e gamma_N-, Coulomb's law on post-impact sliding velocity; all contacts together",
     "Moreau 1988", nullptr, 2, Restores::velocity, Elements::all},
    {"whittaker", "gamma_N+ = -e gamma_N-, kinematic stick or slip in the first direction; may gain energy",
     "Whittaker 1904", whittaker, 2, Restores::velocity, Elements::contacts},
    {"poisson", "impulse of restitution = e times impulse of compression, friction along the impulse",
     "Routh 1891; Keller 1986; Glocker & Pfeiffer 1995", poisson_along, 2, Restores::impulse, Elements::all},
    {"stronge", "work of restitution = -e^2 times work of compression, friction along the impulse", "Stronge 1990",
     stronge_along, 2, Restores::own, Elements::one},
};

/// Ours and those that programs added, at places that never move.
struct Laws {
  std::array<ImpactLawEntry, 64> entry;
  std::size_t count = std::size(table);
  Laws() { std::copy(std::begin(table), std::end(table), entry.begin()); }
};

Laws& laws() {
  static Laws all;
  return all;
}

}  // namespace

std::string_view impact_law_words() {
  static const std::string words = [] {
    std::string all;
    for (const ImpactLawEntry& law : table) all += (all.empty() ? "" : " ") + std::string(law.name);
    return all;
  }();
  return words;
}

std::span<const ImpactLawEntry> impact_laws() { return {laws().entry.data(), laws().count}; }

void add_impact_law(const ImpactLawEntry& law) {
  if (find_impact_law(law.name) != nullptr)
    throw InputError("an impact law called \"" + std::string(law.name) + "\" is there already; choose another name");
  if (laws().count == laws().entry.size())
    throw InputError("no more impact laws can be added: there are " + std::to_string(laws().count));
  laws().entry[laws().count++] = law;
}

const ImpactLawEntry* find_impact_law(std::string_view name) {
  const auto all = impact_laws();
  const auto it = std::find_if(all.begin(), all.end(), [&](const auto& l) { return l.name == name; });
  return it == all.end() ? nullptr : &*it;
}

ImpactSolution ImpactLawEntry::solve(const ImpactProblem& problem) const {
  ImpactSolution solution;
  solve(problem, solution);
  return solution;
}

void ImpactLawEntry::solve(const ImpactProblem& p, ImpactSolution& s) const {
  if (elements == Elements::one && p.contacts != 1) {
    s.why =
        "it is defined for one contact at a time: the work of one is not separate from that of others; set "
        "multiple_impact = \"sequential\" (one after the other, the fastest approach first, until none approaches)";
    return;
  }
  if (by_code(p.contacts)) {
    answer(p, s);
    return;
  }
  thread_local ImpactStatement statement;
  thread_local ImpactPhases phases;
  state(p, statement);
  if (const char* none = phases.solve(statement, restores)) {
    s.why = none;
    return;
  }
  s.impulse.assign(phases.impulse().begin(), phases.impulse().begin() + p.rows());
  s.solved = true;
  complete(p, s);
}

void complete(const ImpactProblem& p, ImpactSolution& s) {
  const int n = p.rows(), block = p.block();
  if (static_cast<int>(s.impulse.size()) != n)
    throw InputError("an impact law gave " + std::to_string(s.impulse.size()) + " impulses where " + std::to_string(n) +
                     " are needed: 1 + directions of each contact");
  s.velocity.assign(static_cast<std::size_t>(n), 0.0);
  s.energy_change = 0;
  for (int i = 0; i < n; ++i) {
    double v = p.c[i];
    for (int j = 0; j < n; ++j) v += p.g(i, j) * s.impulse[j];
    s.velocity[i] = v;
    s.energy_change += 0.5 * s.impulse[i] * (v + p.c[i]);
  }
  // Whether a contact sticks is told by its velocity: impulses far smaller than the others' (the last bounces of
  // one contact while others rest) carry their round-off and say nothing about the cone.
  s.slide.assign(static_cast<std::size_t>(p.contacts), 2);
  for (int k = 0; k < p.contacts; ++k) {
    if (!(s.impulse[block * k] > 0)) continue;
    signed char slide = 0;
    // (In space |w| is seldom zero exactly: what is left of it is round-off of the other velocities, too.)
    const double least = p.directions > 1 ? tolerances::impact_round_off * std::abs(p.c[block * k]) : 0.0;
    for (int i = block * k + 1; i < block * (k + 1); ++i) {
      double scale = std::abs(p.c[i]);
      for (int j = 0; j < n; ++j) scale += std::abs(p.g(i, j) * s.impulse[j]);
      const double v = s.velocity[i];
      if (std::abs(v) > std::max(tolerances::impact_residual * scale, least))
        slide = static_cast<signed char>(v > 0 || p.directions > 1 ? 1 : -1);
    }
    s.slide[k] = slide;
  }
}

}  // namespace hstar
