// src/transition/user_guards.hpp
//
// The model's own guards at an instant: what they do to the state, and which others that carries through zero.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "transition/books.hpp"
#include "transition/guard_history.hpp"
#include "transition/guard_jumps.hpp"
#include "transition/ledger_lines.hpp"
#include "transition/touching.hpp"

namespace hstar {

class UserGuards {
 public:
  /// `mode` is that of the mechanism.
  UserGuards(ModeEquations& equations, const MechanismGuards& guards, Books& books, Instant& instant,
             const LedgerLines& lines, const Touching& touching, const Mode& mode);

  /// The event they belong to; y is changed from the state just before it on.
  struct Event {
    double t;
    std::span<double> y;
    std::span<const double> y_before;
    EventLog& log;
    Settled& settled;
  };
  /// The run begins.
  void start();
  /// Before anything has happened: of guards that read forces.
  void begin(double t, std::span<const double> y);
  /// Those that have fired, a switch has carried through zero (`jumped`) or whose time has come (`due`). False: they
  /// accumulate.
  bool apply(const Event& at, std::span<const events::Root> fired, std::span<const events::Root> jumped,
             std::span<const std::size_t> due);
  /// Those that what has happened carries through zero; whether there were any. `decided`: in the mode that follows.
  bool apply_carried(const Event& at, bool decided);
  /// One has changed something since this was last asked.
  bool changed() { return std::exchange(changes_, false); }

 private:
  /// `before`: the state that its reset reads; `zero`: round-off of what it fired on, if that has come to zero.
  void apply_one(const Event& at, std::size_t g, const events::Root* root, std::span<const double> before, double zero);
  [[nodiscard]] std::optional<GuardJumps::Jump> next_jump(const Event& at, bool decided);
  bool accumulates(std::size_t user_guard, double t, Settled& settled);

  const System& system_;
  ModeEquations& equations_;
  const MechanismGuards& guards_;
  Books& books_;
  Instant& instant_;
  const LedgerLines& lines_;
  const Touching& touching_;
  const Mode& mode_;
  GuardJumps jumps_;
  std::vector<GuardHistory> history_;  ///< by guard
  std::vector<double> reset_, y_applied_, y_carried_;
  int carried_ = 0;  ///< at this instant
  bool terminal_ = false, changes_ = false;
};

}  // namespace hstar
