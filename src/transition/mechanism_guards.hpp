// src/transition/mechanism_guards.hpp
//
// The guards of a mechanism: which scalar functions watch the mode, in a fixed order for the whole
// run; a mode enables some of them. Each is written so that it is positive inside the mode.
#pragma once

#include <vector>

#include "formulation/mode_equations.hpp"
#include "hstar/events/guard.hpp"
#include "transition/broad_phase.hpp"
#include "transition/guard_forms.hpp"
#include "transition/guard_memo.hpp"
#include "transition/switches.hpp"
#include "transition/watch.hpp"

namespace hstar {

class MechanismGuards {
 public:
  MechanismGuards(const System& system, const Switches& switches);

  [[nodiscard]] std::size_t count() const { return infos_.size(); }
  [[nodiscard]] const events::GuardInfo& info(std::size_t i) const { return infos_[i]; }
  [[nodiscard]] WatchRef ref(std::size_t i) const { return refs_[i]; }

  /// Enables the guards of `mode`, in which `equations` have been solved, all positive just after. User guards: sign
  /// from their value.
  /// Where nobody looks at them on steps, a mode that is linear need not be known to be.
  void enable(const ModeEquations& equations, const Mode& mode, bool looked_at = true);
  /// Finds the contacts that are near enough to be watched, from the positions in `k`; before enable().
  void look(const Kinematics& k, const Mode& mode) { near_.look(k, mode); }
  /// What counts as zero of a contact's gap [m].
  [[nodiscard]] double gap_tolerance(std::size_t contact) const { return infos_[first_of_contact_[contact]].g_tol; }
  /// How the gap of a contact with a range and the place on its stretch are watched from now on; after enable().
  void watch_gap(int contact, bool watched, events::Sign sign);
  /// The stretch longer by `beyond` [m] at its ends.
  void watch_range(int contact, bool watched, events::Sign sign, double beyond = 0);
  /// That the gap stays below `distance` [m], on either side.
  void watch_flush(int contact, double distance);
  /// Round-off of every enabled guard from the motion at the last evaluated state of `equations`
  /// (velocity scales grow with the largest seen; force scales are those of the last solve; see note_forces()).
  void update_tolerances(const ModeEquations& equations, const Mode& mode, bool solved);
  /// Size of the terms of a guard, the largest seen so far.
  [[nodiscard]] double scale(std::size_t guard) const { return scale_[guard]; }
  /// That of gamma_T of a friction unit.
  [[nodiscard]] double speed_scale(int unit) const { return scale_[first_of_unit_[unit]]; }
  /// What is left of a velocity or gap that has just been put to zero is its round-off, measured.
  void note_zero(Watch what, int index, double residual);
  /// GuardSet::note_round_off of an enabled guard of forces: what t and y bring into them are terms of theirs.
  bool note_round_off(std::size_t guard, double round_off);
  /// What was noted of gaps held until the event that now comes.
  void forget_gaps();
  /// Values of the listed guards at (t, y) in `mode`. False if the mode cannot be solved there.
  bool values(ModeEquations& equations, const Mode& mode, double t, std::span<const double> y,
              std::span<const std::size_t> which, std::span<double> g);
  /// GuardSet::linear_form of an enabled guard in `mode`.
  const double* linear_form(const ModeEquations& equations, const Mode& mode, std::size_t guard) {
    return forms_.find(equations, mode, guard, refs_[guard]);
  }
  /// It is a formula of t, coordinates of free bodies and states.
  [[nodiscard]] bool has_bounds(std::size_t guard) const;
  /// GuardSet::bounds of such a one.
  bool bounds(std::size_t guard, double ta, double tb, std::span<const events::Range> y,
              std::span<const events::Range> rates, events::Range& g, events::Range& slope) const;

 private:
  /// The formula that a guard is; null: it is none.
  [[nodiscard]] const BoundExpression* formula(std::size_t guard) const;
  /// It reads forces.
  [[nodiscard]] bool needs_solve(std::size_t guard) const;
  /// Of the listed guards, those of forces: where all forces were zero when they were solved last, what the largest one
  /// [N] leaves in them since is round-off.
  void note_forces(double largest, std::span<const std::size_t> which);
  /// Values at the last evaluated state, solved if one of the guards needs it.
  void read(const ModeEquations& equations, const Mode& mode, double t, std::span<const double> y,
            std::span<const std::size_t> which, double* g) const;
  /// Force guards in space, where redundant contacts make each solution dear. False: the mode cannot be solved.
  bool force_values(ModeEquations& equations, const Mode& mode, double t, std::span<const double> y,
                    std::span<const std::size_t> which, std::span<double> g);
  const System& system_;
  const Switches& switches_;
  BroadPhase near_;
  std::vector<events::GuardInfo> infos_;
  std::vector<WatchRef> refs_;
  std::vector<std::size_t> first_of_unit_, first_of_contact_;  ///< its guards follow each other: gap, force, range
  GuardForms forms_;
  GuardMemo memo_;
  std::vector<std::size_t> force_guards_;  ///< enabled ones, while the memo is not empty
  std::vector<int> force_place_;           ///< among them, by guard; -1: none
  std::vector<double> margin_;             ///< by contact: of watch_range() and watch_flush()
  std::vector<char> reads_forces_;         ///< by user guard
  std::vector<char> reads_states_;         ///< of a switch's guard: a polynomial in y if it is one in its variables
  std::vector<double> scale_;              ///< largest magnitude of the terms of each guard seen so far
};

}  // namespace hstar
