// src/transition/jams.hpp
//
// Where rigid bodies with dry friction have no consistent mode (Painleve 1895) a sliding contact jams: an impulse
// without collision (Lecornu 1905; Genot & Brogliato 1999).
//
// A contact that slides in direction d answers its normal force by the acceleration p = G_NN - d mu G_NT. With p < 0
// there may be no mode or several.
#pragma once

#include <span>
#include <vector>

#include "transition/event_state.hpp"

namespace hstar {

class Jams {
 public:
  explicit Jams(EventState& at);

  enum class Outcome : unsigned char { none, stops, impulse };
  /// An impulse without collision of the sliding contact, or of all that are closed if `contact` is -1; or some of
  /// these have stopped. `asked`: the mode as it was asked.
  Outcome jam(const EventCall& call, int contact, const Mode& asked);

 private:
  [[nodiscard]] ImpactOutcome jam_together(double t, std::span<const double> y, const Mode& asked);
  /// Accelerations without contact and friction, into ydot_. False: there are none.
  bool solve_free(double t, std::span<const double> y);
  /// Forces push for this moment [s]; those that their forces leave and that fall back at once do so with this speed.
  struct Push {
    double moment, fall;
  };
  /// The impact that a push makes. Of those in stops_ only what it stops or turns stays.
  ImpactOutcome strike_after(const Push& push, double t, std::span<const double> y, const Mode& asked);
  /// gamma_T of a unit after it, along the direction in which it slid.
  [[nodiscard]] double slide_after(const ImpactOutcome& impact, int unit, int direction) const;
  /// At the last evaluated state: no impulse is farther outside its cone than the books allow.
  [[nodiscard]] bool in_cones(const ImpactOutcome& impact) const;
  void tell(const EventCall& call, const ImpactOutcome& impact, int contact, double energy_loss);

  EventState& at_;
  Mode free_;
  std::vector<char> active_;  ///< by contact
  std::vector<char> stops_;   ///< by friction unit: a push stops it
  std::vector<double> y_before_, y_later_, ydot_, q_dot_;
};

}  // namespace hstar
