// events/include/hstar/events/monitor.hpp
//
// Looks at one accepted step after another: isolates every root of every guard, finds the earliest
// active event with every guard that fires there, and polishes its time on real integrator steps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hstar/events/dense_step.hpp"
#include "hstar/events/guard.hpp"

namespace hstar::events {

/// One root of one guard.
struct Root {
  std::size_t guard = 0;
  double t = 0.0;         ///< time of the root, polished [s]
  double t_lo = 0.0;      ///< the guard has not fired at t_lo ...
  double t_hi = 0.0;      ///< ... and has at t_hi [s]
  double dt_error = 0.0;  ///< error estimate |dt| ~ (step's error in g) / |dg/dt| [s]
  int direction = 0;      ///< +1 rising, -1 falling, 0 a graze: touches without a (decidable) crossing
};

struct MonitorOptions {
  int max_depth = 60;         ///< subdivisions of a step while isolating, >= 1
  int max_polish = 12;        ///< integrator steps spent on polishing one event, >= 1
  double tie_ulps = 64.0;     ///< events closer than this many ulp of t are one instant, >= 1
  double graze_factor = 10.0; ///< a dip shallower than this times the step's error is a graze, >= 1
};

enum class LookStatus : unsigned char { ok, guards_failed, undecided };

/// What was seen on one step.
struct Look {
  LookStatus status = LookStatus::ok;
  /// Roots of passive guards and grazes of all guards, in time order, none after the active event.
  std::vector<Root> passive;
  /// The earliest active event: every guard that fires at that instant; empty if there is none.
  std::vector<Root> active;
  [[nodiscard]] bool has_event() const { return !active.empty(); }
  [[nodiscard]] double t_event() const { return active.front().t; }
};

/// Owns the workspace and the knowledge of each guard's current sign.
class Monitor {
 public:
  explicit Monitor(GuardSet& guards, std::size_t state_size, MonitorOptions options = {});

  /// Begins a new smooth segment at (t, y): takes each enabled guard's declared start sign; guards
  /// that say `from_value` take the sign of their value, and a value within g_tol is decided by
  /// where the guard first clearly goes.
  void restart(double t, std::span<const double> y);

  /// Isolates all roots on the step. No allocation after the first calls of a mode.
  const Look& look(DenseStep& step);

  /// State at the active event of the last look: the integrator's own answer at t_event().
  [[nodiscard]] std::span<const double> event_state() const;

  /// State at a passive root of the last look (interpolated), written into y.
  struct Counters {
    std::size_t guard_evaluations = 0, polish_steps = 0;
  };
  [[nodiscard]] const Counters& counters() const;

  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  ~Monitor();

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace hstar::events
