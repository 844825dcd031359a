// src/model/read_forces.cpp
//
// Forces and contacts: what the values mean together, beyond what the key tables check.
#include <fmt/format.h>

#include "model/reader.hpp"

namespace hstar::model {

// ---- [[force]] -------------------------------------------------------------------------------------

MarkerSpec Reader::spring_end(const Value& table, const std::string& owner) {
  Fields fields(context_, section("end"), table, owner);
  fields.check_for("");
  MarkerSpec m;
  m.where = fields.where("body");
  m.body = one_body(fields, "body");
  // Points of a moving body are fixed in it; a ground point may be moved by a formula of t.
  auto [x, y] = fields.formulas("point", m.body == "ground" ? Scope::time : Scope::constant);
  m.x = std::move(x);
  m.y = std::move(y);
  return m;
}

void Reader::force(const Value& table, std::size_t number) {
  const std::string owner = owner_of("force", table, number);
  Fields fields(context_, section("force"), table, owner);
  ForceSpec f;
  f.where = table.where;
  f.name = fields.name();
  claim("element", f.name, fields.where("name"), owner);
  if (!fields.has("type")) fields.missing("type");
  f.type = fields.word("type");
  fields.check_for(f.type);

  if (f.type == "point_force") {
    if (!fields.has("body")) fields.missing("body");
    const std::string body = one_body(fields, "body");
    if (!moves_freely(body)) fields.fail("body", "does not move freely, so a force on it does nothing");
    f.markers.push_back(marker(body, fields.where("body"), fields.pair("point")));
    auto [x, y] = fields.formulas("force", Scope::measured);
    f.fx = std::move(x);
    f.fy = std::move(y);
    f.in_body_frame = fields.word("frame") == "body";
    if (f.in_body_frame) check_angle(body, fields.where("frame"), owner);
  } else if (f.type == "torque" || f.type == "rotational_spring_damper") {
    if (fields.has("body")) {
      if (fields.has("bodies")) fields.fail_plainly("body", "give either body or bodies, not both");
      const std::string body = one_body(fields, "body");
      if (!moves_freely(body)) fields.fail("body", "does not move freely, so a torque on it does nothing");
      check_angle(body, fields.where("body"), owner);
      f.markers.push_back(marker(body, fields.where("body"), {0, 0}));
    } else {
      if (!fields.has("bodies")) fields.missing("bodies");
      const std::vector<std::string> bodies = two_bodies(fields);
      const Value& list = *fields.find("bodies");
      for (std::size_t i = 0; i < 2; ++i) {
        check_angle(bodies[i], list.items[i].where, owner);
        f.markers.push_back(marker(bodies[i], list.items[i].where, {0, 0}));
      }
    }
    if (f.type == "torque") f.torque = fields.formula("torque");
  } else {
    const auto ends = fields.two_tables("between");
    for (std::size_t i = 0; i < 2; ++i)
      f.markers.push_back(spring_end(*ends[i], fmt::format("{}: between[{}]", owner, i)));
    check_one_moves(f.markers[0].body, f.markers[1].body, fields.where("between"), owner);
    if (fields.has("axis")) f.axis = fields.direction("axis");
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
  spec_.forces.push_back(std::move(f));
}

// ---- [[contact]] -----------------------------------------------------------------------------------

ShapeSpec Reader::shape(const Value& table, const std::string& owner) {
  Fields fields(context_, section("shape"), table, owner);
  if (!fields.has("shape")) fields.missing("shape");
  ShapeSpec s;
  s.shape = fields.word("shape");
  fields.check_for(s.shape);
  s.marker = marker(one_body(fields, "body"), fields.where("body"), fields.pair("point"));
  if (s.shape == "line") {
    s.normal = fields.direction("normal");
    s.surface_velocity = fields.maybe_formula("surface_velocity");
  }
  if (s.shape == "circle") s.radius = fields.number("radius");
  return s;
}

void Reader::contact(const Value& table, std::size_t number) {
  const std::string owner = owner_of("contact", table, number);
  Fields fields(context_, section("contact"), table, owner);
  fields.check_for("");
  ContactSpec c;
  c.where = table.where;
  c.name = fields.name();
  claim("element", c.name, fields.where("name"), owner);
  const auto shapes = fields.two_tables("between");
  c.first = shape(*shapes[0], owner + ": between[0]");
  c.second = shape(*shapes[1], owner + ": between[1]");
  if (c.second.shape == "line")
    throw InputError(
        shapes[1]->where,
        c.first.shape == "line"
            ? fmt::format("{}: two lines cannot touch at one point; make one of them a circle or a point", owner)
            : fmt::format("{}: the line must come first, so that its normal points to the other; swap the two", owner));
  if (c.first.shape == "point")
    throw InputError(shapes[0]->where,
                     fmt::format("{}: the first shape must be a line or a circle, not a point; {}", owner,
                                 c.second.shape == "point" ? "give one of them a radius" : "swap the two"));
  check_one_moves(c.first.marker.body, c.second.marker.body, fields.where("between"), owner);
  c.restitution = fields.number("restitution");
  c.impact_law = fields.word("impact_law");
  if (fields.has("friction")) c.friction = friction(fields, false);
  spec_.contacts.push_back(std::move(c));
}

}  // namespace hstar::model
