// src/transition/branch_flips.hpp
//
// What an event does to the branches of switches in formulas: those that have fired or whose time has come take their
// other one, and what reads the formulas may jump by it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "transition/held_motion.hpp"
#include "transition/ledger_lines.hpp"

namespace hstar {

class BranchFlips {
 public:
  BranchFlips(ModeEquations& equations, Switches& switches, const MechanismGuards& guards, HeldMotion& held);

  /// Takes the other branches at t. False: a prescribed position jumps, `settled` says so.
  bool flip(double t, std::span<double> y, std::span<const events::Root> fired, OdeProblem& motion, Settled& settled);
  /// A branch has changed at this instant.
  [[nodiscard]] bool any() const { return any_; }
  /// User guards that it carries through zero.
  [[nodiscard]] const std::vector<events::Root>& jumped() const { return jumped_; }
  /// Points of forces that have jumped by it, in words.
  [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }
  /// The lines of the ledger, if switches are wanted.
  void tell(double t, std::span<const double> y, std::span<const events::Root> fired, const LedgerLines& lines,
            EventLog& log) const;

 private:
  void find_jumped_guards(double t);

  const System& system_;
  ModeEquations& equations_;
  Switches& switches_;
  const MechanismGuards& guards_;
  HeldMotion& held_;
  bool any_ = false;
  std::vector<double> before_, after_;  ///< values of formulas with switches
  std::vector<events::Root> jumped_;
  std::vector<std::string> notices_;
};

}  // namespace hstar
