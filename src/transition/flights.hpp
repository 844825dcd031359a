// src/transition/flights.hpp
//
// The flights of contacts that chatter (chatter.hpp), from the accelerations of the mechanism: how high and how long
// they are until the next impact, and the state there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "transition/event_state.hpp"
#include "transition/held_motion.hpp"

namespace hstar {

class Flights {
 public:
  Flights(EventState& at, HeldMotion& motion);

  /// Accelerations in the mode at (t, y), and flights of the contacts that may strike next. False: they cannot be
  /// computed.
  bool solve(double t, std::span<const double> y);
  /// The flight again, with the accelerations where it ends, and rates in its middle.
  /// False: it is so long, and they change so much, that the monitor finds the next impact better, or something else
  /// has an event meanwhile.
  bool bend(double t, std::span<const double> y, Chatter::Flight& flight);
  /// The gaps and the state y at its end.
  void advance(const Chatter::Flight& flight, std::span<double> y);

  /// The next flight is too low for the monitor, or too short against what has been seen, and ends before t_end.
  [[nodiscard]] bool are_followed(const Followed& so_far, const Chatter::Flight& flight, double t_end) const;
  /// A contact flies higher in it than the round-off of its gap; and any does.
  [[nodiscard]] bool shows(const Chatter::Flight& flight, std::size_t contact) const;
  [[nodiscard]] bool is_shown(const Chatter::Flight& flight) const;
  /// Of a gap [m].
  [[nodiscard]] double round_off(std::size_t contact) const;

 private:
  /// How a friction unit slides at the beginning of a flight; it does not if its speed is zero.
  struct Sliding {
    double speed = 0, acceleration = 0;
    std::array<double, most_directions> direction{};
  };
  /// Its flights are over.
  void end(std::size_t contact);
  /// What touches and is held there by others that are closed (two ends in the point of a joint) flies no more, though
  /// its number says that it moves: that of the others has been another by as much.
  void end_what_others_hold();
  [[nodiscard]] bool is_held_by_others(std::size_t contact);
  /// Rates in the mode at (t, y) into ydot_: velocities and states.
  bool solve_rates(double t, const double* y);
  /// Of the speed of a unit that slides, with the rates of ydot_, where it slid at the beginning of the flight.
  [[nodiscard]] double acceleration_of_slide(int unit) const;
  /// Flies since an impact of this chatter, or strikes next.
  [[nodiscard]] bool chatters(std::size_t contact, const Chatter::Flight& flight) const;
  /// Each contact that chatters, and the one that strikes next, flies so high until it strikes, and for so long, that
  /// the monitor sees it well.
  [[nodiscard]] bool flies_higher(double t, const Chatter::Flight& flight) const;
  /// A contact flies so high within this time that the monitor sees it well.
  [[nodiscard]] bool is_high(std::size_t contact, double time) const;
  /// What its forces have let go at its surface is not that high when this flight ends, and would strike with it, not
  /// after it. (Such flights shrink like their squares.)
  [[nodiscard]] bool hides_opening(const Chatter::Flight& flight) const;
  /// Of a gap below its round-off positions do not tell whether it is zero. Where it depends on those of others it is
  /// what they make of it: a plate that lies on three corners lies on the fourth.
  void land_with_others();
  void go_on(double time, std::span<double> y);
  /// Rates of what does not chatter, for a flight that lasts so long that its accelerations change meanwhile. False:
  /// they cannot be computed.
  bool solve_stages(double t, std::span<const double> y, const Chatter::Flight& flight);
  /// The bodies whose motion the contacts that chatter decide.
  void find_sequence(const Chatter::Flight& flight);
  /// A guard of what does not chatter changes its sign meanwhile.
  bool passes_event(double t, std::span<const double> y, const Chatter::Flight& flight);
  /// A flight that ends with a stop lasts until the speed is zero.
  void meet_stop(double t, std::span<const double> y, Chatter::Flight& flight);

  EventState& at_;
  HeldMotion& motion_;
  Mode landed_;
  std::vector<Sliding> slides_;  ///< by friction unit
  std::vector<std::size_t> watched_;
  std::vector<double> guards_before_, guards_after_;  ///< of these
  std::vector<double> y_later_, ydot_, ydot_start_, ydot_middle_, ydot_mean_, ydot_linear_, displacement_, no_load_,
      load_, target_, reaction_;
  std::vector<char> of_sequence_;  ///< by body
};

/// d/dt (J v - nu) of a row at the last evaluated kinematics, with these rates.
[[nodiscard]] double acceleration_along(const System& s, const Row& row, const std::vector<double>& ydot);

}  // namespace hstar
