// src/transition/chatter_limit.hpp
//
// Impacts whose flights are too low for the monitor are followed here, one after the other, to their limit or until
// they are higher again (chatter.hpp).
#pragma once

#include <span>
#include <vector>

#include "transition/flights.hpp"
#include "transition/mode_decision.hpp"

namespace hstar {

class ChatterLimit {
 public:
  ChatterLimit(EventState& at, ModeDecision& decision, HeldMotion& held, const Switches& switches);

  /// Impacts, the next mode, and the chatter that follows; settled.t_jump is when it ends. False: one of the impacts
  /// cannot be carried out. (What has just begun to leave its surface may fall back in the next mode: a chatter, too.)
  bool decide(const EventCall& call, std::span<const events::Root> fired, bool count) {
    return decision_.decide(call, fired, count) &&
           (!(at_.impacted || at_.touching.any_leaves(at_.mode.closed)) || follow(call));
  }

 private:
  bool follow(const EventCall& call);
  /// The next instant after t that is known beforehand: of a switch, a guard's time, the end.
  [[nodiscard]] double told_until(double t) const;
  bool follow_flights(const EventCall& call, Chatter::Flight flight, Followed& so_far);
  bool fly_and_decide(const EventCall& call, const Chatter::Flight& flight, Followed& so_far);
  /// Positions do not show gaps that the last flights have left below their round-off. What does not come back touches
  /// by them, and whether it opens is decided once more, from velocities and forces.
  bool ask_again(const EventCall& call, Followed& so_far);
  /// No time is left for some, but speeds are: one plastic impact of those that have touched in the last of it, if they
  /// shrink. Others fly on.
  bool strike_at_limit(const EventCall& call, bool shrinks);
  void stop_slides(double t, std::span<const double> y);
  /// Contacts that flew before and rest now have come to their limit; `by_bounces`: of their own.
  void tell_limit(const Followed& so_far, bool by_bounces, std::span<const double> y);

  EventState& at_;
  ModeDecision& decision_;
  HeldMotion& held_;
  const Switches& switches_;
  std::vector<double> scheduled_;  ///< times of guards
  Flights flights_;
  std::vector<char> flew_;    ///< by contact: open before a chatter, and its limit not told yet
  std::vector<char> active_;  ///< by contact
  std::vector<double> y_before_;
  Mode shown_;  ///< before flights that are not told
  Mode stopped_;
};

}  // namespace hstar
