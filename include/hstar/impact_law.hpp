// include/hstar/impact_law.hpp
//
// What an impact law sees: contacts as matrices. For k contacts taking part, directions are ordered
// N_0, T_0, N_1, T_1, ...; G = W^T M^-1 W with the bilateral constraints already held (a unit impulse
// along direction j changes velocity i by G_ij). A program adds a law of its own with add_impact_law and names it in
// ContactSpec::impact_law.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hstar {

struct ImpactProblem {
  int contacts = 0;
  std::vector<double> G;    ///< 2k x 2k, row-major, symmetric positive semidefinite [1/kg]
  std::vector<double> c;    ///< 2k: velocities before, gamma_N and gamma_T [m/s]
  std::vector<double> e;    ///< k: restitution in [0, 1]; a contact of restitution 0 stays closed after any impact
  std::vector<double> mu;   ///< k: friction, >= 0
  std::vector<double> e_t;  ///< k: restitution of the sliding velocity in [0, 1], Newton's law only; empty: none

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
  std::string_view name, about, source;  ///< of texts that live as long as the program
  ImpactSolution (*solve)(const ImpactProblem&);
};
[[nodiscard]] std::span<const ImpactLawEntry> impact_laws();
[[nodiscard]] const ImpactLawEntry* find_impact_law(std::string_view name);
/// Adds a law, before any model that names it is built. @throws InputError if there is one of that name, or 60 already.
void add_impact_law(const ImpactLawEntry& law);

/// Velocities, energy change and slide words from impulses: shared by the laws.
void complete(const ImpactProblem& problem, ImpactSolution& solution);

}  // namespace hstar
