// src/mechanism/spatial/joint_element.hpp: a spatial joint as an element of the system.
#pragma once

#include <memory>

#include "mechanism/elements.hpp"

namespace hstar {

/// A joint of spatial_joints() from its spec. Its points and axes are taken as those of the bodies' own frames; `first`
/// and `second` are the bodies' numbers. @throws InputError at the joint's place.
[[nodiscard]] std::unique_ptr<Joint> make_spatial_element(const SpatialJointSpec& spec, int first, int second);

}  // namespace hstar
