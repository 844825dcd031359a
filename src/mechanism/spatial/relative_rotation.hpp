// src/mechanism/spatial/relative_rotation.hpp
//
// The rotation vector theta [rad] that turns axes in a first body into axes in a second, |theta| <= pi: what a bushing
// twists by. Smooth for |theta| < pi. d theta = T(theta) beta_2 - T(theta)^T beta_1, where beta_k is the virtual turn
// of body k in its axes and T is the inverse of the right Jacobian of the exponential map (Chirikjian 2012, eq. 10.86).
#pragma once

#include "mechanism/spatial/motion.hpp"

namespace hstar {

/// The rotation vector of A(p), |theta| <= pi: turned(1, theta) is p or -p.
[[nodiscard]] Vec3 rotation_vector(const EulerParameters& p);

class RelativeRotation {
 public:
  RelativeRotation(const Triad& axes1, const Triad& axes2);
  /// theta, components along f, g, h (of either body's axes: they are the same).
  [[nodiscard]] Vec3 value(const SpatialMotion& b1, const SpatialMotion& b2) const;
  /// Rows of theta_dot = J v, 3; nu = gamma = 0, row.body is left alone.
  void rows(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRow out[3]) const;
  /// Derivatives of J by displacements, 3; gamma of them is not given (0).
  void slopes(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope out[3]) const;

 private:
  Mat3 axes1_, axes2_;  ///< rows f, g, h
  EulerParameters p1_, p2_;
};

}  // namespace hstar
