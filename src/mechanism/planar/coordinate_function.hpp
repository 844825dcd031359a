// src/mechanism/planar/coordinate_function.hpp
//
// A formula of t and the coordinates (x, y, angle) of at most two bodies as a scalar with its row:
// J = its gradient, gamma = minus the part of its second rate without accelerations, from exact
// derivatives of the formula. What generalised constraints and contacts are made of.
#pragma once

#include <array>

#include "mechanism/elements.hpp"

namespace hstar {

class CoordinateFunction {
 public:
  CoordinateFunction() = default;
  /// `formula` reads t and coordinates of the two bodies only.
  CoordinateFunction(BoundExpression formula, int second);

  [[nodiscard]] double value(const Kinematics& k) const { return evaluate(formula_, k); }
  /// J, nu, gamma of d(value)/dt.
  void row(const Kinematics& k, Row& row) const;
  /// Derivatives of row(): J exact to round-off, gamma by differences of exact second rates (relative error
  /// about 1e-11).
  void slope(const Kinematics& k, RowSlope& slope) const;
  /// Size of the terms that make up the value, for round-off.
  [[nodiscard]] double scale(const Kinematics& k) const;
  /// Affine in the coordinates and without t.
  [[nodiscard]] bool is_linear() const { return linear_; }

 private:
  using Values = std::array<double, max_signals>;
  void read(const Kinematics& k, Values& vars) const;
  /// d2(value) along a direction of the variables.
  [[nodiscard]] double curvature(const Kinematics& k, const double* vars, const double* direction) const;

  BoundExpression formula_;
  std::array<int, max_signals> column_{};  ///< of each variable among the six coordinates; -1 for t
  bool linear_ = true;
};

}  // namespace hstar
