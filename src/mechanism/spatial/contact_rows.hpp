// src/mechanism/spatial/contact_rows.hpp
//
// Where two spatial bodies touch as the geometry of a pair of features says it, and the rows that follow from it,
// whatever the geometry is: with points P_k of contact on both surfaces, which move over them, and v_rel =
// r_dot_2 + omega_2 x (P_2 - r_2) - r_dot_1 - omega_1 x (P_1 - r_1),
//   gamma_u = u . v_rel,   gamma = -(u_dot . v_rel + u . (omega_2 x (P_2_dot - r_dot_2) - omega_1 x (P_1_dot -
//   r_dot_1)))
// for u = n, t1, t2 (Pfeiffer & Glocker 1996, ch. 4, written with P_k_dot found by differentiation).
#pragma once

#include "mechanism/spatial/contact.hpp"
#include "mechanism/spatial/derivatives.hpp"

namespace hstar::geometry {

/// S as in derivatives.hpp. The gap is normal . (on_second - on_first).
template <class S>
struct Touch {
  S gap{};
  Vector<S> normal, tangent;  ///< from the first body to the second; the second tangent is normal x tangent
  Vector<S> on_first, on_second;
};

void fill_rows(const Touch<Timed<double>>& touch, const SpatialMotion& b1, const SpatialMotion& b2, Row& normal,
               Row* tangents);
/// Normal, t1, t2.
void fill_slopes(const Touch<Timed<Slope>>& touch, const SpatialMotion& b1, const SpatialMotion& b2,
                 SpatialRowSlope* out);
/// Of the relative angular velocity: along n, or along t1 and t2.
void fill_turning_rows(const Touch<Timed<double>>& touch, const SpatialMotion& b1, const SpatialMotion& b2,
                       bool spinning, Row* out);
void fill_turning_slopes(const Touch<Timed<Slope>>& touch, const SpatialMotion& b1, const SpatialMotion& b2,
                         bool spinning, SpatialRowSlope* out);

/// A unit vector across the unit vector n, a smooth function of it all over the sphere but at one point, which is in no
/// special place: axes (e, f, pole) turned the shortest way from the pole to n.
template <class S>
Vector<S> across(const Vector<S>& n) {
  constexpr Vec3 pole{-2.0 / 7, 6.0 / 7, 3.0 / 7}, e{6.0 / 7, 3.0 / 7, -2.0 / 7};
  const Vector<S> along = constant<S>(pole), start = constant<S>(e);
  const S toward = dot(n, along) + S(1);
  // At the very point any vector across will do.
  if (!(plain(toward) > 1e-12)) return start;
  return start - (dot(start, n) * inverse(toward)) * (n + along);
}

}  // namespace hstar::geometry
