// src/transition/impacts.hpp
//
// Impacts of a mechanism at one instant, until none approaches: of contacts, and of joints whose given motion jumps.
#pragma once

#include <span>
#include <vector>

#include "transition/crowding.hpp"
#include "transition/flight_height.hpp"
#include "transition/given_motion.hpp"

namespace hstar {

class Impacts {
 public:
  /// `motion` is that of the mechanism in its mode. An impact that gains energy ends the run if `energy_error`.
  Impacts(EventState& at, GivenMotion& given, OdeProblem& motion, bool energy_error);

  /// The run begins.
  void start() { std::fill(seen_.begin(), seen_.end(), 0); }
  /// On return nothing that touches approaches, and the mode says which contacts stay closed.
  bool carry_out(const EventCall& call, std::span<const events::Root> fired);
  /// Of a contact, since the start.
  [[nodiscard]] int seen(std::size_t contact) const { return seen_[contact]; }

 private:
  void find_touching(const EventCall& call, std::span<const events::Root> fired);
  /// A guard that fired is at zero gap whatever its round-off says. True: it is held from now on, and velocities have
  /// changed by that.
  bool touch(const EventCall& call, const events::Root& root);
  /// It leaves, and yet its gap came back to zero at once: the flight is lower than the round-off of the gap. Bounces
  /// below that are the limit of their accumulation.
  void end_low_flight(const EventCall& call, std::size_t contact, const events::Root& root);
  /// Where no impulses satisfy the law: what approaches does so by hardly more than round-off, and is closed.
  bool hardly_approach();
  /// What has lost its speed in a chatter and is not held without changing others by more than that speed leaves with
  /// it (one of two at one corner). False: there is none.
  bool let_go_of_leaving(const EventCall& call);
  /// What is still told to approach does so by round-off.
  void close_approaching();
  /// The contact of the record: of those that strike, the first in the model; -1: joints are driven.
  [[nodiscard]] int main_contact() const;
  void tell(const EventCall& call, std::span<const events::Root> fired, const ImpactOutcome& impact, double energy_loss,
            double gain);
  [[nodiscard]] std::string others(const ImpactOutcome& impact, int main) const;
  void count_strikes(double t);
  /// Where each contact goes on: still closed, closed now (no rebound), or open.
  void go_on(const EventCall& call, const ImpactOutcome& impact);
  /// Impacts come ever faster and do not get slower, and there is no time left: the run ends as `settled` says.
  bool crowds(double t, Settled& settled);

  EventState& at_;
  GivenMotion& given_;
  FlightHeight flight_;
  bool energy_error_;
  std::vector<int> seen_;         ///< by contact
  std::vector<char> active_;      ///< by contact, in the impact that is carried out
  std::vector<double> y_before_;  ///< before it
  Crowding crowding_;
  Crowding::Limit crowded_;
};

}  // namespace hstar
