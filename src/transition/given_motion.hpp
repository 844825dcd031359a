// src/transition/given_motion.hpp
//
// The state just before an event, and what the motion that bodies are given does at it: prescribed bodies, drivers,
// belts. Where its velocity jumps, the rows of joints follow by impulses.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "transition/event_state.hpp"

namespace hstar {

class GivenMotion {
 public:
  explicit GivenMotion(EventState& at) : at_(at), driven_(at.system.joints.size()) {}

  /// A jump of given motion would move the mechanism: by a closed contact, a stuck friction unit or, with `switches` in
  /// formulas, a joint.
  [[nodiscard]] bool holds(bool switches) const;
  /// The state just before: put on the rows of the mode that ends, with what has just come to rest.
  bool left_limit(const EventCall& call, std::span<const events::Root> fired);
  /// After the branches of switches have changed: what jumps by it.
  void find_jumps(double t, std::span<const double> y);
  /// By joint: its given velocity jumps, and no impulse has followed yet.
  [[nodiscard]] const std::vector<char>& driven() const { return driven_; }
  [[nodiscard]] bool any_driven() const { return std::find(driven_.begin(), driven_.end(), 1) != driven_.end(); }
  void forget_driven() { std::fill(driven_.begin(), driven_.end(), 0); }
  /// The line of the ledger of an impact by joints that are driven, from y_before to y.
  EventRecord line(double t, const ImpactOutcome& impact, std::span<const double> y_before, std::span<const double> y);

 private:
  template <class Use>
  void each_held_row(const Use& use);
  template <class Use>
  void each_joint_row(const Use& use);
  /// Of all that slides in several directions.
  template <class Use>
  void each_slide_row(const Use& use);

  EventState& at_;
  std::vector<char> driven_;
  std::vector<double> held_nu_;  ///< of closed and stuck rows just before
  std::vector<double> slides_;   ///< gamma_T just before of what slides in several directions
  Mode rows_, positions_;
};

}  // namespace hstar
