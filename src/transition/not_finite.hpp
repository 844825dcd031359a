// src/transition/not_finite.hpp: which elements have no finite values where a run ends for that.
#pragma once

#include <string>

#include "mechanism/system.hpp"

namespace hstar {

/// The forces, joints and extra states whose values at (t, y), or a moment later, are not finite, in a sentence without
/// its end; "" if there are none. Allocates.
[[nodiscard]] std::string not_finite(const System& system, double t, const double* y);

/// The table that a formula, on its branches, asks outside of its rows at k, and where, in a sentence without its end;
/// "" if there is none.
[[nodiscard]] std::string beyond_table(const System& system, const Kinematics& k);

/// Those that change by more than half within the root of machine epsilon of t: no step can follow; "" if there are
/// none.
[[nodiscard]] std::string too_fast_to_follow(const System& system, double t, const double* y);

/// Where no accelerations exist and nothing else says why: the bodies that can turn without inertia.
[[nodiscard]] std::string without_inertia(const System& system);

/// "x = inf, y = nan": the states of y that are not finite; "" and no allocation if there are none.
[[nodiscard]] std::string not_finite_states(const System& system, const double* y);

}  // namespace hstar
