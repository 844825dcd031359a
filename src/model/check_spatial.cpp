// src/model/check_spatial.cpp: bodies, joints, forces and contacts of a spatial model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mechanism/spatial/euler_parameters.hpp"
#include "mechanism/spatial/inertia.hpp"
#include "mechanism/spatial/joints.hpp"
#include "mechanism/spatial/polyhedron.hpp"
#include "mechanism/spatial/shapes.hpp"
#include "model/element_check.hpp"

namespace hstar::model {
namespace {

void check_body(const SpatialBodySpec& b, NameCheck& names, BodyCheck& bodies) {
  const ElementCheck check(spatial_section("body"), fmt::format("body \"{}\"", b.name), b.where);
  names.claim("body", b.name, check, NameUse::element);
  static_cast<void>(parameters_from(b.orientation, b.where, check.owner()));
  if (b.motion) {
    const ElementCheck of(spatial_section("motion"), check.owner() + ": motion", b.where);
    of.formula("x", b.motion->x);
    of.formula("y", b.motion->y);
    of.formula("z", b.motion->z);
    of.formula("angle", b.motion->angle);
    of.direction("axis", b.motion->axis);
    bodies.add(b.name, BodyCheck::Kind::prescribed);
    return;
  }
  check.number("mass", b.mass);
  if (const std::string defect = inertia_defect(b.inertia); !defect.empty()) {
    const Mat3& J = b.inertia;
    check.fail("inertia",
               fmt::format("[[{}], [{}], [{}]]", fmt::join(J[0], ", "), fmt::join(J[1], ", "), fmt::join(J[2], ", ")),
               defect);
  }
  check.finite("position", b.position);
  check.finite("velocity", b.velocity);
  check.finite("angular_velocity", b.angular_velocity);
  bodies.add(b.name, BodyCheck::Kind::rigid);
}

/// The axes of a marker are those of a right-handed frame, as exactly as an orientation is.
void check_marker(const SpatialMarkerSpec& m, const ElementCheck& check) {
  if (std::any_of(m.point.begin(), m.point.end(), [](double x) { return !std::isfinite(x); }))
    check.plainly(
        fmt::format("the point [{}] of body \"{}\" must be finite numbers", fmt::join(m.point, ", "), m.body));
  const Mat3 columns = transposed(Mat3{m.f, m.g, m.h});
  static_cast<void>(parameters_from_matrix(columns, check.where(),
                                           fmt::format("{}: axes f, g, h in body \"{}\"", check.owner(), m.body)));
}

void check_pair(const std::array<SpatialMarkerSpec, 2>& markers, const BodyCheck& bodies, const ElementCheck& check) {
  bodies.one_moves(markers[0].body, markers[1].body, check);
  for (const SpatialMarkerSpec& m : markers) check_marker(m, check);
}

void check_joint(const SpatialJointSpec& j, NameCheck& names, const BodyCheck& bodies) {
  const ElementCheck check(spatial_section("joint"), fmt::format("joint \"{}\"", j.name), j.where);
  names.claim("element", j.name, check, NameUse::element);
  check.word("type", j.type);
  check_pair(j.markers, bodies, check);
  check.formula(j.type == "distance" ? "length" : "value", j.value);
  if (j.type == "cd") check.direction("axis", j.direction);
  if (j.type == "screw") {
    check.number("pitch", j.pitch);
    if (j.pitch == 0) check.fail("pitch", "0", "must not be 0: without pitch the joint is revolute");
  }
  if (j.type == "gear" && (j.teeth1 == 0 || j.teeth2 == 0))
    check.fail("teeth", fmt::format("[{}, {}]", j.teeth1, j.teeth2), "must be two whole numbers other than 0");
  check.limits(j.limits, static_cast<int>(free_coordinates(j.type).size()));
  if (!j.friction) return;
  check.friction(*j.friction);
  const bool ball = j.type == "spherical" || j.type == "cylindrical";
  if ((ball || (j.type == "revolute" && j.friction->law != "viscous")) && j.friction->lever() == 0)
    ElementCheck(section("friction"), check.owner() + ": friction", j.friction->where).missing("radius");
}

void check_force(const SpatialForceSpec& f, NameCheck& names, const BodyCheck& bodies) {
  const ElementCheck check(spatial_section("force"), fmt::format("force \"{}\"", f.name), f.where);
  names.claim("element", f.name, check, NameUse::element);
  check.word("type", f.type);
  check_pair(f.markers, bodies, check);
  for (const Expression& e : f.vector) check.formula(f.type == "torque" ? "torque" : "force", e);
  for (const auto& [key, formula] : {std::pair{"stiffness", &f.stiffness},
                                     {"damping", &f.damping},
                                     {"free_length", &f.free_length},
                                     {"actuator", &f.actuator}})
    check.formula(key, *formula);
  if (f.type != "bushing") return;
  for (const auto& [key, matrix] :
       {std::pair{"stiffness_matrix", &f.stiffness_matrix}, {"damping_matrix", &f.damping_matrix}}) {
    check.finite(key, *matrix);
    if (!matrix->empty() && matrix->size() != 6 && matrix->size() != 36)
      check.fail(key, fmt::format("{} numbers", matrix->size()),
                 "must be 6 numbers (a diagonal) or 36 (a matrix by rows)");
  }
}

void check_shape(const SpatialShapeSpec& s, const std::string& owner, const BodyCheck& bodies) {
  const ElementCheck check(spatial_section("shape"), owner, s.where);
  check.word("shape", s.shape);
  bodies.known({s.body}, check);
  check.finite("point", s.point);
  if (s.shape == "plane") check.direction("normal", s.normal);
  if (s.shape == "sphere" || s.shape == "capsule") check.number("radius", s.radius);
  if (s.shape == "capsule") {
    for (const Vec3& end : s.ends) check.finite("ends", end);
    if (s.ends[0] == s.ends[1])
      check.fail("ends", fmt::format("[[{0}], [{0}]]", fmt::join(s.ends[0], ", ")),
                 "must be two different points [[xa, ya, za], [xb, yb, zb]]");
  }
  if (s.shape == "box") {
    check.finite("sides", s.sides);
    if (!(*std::min_element(s.sides.begin(), s.sides.end()) > 0))
      check.fail("sides", fmt::format("[{}]", fmt::join(s.sides, ", ")), "must be three lengths > 0");
  }
  if (s.shape == "hull") {
    for (const Vec3& point : s.points) check.finite("points", point);
    if (const std::string defect = hull_defect(s.points); !defect.empty()) check.plainly(defect);
  }
}

void check_contact(const SpatialContactSpec& c, NameCheck& names, const BodyCheck& bodies) {
  const ElementCheck check(spatial_section("contact"), fmt::format("contact \"{}\"", c.name), c.where);
  names.claim("element", c.name, check, NameUse::element);
  check_laws(check, c);
  check_shape(c.first, check.owner() + ": between[0]", bodies);
  check_shape(c.second, check.owner() + ": between[1]", bodies);
  bodies.one_moves(c.first.body, c.second.body, check);
  if (contact_parts(c).empty())
    check.plainly(
        fmt::format("a {} and a {} cannot touch at one point; make one of them a sphere, a capsule, a box or "
                    "a hull",
                    c.first.shape, c.second.shape));
}

/// Joints and forces of a program: those in the lists of the plane that are its own.
void check_own(const ModelSpec& spec, NameCheck& names, const BodyCheck& bodies) {
  for (const JointSpec& j : spec.joints) {
    const ElementCheck check(spatial_section("joint"), fmt::format("joint \"{}\"", j.name), j.where);
    names.claim("element", j.name, check, NameUse::element);
    if (!j.user) check.plainly("a planar joint in a spatial model; those in space are in spatial.joints");
    if (j.markers.size() != 2) check.missing("bodies");
    bodies.one_moves(j.markers[0].body, j.markers[1].body, check);
  }
  for (const ForceSpec& f : spec.forces) {
    const ElementCheck check(spatial_section("force"), fmt::format("force \"{}\"", f.name), f.where);
    names.claim("element", f.name, check, NameUse::element);
    if (!f.user) check.plainly("a planar force in a spatial model; those in space are in spatial.forces");
    for (const MarkerSpec& m : f.markers) bodies.known({m.body}, check);
  }
}

}  // namespace

void check_spatial(const ModelSpec& spec, NameCheck& names) {
  BodyCheck bodies;
  for (const SpatialBodySpec& b : spec.spatial.bodies) check_body(b, names, bodies);
  for (const SpatialJointSpec& j : spec.spatial.joints) check_joint(j, names, bodies);
  for (const SpatialForceSpec& f : spec.spatial.forces) check_force(f, names, bodies);
  for (const SpatialContactSpec& c : spec.spatial.contacts) check_contact(c, names, bodies);
  check_own(spec, names, bodies);
}

}  // namespace hstar::model
