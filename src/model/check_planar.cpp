// src/model/check_planar.cpp: bodies, joints, forces and contacts of a planar model.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "mechanism/planar/shape_pairs.hpp"
#include "model/defects.hpp"
#include "model/element_check.hpp"

namespace hstar::model {
namespace {

void check_body(const BodySpec& b, NameCheck& names, BodyCheck& bodies) {
  const ElementCheck check(section("body"), fmt::format("body \"{}\"", b.name), b.where);
  names.claim("body", b.name, check, NameUse::element);
  if (b.motion) {
    const ElementCheck of(section("motion"), check.owner() + ": motion", b.where);
    of.formula("x", b.motion->x);
    of.formula("y", b.motion->y);
    of.formula("angle", b.motion->angle);
    bodies.add(b.name, BodyCheck::Kind::prescribed);
    return;
  }
  check.number("mass", b.mass);
  if (b.inertia) check.number("inertia", *b.inertia);
  check.finite("position", b.position);
  check.finite("velocity", b.velocity);
  check.number("angle", b.angle);
  check.number("angular_velocity", b.angular_velocity);
  bodies.add(b.name, b.inertia ? BodyCheck::Kind::rigid : BodyCheck::Kind::point_mass);
}

void check_markers(const ElementCheck& check, std::span<const MarkerSpec> markers) {
  for (const MarkerSpec& m : markers)
    for (const Expression* e : {&m.x, &m.y})
      if (e->is_constant() && !std::isfinite(e->constant_value()))
        check.plainly(fmt::format("a point of body \"{}\" is [{}, {}], it must be finite numbers", m.body,
                                  m.x.is_constant() ? m.x.constant_value() : 0.0,
                                  m.y.is_constant() ? m.y.constant_value() : 0.0));
}

void check_joint(const JointSpec& j, NameCheck& names, const BodyCheck& bodies) {
  const ElementCheck check(section("joint"), fmt::format("joint \"{}\"", j.name), j.where);
  names.claim("element", j.name, check, NameUse::element);
  if (!j.user) check.word("type", j.type);
  const bool absolute = j.type.starts_with("absolute_");
  const std::size_t least = j.type == "equation" ? 0 : absolute || j.user ? 1 : 2, most = absolute ? 1 : 2;
  if (j.markers.size() < least || j.markers.size() > most) check.missing(absolute ? "body" : "bodies");
  check_markers(check, j.markers);
  if (j.markers.size() == 1) {
    bodies.known({j.markers[0].body}, check);
    if (!bodies.moves_freely(j.markers[0].body))
      check.fail("body", fmt::format("\"{}\"", j.markers[0].body), "cannot be driven: it does not move freely");
  } else if (j.type != "equation") {
    bodies.one_moves(j.markers[0].body, j.markers[1].body, check);
  }
  if (j.type == "translational" || j.type == "relative_translation") check.direction("axis", j.axis);
  if (j.angle) check.number("angle", *j.angle);
  const char* formula = j.type == "equation"                          ? "equation"
                        : j.type == "distance"                        ? "length"
                        : absolute || j.type.starts_with("relative_") ? "value"
                                                                      : nullptr;
  if (formula != nullptr) {
    if (!j.value) check.missing(formula);
    check.formula(formula, *j.value);
  }
  check.limits(j.limits, j.type == "revolute" || j.type == "translational" ? 1 : 0);
  if (j.friction) {
    check.friction(*j.friction);
    if (j.type == "revolute" && j.friction->law != "viscous" && j.friction->lever() == 0)
      ElementCheck(section("friction"), check.owner() + ": friction", j.friction->where).missing("radius");
  }
}

void check_force(const ForceSpec& f, NameCheck& names, const BodyCheck& bodies) {
  const ElementCheck check(section("force"), fmt::format("force \"{}\"", f.name), f.where);
  names.claim("element", f.name, check, NameUse::element);
  check_markers(check, f.markers);
  for (const MarkerSpec& m : f.markers) bodies.known({m.body}, check);
  if (f.user) return;
  check.word("type", f.type);
  const bool spring = f.type == "spring_damper", point = f.type == "point_force";
  if (f.markers.empty() || f.markers.size() > (point ? 1U : 2U) || (spring && f.markers.size() != 2))
    check.missing(point ? "body" : spring ? "between" : "bodies");
  if (f.markers.size() == 2) {
    bodies.one_moves(f.markers[0].body, f.markers[1].body, check);
  } else if (!bodies.moves_freely(f.markers[0].body)) {
    check.fail("body", fmt::format("\"{}\"", f.markers[0].body),
               fmt::format("does not move freely, so a {} on it does nothing", point ? "force" : "torque"));
  }
  if (f.axis) check.direction("axis", *f.axis);
  for (const auto& [key, formula] : {std::pair{"force", &f.fx},
                                     {"force", &f.fy},
                                     {"torque", &f.torque},
                                     {"stiffness", &f.stiffness},
                                     {"damping", &f.damping},
                                     {"free_length", &f.free_length},
                                     {"actuator", &f.actuator}})
    check.formula(key, *formula);
  if (!point && !spring)
    for (const MarkerSpec& m : f.markers) bodies.has_angle(m.body, check);
}

void check_shape(const ShapeSpec& s, const std::string& owner, const BodyCheck& bodies) {
  const ElementCheck check(section("shape"), owner, s.marker.where);
  check.word("shape", s.shape);
  bodies.known({s.marker.body}, check);
  check_markers(check, {&s.marker, 1});
  for (const Expression* e : {&s.marker.x, &s.marker.y})
    if (!e->is_constant())
      check.fail("point", fmt::format("[{}, {}]", s.marker.x.text(), s.marker.y.text()), "must be numbers");
  if (s.shape == "line") check.direction("normal", s.normal);
  if (s.shape == "circle" || s.shape == "hole" || s.shape == "arc" || s.shape == "slot")
    check.number("radius", s.radius);
  if (s.shape == "arc" && !is_arc(s.angles))
    check.fail("angles", fmt::format("[{}, {}]", s.angles[0], s.angles[1]),
               "must be [from, to] with from < to < from + 2 pi");
  if (s.shape == "polygon")
    if (const auto defect = polygon_defect(s.corners)) check.plainly(defect->message);
  if ((s.shape == "segment" || s.shape == "slot") && (s.corners.size() != 2 || s.corners[0] == s.corners[1]))
    check.fail("ends", fmt::format("{} points", s.corners.size()), "must be two different points [[xa, ya], [xb, yb]]");
  for (const Vec2& corner : s.corners) check.finite(s.shape == "polygon" ? "corners" : "ends", corner);
}

void check_contact(const ContactSpec& c, NameCheck& names, const BodyCheck& bodies) {
  const ElementCheck check(section("contact"), fmt::format("contact \"{}\"", c.name), c.where);
  names.claim("element", c.name, check, NameUse::element);
  check_laws(check, c);
  if (c.gap) {
    if (c.friction && !c.slide) check.missing("slide");
    return;
  }
  check_shape(c.first, check.owner() + ": between[0]", bodies);
  check_shape(c.second, check.owner() + ": between[1]", bodies);
  if (const auto defect = order_defect(c.first, c.second)) check.plainly(defect->message);
  bodies.one_moves(c.first.marker.body, c.second.marker.body, check);
  if (point_contacts(c).empty())
    check.plainly(fmt::format("a {} and a {} cannot touch at a point; give one of them a round shape or corners",
                              c.first.shape, c.second.shape));
}

}  // namespace

void check_planar(const ModelSpec& spec, NameCheck& names) {
  BodyCheck bodies;
  for (const BodySpec& b : spec.bodies) check_body(b, names, bodies);
  for (const JointSpec& j : spec.joints) check_joint(j, names, bodies);
  for (const ForceSpec& f : spec.forces) check_force(f, names, bodies);
  for (const ContactSpec& c : spec.contacts) check_contact(c, names, bodies);
}

}  // namespace hstar::model
