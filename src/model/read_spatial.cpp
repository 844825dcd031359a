// src/model/read_spatial.cpp
//
// Bodies and joints of a model with dimension = 3. Places and axes that are written in global coordinates are those of
// the bodies where they are given; here they become points and axes of the bodies.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "mechanism/spatial/inertia.hpp"
#include "mechanism/spatial/joints.hpp"
#include "model/reader.hpp"

namespace hstar::model {
// ---- [[body]] --------------------------------------------------------------------------------------

EulerParameters Reader::orientation(const Fields& fields) const {
  const std::string& owner = fields.owner();
  std::string given;
  for (const char* key : {"euler_parameters", "axis", "matrix", "angles"}) {
    if (!fields.has(key)) continue;
    if (!given.empty())
      fields.fail_plainly(key, fmt::format("{} and {} both say the orientation; give one of them", given, key));
    given = key;
  }
  if (fields.has("angle") && given != "axis") fields.fail_plainly("angle", "angle needs the axis it turns about");
  if (fields.has("sequence") && given != "angles") fields.fail_plainly("sequence", "sequence is of angles; give them");
  if (given == "euler_parameters") {
    const std::vector<double> p = fields.numbers("euler_parameters");
    if (p.size() != 4) fields.fail("euler_parameters", "must be four numbers [e0, e1, e2, e3]");
    return parameters_from({p[0], p[1], p[2], p[3]}, fields.where(given), owner);
  }
  if (given == "axis") {
    if (!fields.has("angle")) fields.missing("angle");
    return parameters_from_axis(fields.triple("axis"), fields.maybe_number("angle").value_or(0), fields.where(given),
                                owner);
  }
  if (given == "matrix") {
    const std::vector<Vec3> rows = fields.triples("matrix");
    if (rows.size() != 3) fields.fail("matrix", "must be three rows [[a, b, c], [d, e, f], [g, h, i]]");
    return parameters_from_matrix({rows[0], rows[1], rows[2]}, fields.where(given), owner);
  }
  if (given == "angles")
    return parameters_from_angles(fields.triple("angles"), fields.word("sequence"), fields.where(given), owner);
  return {1, 0, 0, 0};
}

namespace {

constexpr std::string_view lengths_of_shapes = "sides radius length";

/// Mass and inertia of a homogeneous shape in the axes of the body.
MassProperties spatial_shape(const Fields& fields) {
  const std::string shape = fields.word("shape");
  check_shape_keys(fields, lengths_of_shapes,
                   shape == "box"      ? "sides"
                   : shape == "sphere" ? "radius"
                                       : "radius length");
  const double density = fields.maybe_number("density").value_or(0);
  const auto number = [&](std::string_view key) { return fields.maybe_number(key).value_or(0); };
  const Location where = fields.where("shape");
  if (shape == "box") return box_inertia(fields.triple("sides"), density, where, fields.owner());
  if (shape == "sphere") return sphere_inertia(number("radius"), density, where, fields.owner());
  return shape == "cylinder" ? cylinder_inertia(number("radius"), number("length"), density, where, fields.owner())
                             : rod_inertia(number("radius"), number("length"), density, where, fields.owner());
}

}  // namespace

void Reader::spatial_body(const Value& table, std::size_t number) {
  const std::string owner = owner_of("body", table, number);
  Fields fields(context_, spatial_section("body"), table, owner);
  fields.check_for(fields.has("motion") ? "prescribed" : "free");
  SpatialBodySpec b;
  b.where = table.where;
  b.name = fields.name();
  claim("body", b.name, fields.where("name"), owner);
  b.orientation = orientation(fields);
  SpatialMotion& start = start_[b.name];
  start.turn_to(b.orientation);
  if (const Value* motion = fields.find("motion")) {
    const Fields of(context_, spatial_section("motion"), *motion, owner + ": motion");
    SpatialBodySpec::Motion m{of.formula("x"), of.formula("y"), of.formula("z"), of.formula("angle"), {}};
    m.axis = of.direction3("axis");
    const double t = spec_.simulation.start;
    const auto at = [t](const Expression& e) { return e.value(&t); };
    start.r = {at(m.x), at(m.y), at(m.z)};
    start.turn_to(turned(b.orientation, at(m.angle) * m.axis));
    b.motion = std::move(m);
    kind_of_body_[b.name] = "prescribed";
  } else {
    if (fields.has("shape")) {
      const MassProperties shape = spatial_shape(fields);
      b.mass = shape.mass;
      for (std::size_t i = 0; i < 3; ++i) b.inertia[i][i] = shape.moment[i];
    } else {
      check_no_shape_keys(fields, lengths_of_shapes);
      for (const char* key : {"mass", "inertia"})
        if (!fields.has(key)) fields.missing(key);
      b.mass = fields.number("mass");
      b.inertia = fields.tensor("inertia");
    }
    if (const std::string defect = inertia_defect(b.inertia); !defect.empty()) fields.fail("inertia", defect);
    if (const std::string doubt = inertia_doubt(b.inertia); !doubt.empty())
      spec_.notices.push_back(fmt::format("{}: inertia {}; it is taken as it is", owner, doubt));
    start.r = b.position = fields.triple("position");
    b.velocity = fields.triple("velocity");
    b.angular_velocity = fields.triple("angular_velocity");
    if (fields.word("angular_velocity_frame") == "global") b.angular_velocity = start.bar(b.angular_velocity);
    kind_of_body_[b.name] = "free";
  }
  spec_.spatial.bodies.push_back(std::move(b));
}

// ---- [[joint]] -------------------------------------------------------------------------------------

namespace {

void put(SpatialMarkerSpec& marker, const Triad& axes) {
  marker.f = axes.f;
  marker.g = axes.g;
  marker.h = axes.h;
}
Triad triad_of(const SpatialMarkerSpec& m) { return {m.f, m.g, m.h}; }

/// Axes with h given and f as near as can be to a direction; the direction may be along h.
Triad triad_near(const Vec3& h, const Vec3& direction) {
  Triad t = triad_along(h);
  const Vec3 across = cross(t.h, direction);
  if (norm(across) > 1e-3) {
    t.g = (1 / norm(across)) * across;
    t.f = cross(t.g, t.h);
  }
  return t;
}

}  // namespace

void Reader::spatial_markers(const Fields& fields, std::array<SpatialMarkerSpec, 2>& markers) const {
  const std::vector<std::string> bodies = two_bodies(fields);
  const Value& list = *fields.find("bodies");
  const std::array<SpatialMotion, 2> start{start_.at(bodies[0]), start_.at(bodies[1])};
  for (std::size_t i = 0; i < 2; ++i) {
    markers[i].body = bodies[i];
    markers[i].where = list.items[i].where;
  }
  if (fields.has("points")) {
    if (fields.has("at")) fields.fail_plainly("at", "at and points both say where the joint is; give one of them");
    const std::vector<Vec3> points = fields.triples("points");
    if (points.size() != 2) fields.fail("points", "must be two points [[xa, ya, za], [xb, yb, zb]]");
    for (std::size_t i = 0; i < 2; ++i) markers[i].point = points[i];
  } else {
    const Vec3 at = fields.has("at") ? fields.triple("at") : start[0].r;
    for (std::size_t i = 0; i < 2; ++i) markers[i].point = start[i].bar(at - start[i].r);
  }
}

void Reader::spatial_axes(const Fields& fields, bool second, std::array<SpatialMarkerSpec, 2>& markers) const {
  const SpatialMotion &b1 = start_.at(markers[0].body), &b2 = start_.at(markers[1].body);
  if (fields.has("axes")) {
    for (const char* key : {"axis", "second_axis"})
      if ((second || key[0] == 'a') && fields.has(key))
        fields.fail_plainly(key, fmt::format("{} and axes say the same; give one of them", key));
    const std::vector<Vec3> axes = fields.triples("axes");
    if (axes.size() != 2 || !(norm(axes[0]) > 0) || !(norm(axes[1]) > 0))
      fields.fail("axes", "must be two axes [[xa, ya, za], [xb, yb, zb]] that are not zero");
    const Triad first = triad_along(axes[0]);
    put(markers[0], first);
    put(markers[1], triad_near(axes[1], b2.bar(b1.global(first.f))));
    return;
  }
  const Triad first = triad_along(b1.bar(fields.direction3("axis")));
  put(markers[0], first);
  if (!second) {
    put(markers[1], same_axes(first, b1, b2));
    return;
  }
  if (!fields.has("second_axis")) fields.missing("second_axis");
  put(markers[1], triad_near(b2.bar(fields.direction3("second_axis")), b2.bar(b1.global(first.f))));
}

void Reader::spatial_joint(const Value& table, std::size_t number) {
  const std::string owner = owner_of("joint", table, number);
  Fields fields(context_, spatial_section("joint"), table, owner);
  SpatialJointSpec j;
  name_and_type(fields, table, owner, j);
  spatial_markers(fields, j.markers);
  const bool two_axes = j.type == "universal" || j.type == "gear" || j.type == "dp1";
  if (j.type == "cd") {
    j.direction = fields.direction3("axis");
  } else if (j.type != "spherical" && j.type != "fixed" && j.type != "distance" && j.type != "d") {
    spatial_axes(fields, two_axes, j.markers);
  } else {
    const Triad first;
    put(j.markers[1], same_axes(first, start_.at(j.markers[0].body), start_.at(j.markers[1].body)));
  }
  if (j.type == "universal") {
    const Vec3 h1 = start_.at(j.markers[0].body).global(j.markers[0].h),
               h2 = start_.at(j.markers[1].body).global(j.markers[1].h);
    if (std::abs(dot(h1, h2)) > 0.9)
      fields.fail_plainly("type",
                          "the two axes of a universal joint cross at a right angle; these are nearly parallel");
    // Its two angles count from here: where each body sees the other's axis.
    put(j.markers[0], triad_near(j.markers[0].h, start_.at(j.markers[0].body).bar(h2)));
    put(j.markers[1], triad_near(j.markers[1].h, start_.at(j.markers[1].body).bar(h1)));
  }
  if (j.type == "distance") {
    j.value = fields.formula("length");
  } else {
    j.value = fields.formula("value");
  }
  if (j.type == "screw") {
    j.pitch = fields.number("pitch");
    if (j.pitch == 0) fields.fail("pitch", "must not be 0: without pitch the joint is revolute");
  }
  if (j.type == "gear") {
    const std::vector<double> teeth = fields.numbers("teeth");
    const auto whole = [](double x) { return x != 0 && x == std::floor(x) && std::abs(x) < 1e6; };
    if (teeth.size() != 2 || !whole(teeth[0]) || !whole(teeth[1]))
      fields.fail("teeth", "must be two whole numbers other than 0");
    j.teeth1 = static_cast<int>(teeth[0]);
    j.teeth2 = static_cast<int>(teeth[1]);
    for (std::size_t i = 0; i < 2; ++i) {
      const SpatialMotion& b = start_.at(j.markers[i].body);
      const Triad axes = triad_of(j.markers[i]);
      j.ground_axes[i] = {b.global(axes.f), b.global(axes.g), b.global(axes.h)};
    }
  }
  if (fields.has("friction")) {
    const bool ball = j.type == "spherical" || j.type == "cylindrical";
    j.friction = friction(fields, ball ? Radii::ball : j.type == "revolute" ? Radii::pivot : Radii::none);
  }
  limits(fields, {"limits", "second_limits"}, j.limits);
  spec_.spatial.joints.push_back(std::move(j));
}

// ---- [[force]] -------------------------------------------------------------------------------------

void Reader::spatial_force(const Value& table, std::size_t number) {
  const std::string owner = owner_of("force", table, number);
  Fields fields(context_, spatial_section("force"), table, owner);
  SpatialForceSpec f;
  name_and_type(fields, table, owner, f);
  const bool one_body_only = f.type == "point_force" || (f.type == "torque" && fields.has("body"));
  if (one_body_only) {
    if (fields.has("bodies")) fields.fail_plainly("body", "give either body or bodies, not both");
    if (!fields.has("body")) fields.missing("body");
    f.markers[1].body = one_body(fields, "body");
    f.markers[1].where = fields.where("body");
    if (!moves_freely(f.markers[1].body)) fields.fail("body", "does not move freely, so a force on it does nothing");
    if (f.type == "point_force") f.markers[1].point = fields.triple("point");
  } else {
    if (!fields.has("bodies")) fields.missing("bodies");
    if (f.type == "spring_damper" && !fields.has("points")) fields.missing("points");
    spatial_markers(fields, f.markers);
    if (f.type == "rotational_spring_damper") spatial_axes(fields, false, f.markers);
    if (f.type == "bushing") {
      const SpatialMotion &b1 = start_.at(f.markers[0].body), &b2 = start_.at(f.markers[1].body);
      const Triad axes = fields.has("axis") ? triad_along(b1.bar(fields.direction3("axis"))) : Triad{};
      put(f.markers[0], axes);
      put(f.markers[1], same_axes(axes, b1, b2));
    }
  }
  if (f.type == "point_force" || f.type == "torque") {
    const char* key = f.type == "torque" ? "torque" : "force";
    if (!fields.has(key)) fields.missing(key);
    f.vector = fields.formulas3(key, Scope::measured);
    f.in_body_frame = fields.word("frame") == "body";
  }
  if (f.type == "bushing") {
    for (const char* key : {"stiffness_matrix", "damping_matrix"}) {
      const std::vector<double> given = fields.numbers(key);
      if (fields.has(key) && given.size() != 6 && given.size() != 36)
        fields.fail(key, "must be 6 numbers (a diagonal) or 36 (a matrix by rows)");
      (key[0] == 's' ? f.stiffness_matrix : f.damping_matrix) = given;
    }
    if (f.stiffness_matrix.empty() && f.damping_matrix.empty())
      fields.fail_plainly("type",
                          "has neither stiffness_matrix nor damping_matrix, so it does nothing; give one of them");
  }
  if (f.type == "spring_damper" || f.type == "rotational_spring_damper") {
    if (!fields.has("stiffness") && !fields.has("damping") && !fields.has("actuator"))
      fields.fail_plainly("type",
                          "has neither stiffness nor damping nor actuator, so it does nothing; give one of them");
    f.stiffness = fields.formula("stiffness");
    f.damping = fields.formula("damping");
    f.free_length = fields.formula(f.type == "spring_damper" ? "free_length" : "free_angle");
    f.actuator = fields.formula("actuator");
  }
  spec_.spatial.forces.push_back(std::move(f));
}

}  // namespace hstar::model
