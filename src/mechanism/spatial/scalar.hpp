// src/mechanism/spatial/scalar.hpp
//
// One number that two bodies measure, less a function of time: a function of up to four dot products. Rows of joints
// and drivers, coordinates in joints, lengths and angles of springs are all of this kind, so that one chain rule gives
// every derivative.
#pragma once

#include <array>

#include "mechanism/spatial/dot_product.hpp"
#include "mechanism/time_function.hpp"

namespace hstar {

class SpatialScalar {
 public:
  /// x - f(t): DP1, DP2, D (f is the squared length), CD.
  static SpatialScalar dot_product(const VectorField& u, const VectorField& w, TimeFunction f = {});
  /// |P_1 P_2| - f(t) [m]; the points must not coincide where derivatives are asked for.
  static SpatialScalar distance(const Vec3& s1, const Vec3& s2, TimeFunction f = {});
  /// Angle from f of `frame1` (first body) to f of `frame2` (second) about h, less f(t), reduced to [-pi, pi] [rad]:
  /// a driver may turn as often as it likes, the residual is what is left to turn.
  static SpatialScalar angle(const Triad& frame1, const Triad& frame2, TimeFunction f = {});
  /// Turn of the second body about its own h of `frame2`, from where f points along `axis` of the first body, which is
  /// across h; in [-pi, pi] [rad].
  static SpatialScalar turn_about_second(const Vec3& axis, const Triad& frame2);
  /// h_1 . d - lead * angle - f(t), lead = pitch / (2 pi) [m/rad] != 0; the residual is in [-pi lead, pi lead] [m]
  /// where turns are not counted (count_from).
  static SpatialScalar screw(const Vec3& s1, const Vec3& s2, const Triad& frame1, const Triad& frame2, double lead,
                             TimeFunction f = {});
  /// teeth_1 angle_1 + teeth_2 angle_2 - f(t) [rad], angle_k of `body_k` (body axes) from `ground_k` (global axes)
  /// about h: two wheels on axes that do not move. Whole numbers of teeth, negative for an internal wheel; the residual
  /// is in [-pi, pi] where turns are not counted.
  static SpatialScalar gear(int teeth_1, const Triad& ground_1, const Triad& body_1, int teeth_2, const Triad& ground_2,
                            const Triad& body_2, TimeFunction f = {});
  /// Angle of one wheel of a gear, of body 0 or 1, in [-pi, pi] [rad].
  static SpatialScalar wheel(const Triad& ground, const Triad& axes, int body);

  /// Phi. `turns`: of a screw and a gear, the angles within half a turn: a step that goes too far must not end in the
  /// next thread or tooth. Without them Phi is what is left to the nearest.
  [[nodiscard]] double value(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now,
                             const double* turns = nullptr) const;
  /// Of a screw and a gear: the thread or tooth that is nearest here is the one that holds; turns are counted from
  /// here.
  void count_from(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now);
  /// Phi_r, Pi_bar, nu, gamma; row.body is left alone.
  void row(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now, SpatialRow& row) const;
  void slope(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope& slope) const;
  /// The r-p description: Phi of A(p) = quadratic_rotation(p); Phi_r, Phi_p, nu, gamma; second derivatives.
  [[nodiscard]] double value(const ParameterMotion& b1, const ParameterMotion& b2, const Moment& now) const;
  void row(const ParameterMotion& b1, const ParameterMotion& b2, const Moment& now, ParameterRow& row) const;
  void slope(const ParameterMotion& b1, const ParameterMotion& b2, ParameterRowSlope& slope) const;

  [[nodiscard]] bool is_angle() const { return outer_ == Outer::angle; }

 private:
  enum class Outer : unsigned char { identity, root, angle, screw, gear };
  struct Derivatives;
  void derivatives(const double* x, Derivatives& d) const;
  [[nodiscard]] double combine(const double* x, double f, const double* turns) const;
  void add_angle(const Triad& frame1, const Triad& frame2, int body1, int body2);
  template <class B>
  double value_of(const B& b1, const B& b2, const Moment& now, const double* turns) const;
  template <class B, class R>
  void row_of(const B& b1, const B& b2, const Moment& now, R& row) const;
  template <class R, class B, class S>
  void slope_of(const B& b1, const B& b2, S& slope) const;

  std::array<DotProduct, 4> inner_;
  int count_ = 0;
  Outer outer_ = Outer::identity;
  double factor_[2] = {1, 1};  ///< gear: teeth; screw: lead
  double thread_ = 0;          ///< of a screw or gear whose turns are counted: Phi there before, threads or teeth
  TimeFunction f_;
};

/// Pi = Pi_bar A^T: columns of a row by turns in global axes, omega_bar = A^T omega.
[[nodiscard]] inline Vec3 global_columns(const double Pi_bar[3], const Mat3& A) {
  return A * Vec3{Pi_bar[0], Pi_bar[1], Pi_bar[2]};
}

/// The angle [rad] equal to `angle` up to whole turns that is nearest to `near`: `near` may be a state integrated
/// from the rate, good to better than half a turn, the result is as exact as `angle`.
[[nodiscard]] double unwrapped(double angle, double near);

}  // namespace hstar
