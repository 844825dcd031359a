// include/hstar/elements.hpp
//
// Forces and joints of a program's own, put into a model built or read in code:
//
//   hstar::ModelSpec model = hstar::read_model("sled.toml");
//   model.forces.push_back(hstar::user_force("drag", {"sled"}, std::make_shared<Drag>()));
//   model.joints.push_back(hstar::user_joint("cam", "ground", "follower", std::make_shared<Cam>()));
//   hstar::run(model);
//
// Planar and spatial mechanisms alike: an element sees its bodies' positions and velocities, and answers with loads, or
// with rows of its equations. What it overrides says where it can be used: the functions without `in_space` in the
// plane, those with it in models with dimension = 3; an element may have both. A force sees up to 8 bodies, a joint
// two.
//
// One object serves all runs of the model, in threads at once: its methods are const and must not keep a state. They
// are called at trial points too, in any order of time. What they throw ends the run and comes out as it is.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

/// A body as an element sees it: centre of mass [m], angle [rad] and their rates [m/s, rad/s]. A point mass has angle
/// 0; the ground is all zero.
struct BodyView {
  double x = 0, y = 0, angle = 0, vx = 0, vy = 0, omega = 0;
};

/// What acts on a body: force [N], and torque about the centre of mass [N m].
struct Load {
  double fx = 0, fy = 0, torque = 0;
};

/// The same in space; a bar means components along the axes of the body frame, as the model gives them, the rest is
/// global. The ground is at rest in the origin, its axes the global ones.
struct SpatialBodyView {
  Vec3 r{0, 0, 0};                      ///< centre of mass [m]
  std::array<double, 4> p{1, 0, 0, 0};  ///< Euler parameters (e0, e1, e2, e3), of length 1 up to the integrator's error
  Mat3 A{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};  ///< the rotation of p: a global vector is A times the body one
  Vec3 r_dot{0, 0, 0};                                  ///< [m/s]
  Vec3 omega_bar{0, 0, 0};                              ///< angular velocity [rad/s]

  /// A vector of the body frame in global axes, A u; and back, A^T u.
  [[nodiscard]] Vec3 global(const Vec3& u_bar) const;
  [[nodiscard]] Vec3 bar(const Vec3& u) const;
  /// Place [m] and velocity [m/s] of the point fixed in the body at s_bar: r + A s_bar, r_dot + A (omega_bar x s_bar).
  [[nodiscard]] Vec3 point(const Vec3& s_bar) const;
  [[nodiscard]] Vec3 velocity(const Vec3& s_bar) const;
};

/// What acts on a body: force [N] in global axes, and torque about the centre of mass [N m] in body axes, so that the
/// power is force . r_dot + torque_bar . omega_bar.
struct SpatialBodyLoad {
  Vec3 force{0, 0, 0}, torque_bar{0, 0, 0};

  /// Adds a force at the body's point s_bar, or a torque; F and T in global axes. Along body axes: body.global(F_bar).
  void add_force(const SpatialBodyView& body, const Vec3& s_bar, const Vec3& F);
  void add_torque(const SpatialBodyView& body, const Vec3& T);
};

class UserForce {
 public:
  virtual ~UserForce() = default;
  /// The loads on the bodies of the force, in the order they were named; `loads` comes as zero. Must be as smooth as
  /// the order of the integrator asks for; what jumps belongs into a guard. Derivatives, where an implicit method needs
  /// them, are central differences of this.
  virtual void apply(double t, std::span<const BodyView> bodies, std::span<Load> loads) const;
  virtual void apply_in_space(double t, std::span<const SpatialBodyView> bodies,
                              std::span<SpatialBodyLoad> loads) const;
};

/// One equation between the motions of two bodies: J[0] v_0 + J[1] v_1 = nu and J[0] a_0 + J[1] a_1 = gamma with
/// v = (vx, vy, omega), a = v_dot: J = dPhi/dq, nu = -dPhi/dt, gamma = -(d(J v)/dq v + 2 d(J v)/dt + d2Phi/dt2) (Haug
/// 1989, section 3.6).
struct JointRow {
  std::array<std::array<double, 3>, 2> J{};
  double nu = 0, gamma = 0;
};

/// In space v = (r_dot, omega_bar), a = v_dot, and J[k] = (Phi_r, Pi_bar): with u = A u_bar, whose rate is A (omega_bar
/// x u_bar), Phi_dot = J[0] v_0 + J[1] v_1 - nu, and Phi_ddot is J[0] a_0 + J[1] a_1 - gamma (Haug 1989, section 9.3).
/// The multiplier lambda acts on body k with the force Phi_r lambda and the torque Pi_bar lambda in body axes.
struct SpatialJointRow {
  std::array<std::array<double, 6>, 2> J{};
  double nu = 0, gamma = 0;
};

class UserJoint {
 public:
  virtual ~UserJoint() = default;
  /// How many equations, at most 3; in space at most 6.
  [[nodiscard]] virtual int rows() const = 0;
  /// Phi by row, zero where the joint holds [m or rad].
  virtual void position(double t, const BodyView& first, const BodyView& second, std::span<double> phi) const;
  /// The rows, which come as zero. Where an implicit method needs derivatives of J and gamma, they are central
  /// differences of these; nu is taken to depend on t alone.
  virtual void rows_at(double t, const BodyView& first, const BodyView& second, std::span<JointRow> rows) const;
  virtual void position_in_space(double t, const SpatialBodyView& first, const SpatialBodyView& second,
                                 std::span<double> phi) const;
  virtual void rows_in_space(double t, const SpatialBodyView& first, const SpatialBodyView& second,
                             std::span<SpatialJointRow> rows) const;
};

/// A force on the bodies named (at least one, at most 8).
[[nodiscard]] ForceSpec user_force(std::string name, const std::vector<std::string>& bodies,
                                   std::shared_ptr<const UserForce> force);
[[nodiscard]] JointSpec user_joint(std::string name, const std::string& first, const std::string& second,
                                   std::shared_ptr<const UserJoint> joint);

}  // namespace hstar
