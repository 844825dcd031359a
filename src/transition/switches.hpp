// src/transition/switches.hpp
//
// On which branches the switches of all formulas stand in a run. A step sees one branch of each on its whole length;
// where a condition passes through zero the branch changes, there and only there. Conditions of time alone change at
// known times; the others are watched as guards.
#pragma once

#include <span>
#include <vector>

#include "hstar/events/departure.hpp"
#include "transition/switch.hpp"

namespace hstar {

class Switches {
 public:
  explicit Switches(const System& system);
  Switches(const Switches&) = delete;
  Switches& operator=(const Switches&) = delete;

  [[nodiscard]] bool any() const { return !at_.empty(); }
  [[nodiscard]] std::size_t count() const { return at_.size(); }
  [[nodiscard]] const Switch& operator[](std::size_t i) const { return at_[i]; }
  /// For Kinematics::branches; the same place for the whole run.
  [[nodiscard]] const double* branches() const { return any() ? all_.branch.data() : nullptr; }

  /// Time ends there [s].
  void run_until(double t_end) { all_.t_end = t_end; }
  /// All branches at a start (t, y).
  void begin(double t, const double* y, Kinematics& k);
  /// Nothing has fired yet at this instant.
  void begin_event();
  /// Branches are looked for anew at this instant: one more is held, or one less.
  void begin_trials();
  /// The guard of switch i has fired, k at the event: what its root has left of the condition. Of all that have fired,
  /// before any of them is flipped.
  void meet(std::size_t i, bool upper, const Kinematics& k);
  /// The guard of switch i has fired, k at the event.
  void flip(std::size_t i, bool upper, const Kinematics& k);
  /// Those whose time has come at t.
  void flip_timed(double t);
  [[nodiscard]] bool fired() const;
  /// The next time at which a condition of time alone changes its branch, infinity if none does.
  [[nodiscard]] double next_time() const;
  void hold(std::size_t i, double branch) { at_[i].branch = branch; }
  /// It is held no longer and on that side from here on, k there.
  void let_go(std::size_t i, double side, const Kinematics& k);

  /// The formula of a condition that has no value at k, a null pointer if all have one.
  [[nodiscard]] const SwitchedFormula* without_value(const Kinematics& k) const;
  /// That of a condition whose changes are too many to follow.
  [[nodiscard]] const SwitchedFormula* irregular() const;

  /// Follows what has changed at an instant, k at it: what is clearly off zero is on the side of its value; what has
  /// just begun to matter and is at zero waits for leave(). Whether a branch has changed.
  bool settle(const Kinematics& k);
  /// Branches of conditions at zero by where the motion from (t, y) goes; leaves k there. Whether one has changed, so
  /// that all must be decided again. `pushed_back`: where every combination drives to another one, a switch that is
  /// driven; count() if there is none.
  bool leave(double t, std::span<const double> y, Kinematics& k, events::Beginning& motion, std::size_t& pushed_back);

 private:
  [[nodiscard]] bool formula_has_fired(const Switch& s) const;
  [[nodiscard]] bool settle(Switch& s, const Kinematics& k);
  /// The branch that a switch at zero, or at a pole, takes with the motion; its own if that is not known.
  [[nodiscard]] double branch_ahead(const Switch& s, double t, std::span<const double> y, Kinematics& k,
                                    events::Beginning& motion);
  void find_live();
  void find_times(double t);

  const System& system_;
  SwitchBranches all_;
  std::vector<Switch> at_;
  int irregular_ = 0;                         ///< searches for a next time that came to nothing ...
  const SwitchedFormula* crowded_ = nullptr;  ///< ... the last one of this formula
  /// Combinations of branches at this instant: those before next_tried_ have been tried.
  std::vector<std::vector<double>> tried_;
  std::size_t next_tried_ = 1;
  std::size_t driven_ = 0;  ///< the first switch that one of them drives to its other side, count() if none
  std::vector<double> y_;
};

}  // namespace hstar
