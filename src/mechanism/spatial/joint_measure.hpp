// src/mechanism/spatial/joint_measure.hpp: a free coordinate of a joint and its rate, as formulas read them.
#pragma once

#include <memory>

#include "mechanism/elements.hpp"
#include "mechanism/spatial/coordinates.hpp"

namespace hstar {

/// An element without force whose output 0 is free coordinate `which` of a joint [m or rad], output 1 its rate: what
/// formulas read of springs they can read of joints. `joint` must know its coordinates and outlive it. An angle counts
/// whole turns by the extra state y[turn_state]; -1: it lies in [-pi, pi].
[[nodiscard]] std::unique_ptr<Force> make_joint_measure(const Joint& joint, int which, int turn_state);

}  // namespace hstar
