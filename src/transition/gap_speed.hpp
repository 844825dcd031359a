// src/transition/gap_speed.hpp
//
// The gap velocity of a contact whose flights are followed (chatter.hpp). As a difference of velocities it has their
// round-off, which is that of the first impacts however slow the last ones are; a number of its own, to which impacts
// and accelerations add their changes, has that of the changes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/tolerances.hpp"

namespace hstar {

/// A gap velocity, and what of it is round-off.
class GapSpeed {
 public:
  /// Where velocities are known up to `blur`: a number of its `own`, or a difference of them.
  void set(double speed, double blur, bool own);
  /// It is zero.
  void lose() { value_ = known_to_ = 0; }
  /// An impact has changed it by a sum of terms of this size. `fastest`: of the speeds that meet in it, to
  /// contact::clear of which friction is solved; 0 without friction.
  void jump(double change, double size, double fastest);
  /// No impact has changed it since.
  void accelerate(double change) { value_ += change; }

  [[nodiscard]] double value() const { return value_; }
  /// Up to this it is round-off of what has met in it since it is a number of its own [m/s].
  [[nodiscard]] double known_to() const { return known_to_; }
  /// As a number of its own it is known better than as a difference of velocities.
  [[nodiscard]] bool is_own() const { return known_to_ < blur_; }
  /// Hardly more than the round-off of what has met in it.
  [[nodiscard]] bool is_round_off() const { return std::abs(value_) <= tolerances::hardly * known_to_; }
  /// Its round-off as a difference of velocities [m/s].
  [[nodiscard]] double blur() const { return blur_; }
  /// Up to this it is none: the last impact that took part in it cannot tell it from zero [m/s].
  [[nodiscard]] double still() const { return still_; }
  /// The same, where velocities tell it.
  [[nodiscard]] double still_seen() const { return std::max(still_, blur_); }

 private:
  double value_ = 0, blur_ = 0, known_to_ = std::numeric_limits<double>::infinity(), still_ = 0;
};

}  // namespace hstar
