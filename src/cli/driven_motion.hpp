// src/cli/driven_motion.hpp: what verbs over driven motion print.
#pragma once

#include <span>
#include <string>

#include "hstar/kinematics.hpp"

namespace hstar::cli {

/// Prints the table, or writes it to `file`; notices and singular positions go beside it. The exit code of the verb.
int tell_driven_motion(const std::string& table, const std::string& file, std::span<const std::string> notices,
                       std::span<const SingularPosition> singular, bool reached_end);

}  // namespace hstar::cli
