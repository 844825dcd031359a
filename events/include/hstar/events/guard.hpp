// events/include/hstar/events/guard.hpp
//
// What a guard is: a scalar function g(t, y) whose sign changes are events.
// Knows a time, a state vector and functions of both. Knows no mechanics.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace hstar::events {

enum class Sign : signed char { negative = -1, from_value = 0, positive = +1 };

/// Which sign change counts: rising is - to +, falling is + to -.
enum class Crossing : unsigned char { falling, rising, either };

/// Active guards end the step at their first root: the mode may change there.
/// Passive guards only record; they never cut a step.
enum class Role : unsigned char { active, passive };

/// Everything about one guard except its value.
struct GuardInfo {
  std::string name;                       ///< appears in reports and errors, e.g. "floor.g_N"
  Crossing crossing = Crossing::falling;  ///< which sign change counts
  Role role = Role::active;
  bool enabled = true;  ///< a guard that is not enabled in this mode is not looked at
  double g_tol = 0.0;   ///< |g| <= g_tol counts as zero: the round-off of g [unit of g], >= 0
  /// Sign of g just after the last restart. The transition that has just ended knows it (a ball
  /// that has bounced is above the floor) and says so; `from_value` lets the value decide.
  Sign start = Sign::from_value;
  /// Polynomial degree of g in t and y together (1: linear, as the gap to a floor that moves at constant speed), or 0
  /// if g is not a polynomial in them.
  int degree = 0;
  /// Its g_tol may be less than the round-off of g: that is measured before a root of it is believed, at the cost of
  /// two evaluations for each component of y that it depends on, and GuardSet::note_round_off told.
  bool measured = false;
};

/// All numbers from lo to hi.
struct Range {
  double lo = 0.0, hi = 0.0;
};

/// The guards of a run, evaluated together because they often share work.
class GuardSet {
 public:
  virtual ~GuardSet() = default;
  [[nodiscard]] virtual std::size_t guard_count() const = 0;
  [[nodiscard]] virtual const GuardInfo& info(std::size_t i) const = 0;
  /// Writes g_i(t, y) into g[k] for i = which[k]. Returns false when the guards cannot be
  /// evaluated at this state (the step is then treated as failed); never throws for bad states.
  virtual bool values(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) = 0;
  /// Looks at g_i on a step came to no end, or found a root of a `measured` one, and round-off of t and y alone changes
  /// it by `round_off` there [unit of g]. True: its g_tol has grown to hold that.
  virtual bool note_round_off(std::size_t /*i*/, double /*round_off*/) { return false; }
  /// Indices of the components of y that g_i can depend on in this mode; empty: on any. In a large state it spares
  /// an evaluation for each component that does not matter when the error of g_i is estimated.
  [[nodiscard]] virtual std::span<const std::size_t> depends_on(std::size_t) const { return {}; }
  /// Of a guard of degree 1 whose coefficients are known in this mode: those of each component of y, of t, and the
  /// constant, valid until the next restart. It is not evaluated then. nullptr: not known.
  [[nodiscard]] virtual const double* linear_form(std::size_t) { return nullptr; }
  /// A bound of |dg_i/dt| along the solution on [ta, tb], or infinity when none is known.
  /// A finite bound makes the isolation of g_i rigorous; without one it is measured (isolate.hpp).
  [[nodiscard]] virtual double rate_bound(std::size_t, double, double) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Guard i has bounds().
  [[nodiscard]] virtual bool has_bounds(std::size_t) const { return false; }
  /// Bounds of g_i and of its rate dg_i/dt while t is in [ta, tb] and y and y' are in the given boxes, of which the
  /// components in depends_on(i) matter. With them a guard that is no polynomial is proven to keep clear of zero, or to
  /// pass it once, between its samples. False: not known there.
  virtual bool bounds(std::size_t /*i*/, double /*ta*/, double /*tb*/, std::span<const Range> /*y*/,
                      std::span<const Range> /*rates*/, Range& /*g*/, Range& /*slope*/) {
    return false;
  }
};

/// Guards given as plain functions: the convenient form for user code and tests.
class FunctionGuards final : public GuardSet {
 public:
  using Function = std::function<double(double t, std::span<const double> y)>;
  /// Returns the index of the new guard.
  std::size_t add(GuardInfo info, Function g);
  [[nodiscard]] std::size_t guard_count() const override { return infos_.size(); }
  [[nodiscard]] const GuardInfo& info(std::size_t i) const override { return infos_[i]; }
  [[nodiscard]] GuardInfo& edit(std::size_t i) { return infos_[i]; }
  bool values(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override;

 private:
  std::vector<GuardInfo> infos_;
  std::vector<Function> functions_;
};

}  // namespace hstar::events
