// src/analysis/driven_motion.hpp: the kinematics of a driven mechanism, with every report time's state as it is
// computed.
#pragma once

#include <functional>
#include <span>

#include "hstar/kinematics.hpp"

namespace hstar {

/// Time, y = (q, v, s) and accelerations by freedom, in the axes the system computes with.
using DrivenState = std::function<void(double t, std::span<const double> y, std::span<const double> acceleration)>;

/// analyse_kinematics() that also gives each state of its table to `seen`.
[[nodiscard]] KinematicsResult follow_drivers(const ModelSpec& model, const DrivenState& seen);

}  // namespace hstar
