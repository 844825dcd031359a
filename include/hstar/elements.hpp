// include/hstar/elements.hpp
//
// Forces and joints of a program's own, put into a model built or read in code:
//
//   hstar::ModelSpec model = hstar::read_model("sled.toml");
//   model.forces.push_back(hstar::user_force("drag", {"sled"}, std::make_shared<Drag>()));
//   model.joints.push_back(hstar::user_joint("cam", "ground", "follower", std::make_shared<Cam>()));
//   hstar::run(model);
//
// Planar mechanisms. One object serves all runs of the model, in threads at once: its methods are const and must not
// keep a state. They are called at trial points too, in any order of time.
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

class UserForce {
 public:
  virtual ~UserForce() = default;
  /// The loads on the bodies of the force, in the order they were named; `loads` comes as zero. Must be as smooth as
  /// the order of the integrator asks for; what jumps belongs into a guard. Derivatives, where an implicit method needs
  /// them, are central differences of this.
  virtual void apply(double t, std::span<const BodyView> bodies, std::span<Load> loads) const = 0;
};

/// One equation between the motions of two bodies: J[0] v_0 + J[1] v_1 = nu and J[0] a_0 + J[1] a_1 = gamma with
/// v = (vx, vy, omega), a = v_dot: J = dPhi/dq, nu = -dPhi/dt, gamma = -(d(J v)/dq v + 2 d(J v)/dt + d2Phi/dt2) (Haug
/// 1989, section 3.6).
struct JointRow {
  std::array<std::array<double, 3>, 2> J{};
  double nu = 0, gamma = 0;
};

class UserJoint {
 public:
  virtual ~UserJoint() = default;
  /// How many equations, at most 3.
  [[nodiscard]] virtual int rows() const = 0;
  /// Phi by row, zero where the joint holds [m or rad].
  virtual void position(double t, const BodyView& first, const BodyView& second, std::span<double> phi) const = 0;
  virtual void rows_at(double t, const BodyView& first, const BodyView& second, std::span<JointRow> rows) const = 0;
};

/// A force on the bodies named (at least one, at most 8).
[[nodiscard]] ForceSpec user_force(std::string name, const std::vector<std::string>& bodies,
                                   std::shared_ptr<const UserForce> force);
[[nodiscard]] JointSpec user_joint(std::string name, const std::string& first, const std::string& second,
                                   std::shared_ptr<const UserJoint> joint);

}  // namespace hstar
