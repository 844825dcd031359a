// src/mechanism/signal_slopes.hpp
//
// Derivatives of generalised forces whose size is a formula of measured quantities: direction times
// d(size), with every signal the formula reads followed to positions, velocities and extra states.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "mechanism/elements.hpp"

namespace hstar {

/// Generalised force on two bodies per unit of a scalar.
struct ForceDirection {
  std::array<int, 2> body{0, 0};
  double g[6] = {0, 0, 0, 0, 0, 0};
};

/// Adds direction (x) value to one column.
inline void add_column(const ForceDirection& direction, int column, double value,
                       std::vector<ForceSlopes::Entry>& out) {
  if (value == 0) return;
  for (int i = 0; i < 6; ++i)
    if (direction.g[i] != 0) out.push_back({3 * direction.body[i / 3] + i % 3, column, direction.g[i] * value});
}

/// Adds direction (x) factor * slope.
inline void add_output(const ForceDirection& direction, const OutputSlope& slope, double factor, ForceSlopes& out) {
  for (int i = 0; i < 6; ++i) {
    const int column = 3 * slope.body[i / 3] + i % 3;
    add_column(direction, column, factor * slope.by_position[i], out.by_position);
    add_column(direction, column, factor * slope.by_velocity[i], out.by_velocity);
  }
}

/// Adds direction (x) factor * d(signal) for a kinematic signal that is not the element's own.
inline void add_signal(const ForceDirection& direction, const SignalRef& ref, const Kinematics& k, double factor,
                       ForceSlopes& out) {
  const int body = 3 * ref.index;
  switch (ref.kind) {
    case SignalKind::body_x:
      return add_column(direction, body, factor, out.by_position);
    case SignalKind::body_y:
      return add_column(direction, body + 1, factor, out.by_position);
    case SignalKind::body_angle:
      return add_column(direction, body + 2, factor, out.by_position);
    case SignalKind::body_vx:
      return add_column(direction, body, factor, out.by_velocity);
    case SignalKind::body_vy:
      return add_column(direction, body + 1, factor, out.by_velocity);
    case SignalKind::body_omega:
      return add_column(direction, body + 2, factor, out.by_velocity);
    case SignalKind::state:
      return add_column(direction, ref.index, factor, out.by_state);
    case SignalKind::force_length:
    case SignalKind::force_rate: {
      OutputSlope slope;
      (*k.forces)[ref.index]->output_slope(ref.kind == SignalKind::force_length ? 0 : 1, k, slope);
      return add_output(direction, slope, factor, out);
    }
    default:
      return;  // time
  }
}

/// True if the formula is affine in t, coordinates, velocities and the element's own length and rate.
inline bool is_affine(const BoundExpression& e, std::span<const BodyFreedom> bodies) {
  if (e.constant) return true;
  const int degree = e.formula.polynomial_degree();
  if (degree < 0 || degree > 1) return false;
  return std::all_of(e.refs.begin(), e.refs.end(), [&](const SignalRef& r) {
    if (r.kind == SignalKind::time || r.kind == SignalKind::own_length || r.kind == SignalKind::own_rate) return true;
    const bool body = r.kind >= SignalKind::body_x && r.kind <= SignalKind::body_omega;
    return body && bodies[r.index].affine;
  });
}

/// d(formula) by the element's own length and rate.
struct OwnSlope {
  double by_length = 0, by_rate = 0;
};

/// Adds direction (x) factor * d(formula); what the formula takes from the element's own length and rate is returned.
/// Direction: ForceDirection, or SpatialDirection in space; each with its add_signal().
template <class Direction>
OwnSlope add_formula(const Direction& direction, const BoundExpression& e, const Kinematics& k, double own_length,
                     double own_rate, double factor, ForceSlopes& out) {
  OwnSlope own;
  if (e.constant || factor == 0) return own;
  std::array<double, max_signals> vars, partial;
  for (std::size_t i = 0; i < e.refs.size(); ++i) {
    const SignalRef& r = e.refs[i];
    vars[i] = r.kind == SignalKind::own_length ? own_length
              : r.kind == SignalKind::own_rate ? own_rate
                                               : read_kinematic(r, k);
  }
  e.formula.gradient(vars.data(), partial.data(), k.branches);
  for (std::size_t i = 0; i < e.refs.size(); ++i) {
    const SignalRef& r = e.refs[i];
    if (r.kind == SignalKind::own_length)
      own.by_length += factor * partial[i];
    else if (r.kind == SignalKind::own_rate)
      own.by_rate += factor * partial[i];
    else
      add_signal(direction, r, k, factor * partial[i], out);
  }
  return own;
}

}  // namespace hstar
