// src/transition/mode_problem.hpp
//
// Which mode comes next: all contacts at zero gap and all frictional elements at zero sliding
// velocity are decided together. A combination is taken if the mode solved with it satisfies the laws:
//   closed: lambda_N >= 0        open: g_N'' >= 0
//   stick: |lambda_T| <= mu_static N        slip d: d gamma_T' >= 0
// (Glocker 2001).
// The problem is reduced to matrices once per event (contact_reduction.hpp) and solved island by island
// (contact/share.hpp), with the forces that redundant contacts have if they are stiff: the equations of the mode move
// with the same.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formulation/contact_reduction.hpp"
#include "formulation/mode_equations.hpp"

namespace hstar {
namespace contact {
class Skim;
class Solver;
}  // namespace contact

struct ModeChoice {
  bool found = false;
  int consistent = 0;   ///< combinations that satisfy the laws (counted if asked for)
  int undecided = 0;    ///< elements that took part
  double residual = 0;  ///< largest violation of the laws, relative to the size of the terms
  std::string why;      ///< if not found
  int ties = 0;         ///< largest number of elements of one island on the boundary of their law (ModeSolver::ties)
  int jams = -1;        ///< if not found: a sliding contact whose normal force presses it the deeper in, -1 none
};

class ModeSolver {
 public:
  explicit ModeSolver(ModeEquations& equations);
  ~ModeSolver();
  /// Acceleration level at the last evaluated state; `mode` holds the fixed part on entry and the
  /// answer on return; the equations are solved in it. `count_all`: also count the other consistent combinations.
  ModeChoice accelerations(const ModeProblem& problem, Mode& mode, bool count_all);
  /// By contact and by friction unit: elements on the boundary of their law in the last answer, in islands with
  /// several of them.
  struct Ties {
    std::vector<char> contact, unit;
  };
  [[nodiscard]] const Ties& ties() const { return ties_; }
  /// Solves the equations in a mode at the last evaluated state, and tells the side of every guide.
  void solve_in(Mode& mode);
  /// All consistent modes at the last evaluated state, in the order they are preferred; at most `limit`.
  std::vector<Mode> consistent(const ModeProblem& problem, const Mode& mode, std::size_t limit = 64);
  /// The matrices of the last problem.
  [[nodiscard]] ContactReduction& reduction() { return reduction_; }

 private:
  enum class Verdict : unsigned char { no, weak, strong };
  template <class Check>
  ModeChoice enumerate(Mode& mode, bool count_all, std::vector<Mode>* list, const Check& check);
  Verdict check_accelerations(const ModeProblem& problem, const Mode& mode);
  ModeChoice by_enumeration(const ModeProblem& problem, std::span<const UndecidedElement> elements, Mode& mode,
                            bool count_all, std::vector<Mode>* list);
  ModeChoice everything_by_enumeration(const ModeProblem& problem, Mode& mode, bool count_all, std::vector<Mode>* list);
  void decide(const ContactReduction::Island& island, Mode& mode, bool count_all, ModeChoice& total);
  void take(const ContactReduction::Island& island, const contact::Status& status, Mode& mode);
  /// The side of each guide is that of its reaction to these forces: with another one its |lambda| may have another
  /// answer.
  void take_sides(const ContactReduction::Island& island, const contact::Problem& solved, const double* force,
                  Mode& mode) const;
  [[nodiscard]] static int jamming_contact(const ContactReduction::Island& island);
  void note_ties(const ContactReduction::Island& island);
  /// Where viscous friction leaves the laws no answer otherwise.
  bool skim(const ContactReduction::Island& island, Mode& mode, ModeChoice& total);

  ModeEquations& equations_;
  ContactReduction reduction_;
  std::unique_ptr<contact::Solver> contacts_;
  std::unique_ptr<contact::Skim> skim_;
  // The undecided elements of the current enumeration and their options.
  struct Choice {
    int contact = -1, unit = -1;
    bool may_open = false, may_slide = false;
  };
  std::vector<Choice> choices_;
  std::vector<UndecidedElement> all_;
  std::vector<int> digits_;
  Ties ties_;
  Mode trial_, best_, entry_;
};

}  // namespace hstar
