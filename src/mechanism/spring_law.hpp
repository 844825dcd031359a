// src/mechanism/spring_law.hpp
//
// What springs along a line and about an axis share: stiffness (length - free_length) + damping rate + actuator, each
// coefficient a formula of t, length, rate and measured quantities.
#pragma once

#include "mechanism/signals.hpp"

namespace hstar {

struct SpringCoefficients {
  BoundExpression stiffness, damping, free_length, actuator;

  [[nodiscard, gnu::always_inline]] double force(const Kinematics& k, double length, double rate) const {
    return evaluate(stiffness, k, length, rate) * (length - evaluate(free_length, k, length, rate)) +
           evaluate(damping, k, length, rate) * rate + evaluate(actuator, k, length, rate);
  }
  [[nodiscard]] double energy(const Kinematics& k, double length, double rate) const {
    const double stretch = length - evaluate(free_length, k, length, rate);
    return 0.5 * evaluate(stiffness, k, length, rate) * stretch * stretch;
  }
};

}  // namespace hstar
