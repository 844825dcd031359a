// src/model/defects.hpp: values that are each in range but do not go together, whether a file or a program gave them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar::model {

struct Defect {
  std::string_view key;  ///< the key to point at
  std::string message;
};

/// The order of the coefficients, the rows of the table.
[[nodiscard]] std::optional<Defect> friction_defect(const FrictionSpec& friction);
/// The lower limit is below the upper one.
[[nodiscard]] std::optional<Defect> limits_defect(const LimitsSpec& limits);
/// A polygon is convex and counterclockwise: every corner turns left, once round in all.
[[nodiscard]] std::optional<Defect> polygon_defect(std::span<const Vec2> corners);
/// An arc begins before it ends and is less than a whole circle.
[[nodiscard]] bool is_arc(const Vec2& angles);
/// Times of events increase.
[[nodiscard]] std::optional<Defect> times_defect(std::span<const double> times);
/// The report interval asks for no more rows than a disk holds.
[[nodiscard]] std::optional<Defect> output_defect(const SimulationSpec& simulation);
/// The integrator exists.
[[nodiscard]] std::optional<Defect> integrator_defect(const std::string& name);
/// Two shapes of a planar contact stand in an order in which they can touch.
[[nodiscard]] std::optional<Defect> order_defect(const ShapeSpec& first, const ShapeSpec& second);

}  // namespace hstar::model
