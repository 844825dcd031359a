// src/mechanism/spatial/signal_slopes.hpp
//
// As mechanism/signal_slopes.hpp, in space: direction times d(size) of a generalised force whose size is a formula.
#pragma once

#include <array>

#include "mechanism/elements.hpp"
#include "mechanism/signal_slopes.hpp"
#include "mechanism/spatial/loads.hpp"

namespace hstar {

/// Generalised force on two bodies per unit of a scalar.
struct SpatialDirection {
  std::array<int, 2> body{0, 0};
  double g[12] = {};
};

/// Derivatives of SignalKind::spatial_motion by virtual displacement and by velocity of its body.
void spatial_signal_slope(int index, const Kinematics& k, double by_position[6], double by_velocity[6]);

/// Adds direction (x) factor * d(signal) for a kinematic signal that is not the element's own; add_formula() calls it.
void add_signal(const SpatialDirection& direction, const SignalRef& ref, const Kinematics& k, double factor,
                ForceSlopes& out);

/// Derivatives of a scalar (which 0) or of its rate (1), of which row and slope are given, between two bodies.
void add_output_slope(int which, const SpatialRow& row, const SpatialRowSlope& slope, const SpatialMotion& first,
                      const SpatialMotion& second, OutputSlope& out);

/// Adds the entries of a load's slope on two bodies.
void add_entries(const SpatialLoadSlope& slope, int first, int second, ForceSlopes& out);

}  // namespace hstar
