// src/transition/user_guards.hpp
//
// The model's own guards at an instant: what they do to the state, and which others that carries through zero.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "transition/event_state.hpp"
#include "transition/guard_history.hpp"
#include "transition/guard_jumps.hpp"

namespace hstar {

class UserGuards {
 public:
  explicit UserGuards(EventState& at);

  /// The run begins.
  void start();
  /// Before anything has happened: of guards that read forces.
  void begin(double t, std::span<const double> y);
  /// Those that have fired, a switch has carried through zero (`jumped`) or whose time has come (`due`). False: they
  /// accumulate.
  bool apply(const EventCall& call, std::span<const events::Root> fired, std::span<const events::Root> jumped,
             std::span<const std::size_t> due);
  /// Those that what has happened carries through zero; whether there were any. `decided`: in the mode that follows.
  bool apply_carried(const EventCall& call, bool decided);
  /// One has changed something since this was last asked.
  bool changed() { return std::exchange(changes_, false); }

 private:
  /// `before`: the state that its reset reads; `zero`: round-off of what it fired on, if that has come to zero.
  void apply_one(const EventCall& call, std::size_t g, const events::Root* root, std::span<const double> before,
                 double zero);
  [[nodiscard]] std::optional<GuardJumps::Jump> next_jump(const EventCall& call, bool decided);
  bool accumulates(std::size_t user_guard, double t, Settled& settled);

  EventState& at_;
  GuardJumps jumps_;
  std::vector<GuardHistory> history_;  ///< by guard
  std::vector<double> reset_, y_applied_, y_carried_;
  int carried_ = 0;  ///< at this instant
  bool terminal_ = false, changes_ = false;
};

}  // namespace hstar
