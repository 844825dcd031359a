// src/cli/demo_model.hpp
#pragma once

#include <string>

namespace hstar::cli {

/// The text of examples/01_drag_sled.toml, which is part of the program.
[[nodiscard]] std::string demo_model();

}  // namespace hstar::cli
