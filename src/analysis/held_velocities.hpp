// src/analysis/held_velocities.hpp
#pragma once

#include <span>
#include <vector>

#include "mechanism/system.hpp"

namespace hstar::analysis {

/// Puts the velocities in y = (q, v, ...) onto those of the joints, Phi_q v = nu, moving as little as the kinetic
/// energy of the change allows and those of `held` (places in v) not at all.
/// @throws InputError if what is held contradicts the joints.
void velocities_with_held(const System& system, const Kinematics& at, std::span<const int> held, double* y);

}  // namespace hstar::analysis
