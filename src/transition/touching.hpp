// src/transition/touching.hpp
//
// Which contacts touch at an instant, and which of them approach.
#pragma once

#include <limits>
#include <vector>

#include "transition/chatter.hpp"
#include "transition/contact_ranges.hpp"
#include "transition/instant.hpp"

namespace hstar {

/// Impacts of a contact since it was closed last.
struct Bounces {
  int count = 0;
  double first = 0, last = 0;                               ///< [s]
  double opened = std::numeric_limits<double>::infinity();  ///< without an impact, or by one of another contact [s]
  void add(double t);
  /// Of one that is open, in a run that began at `start`.
  [[nodiscard]] double flies_since(double start) const;
};

struct Touch {
  bool touched = false;  ///< before
  bool touches = false, approaches = false;
  Bounces bounces;
};

/// All at the last evaluated kinematics.
class Touching {
 public:
  Touching(const ModeEquations& equations, const Instant& instant, const ContactRanges& ranges, const Chatter& chatter,
           double rtol);

  [[nodiscard]] Touch& operator[](std::size_t contact) { return contacts_[contact]; }
  [[nodiscard]] const Touch& operator[](std::size_t contact) const { return contacts_[contact]; }
  /// By contact; 0 of those that are closed or do not touch.
  [[nodiscard]] std::vector<double>& gap_velocity() { return gap_velocity_; }
  [[nodiscard]] const std::vector<double>& gap_velocity() const { return gap_velocity_; }
  [[nodiscard]] bool any_approaches() const;
  /// One that touches and is open by now.
  [[nodiscard]] bool any_leaves(const std::vector<char>& closed) const;

  /// These have touched before.
  void note_closed(const std::vector<char>& closed);
  /// Of all that are closed, have touched, or touch within the resolution of time and length.
  void find(double t, const std::vector<char>& closed, const std::vector<char>& closed_before);
  /// What comes down with those that strike, and is as near as the integrator's error on its way, strikes with them:
  /// two corners of a body that does not turn.
  void strike_together(double t, const std::vector<char>& closed, const std::vector<char>& closed_before);
  /// The gap velocity of a contact; returns it as a part of the speeds that meet in it.
  double find_gap_velocity(std::size_t contact, bool closed);
  /// Gap velocities as the velocities tell them. (Those of contacts that depend on each other then do, too; numbers of
  /// their own contradict each other by round-off.)
  void find_seen_velocities();
  /// A contact that was closed before a jump of the velocities may have been struck open by it.
  void free_struck(std::vector<char>& closed) const;
  /// What touches and is at rest at the start. @throws InputError if a body is behind a surface.
  void close_at_start(double t, std::vector<char>& closed);

 private:
  /// Not so far from its surface that it cannot touch within the resolution of time and length.
  [[nodiscard]] bool may_touch(std::size_t contact, double t, double gap, double length) const;

  const ModeEquations& equations_;
  const Instant& instant_;
  const ContactRanges& ranges_;
  const Chatter& chatter_;
  double start_ = 0;  ///< of the run
  double rtol_;       ///< of error control, 0 with fixed steps
  std::vector<Touch> contacts_;
  std::vector<double> gap_velocity_;
};

}  // namespace hstar
