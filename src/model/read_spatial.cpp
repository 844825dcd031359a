// src/model/read_spatial.cpp
//
// Bodies and joints of a model with dimension = 3. Places and axes that are written in global coordinates are those of
// the bodies where they are given; here they become points and axes of the bodies.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "mechanism/spatial/joints.hpp"
#include "mechanism/spatial/principal.hpp"
#include "model/reader.hpp"

namespace hstar::model {
namespace {

/// Symmetric, positive definite, and none of the principal moments larger than the sum of the others.
void check_inertia(const Mat3& J, const Fields& fields) {
  double size = 0;
  for (const Vec3& row : J)
    for (const double x : row) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(J[i][j] - J[j][i]) > 1e-12 * size) fields.fail("inertia", "must be symmetric");
  const Principal p = principal_axes(J);
  const auto [low, middle, high] = p.moment;
  if (!(low > 0))
    fields.fail("inertia", fmt::format("must be positive definite: its smallest principal moment is {:.6g}", low));
  if (high > (low + middle) * (1 + 1e-9))
    fields.fail("inertia",
                fmt::format("is that of no body: of its principal moments {:.6g}, {:.6g}, {:.6g} the largest "
                            "must not exceed the sum of the others",
                            low, middle, high));
}

}  // namespace

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
    b.mass = fields.number("mass");
    b.inertia = fields.tensor("inertia");
    check_inertia(b.inertia, fields);
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
      if (fields.has(key)) fields.fail_plainly(key, fmt::format("{} and axes say the same; give one of them", key));
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
  j.where = table.where;
  j.name = fields.name();
  claim("element", j.name, fields.where("name"), owner);
  if (!fields.has("type")) fields.missing("type");
  j.type = fields.word("type");
  fields.check_for(j.type);
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
  spec_.spatial.joints.push_back(std::move(j));
}

}  // namespace hstar::model
