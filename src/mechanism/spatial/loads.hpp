// src/mechanism/spatial/loads.hpp
//
// What springs, bushings, forces and torques do to two bodies, with exact derivatives: generalised forces
// (force in global axes; torque about the centre, body axes) of both, 12 numbers, and their slopes by
// virtual displacement (delta r, delta pi_bar) and by (r_dot, omega_bar). Pure functions; formulas are the caller's.
#pragma once

#include <span>

#include "mechanism/spatial/relative_rotation.hpp"
#include "mechanism/spatial/scalar.hpp"

namespace hstar {

struct SpatialLoad {
  double f[12] = {};
};
struct SpatialLoadSlope {
  double by_position[12][12] = {}, by_velocity[12][12] = {};  ///< d f_a by b at [a][b]
};

/// Effort of a law on n measured quantities x with x_dot = J v: w(x, x_dot) and its derivatives, n <= 6, by rows.
struct Effort {
  double w[6] = {}, by_x[36] = {}, by_rate[36] = {};
};

/// f = -sum w_i J_i: positive effort pulls x back. `rows`: n.
void add_load(std::span<const SpatialRow> rows, const double* w, SpatialLoad& out);
/// Its slopes; `slopes` of the rows, n.
void add_slope(std::span<const SpatialRow> rows, std::span<const SpatialRowSlope> slopes, const Effort& effort,
               const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoadSlope& out);

/// Force at a point of body k (0, 1): `force` in global axes, or in that body's if `turns`.
void add_point_force(int k, const Vec3& point, const Vec3& force, bool turns, const SpatialMotion& b, SpatialLoad& out);
void add_point_force_slope(int k, const Vec3& point, const Vec3& force, bool turns, const SpatialMotion& b,
                           SpatialLoadSlope& out);

/// Torque on the second body and its reaction on the first: in global axes, or in the second body's if `turns`.
void add_torque(const Vec3& torque, bool turns, const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoad& out);
void add_torque_slope(const Vec3& torque, bool turns, const SpatialMotion& b1, const SpatialMotion& b2,
                      SpatialLoadSlope& out);

/// A bushing: along f, g, h of axes in the first body the offset d = P_2 - P_1, and the rotation vector between the
/// axes; linear law w = K x + C x_dot, 6 x 6 by rows. With C = 0 and K symmetric it has the energy x^T K x / 2.
class Bushing {
 public:
  Bushing(const Vec3& point1, const Vec3& point2, const Triad& axes1, const Triad& axes2, const double* K,
          const double* C);
  void load(const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoad& out) const;
  void slope(const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoadSlope& out) const;
  [[nodiscard]] double energy(const SpatialMotion& b1, const SpatialMotion& b2) const;
  /// x [m, rad] and x_dot.
  void measure(const SpatialMotion& b1, const SpatialMotion& b2, double x[6], double x_dot[6]) const;

 private:
  void rows(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRow out[6]) const;
  SpatialScalar offset_[3];
  RelativeRotation twist_;
  double K_[36], C_[36];
};

}  // namespace hstar
