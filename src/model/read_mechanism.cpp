// src/model/read_mechanism.cpp
//
// Bodies, joints and friction: what the values mean together, beyond what the key tables check.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/defects.hpp"
#include "model/nearest.hpp"
#include "model/reader.hpp"

namespace hstar::model {

// ---- names and bodies, shared by all sections ----------------------------------------------------

std::string Reader::owner_of(std::string_view section, const Value& table, std::size_t number) {
  const Member* name = table.find("name");
  if (name != nullptr && name->value.is_text()) return fmt::format("{} \"{}\"", section, name->value.text);
  return fmt::format("[[{}]] number {}", section, number);
}

void Reader::claim(std::string_view group, const std::string& name, const Location& where, const std::string& owner) {
  const auto [other, fresh] = claimed_.emplace(fmt::format("{}/{}", group, name), owner);
  if (!fresh)
    throw InputError(
        where, fmt::format("{}: the name \"{}\" is taken by {}; choose another", owner, name,
                           other->second == owner ? "another " + owner.substr(0, owner.find(' ')) : other->second));
}

void Reader::check_body(const std::string& body, const Location& where, const std::string& owner) const {
  if (body == "ground" || kind_of_body_.count(body) > 0) return;
  std::vector<std::string> known{"ground"};
  for (const BodySpec& b : spec_.bodies) known.push_back(b.name);
  for (const SpatialBodySpec& b : spec_.spatial.bodies) known.push_back(b.name);
  throw InputError(where, fmt::format("{}: unknown body \"{}\"; {}", owner, body, suggestion(body, known, "bodies")));
}

bool Reader::moves_freely(const std::string& body) const {
  const auto i = kind_of_body_.find(body);
  return i != kind_of_body_.end() && std::string_view(i->second) != "prescribed";
}

void Reader::check_angle(const std::string& body, const Location& where, const std::string& owner) const {
  const auto i = kind_of_body_.find(body);
  if (i != kind_of_body_.end() && std::string_view(i->second) == "point mass")
    throw InputError(
        where, fmt::format("{}: body \"{}\" is a point mass and has no angle; give the body an inertia", owner, body));
}

void Reader::check_one_moves(const std::string& a, const std::string& b, const Location& where,
                             const std::string& owner) const {
  if (a == b) throw InputError(where, fmt::format("{}: both bodies are \"{}\"; give two different bodies", owner, a));
  if (moves_freely(a) || moves_freely(b)) return;
  throw InputError(where, fmt::format("{}: neither \"{}\" nor \"{}\" can move freely (ground and bodies with motion "
                                      "cannot); give at least one body with a mass",
                                      owner, a, b));
}

void Reader::check_bodies_of(const std::vector<const Expression*>& formulas, const Location& where,
                             const std::string& owner) const {
  std::vector<std::string> bodies;
  bool moves = false;
  for (const Expression* f : formulas)
    for (std::size_t k = 0; k < f->variables().size(); ++k) {
      const std::string& name = f->variables()[k];
      const std::string body = name.substr(0, name.rfind('.'));
      if (kind_of_body_.count(body) == 0 || std::find(bodies.begin(), bodies.end(), body) != bodies.end()) continue;
      bodies.push_back(body);
      moves |= moves_freely(body);
      if (bodies.size() > 2)
        throw InputError(f->where_variable(k),
                         fmt::format("{}: \"{}\" is a third body beside \"{}\" and \"{}\"; a constraint or contact is "
                                     "between two bodies at most: give the third one a joint of its own",
                                     owner, body, bodies[0], bodies[1]));
    }
  if (!moves)
    throw InputError(where, owner +
                                ": the formula has no coordinate of a body that moves freely; use x, y or angle of a "
                                "body with a mass");
}

std::string Reader::one_body(const Fields& fields, std::string_view key) const {
  const std::string body = fields.text(key);
  check_body(body, fields.where(key), fields.owner());
  return body;
}

std::vector<std::string> Reader::two_bodies(const Fields& fields) const {
  const std::vector<std::string> bodies = fields.body_pair("bodies");
  const Value& list = *fields.find("bodies");
  for (std::size_t i = 0; i < 2; ++i) check_body(bodies[i], list.items[i].where, fields.owner());
  check_one_moves(bodies[0], bodies[1], list.where, fields.owner());
  return bodies;
}

MarkerSpec Reader::marker(const std::string& body, const Location& where, const Vec2& point) const {
  return {body, where, Expression::constant(point[0]), Expression::constant(point[1])};
}

// ---- [[body]] --------------------------------------------------------------------------------------

void check_shape_keys(const Fields& body, std::string_view lengths, std::string_view own) {
  for (const char* key : {"mass", "inertia"})
    if (body.has(key)) body.fail_plainly(key, fmt::format("{} follows from shape and density; remove it", key));
  if (!body.has("density")) body.missing("density");
  for (const std::string& key : words_of(lengths)) {
    const bool is_own = contains_word(own, key);
    if (is_own && !body.has(key)) body.missing(key);
    if (!is_own && body.has(key))
      body.fail_plainly(key, fmt::format("a {} has no {}; remove it", body.word("shape"), key));
  }
}

void check_no_shape_keys(const Fields& body, std::string_view lengths) {
  for (const std::string& key : words_of(fmt::format("{} density", lengths)))
    if (body.has(key)) body.fail_plainly(key, fmt::format("{} is of a shape; give the shape", key));
}

namespace {

constexpr std::string_view lengths_of_flat_shapes = "sides radius";

/// Mass and inertia of a homogeneous flat shape about its centre, and how it is drawn.
void planar_shape(const Fields& fields, BodySpec& b) {
  const bool is_disc = fields.word("shape") == "disc";
  check_shape_keys(fields, lengths_of_flat_shapes, is_disc ? "radius" : "sides");
  const double density = fields.number("density");
  double area = 0, squared_gyradius = 0;
  if (is_disc) {
    const double r = b.radius = fields.number("radius");
    area = std::numbers::pi * r * r;
    squared_gyradius = r * r / 2;
  } else {
    const Vec2 sides = fields.pair("sides");
    if (!(std::min(sides[0], sides[1]) > 0)) fields.fail("sides", "must be two lengths > 0");
    const double x = sides[0] / 2, y = sides[1] / 2;
    b.corners = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
    area = sides[0] * sides[1];
    squared_gyradius = (sides[0] * sides[0] + sides[1] * sides[1]) / 12;
  }
  b.mass = density * area;
  b.inertia = b.mass * squared_gyradius;
}

}  // namespace

void Reader::body(const Value& table, std::size_t number) {
  const std::string owner = owner_of("body", table, number);
  const Fields fields = [&] {
    Fields f(context_, section("body"), table, owner);
    f.check_for(f.has("motion") ? "prescribed" : "free");
    return f;
  }();
  BodySpec b;
  b.where = table.where;
  b.name = fields.name();
  claim("body", b.name, fields.where("name"), owner);
  if (const Value* motion = fields.find("motion")) {
    const Fields of(context_, section("motion"), *motion, owner + ": motion");
    b.motion = BodySpec::Motion{of.formula("x"), of.formula("y"), of.formula("angle")};
    kind_of_body_[b.name] = "prescribed";
  } else {
    if (fields.has("shape")) {
      planar_shape(fields, b);
    } else {
      check_no_shape_keys(fields, lengths_of_flat_shapes);
      if (!fields.has("mass")) fields.missing("mass");
      b.mass = fields.number("mass");
      b.inertia = fields.maybe_number("inertia");
    }
    b.position = fields.pair("position");
    b.velocity = fields.pair("velocity");
    b.angle = fields.number("angle");
    b.angular_velocity = fields.number("angular_velocity");
    if (!b.inertia) {
      for (const char* key : {"angle", "angular_velocity"})
        if (fields.has(key))
          fields.fail_plainly(key, fmt::format("{} needs an inertia: without it the body is a point mass; "
                                               "give the inertia or leave {} out",
                                               key, key));
    }
    kind_of_body_[b.name] = b.inertia ? "free" : "point mass";
  }
  spec_.bodies.push_back(std::move(b));
}

// ---- [[joint]] -------------------------------------------------------------------------------------

void Reader::joint(const Value& table, std::size_t number) {
  const std::string owner = owner_of("joint", table, number);
  Fields fields(context_, section("joint"), table, owner);
  JointSpec j;
  name_and_type(fields, table, owner, j);

  if (j.type == "equation") {
    j.value = fields.formula("equation");
    check_bodies_of({&*j.value}, fields.where("equation"), owner);
  } else if (j.type.starts_with("absolute_")) {
    const std::string body = one_body(fields, "body");
    if (!moves_freely(body)) fields.fail("body", "cannot be driven: it does not move freely");
    if (j.type == "absolute_angle") check_angle(body, fields.where("body"), owner);
    const Vec2 point = j.type == "absolute_angle" ? Vec2{0, 0} : fields.pair("point");
    j.markers.push_back(marker(body, fields.where("body"), point));
  } else {
    const std::vector<std::string> bodies = two_bodies(fields);
    const Value& list = *fields.find("bodies");
    std::vector<Vec2> points(2, Vec2{0, 0});
    if (j.type == "relative_angle") {
      for (std::size_t i = 0; i < 2; ++i) check_angle(bodies[i], list.items[i].where, owner);
    } else {
      points = fields.pairs("points");
      if (points.size() != 2) fields.fail("points", "must be two pairs [[xa, ya], [xb, yb]]");
    }
    for (std::size_t i = 0; i < 2; ++i) j.markers.push_back(marker(bodies[i], list.items[i].where, points[i]));
  }
  if (j.type == "translational" || j.type == "relative_translation") j.axis = fields.direction("axis");
  if (j.type == "fixed" || j.type == "translational") {
    j.angle = fields.maybe_number("angle");
    if (j.angle) {
      for (const MarkerSpec& m : j.markers) check_angle(m.body, fields.where("angle"), owner);
    }
  }
  if (j.type == "distance") j.value = fields.formula("length");
  if (j.type.starts_with("absolute_") || j.type.starts_with("relative_")) j.value = fields.formula("value");
  if (fields.has("friction")) j.friction = friction(fields, j.type == "revolute" ? Radii::pin : Radii::none);
  limits(fields, {"limits"}, j.limits);
  spec_.joints.push_back(std::move(j));
}

void Reader::limits(const Fields& joint, std::initializer_list<std::string_view> keys, std::vector<LimitsSpec>& to) {
  int coordinate = 0;
  for (const std::string_view key : keys) {
    const int which = coordinate++;
    if (!joint.has(key)) continue;
    const Vec2 given = joint.bounds(key);
    to.push_back({joint.where(key), which, given[0], given[1], joint.maybe_number("restitution").value_or(0)});
    if (const auto defect = limits_defect(to.back())) joint.fail(key, defect->message);
  }
  if (to.empty() && joint.has("restitution"))
    joint.fail_plainly("restitution", "restitution is that of stops; give limits, or remove it");
}

// ---- friction = { ... } ----------------------------------------------------------------------------

namespace {

/// A formula without variables is a number.
void take_number(std::optional<Expression>& formula, double& number) {
  if (!formula || !formula->is_constant()) return;
  number = formula->constant_value();
  formula.reset();
}

}  // namespace

FrictionSpec Reader::friction(const Fields& element, Radii radii) {
  const Value& table = *element.find("friction");
  Fields fields(context_, section("friction"), table, element.owner() + ": friction");
  FrictionSpec f;
  f.where = table.where;
  f.law = fields.word("law");
  fields.check_for(f.law);

  f.viscous = fields.number("viscous");
  if (f.law == "viscous" && !fields.has("viscous")) fields.missing("viscous");
  if (fields.has("friction_force")) {
    for (const char* key : {"mu", "mu_static", "mu_kinetic", "normal_force"})
      if (fields.has(key))
        fields.fail_plainly(key,
                            fmt::format("friction_force is the force itself; leave out {} or friction_force", key));
    f.mu_static = f.mu_kinetic = 1;
  } else if (f.law == "coulomb" || f.law == "stribeck") {
    if (fields.has("mu")) {
      for (const char* key : {"mu_static", "mu_kinetic"})
        if (fields.has(key))
          fields.fail_plainly(key, fmt::format("mu means mu_static and mu_kinetic; leave out {} or mu", key));
      f.mu_static_formula = f.mu_kinetic_formula = fields.formula("mu");
    } else {
      for (const char* key : {"mu_static", "mu_kinetic"})
        if (!fields.has(key)) fields.missing(key);
      f.mu_static_formula = fields.formula("mu_static");
      f.mu_kinetic_formula = fields.formula("mu_kinetic");
    }
  }
  if (f.law == "stribeck") {
    f.stribeck_velocity = fields.number("stribeck_velocity");
    f.stribeck_exponent = fields.number("stribeck_exponent");
  }
  if (f.law == "table") {
    f.table = fields.pairs("table");
    f.mu_kinetic = f.table.front()[1];
    f.mu_static_formula = fields.maybe_formula("mu_static");
    f.mu_static = f.mu_kinetic;
  }
  take_number(f.mu_static_formula, f.mu_static);
  take_number(f.mu_kinetic_formula, f.mu_kinetic);
  if (f.law == "table" && f.mu_static_formula)
    fields.fail_plainly("mu_static", "law table takes a number for mu_static; give a number");
  if (const auto defect = friction_defect(f)) fields.fail_plainly(defect->key, defect->message);
  f.normal_force = fields.maybe_formula(fields.has("friction_force") ? "friction_force" : "normal_force");
  for (const char* key : {"rolling", "spinning"})
    if (fields.has(key) && radii != Radii::contact)
      fields.fail_plainly(key, fmt::format("{} is for contacts of spatial models only; remove it", key));
  if (radii == Radii::contact) {
    f.rolling = fields.maybe_number("rolling").value_or(0.0);
    f.spinning = fields.maybe_number("spinning").value_or(0.0);
  }
  const bool no_radius = radii == Radii::none || radii == Radii::contact;
  if (fields.has("radius") && no_radius)
    fields.fail_plainly("radius", spec_.dimension == 3
                                      ? "radius is for joints that turn only (the pin's, shaft's or ball's); remove it"
                                      : "radius is for revolute joints only (the pin's); remove it");
  if (fields.has("thrust_radius") && radii != Radii::pivot)
    fields.fail_plainly("thrust_radius", "thrust_radius is for revolute joints of spatial models only; remove it");
  if (f.law == "viscous" && radii != Radii::ball) {
    // The other laws need a radius: it may stay when only the law is changed.
    for (const char* key : {"radius", "thrust_radius"})
      if (fields.has(key)) {
        static_cast<void>(fields.maybe_number(key));
        spec_.notices.push_back(fmt::format("{}: {} is not used: law viscous has none", fields.owner(), key));
      }
    return f;
  }
  f.radius = fields.maybe_number("radius").value_or(0.0);
  f.thrust_radius = fields.maybe_number("thrust_radius").value_or(0.0);
  if (!no_radius && f.lever() == 0) fields.missing("radius");
  return f;
}

}  // namespace hstar::model
