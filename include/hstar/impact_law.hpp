// include/hstar/impact_law.hpp
//
// What an impact law sees: contacts as matrices. For k contacts taking part, directions are ordered
// N_0, T_0, N_1, T_1, ... in the plane and N_0, T1_0, T2_0, N_1, ... in space; G = W^T M^-1 W with the bilateral
// constraints already held (a unit impulse along direction j changes velocity i by G_ij). A program adds a law of its
// own with add_impact_law and names it in ContactSpec::impact_law.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hstar {

struct ImpactProblem {
  int contacts = 0;
  std::vector<double> G;    ///< rows() x rows(), row-major, symmetric positive semidefinite [1/kg]
  std::vector<double> c;    ///< rows(): velocities before, gamma_N and gamma_T [m/s]
  std::vector<double> e;    ///< k: restitution in [0, 1]; a contact of restitution 0 stays closed after any impact
  std::vector<double> mu;   ///< k: friction, >= 0
  std::vector<double> e_t;  ///< k: restitution of the sliding velocity in [0, 1], Newton's law only; empty: none
  int directions = 1;       ///< tangential ones of each contact: 1 in the plane, 2 in space

  [[nodiscard]] int block() const { return 1 + directions; }  ///< rows of one contact
  [[nodiscard]] int rows() const { return block() * contacts; }
  [[nodiscard]] double g(int i, int j) const { return G[static_cast<std::size_t>(i * rows() + j)]; }
};

struct ImpactSolution {
  bool solved = false;
  std::vector<double> impulse;     ///< rows(): Lambda_N, Lambda_T [N s], Lambda_N >= 0
  std::vector<double> velocity;    ///< rows(): velocities after
  std::vector<signed char> slide;  ///< k: 0 stick, +1, -1 slip (at the end of the impact; in space +1), 2 no impulse
  double energy_change = 0;        ///< kinetic energy after minus before [J]
  std::string sequence;            ///< sliding phases of a single contact, "slip+, reverse slip-"
  std::string why;                 ///< if not solved

  /// As new, but with the memory it has.
  void clear() {
    solved = false;
    energy_change = 0;
    impulse.clear();
    velocity.clear();
    slide.clear();
    sequence.clear();
    why.clear();
  }
};

struct ImpactLawEntry {
  std::string_view name, about, source;  ///< of texts that live as long as the program
  /// Answers into a solution that is empty, but may have memory from an impact before.
  void (*answer)(const ImpactProblem&, ImpactSolution&);
  int most_directions = 1;  ///< of ImpactProblem::directions that the law knows; 2: also for contacts in space

  [[nodiscard]] ImpactSolution solve(const ImpactProblem& problem) const {
    ImpactSolution solution;
    answer(problem, solution);
    return solution;
  }
};
[[nodiscard]] std::span<const ImpactLawEntry> impact_laws();
[[nodiscard]] const ImpactLawEntry* find_impact_law(std::string_view name);
/// Adds a law, before any model that names it is built. @throws InputError if there is one of that name, or 60 already.
void add_impact_law(const ImpactLawEntry& law);

/// Velocities, energy change and slide words from impulses: shared by the laws. @throws InputError if there are not
/// as many impulses as rows.
void complete(const ImpactProblem& problem, ImpactSolution& solution);

}  // namespace hstar
