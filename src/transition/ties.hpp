// src/transition/ties.hpp
//
// Several elements that reach the limits of their laws at one instant.
//
// Five blocks on a table whose acceleration passes mu g: every interface is at its limit, and accelerations alone do
// not tell which of them slides; all rates are zero whichever does. What follows tells: the lowest, since the others
// then stay at their limit. Formally the complementarity problem of the rates of change (Glocker 2001, sec. 5; Pfeiffer
// & Glocker 1996) decides those that the problem itself leaves on the boundary. Here its right side is the difference
// of the problem a moment later: large against round-off, small against what it changes by.
#pragma once

#include <array>
#include <vector>

#include "formulation/consistent_restart.hpp"
#include "transition/later.hpp"

namespace hstar {

class Ties {
 public:
  Ties(ModeEquations& equations, ModeSolver& solver, Later& later, ConsistentRestart& restart);

  /// Of several units that reach their limits at this instant, which go: the others have not broken away.
  void tell_first(double t, const double* y, ModeProblem& problem, const Mode& asked);
  /// `mode` is what `choice` answers to `asked`: what is on the boundary of the laws is decided by what follows.
  /// True: the equations were solved elsewhere last.
  bool resolve(const ModeChoice& choice, double t, const double* y, const ModeProblem& problem, const Mode& asked,
               Mode& mode);

 private:
  /// Elements of the last answer that are on the boundary of their law together: decided by what follows; or `all`.
  void break_ties(double t, const double* y, const ModeProblem& problem, const Mode& asked, Mode& mode, bool all);
  /// The answer of `later_` is what `mode` becomes: it differs from it only in what was on the boundary; or in `all`.
  [[nodiscard]] bool goes_on_from(const ModeProblem& problem, const Mode& asked, const Mode& mode, bool all) const;
  /// What has reached its limit slides where its sliding would turn back at once (the determinant of the sliding
  /// friction is negative, as in Painleve's example): the boundary of the laws is not where the motion goes on.
  [[nodiscard]] bool breaks_away_against_itself(const ModeProblem& problem, const Mode& mode) const;
  /// It creeps in several directions (those of one are told exactly, those of several by a search).
  [[nodiscard]] bool creeps_around(const Mode& mode, std::size_t unit) const {
    return mode.friction[unit].creeps && equations_.system().frictions[unit].directions > 1;
  }
  /// Where the mode has been solved, what creeps in several directions neither slides nor is held again.
  [[nodiscard]] bool creeps_on(const Mode& mode) const;
  /// The mode lasts for this instant only: what creeps in several directions does so no more a moment later, or has no
  /// forces.
  [[nodiscard]] bool ends_at_once(double t, const double* y, const ModeProblem& problem, const Mode& mode);
  /// Units at rest and contacts whose rows depend on others at this instant alone (a slider-crank at its dead centre, a
  /// frame whose legs lie flat, corners of two links below their pin): what follows tells whether they slide, part or
  /// meet if the others do not, and the laws which of all do.
  bool leave_dead_centres(double t, const double* y, const ModeProblem& problem, const Mode& asked, Mode& mode);

  ModeEquations& equations_;
  ModeSolver& solver_;
  Later& later_;
  ConsistentRestart& restart_;
  ModeSolver::Ties ties_;
  std::vector<std::array<double, most_directions>> begins_;  ///< by unit: where it slides, 0 if it does not
  std::vector<double> c_now_, y_, ydot_, q_dot_;
  std::vector<double> rates_;  ///< by contact: gamma_N' of what depends on others, now
  std::vector<std::array<double, most_directions>> slide_rates_;  ///< by unit: gamma_T' of such
  ModeProblem departing_;
  Mode trial_, held_;
};

}  // namespace hstar
