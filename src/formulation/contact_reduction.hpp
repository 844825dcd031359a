// src/formulation/contact_reduction.hpp
//
// The undecided contacts and frictional elements of a mechanism as matrices (contact/problem.hpp), island by island:
// free accelerations and Delassus matrix with the bilateral rows, and everything that is decided, held.
#pragma once

#include <vector>

#include "contact/problem.hpp"
#include "formulation/problem_rows.hpp"
#include "math/islands.hpp"

namespace hstar {

/// What is known about one friction unit before the problem is solved.
struct UnitKnowledge {
  bool asked = false;       ///< something happened here; see ModeProblem::all
  bool at_zero = false;     ///< gamma_T = 0: stick or slip must be decided; else it slips as mode says
  bool broke_away = false;  ///< its stick limit has just been reached: stick only if clearly inside again
  bool returned = false;    ///< it crept and has just come inside its limit: it creeps only if clearly beyond again
  double nothing = 0;       ///< what the last place of t leaves of the distance to its limit then
  bool reversed = false;    ///< what it slides on has jumped past it: it slides the other way
  bool turned = false;      ///< it sticks, and its normal force has passed through zero
  signed char heading = 0;  ///< in which it broke away, or passes zero; decides when gamma_T' is zero (Stribeck)
  /// gamma_T' besides that of the equations: of what others move a moment later though no rate tells (a dead centre).
  std::array<double, most_directions> departs{};
};
struct ContactKnowledge {
  bool asked = false;
  bool touching = false;  ///< zero gap and zero normal velocity: closed or open must be decided
  bool lifting = false;   ///< lambda_N has just reached zero
  double nothing = 0;     ///< what the last place of t leaves of it then
  bool pressed = false;   ///< it touched without force and has just been pressed again
  bool let_go = false;    ///< it has lifted at this instant, before the last event
  bool returned = false;  ///< and touched again: when its force reaches zero once more, it can neither press nor open
  /// gamma_N' besides that of the equations: of what moves apart or together a moment later though no rate tells.
  double departs = 0;
  /// Closed only if clearly pressed again: two corners in one place would pass a load that has gone back and forth.
  [[nodiscard]] bool leaves() const { return lifting || (let_go && !pressed); }
};

struct ModeProblem {
  std::vector<UnitKnowledge> units;
  std::vector<ContactKnowledge> contacts;
  /// False: the state is continuous here and only islands with an `asked` element are decided anew.
  bool all = true;
  /// Everything at rest has mu_static even when it slips: which of several that reach their limits together goes first.
  bool static_only = false;
  /// Size of the forces just before [N]: a force that has just reached zero may have been the only one there was.
  double force_scale = 0;
};

/// One undecided element: a contact, with its friction unit if it has one, or the friction unit of a joint; the rolling
/// or spinning friction of a contact, in an element of its own without the contact. Contacts and units of the problem
/// stand in the order of the elements.
struct UndecidedElement {
  int contact = -1, unit = -1;
};

class ContactReduction {
 public:
  explicit ContactReduction(ModeEquations& equations);

  struct Island {
    std::vector<UndecidedElement> elements;
    contact::Problem problem;
    [[nodiscard]] bool is_planar() const;  ///< no unit has several directions
  };
  /// At the last evaluated state. False: the mechanism without the undecided elements has no solution of its own
  /// (a massless coordinate that they hold); then only islands() is valid. `same_rows`: it asks for the same as the
  /// last time, in the same mode: islands, their elements and which rows are dependent are known.
  bool reduce(const ModeProblem& problem, const Mode& mode, bool same_rows = false);
  /// The body belongs to an island that was reduced.
  [[nodiscard]] bool covers(int body) const;
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] Island& island(int i) { return islands_[i]; }
  /// Row k of the problem of an island; `described`: how many islands with elements come before it.
  [[nodiscard]] const Row& row(std::size_t described, int k) const {
    return rows_.row(described, static_cast<std::size_t>(k));
  }

  /// Size of the terms of a row's rate at the last solution of the equations, under the forces of the last reduce(),
  /// for round-off.
  [[nodiscard]] double row_scale(const Row& row) const;

 private:
  void collect(const ModeProblem& problem, const Mode& mode);
  void describe(const ModeProblem& problem, const Mode& mode, Island& island);
  void describe_unit(const ModeProblem& problem, const Mode& mode, Island& island, int index);
  /// Part of its length by which a row may differ from that where it holds, here where it does not: into all problems.
  void find_drift();
  void add(const Row& row, double compliance, double departs = 0);
  /// Of the forces known, those of so many rows among them.
  void measure_forces(int rows);

  ModeEquations& equations_;
  math::Islands by_joints_, joined_;
  std::vector<Island> islands_;
  std::vector<int> island_of_;  ///< by first body, -1 none
  std::vector<char> asked_;
  int count_ = 0;
  std::vector<double> phi_;
  Mode base_;
  ProblemRows rows_;
  std::vector<double> force_size_;  ///< by slot: of the terms of the forces there
};

}  // namespace hstar
