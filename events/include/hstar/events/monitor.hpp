// events/include/hstar/events/monitor.hpp
//
// Looks at one accepted step after another: isolates every root of every guard, finds the earliest
// active event with every guard that fires there, and polishes its time on real integrator steps.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "hstar/events/dense_step.hpp"
#include "hstar/events/departure.hpp"
#include "hstar/events/guard.hpp"
#include "hstar/events/linear_bound.hpp"

namespace hstar::events {

/// One root of one guard.
struct Root {
  std::size_t guard = 0;
  double t = 0.0;         ///< time of the root, polished [s]
  double t_lo = 0.0;      ///< the guard has not fired at t_lo ...
  double t_hi = 0.0;      ///< ... and has at t_hi [s]; of a graze: how far the dip reaches
  double dt_error = 0.0;  ///< error estimate |dt| ~ (step's error in g) / |dg/dt| [s]
  int direction = 0;      ///< +1 rising, -1 falling, 0 a graze: touches without a (decidable) crossing
};

struct MonitorOptions {
  int max_depth = 60;          ///< subdivisions of a step while isolating, in [1, 60]
  int max_polish = 40;         ///< integrator steps spent on polishing one root, >= 1 (3 to 5 are usual)
  double tie_ulps = 64.0;      ///< events closer than this many ulp of t are one instant, >= 1
  double graze_factor = 10.0;  ///< a dip shallower than this times the step's error is a graze, >= 1
};

enum class LookStatus : unsigned char {
  ok,
  guards_failed,  ///< a guard could not be evaluated somewhere on the step: take a shorter one
  undecided       ///< the guards are too irregular to be isolated on this step: take a shorter one
};

/// What was seen on one step.
struct Look {
  LookStatus status = LookStatus::ok;
  /// Roots of passive guards and grazes of all guards, in time order, none after the active event.
  std::vector<Root> passive;
  /// The earliest active event: every guard that fires at that instant, by time and then by index;
  /// empty if there is none.
  std::vector<Root> active;
  [[nodiscard]] bool has_event() const { return !active.empty(); }
  [[nodiscard]] double t_event() const { return active.front().t; }
};

/// Owns the workspace and the knowledge of each guard's current sign.
///
/// An event is a change of a guard between clear signs. What "clear" means depends on who computed
/// the value: at both ends of a step and at t_event() the state is the integrator's own and only
/// g_tol counts; inside the step the error of the interpolant counts too, and a dip that is less
/// deep than graze_factor times the step's error is evaluated on the integrator's own step there. If
/// it crosses deeper than that error, both crossings are roots; else it is reported as a graze.
///
/// Cost: at least five evaluations of each enabled guard a step; nine if the guard is not known to be
/// a polynomial and is not far from zero; one integrator step for each iteration of polishing.
class Monitor {
 public:
  /// @throws std::invalid_argument naming the option or guard, its value and the bound it broke.
  explicit Monitor(GuardSet& guards, std::size_t state_size, MonitorOptions options = {});

  /// Begins a new smooth segment at (t, y): takes each enabled guard's declared start sign; guards that say
  /// `from_value` take the sign of their value. Where the value is zero within g_tol, a guard that has not fired keeps
  /// the sign it had; any other has the sign of where it first clearly goes, by `beginning` if there is one, else by
  /// the next steps. A guard that leaves clearly to the other side than known is an event at t itself. GuardInfo is
  /// read here and holds until the next restart. A value that cannot be evaluated is reported by the next look.
  /// `moved`, empty or as long as y: the part of the last change of y by which no guard goes through zero; what it
  /// changes a guard by counts as zero until the motion has gone on.
  void restart(double t, std::span<const double> y, Beginning* beginning = nullptr, std::span<const double> moved = {});

  /// Isolates all roots on the step, which must begin where the last one ended or at the restart.
  /// After an event, restart before the next look. If the status is not ok, nothing is remembered of
  /// the step and a shorter one may be looked at. No allocation after the first calls of a mode.
  const Look& look(DenseStep& step);

  /// State at the active event of the last look: the integrator's own answer at t_event().
  [[nodiscard]] std::span<const double> event_state() const;

  struct Counters {
    std::size_t guard_evaluations = 0, polish_steps = 0;
  };
  [[nodiscard]] const Counters& counters() const;

  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  ~Monitor();

 protected:
  // For compiled_monitor.hpp: a look taken elsewhere must leave behind what look() would have.
  /// Guards that are followed since the restart; none if they could not be evaluated there.
  [[nodiscard]] std::span<const std::size_t> enabled() const;
  [[nodiscard]] Standing& standing(std::size_t guard);
  /// Spares the next look the rows of one guard, which is linear and whose value at the start of the step is known.
  void rows_known(std::size_t guard, const LinearBound& rows);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hstar::events
