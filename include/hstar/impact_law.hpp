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
  std::vector<double> e_t;  ///< k: restitution of the sliding velocity in [0, 1], for laws that know it; empty: none
  int directions = 1;       ///< tangential ones of each contact: 1 in the plane, 2 in space

  [[nodiscard]] int block() const { return 1 + directions; }  ///< rows of one contact
  [[nodiscard]] int rows() const { return block() * contacts; }
  [[nodiscard]] double g(int i, int j) const { return G[i * rows() + j]; }
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

/// A law of impact as data. One that restores nothing, a part of the velocity or of the impulse is stated by that word
/// alone: one phase for Newton's law, compression and expansion for Poisson's, all elements together. A law whose
/// answer depends on the way there (work, the order of stick and slip) brings its own code.
struct ImpactLawEntry {
  enum class Restores : unsigned char {
    nothing,   ///< gamma_N+ = 0: plastic
    velocity,  ///< gamma_N+ = -e gamma_N-, Coulomb's law on the sliding velocity after
    impulse,   ///< Lambda_N of expansion = e times that of compression, Coulomb's law in each phase
    own        ///< what the code says
  };
  enum class Elements : unsigned char {
    one,       ///< one contact at a time, sliding friction
    contacts,  ///< all contacts that touch, sliding friction
    all        ///< also rolling and spinning friction, and joints whose friction follows their reaction
  };
  using Code = void (*)(const ImpactProblem&, ImpactSolution&);

  std::string_view name, about, source;  ///< of texts that live as long as the program
  /// Code of the law, or null. It answers into a solution that is empty, but may have memory from an impact before. A
  /// law for `all` elements is asked only where one contact slides alone.
  Code answer = nullptr;
  int most_directions = 1;  ///< of ImpactProblem::directions that the code knows; 2: also for contacts in space
  Restores restores = Restores::own;
  Elements elements = Elements::contacts;

  /// The sliding velocity may be restored too (ImpactProblem::e_t).
  [[nodiscard]] bool restores_sliding() const { return restores == Restores::velocity && elements == Elements::all; }
  /// Its code answers for so many contacts if they slide and nothing else rubs.
  [[nodiscard]] bool by_code(int contacts) const {
    return answer != nullptr && (contacts == 1 || elements != Elements::all);
  }
  [[nodiscard]] ImpactSolution solve(const ImpactProblem& problem) const;
  void solve(const ImpactProblem& problem, ImpactSolution& solution) const;  ///< into one that is empty
};
[[nodiscard]] std::span<const ImpactLawEntry> impact_laws();
/// The names of hstar's own laws, with a space between two.
[[nodiscard]] std::string_view impact_law_words();
[[nodiscard]] const ImpactLawEntry* find_impact_law(std::string_view name);
/// Adds a law, before any model that names it is built. @throws InputError if there is one of that name, or 60 already.
void add_impact_law(const ImpactLawEntry& law);

/// Velocities, energy change and slide words from impulses: shared by the laws. @throws InputError if there are not
/// as many impulses as rows.
void complete(const ImpactProblem& problem, ImpactSolution& solution);

}  // namespace hstar
