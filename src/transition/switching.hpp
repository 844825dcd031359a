// src/transition/switching.hpp
//
// What an event does to the branches of switches in formulas, and they to it: the mode is decided on the branches that
// belong to the state, which the decision may move.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hstar/start_of_motion.hpp"
#include "transition/branch_flips.hpp"
#include "transition/chatter_limit.hpp"

namespace hstar {

class Switching {
 public:
  /// `motion` is that of the mechanism in its mode. `dae`: its equations are differential-algebraic ones, which cannot
  /// hold a surface.
  Switching(EventState& at, Switches& switches, HeldMotion& held, ChatterLimit& chatter_limit, OdeProblem& motion,
            bool dae);

  /// The run begins, at the last evaluated kinematics but for the branches.
  void start(double t, const double* y);
  /// The switches that have fired or whose time has come take their other branch; guards that jump through zero by it
  /// are in jumped(). False: a prescribed position jumps.
  bool flip(const EventCall& call, std::span<const events::Root> fired);
  [[nodiscard]] const std::vector<events::Root>& jumped() const { return flips_.jumped(); }
  /// Impacts, the next mode and what they do to the branches, until these belong to the state.
  bool decide(const EventCall& call, std::span<const events::Root> fired, bool count);
  /// Points of forces that have jumped, in words.
  [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }

 private:
  /// decide() settles on branches; `pushed_back`: the switch that both its sides drive back to, count() if none.
  bool settle(const EventCall& call, std::span<const events::Root> fired, bool count, double& t_after,
              std::size_t& pushed_back);
  /// Of the switches at this instant, the first one if none has fired.
  [[nodiscard]] std::size_t first_fired() const;
  bool fail_pushed_back(const EventCall& call, std::size_t pushed_back);
  void tell_held(double t, std::span<const double> y, EventLog& log);

  EventState& at_;
  Switches& switches_;
  HeldMotion& held_;
  ChatterLimit& chatter_limit_;
  OdeProblem& motion_;
  bool dae_;
  BranchFlips flips_;
  StartOfMotion beginning_;
  std::string held_told_;  ///< name of the formula whose switch is held, as the ledger knows it
  std::vector<std::string> notices_;
};

}  // namespace hstar
