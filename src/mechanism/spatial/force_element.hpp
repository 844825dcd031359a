// src/mechanism/spatial/force_element.hpp: spatial loads as elements of the system.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "mechanism/elements.hpp"

namespace hstar {

using BindFormula = std::function<BoundExpression(const Expression&, std::string_view what)>;

/// point_force, torque, spring_damper, rotational_spring_damper, bushing. Points and axes of the spec are those of the
/// bodies' own frames; `first` and `second` are the bodies' numbers.
[[nodiscard]] std::unique_ptr<Force> make_spatial_force(const SpatialForceSpec& spec, const Body& second_body,
                                                        int first, int second, const BindFormula& bind);

}  // namespace hstar
