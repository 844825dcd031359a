// src/transition/switches.hpp
//
// On which branches the switches of all formulas stand in a run. A step sees one branch of each on its whole length;
// where a condition passes through zero the branch changes, there and only there. Conditions of time alone change at
// known times; the others are watched as guards.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "hstar/events/departure.hpp"
#include "mechanism/held_branch.hpp"
#include "mechanism/system.hpp"
#include "transition/switch_crowding.hpp"

namespace hstar {

/// A formula in words: its name and its text.
[[nodiscard]] std::string quoted(const SwitchedFormula& formula);

class Switches {
 public:
  explicit Switches(const System& system);

  [[nodiscard]] bool any() const { return !branch_.empty(); }
  [[nodiscard]] std::size_t count() const { return branch_.size(); }
  /// For Kinematics::branches; the same place for the whole run.
  [[nodiscard]] const double* branches() const { return any() ? branch_.data() : nullptr; }

  [[nodiscard]] const SwitchedFormula& formula(std::size_t i) const { return system_.switched[at_[i].formula]; }
  [[nodiscard]] bool is_timed(std::size_t i) const { return at_[i].timed; }
  [[nodiscard]] bool is_floor(std::size_t i) const { return at_[i].floor; }
  /// Of a relation: a motion can stay where it changes, with a share of both sides.
  [[nodiscard]] bool can_be_held(std::size_t i) const { return !at_[i].floor && !is_divisor(i); }
  /// Of distance(), as a polynomial in the variables of the formula; 0 if it is none.
  [[nodiscard]] int degree(std::size_t i) const {
    return moves(i) ? std::max(formula(i).bound.formula.condition_degree(at_[i].which), 0) : 0;
  }
  /// The branch can change by the state before the next restart.
  [[nodiscard]] bool is_watched(std::size_t i) const { return live_[i] && !at_[i].timed; }
  /// Distance of the condition from where the branch changes, positive on the branch; of floor from the whole number
  /// below, or `upper`: above; of a condition that is zero, from where it clearly is no longer; of one that is held,
  /// the product of the shares of both sides.
  [[nodiscard]] double distance(std::size_t i, bool upper, const Kinematics& k) const;

  /// Size whose round-off the condition has: of its variables, the largest seen, as the condition magnifies them.
  [[nodiscard]] double scale(std::size_t i, const Kinematics& k) const;
  /// That of distance().
  [[nodiscard]] double guard_scale(std::size_t i, const Kinematics& k) const {
    return is_held(i) ? 1 : scale(i, k) / unit(i);
  }
  /// Passes through zero where its branch changes. (A branch of zero holds what is zero throughout.)
  [[nodiscard]] bool moves(std::size_t i) const { return at_[i].floor || (branch_[i] != 0 && !is_held(i)); }

  /// Bounds of distance() and of its rate while the variables of the formula and their rates are within given ones.
  /// Only if has_bounds(i).
  [[nodiscard]] bool has_bounds(std::size_t i) const { return moves(i); }
  [[nodiscard]] Expression::Enclosure bounds(std::size_t i, bool upper, const Expression::Bounds* vars,
                                             const Expression::Bounds* rates) const;

  /// Time ends there [s].
  void run_until(double t_end) { t_end_ = t_end; }
  /// All branches at a start (t, y).
  void begin(double t, const double* y, Kinematics& k);
  /// Nothing has fired yet at this instant.
  void begin_event();
  /// The guard of switch i has fired, k at the event: what its root has left of the condition. Of all that have fired,
  /// before any of them is flipped.
  void meet(std::size_t i, bool upper, const Kinematics& k);
  /// That, with a margin: zero of distance() after this event, whichever of the guards of a floor fired.
  [[nodiscard]] double left(std::size_t i) const { return left_[i] / unit(i); }
  /// The guard of switch i has fired, k at the event.
  void flip(std::size_t i, bool upper, const Kinematics& k);
  /// Those whose time has come at t.
  void flip_timed(double t);
  [[nodiscard]] bool has_fired(std::size_t i) const { return fired_[i] != 0; }
  [[nodiscard]] bool fired() const;
  /// The next time at which a condition of time alone changes its branch, infinity if none does.
  [[nodiscard]] double next_time() const;

  // A switch on whose surface the motion is held (held_surface.hpp) has a share of both branches.
  [[nodiscard]] bool is_held(std::size_t i) const { return !at_[i].floor && is_held_branch(branch_[i]); }
  void hold(std::size_t i, double branch) { branch_[i] = branch; }
  /// Is on that side from here on, k there.
  void let_go(std::size_t i, double side, const Kinematics& k);
  /// Branches are looked for anew at this instant: one more is held, or one less.
  void begin_trials();
  [[nodiscard]] double condition(std::size_t i, const Kinematics& k) const;
  /// Its rate by the rates of its variables.
  [[nodiscard]] double condition_rate(std::size_t i, const double* vars, const double* rates) const;
  [[nodiscard]] bool is_affine(std::size_t i) const {
    return formula(i).bound.formula.condition_degree(at_[i].which) == 1;
  }
  /// What counts as zero of a condition.
  [[nodiscard]] double zero(std::size_t i, const Kinematics& k) const;

