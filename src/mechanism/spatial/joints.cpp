// src/mechanism/spatial/joints.cpp
#include "mechanism/spatial/joints.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "hstar/error.hpp"

namespace hstar {
namespace {

constexpr std::array<SpatialJointEntry, 17> entries{{
    {"spherical", "two points coincide", 3},
    {"universal", "two points coincide, an axis of each body stays at a right angle to the other's", 4},
    {"cylindrical", "a point slides along an axis of the first body and turns about it", 4},
    {"revolute", "two points coincide, an axis is common", 5},
    {"translational", "a point slides along an axis of the first body, no relative turning", 5},
    {"fixed", "two bodies are one", 6},
    {"point_on_plane", "a point of the second body stays in a plane of the first, or at a height f(t) above it", 1},
    {"point_on_line", "a point of the second body stays on a line of the first", 2},
    {"distance", "two points keep a length, constant or a function of time", 1},
    {"screw", "a common axis; the way along it is pitch times turns", 5},
    {"gear", "two wheels on fixed axes: teeth_1 angle_1 + teeth_2 angle_2 is constant", 1},
    {"rotation", "driver: the angle about the axis is a function of time", 1},
    {"translation", "driver: the way along the axis of the first body is a function of time", 1},
    {"dp1", "a_1 . a_2 = f(t)", 1},
    {"dp2", "a_1 . d = f(t), d from the first body's point to the second's", 1},
    {"d", "d . d = f(t)", 1},
    {"cd", "c . d = f(t), c a global direction", 1},
}};

/// One of f, g, h of body k.
VectorField on(int k, const Vec3& axis) { return VectorField::direction(k, axis); }

/// Rows of Phi = P_2 - P_1 in global axes at once: what most joints have.
void coincident_rows(const JointFrame& frame, const SpatialMotion& b1, const SpatialMotion& b2, SpatialRow* out) {
  const auto bias = [](const SpatialMotion& b, const Vec3& s) {
    return b.A * cross(b.omega_bar, cross(b.omega_bar, s));
  };
  const Vec3 gamma = bias(b1, frame.point1) - bias(b2, frame.point2);
  for (std::size_t i = 0; i < 3; ++i) {
    SpatialRow& row = out[i];
    // d(e_i . A s) = (s x A^T e_i) . delta pi_bar, and A^T e_i is row i of A.
    const Vec3 turn1 = cross(b1.A[i], frame.point1), turn2 = cross(frame.point2, b2.A[i]);
    for (std::size_t c = 0; c < 3; ++c) {
      row.J[0][c] = c == i ? -1 : 0;
      row.J[1][c] = c == i ? 1 : 0;
      row.J[0][3 + c] = turn1[c];
      row.J[1][3 + c] = turn2[c];
    }
    row.nu = 0;
    row.gamma = gamma[i];
  }
}

}  // namespace

std::span<const SpatialJointEntry> spatial_joints() { return entries; }

Triad same_axes(const Triad& axes1, const SpatialMotion& b1, const SpatialMotion& b2) {
  const auto carry = [&](const Vec3& a) { return b2.bar(b1.global(a)); };
  return {carry(axes1.f), carry(axes1.g), carry(axes1.h)};
}

std::span<const std::string_view> free_coordinates(std::string_view type) {
  static constexpr std::array<std::string_view, 4> names{"slide", "angle", "angle1", "angle2"};
  const std::span<const std::string_view> all(names);
  if (type == "cylindrical" || type == "screw") return all.first(2);
  if (type == "translational" || type == "point_on_line") return all.first(1);
  if (type == "revolute") return all.subspan(1, 1);
  return type == "universal" || type == "gear" ? all.last(2) : all.first(0);
}

bool holds_by_turns(std::string_view type) { return type == "screw" || type == "gear"; }

SpatialJoint make_spatial_joint(std::string_view type, const JointFrame& frame, const JointNumbers& n) {
  const Triad &a1 = frame.axes1, &a2 = frame.axes2;
  const VectorField d = VectorField::between(frame.point1, frame.point2);
  SpatialJoint joint;
  joint.frame = frame;
  for (const std::string_view name : free_coordinates(type)) {
    if (type == "gear") break;  // (the angles of wheels are left free by the joints they turn in)
    (name == "slide" ? joint.free.slides : name == "angle" ? joint.free.turns : joint.free.crosses) = true;
  }
  joint.free.slide = SpatialScalar::dot_product(on(0, a1.h), d);
  joint.free.angle = SpatialScalar::angle(a1, a2);
  const auto add = [&](std::string_view name, SpatialScalar row) {
    joint.names.push_back(name);
    joint.scalar.push_back(std::move(row));
  };
  const auto coincide = [&] {
    if (n.along_axes) {
      add("f", SpatialScalar::dot_product(on(0, a1.f), d));
      add("g", SpatialScalar::dot_product(on(0, a1.g), d));
      add("h", SpatialScalar::dot_product(on(0, a1.h), d));
      return;
    }
    joint.coincident_ = true;
    add("x", SpatialScalar::dot_product(VectorField::fixed({1, 0, 0}), d));
    add("y", SpatialScalar::dot_product(VectorField::fixed({0, 1, 0}), d));
    add("z", SpatialScalar::dot_product(VectorField::fixed({0, 0, 1}), d));
  };
  const auto on_line = [&] {
    add("f", SpatialScalar::dot_product(on(0, a1.f), d));
    add("g", SpatialScalar::dot_product(on(0, a1.g), d));
  };
  // f_1 . h_2 = g_1 . h_2 = 0: turning about g and f is held. Where h_2 = h_1 both derivatives are unit vectors.
  const auto parallel = [&] {
    joint.holds_axis_ = true;
    add("turn_g", SpatialScalar::dot_product(on(0, a1.f), on(1, a2.h)));
    add("turn_f", SpatialScalar::dot_product(on(0, a1.g), on(1, a2.h)));
  };
  const auto no_turn = [&] {
    joint.holds_turn_ = true;
    add("turn_h", SpatialScalar::dot_product(on(0, a1.f), on(1, a2.g)));
  };
  if (type == "spherical") {
    coincide();
  } else if (type == "universal") {
    coincide();
    add("turn", SpatialScalar::dot_product(on(0, a1.h), on(1, a2.h)));
    joint.free.angle = SpatialScalar::angle(a1, {a2.h, {}, {}});
    joint.free.second_angle = SpatialScalar::turn_about_second(a1.h, a2);
  } else if (type == "cylindrical") {
    on_line();
    parallel();
  } else if (type == "revolute") {
    coincide();
    parallel();
  } else if (type == "translational") {
    on_line();
    parallel();
    no_turn();
  } else if (type == "fixed") {
    coincide();
    parallel();
    no_turn();
  } else if (type == "point_on_plane") {
    add("height", SpatialScalar::dot_product(on(0, a1.h), d, n.f));
  } else if (type == "point_on_line") {
    on_line();
  } else if (type == "distance") {
    add("length", SpatialScalar::distance(frame.point1, frame.point2, n.f));
  } else if (type == "screw") {
    if (n.pitch == 0 || !std::isfinite(n.pitch))
      throw InputError("pitch = " + std::to_string(n.pitch) +
                       " must be a length other than 0; without pitch the joint is revolute");
    on_line();
    parallel();
    add("screw", SpatialScalar::screw(frame.point1, frame.point2, a1, a2, n.pitch / (2 * std::numbers::pi), n.f));
  } else if (type == "gear") {
    if (n.teeth1 == 0 || n.teeth2 == 0)
      throw InputError("teeth = [" + std::to_string(n.teeth1) + ", " + std::to_string(n.teeth2) +
                       "] must not be 0; a negative number is an internal wheel");
    add("mesh", SpatialScalar::gear(n.teeth1, n.ground1, a1, n.teeth2, n.ground2, a2, n.f));
    joint.free.angle = SpatialScalar::wheel(n.ground1, a1, 0);
    joint.free.second_angle = SpatialScalar::wheel(n.ground2, a2, 1);
  } else if (type == "rotation") {
    add("angle", SpatialScalar::angle(a1, a2, n.f));
  } else if (type == "translation") {
    add("way", SpatialScalar::dot_product(on(0, a1.h), d, n.f));
  } else if (type == "dp1") {
    add("dp1", SpatialScalar::dot_product(on(0, a1.h), on(1, a2.h), n.f));
  } else if (type == "dp2") {
    add("dp2", SpatialScalar::dot_product(on(0, a1.h), d, n.f));
  } else if (type == "d") {
    add("d", SpatialScalar::dot_product(d, d, n.f));
  } else if (type == "cd") {
    add("cd", SpatialScalar::dot_product(VectorField::fixed(n.direction), d, n.f));
  } else {
    throw InputError("no spatial joint is called \"" + std::string(type) + "\"");
  }
  return joint;
}

void SpatialJoint::position(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now, double* phi,
                            const double* turns) const {
  for (const SpatialScalar& s : scalar) *phi++ = s.value(b1, b2, now, turns);
}

void SpatialJoint::count_from(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now) {
  for (SpatialScalar& s : scalar) s.count_from(b1, b2, now);
}

void SpatialJoint::rows_at(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now, SpatialRow* out) const {
  std::size_t i = 0;
  if (coincident_) {
    coincident_rows(frame, b1, b2, out);
    i = 3;
  }
  for (; i < scalar.size(); ++i) scalar[i].row(b1, b2, now, out[i]);
}

void SpatialJoint::slopes(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope* out) const {
  for (const SpatialScalar& s : scalar) s.slope(b1, b2, *out++);
}

bool SpatialJoint::turned_over(const SpatialMotion& b1, const SpatialMotion& b2) const {
  const auto against = [&](const Vec3& x1, const Vec3& x2) { return dot(b1.global(x1), b2.global(x2)) < 0; };
  return (holds_axis_ && against(frame.axes1.h, frame.axes2.h)) ||
         (holds_turn_ && against(frame.axes1.f, frame.axes2.f));
}

Wrench reaction(std::span<const SpatialRow> rows, const double* lambda, const SpatialMotion& b2, const Vec3& point2) {
  Wrench sum;
  Vec3 turn{0, 0, 0};  // about the centre, body axes
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      sum.force[c] += rows[i].J[1][c] * lambda[i];
      turn[c] += rows[i].J[1][3 + c] * lambda[i];
    }
  sum.torque = b2.A * turn - cross(b2.A * point2, sum.force);
  return sum;
}

Wrench in_joint_axes(const Wrench& global, const SpatialMotion& b1, const Triad& axes1) {
  const auto components = [&](const Vec3& x) {
    const Vec3 local = b1.bar(x);
    return Vec3{dot(local, axes1.f), dot(local, axes1.g), dot(local, axes1.h)};
  };
  return {components(global.force), components(global.torque)};
}

}  // namespace hstar
