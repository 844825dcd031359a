// src/transition/contact_ranges.hpp
//
// Contacts that belong to a stretch of a boundary only: where on it they are, and who touches next at its ends.
// Stretches that are neighbours hand a touching surface on to each other there.
#pragma once

#include <span>
#include <vector>

#include "hstar/events/monitor.hpp"
#include "transition/mechanism_guards.hpp"

namespace hstar {

class Touching;

/// All at the last evaluated kinematics.
class ContactRanges {
 public:
  explicit ContactRanges(const ModeEquations& equations);

  /// An event begins: no contact has gone from its stretch yet.
  void begin();
  void leave(std::size_t contact) { left_[contact] = 1; }
  /// It has a range.
  [[nodiscard]] bool ranged(std::size_t contact) const { return ranged_[contact] != 0; }
  /// Of one with a range: inside it and in front of its surface at the last event.
  [[nodiscard]] bool front(std::size_t contact) const { return front_[contact] != 0; }
  [[nodiscard]] bool in_range(std::size_t contact) const;
  [[nodiscard]] bool can_strike(std::size_t contact, const std::vector<char>& closed_before) const;
  /// Its circle touches another stretch of the same boundary, within it: it cannot touch here before it is at the end
  /// of that. (There its distance from a corner has a double root, of which round-off makes an impact.)
  [[nodiscard]] bool touches_elsewhere(std::size_t contact, const std::vector<char>& closed) const;
  /// It touches its surface and moves along it.
  [[nodiscard]] bool lies_on(std::size_t contact) const;
  /// What the bodies of a contact move with there, in whatever direction.
  [[nodiscard]] double speed_at(std::size_t contact) const;
  void pass_on(std::size_t contact, int direction, std::vector<char>& closed) const;
  /// What is watched of contacts with a range after an event.
  void watch(std::span<const events::Root> fired, const Mode& mode, const Touching& touching, MechanismGuards& guards);

 private:
  /// Of these closed contacts one is another part of the same written contact and touches in the same place.
  [[nodiscard]] bool neighbour_holds(std::size_t contact, const std::vector<char>& closed) const;

  const System& system_;
  const ModeEquations& equations_;
  std::vector<char> ranged_, inside_, left_, front_;   ///< inside it, and just gone from it
  std::vector<std::vector<std::size_t>> same_circle_;  ///< by contact: others with a range that its circle touches
  std::vector<std::size_t> closed_;                    ///< contacts, at the last look
};

}  // namespace hstar
