// src/transition/gap_speed.cpp
#include "transition/gap_speed.hpp"

#include "contact/tolerances.hpp"

namespace hstar {

void GapSpeed::set(double speed, double blur, bool own) {
  value_ = speed;
  blur_ = blur;
  // (What velocities show is as good a number as any other.)
  if (!own)
    known_to_ = blur;
  else if (std::abs(speed) > blur)
    known_to_ = tolerances::zero_velocity * std::abs(speed);
}

void GapSpeed::jump(double change, double size, double fastest) {
  value_ += change;
  if (size > 0) still_ = contact::clear * fastest;
  known_to_ += tolerances::zero_velocity * size;
}

}  // namespace hstar
