// src/mechanism/spatial/contact.hpp
//
// A unilateral contact between surfaces of two spatial bodies. Normal n and tangents t1, t2 at the point of contact,
// right-handed (t1 x t2 = n), n from the first body to the second:
//   gamma_N = n . v_rel,   gamma_T = (t1 . v_rel, t2 . v_rel),
// v_rel the velocity of the second body's material there relative to the first's. Which t1 is taken is the contact's
// own choice; it must not jump while the contact stays closed.
#pragma once

#include "mechanism/elements.hpp"

namespace hstar {

/// Where two bodies touch, for pictures and forces.
struct ContactPoint {
  Vec3 point{0, 0, 0}, normal{0, 0, 1}, tangent{1, 0, 0};  ///< global axes [m]
};

class SpatialContact : public Contact {
 public:
  [[nodiscard]] int directions() const final { return 2; }
  /// Rows in (r_dot, omega_bar), with the accelerations of contact points that move over both surfaces in gamma.
  void all_rows_at(const Kinematics& k, Row& normal, Row* tangents) const override = 0;
  /// Derivatives of all_rows_at by virtual displacements: normal, t1, t2.
  virtual void slopes(const Kinematics& k, SpatialRowSlope* out) const = 0;
  /// Rows of the bodies' relative turning [rad/s]: along t1 and t2 (rolling), or along n (spinning); their derivatives.
  void turning_rows_at(const Kinematics& k, bool spinning, Row* out) const override = 0;
  virtual void turning_slopes(const Kinematics& k, bool spinning, SpatialRowSlope* out) const = 0;
  [[nodiscard]] virtual ContactPoint place(const Kinematics& k) const = 0;

  // Of planar contacts only.
  void rows_at(const Kinematics&, Row&, Row&) const final {}
  void slopes(const Kinematics&, RowSlope&, RowSlope&) const final {}
  [[nodiscard]] bool gap_is_linear(bool, bool) const override { return false; }
};

}  // namespace hstar
