// tests/laws/user_elements.hpp
//
// Forces and joints in space as a program writes them: three that are built in too, and one that is not.
#pragma once

#include "hstar/elements.hpp"
#include "mechanism/spatial/vec3.hpp"

namespace laws {

using namespace hstar;

/// As spring_damper.
class OwnSpring final : public UserForce {
 public:
  OwnSpring(double stiffness, double damping, double free_length, const Vec3& s1, const Vec3& s2)
      : stiffness_(stiffness), damping_(damping), free_length_(free_length), s1_(s1), s2_(s2) {}
  void apply_in_space(double /*t*/, std::span<const SpatialBodyView> bodies,
                      std::span<SpatialBodyLoad> loads) const override {
    const SpatialBodyView &a = bodies[0], &b = bodies[1];
    const Vec3 d = b.point(s2_) - a.point(s1_);
    const double length = norm(d), rate = dot(d, b.velocity(s2_) - a.velocity(s1_)) / length;
    const Vec3 pull = ((stiffness_ * (length - free_length_) + damping_ * rate) / length) * d;
    loads[0].add_force(a, s1_, pull);
    loads[1].add_force(b, s2_, -1.0 * pull);
  }

 private:
  double stiffness_, damping_, free_length_;
  Vec3 s1_, s2_;
};

/// As a point_force in body axes beside a torque in global ones.
class Thrust final : public UserForce {
 public:
  void apply_in_space(double t, std::span<const SpatialBodyView> bodies,
                      std::span<SpatialBodyLoad> loads) const override {
    const SpatialBodyView& b = bodies[0];
    loads[0].add_force(b, {0.3, 0.5, -0.2}, b.global({2, b.r_dot[1], b.r[2] * b.p[1]}));
    loads[0].add_torque(b, {std::sin(t), 0.5 * b.omega_bar[0], b.global(b.omega_bar)[1]});
  }
};

/// As spherical.
class OwnBall final : public UserJoint {
 public:
  OwnBall(const Vec3& s1, const Vec3& s2) : s1_(s1), s2_(s2) {}
  [[nodiscard]] int rows() const override { return 3; }
  void position_in_space(double /*t*/, const SpatialBodyView& a, const SpatialBodyView& b,
                         std::span<double> phi) const override {
    const Vec3 d = b.point(s2_) - a.point(s1_);
    std::copy(d.begin(), d.end(), phi.begin());
  }
  void rows_in_space(double /*t*/, const SpatialBodyView& a, const SpatialBodyView& b,
                     std::span<SpatialJointRow> rows) const override {
    const Vec3 bias = centripetal(b, s2_) - centripetal(a, s1_);
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 turn1 = cross(s1_, a.A[i]), turn2 = cross(s2_, b.A[i]);  // A^T e_i is row i of A
      rows[i].J[0][i] = -1;
      rows[i].J[1][i] = 1;
      for (std::size_t c = 0; c < 3; ++c) {
        rows[i].J[0][3 + c] = -turn1[c];
        rows[i].J[1][3 + c] = turn2[c];
      }
      rows[i].gamma = -bias[i];
    }
  }
  /// What the acceleration of a point has without r_ddot and omega_bar_dot.
  static Vec3 centripetal(const SpatialBodyView& b, const Vec3& s) {
    return b.A * cross(b.omega_bar, cross(b.omega_bar, s));
  }

 private:
  Vec3 s1_, s2_;
};

/// A point of the second body stays in a bowl carried by the first: with u = A_1^T (P_2 - r_1),
///   Phi = u_z - a (u_x^2 + u_y^2) / 2 - f(t),   f = 0.1 sin(1.3 t) times `lift`.
class Bowl final : public UserJoint {
 public:
  Bowl(double a, double lift, const Vec3& s2) : a_(a), lift_(lift), s2_(s2) {}
  [[nodiscard]] int rows() const override { return 1; }
  void position_in_space(double t, const SpatialBodyView& a, const SpatialBodyView& b,
                         std::span<double> phi) const override {
    const Vec3 u = a.bar(b.point(s2_) - a.r);
    phi[0] = u[2] - 0.5 * a_ * (u[0] * u[0] + u[1] * u[1]) - 0.1 * lift_ * std::sin(1.3 * t);
  }
  void rows_in_space(double t, const SpatialBodyView& a, const SpatialBodyView& b,
                     std::span<SpatialJointRow> rows) const override {
    // Phi_dot = n . u_dot - f_dot with u_dot = A_1^T (P_2_dot - r_1_dot) - omega_1 x u; once more for Phi_ddot.
    const Vec3 &w = a.omega_bar, u = a.bar(b.point(s2_) - a.r), n{-a_ * u[0], -a_ * u[1], 1}, along = a.global(n),
               turn1 = cross(n, u), turn2 = cross(s2_, b.bar(along)),
               rate = a.bar(b.velocity(s2_) - a.r_dot) - cross(w, u), n_rate{-a_ * rate[0], -a_ * rate[1], 0},
               bias = a.bar(OwnBall::centripetal(b, s2_)) - 2.0 * cross(w, rate) - cross(w, cross(w, u));
    for (std::size_t c = 0; c < 3; ++c) {
      rows[0].J[0][c] = -along[c];
      rows[0].J[0][3 + c] = turn1[c];
      rows[0].J[1][c] = along[c];
      rows[0].J[1][3 + c] = turn2[c];
    }
    rows[0].nu = 0.13 * lift_ * std::cos(1.3 * t);
    rows[0].gamma = -0.169 * lift_ * std::sin(1.3 * t) - dot(n, bias) - dot(n_rate, rate);
  }

 private:
  double a_, lift_;
  Vec3 s2_;
};

}  // namespace laws
