// src/model/keys_spatial.hpp: the sections of models with dimension = 3 that planar ones do not share, for keys.cpp.
#pragma once

#include <span>

#include "model/keys.hpp"

namespace hstar::model {

/// In the order of the reference; their names begin with "spatial_".
[[nodiscard]] std::span<const SectionSpec> spatial_sections();

}  // namespace hstar::model
