// src/transition/switch.hpp
//
// One switch of a formula: on which branch it stands, and how far its condition is from where that changes. A pole of
// the condition is an event of its own, the zero of a divisor that is a switch like any other; up to it the condition
// is a guard between -1 and 1, and beyond it nothing is asked of it.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "mechanism/held_branch.hpp"
#include "mechanism/system.hpp"
#include "transition/switch_crowding.hpp"

namespace hstar {

/// Searches in vain for the next time of a condition; of the time that is left, one that ends nearer than by this part
/// is merely fast.
constexpr int most_irregular = 16;

/// A formula in words: its name and its text.
[[nodiscard]] std::string quoted(const SwitchedFormula& formula);

/// What all switches of a run share.
struct SwitchBranches {
  std::vector<double> branch;  ///< by switch; the same place for the whole run
  std::vector<char> live;      ///< by switch: its branch matters
  double off = 0;              ///< by what share of their size variables are off the instant, as roots leave them
  double t_end = 1;            ///< time ends there [s]
  std::vector<double> scratch;
};

struct Switch {
  using Bounds = Expression::Bounds;

  /// The switch `which` of those of the formula.
  Switch(const SwitchedFormula& formula, int which, SwitchBranches& all);

  const SwitchedFormula& formula;
  int which;
  SwitchBranches& all;
  double& branch;
  char& live;
  bool timed, floor;                    ///< its condition reads t alone; it is a whole number and not a relation
  bool is_divisor;                      ///< of another condition
  bool can_be_held;                     ///< a motion can stay where it changes, with a share of both sides
  std::vector<const Switch*> divisors;  ///< of its condition
  std::vector<const Switch*> inner;     ///< others that its condition reads
  double size = 0;                      ///< of the variables of the condition: the largest seen
  double drift = 0;                     ///< what has been left of a condition that was held: the most
  double next = std::numeric_limits<double>::quiet_NaN();  ///< if timed: the next change, NaN if it is not known
  double pole = 0;        ///< of a divisor: what counts as zero of it since the last event
  double usual = 0;       ///< of a condition with poles: its size at places about, 0 of others
  double left = 0;        ///< what roots have left of a condition that is at zero
  bool fired = false;     ///< at this instant
  bool waits = false;     ///< its side is not known before the motion is
  bool let_go = false;    ///< it is held no longer since this instant
  bool proposed = false;  ///< another branch of it has been proposed at this instant
  SwitchCrowding crowding;

  /// Passes through zero where its branch changes. (A branch of zero holds what is zero throughout.)
  [[nodiscard]] bool moves() const { return floor || (branch != 0 && !is_held()); }
  /// It is held on its surface (held_surface.hpp) and has a share of both branches.
  [[nodiscard]] bool is_held() const { return !floor && is_held_branch(branch); }
  /// Its condition has a value on either side of what is held, and formulas take the branch of that: no event tells
  /// where it changes.
  [[nodiscard]] bool reads_held() const {
    return std::any_of(inner.begin(), inner.end(), [](const Switch* s) { return s->is_held(); });
  }
  /// Of distance(), as a polynomial in the variables of the formula; 0 if it is none.
  [[nodiscard]] int degree() const { return moves() ? std::max(degree_of_condition(), 0) : 0; }
  [[nodiscard]] int degree_of_condition() const { return formula.bound.formula.condition_degree(which); }

  [[nodiscard]] double condition(const Kinematics& k) const;
  /// Its rate by the rates of its variables.
  [[nodiscard]] double condition_rate(const double* vars, const double* rates) const;
  /// Of the condition, while its variables and their rates are within these.
  [[nodiscard]] Expression::Enclosure enclose(const Bounds* vars, const Bounds* rates) const;
  /// Of the condition, while its variables are as near as `about` to those of k.
  [[nodiscard]] Bounds spread(const Kinematics& k, double about) const;
  /// Size of the variables of the condition, the largest seen.
  [[nodiscard]] double terms(const Kinematics& k) const;
  /// Size whose round-off the condition has: of its variables, the largest seen, as the condition magnifies them.
  [[nodiscard]] double scale(const Kinematics& k) const;
  /// What counts as zero of the condition; and what does after a root of it.
  [[nodiscard]] double zero(const Kinematics& k) const;
  [[nodiscard]] double least(const Kinematics& k) const { return std::max(zero(k), left); }
  /// Its size at places about.
  [[nodiscard]] double usual_size(const Kinematics& k) const;

  /// Where the branch of a condition of this value changes that is nearest; the branch of a condition clearly off it.
  [[nodiscard]] double level(double g) const;
  [[nodiscard]] double side(double g) const;
  /// The branch on this side (-1, 0, 1) of a level.
  [[nodiscard]] double beside(double level, int side) const { return !floor ? side : side < 0 ? level - 1 : level; }

  /// Distance of the condition from where the branch changes, positive on the branch; of floor from the whole number
  /// below, or `upper`: above; of a condition that is zero, from where it clearly is no longer; of one that is held,
  /// the product of the shares of both sides.
  [[nodiscard]] double distance(bool upper, const Kinematics& k) const;
  /// Size whose round-off distance() has.
  [[nodiscard]] double guard_scale(const Kinematics& k) const { return is_held() ? 1 : scale(k) / unit(); }
  /// Bounds of distance() and of its rate while the variables of the formula and their rates are within given ones. If
  /// it moves.
  [[nodiscard]] Expression::Enclosure bounds(bool upper, const Bounds* vars, const Bounds* rates) const;
  /// Of a condition with poles, from -1 to 1: a guard is a function with values. Near zero it is the condition in parts
  /// of unit(), its usual size.
  [[nodiscard]] double softened(double g) const;
  [[nodiscard]] double unit() const { return usual > 0 && !floor && moves() ? usual : 1; }

  // Where a divisor of it is zero a condition is what it is a moment later.
  [[nodiscard]] bool is_at_pole(const Kinematics& k) const;
  [[nodiscard]] bool is_beyond_pole(const Kinematics& k) const;
};

// Conditions of time alone (switch_times.cpp).

/// [s] Times nearer to t than this are one instant.
[[nodiscard]] double instant_at(double t);
/// The condition at t; where it has a pole, a moment later.
[[nodiscard]] double condition_at(const Switch& of, double t);
/// A divisor is zero at t.
[[nodiscard]] bool is_pole(const Switch& divisor, double t);
/// Time that is left from t on.
[[nodiscard]] double longest(const SwitchBranches& of, double t);
/// The branch just after t.
[[nodiscard]] double branch_after(const Switch& of, double t);
/// The next time after t at which the branch changes, infinity if it does not. `irregular` counts searches in vain.
[[nodiscard]] double next_change(const Switch& of, double t, int& irregular);

}  // namespace hstar
