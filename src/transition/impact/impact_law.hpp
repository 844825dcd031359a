// src/transition/impact/impact_law.hpp
//
// What an impact law sees: contacts as matrices. For k contacts taking part, directions are ordered
// N_0, T_0, N_1, T_1, ...; G = W^T M^-1 W with the bilateral constraints already held (a unit impulse
// along direction j changes velocity i by G_ij). A law is one file and a line in the registry.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hstar {

struct ImpactProblem {
  int contacts = 0;
  std::vector<double> G;   ///< 2k x 2k, row-major, symmetric positive semidefinite [1/kg]
  std::vector<double> c;   ///< 2k: velocities before, gamma_N and gamma_T [m/s]
  std::vector<double> e;   ///< k: restitution in [0, 1]
  std::vector<double> mu;  ///< k: friction, >= 0

  [[nodiscard]] double g(int i, int j) const { return G[static_cast<std::size_t>(i * 2 * contacts + j)]; }
};

struct ImpactSolution {
  bool solved = false;
  std::vector<double> impulse;     ///< 2k: Lambda_N, Lambda_T [N s], Lambda_N >= 0
  std::vector<double> velocity;    ///< 2k: velocities after
  std::vector<signed char> slide;  ///< k: 0 stick, +1, -1 slip (at the end of the impact), 2 no impulse
  double energy_change = 0;        ///< kinetic energy after minus before [J]
  std::string sequence;            ///< sliding phases of a single contact, "slip+, reverse slip-"
  std::string why;                 ///< if not solved
};

struct ImpactLawEntry {
  std::string_view name, about, source;
  ImpactSolution (*solve)(const ImpactProblem&);
};
[[nodiscard]] std::span<const ImpactLawEntry> impact_laws();
[[nodiscard]] const ImpactLawEntry* find_impact_law(std::string_view name);

/// Newton's restitution, Coulomb's law on post-impact tangential velocity; all contacts together.
ImpactSolution newton_moreau(const ImpactProblem&);
/// Newton's restitution; a contact sticks if the impulse for that lies in its cone, else it slips in its
/// first direction. The classical textbook rule: may gain energy.
ImpactSolution newton_whittaker(const ImpactProblem&);
/// Poisson's ratio of normal impulses. One contact: Routh's integration along the normal impulse; several: two
/// complementarity problems.
ImpactSolution poisson(const ImpactProblem&);
/// Stronge's energetic restitution. One contact: as Poisson; several: pairwise, see stronge.cpp.
ImpactSolution stronge(const ImpactProblem&);

/// Velocities, energy change and slide words from impulses: shared by the laws.
void complete(const ImpactProblem& problem, ImpactSolution& solution);

}  // namespace hstar
