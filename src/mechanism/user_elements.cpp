// src/mechanism/user_elements.cpp: hstar/elements.hpp but for the elements themselves.
#include "mechanism/user_elements.hpp"

#include "mechanism/spatial/vec3.hpp"

namespace hstar {

OtherDimension::OtherDimension(const std::string& function)
    : InputError("its class does not override " + function + "(), which " +
                 (function.ends_with("in_space") ? "models with dimension = 3 call" : "planar models call")) {}

Vec3 SpatialBodyView::global(const Vec3& u_bar) const { return A * u_bar; }
Vec3 SpatialBodyView::bar(const Vec3& u) const { return transposed_times(A, u); }
Vec3 SpatialBodyView::point(const Vec3& s_bar) const { return r + A * s_bar; }
Vec3 SpatialBodyView::velocity(const Vec3& s_bar) const { return r_dot + A * cross(omega_bar, s_bar); }

void SpatialBodyLoad::add_force(const SpatialBodyView& body, const Vec3& s_bar, const Vec3& F) {
  force = force + F;
  torque_bar = torque_bar + cross(s_bar, body.bar(F));
}
void SpatialBodyLoad::add_torque(const SpatialBodyView& body, const Vec3& T) { torque_bar = torque_bar + body.bar(T); }

void UserForce::apply(double, std::span<const BodyView>, std::span<Load>) const { throw OtherDimension("apply"); }
void UserForce::apply_in_space(double, std::span<const SpatialBodyView>, std::span<SpatialBodyLoad>) const {
  throw OtherDimension("apply_in_space");
}

void UserJoint::position(double, const BodyView&, const BodyView&, std::span<double>) const {
  throw OtherDimension("position");
}
void UserJoint::rows_at(double, const BodyView&, const BodyView&, std::span<JointRow>) const {
  throw OtherDimension("rows_at");
}
void UserJoint::position_in_space(double, const SpatialBodyView&, const SpatialBodyView&, std::span<double>) const {
  throw OtherDimension("position_in_space");
}
void UserJoint::rows_in_space(double, const SpatialBodyView&, const SpatialBodyView&,
                              std::span<SpatialJointRow>) const {
  throw OtherDimension("rows_in_space");
}

ForceSpec user_force(std::string name, const std::vector<std::string>& bodies, std::shared_ptr<const UserForce> force) {
  ForceSpec spec;
  spec.name = std::move(name);
  spec.type = "user";
  spec.user = std::move(force);
  for (const std::string& body : bodies) {
    spec.markers.emplace_back();
    spec.markers.back().body = body;
  }
  return spec;
}

JointSpec user_joint(std::string name, const std::string& first, const std::string& second,
                     std::shared_ptr<const UserJoint> joint) {
  JointSpec spec;
  spec.name = std::move(name);
  spec.type = "user";
  spec.user = std::move(joint);
  spec.markers.resize(2);
  spec.markers[0].body = first;
  spec.markers[1].body = second;
  return spec;
}

}  // namespace hstar