  /// The formula of a condition that has no value at k, a null pointer if all have one.
  [[nodiscard]] const SwitchedFormula* without_value(const Kinematics& k) const;
  /// That of a condition whose changes are too many to follow.
  [[nodiscard]] const SwitchedFormula* irregular() const;

  /// Follows what has changed at an instant, k at it: what is clearly off zero is on the side of its value; what has
  /// just begun to matter and is at zero waits for leave(). Whether a branch has changed.
  bool settle(const Kinematics& k);
  /// Branches of conditions at zero by where the motion from (t, y) goes; leaves k there. Whether one has changed, so
  /// that all must be decided again. `pushed_back`: a switch that has fired and that every branch drives to another;
  /// count() if there is none.
  bool leave(double t, std::span<const double> y, Kinematics& k, events::Beginning& motion, std::size_t& pushed_back);

 private:
  struct Place {
    std::size_t formula;
    int which;  ///< among the switches of the formula
    bool timed, floor;
    std::vector<std::size_t> divisors;  ///< of its condition: their switches
  };
  [[nodiscard]] double condition_at(std::size_t i, double t) const;
  /// Of a condition with poles, from -1 to 1: a guard is a function with values. Near zero it is the condition in parts
  /// of unit(), its usual size.
  [[nodiscard]] double softened(std::size_t i, double g) const;
  [[nodiscard]] double unit(std::size_t i) const { return usual_[i] > 0 && !at_[i].floor && moves(i) ? usual_[i] : 1; }
  [[nodiscard]] double usual_size(std::size_t i, const Kinematics& k);
  [[nodiscard]] bool is_divisor(std::size_t i) const { return formula(i).bound.formula.is_divisor(at_[i].which); }
  [[nodiscard]] bool is_beside_pole(std::size_t i, const Kinematics& k) const;
  /// Where a divisor of it is zero a condition is what it is a moment later.
  [[nodiscard]] bool is_at_pole(std::size_t i, const Kinematics& k) const;
  [[nodiscard]] bool is_beyond_pole(std::size_t i, const Kinematics& k) const;
  [[nodiscard]] bool is_pole(std::size_t i, double t) const;
  /// Size of the variables of the condition, the largest seen.
  [[nodiscard]] double terms(std::size_t i, const Kinematics& k) const;
  /// Branch of a condition of time alone just after t.
  [[nodiscard]] double branch_after(std::size_t i, double t) const;
  [[nodiscard]] double next_time(std::size_t i, double t) const;
  [[nodiscard]] double before_pole(std::size_t divisor, double t) const;
  /// Where the branch of a condition of this value changes that is nearest.
  [[nodiscard]] double level(std::size_t i, double g) const;
  [[nodiscard]] double longest(double t) const;
  [[nodiscard]] bool formula_has_fired(std::size_t i) const;
  void find_live();
  void find_times(double t);

  const System& system_;
  double t_end_ = 1;
  std::vector<Place> at_;
  std::vector<double> branch_;
  std::vector<double> size_;         ///< of the variables of a condition: the largest seen
  std::vector<double> drift_;        ///< what has been left of a condition that was held: the most
  std::vector<double> next_;         ///< of those of time alone: the time of the next change, NaN if it is not known
  std::vector<double> pole_;         ///< of a divisor: what counts as zero of it since the last event
  std::vector<double> either_side_;  ///< of poles: branches, as usual_size() needs them
  std::vector<double> usual_;        ///< of a condition with poles: its size at places about, 0 of others
  std::vector<double> left_;         ///< what roots have left of a condition that is at zero
  double off_ = 0;             ///< by what share of their size the variables are off the instant, as roots leave them
  mutable int irregular_ = 0;  ///< searches for a next time that came to nothing ...
  mutable std::size_t last_irregular_ = 0;  ///< ... the last one of this switch
  std::vector<SwitchCrowding> crowding_;
  std::vector<char> live_, fired_;
  /// Combinations of branches at this instant: those before next_tried_ have been tried.
  std::vector<std::vector<double>> tried_;
  std::size_t next_tried_ = 1;
  std::vector<std::size_t> at_zero_;
  std::vector<char> waits_;     ///< its side is not known before the motion is
  std::vector<char> proposed_;  ///< another branch of it has been proposed at this instant
  std::vector<double> y_;
};

}  // namespace hstar
