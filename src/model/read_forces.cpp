// src/model/read_forces.cpp
//
// Forces and contacts: what the values mean together, beyond what the key tables check.
#include <fmt/core.h>
#include <cmath>

#include "mechanism/planar/shape_pairs.hpp"
#include "model/defects.hpp"
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
  name_and_type(fields, table, owner, f);

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
  if (s.shape == "line") s.normal = fields.direction("normal");
  if (s.shape == "line" || s.shape == "segment") s.surface_velocity = fields.maybe_formula("surface_velocity");
  if (s.shape == "circle" || s.shape == "hole" || s.shape == "arc" || s.shape == "slot")
    s.radius = fields.number("radius");
  if (s.shape == "segment" || s.shape == "slot") {
    s.corners = fields.pairs("ends");
    if (s.corners.size() != 2 || s.corners[0] == s.corners[1])
      fields.fail("ends", "must be two different points [[xa, ya], [xb, yb]]");
  }
  if (s.shape == "arc") {
    const Vec2 angles = fields.pair("angles");
    if (!is_arc(angles)) fields.fail("angles", "must be [from, to] with from < to < from + 2 pi");
    s.angles = {angles[0], angles[1]};
  }
  if (s.shape == "polygon") {
    s.corners = fields.pairs("corners");
    if (const auto defect = polygon_defect(s.corners)) fields.fail_plainly(defect->key, defect->message);
  }
  return s;
}

void Reader::contact(const Value& table, std::size_t number) {
  if (table.pairs) {
    pairs(table, number);
    return;
  }
  const std::string owner = owner_of("contact", table, number);
  Fields fields(context_, section("contact"), table, owner);
  ContactSpec c;
  name_and_laws(fields, table, owner, Radii::none, c);
  if (fields.has("gap") == fields.has("between"))
    fields.fail_plainly("gap", "give either between, two shapes, or gap, a formula of coordinates");
  if (fields.has("gap")) {
    c.gap = fields.formula("gap");
    if (fields.has("slide")) c.slide = fields.formula("slide");
    if (c.friction && !c.slide) fields.missing("slide");
    std::vector<const Expression*> formulas{&*c.gap};
    if (c.slide) formulas.push_back(&*c.slide);
    check_bodies_of(formulas, fields.where("gap"), owner);
    spec_.contacts.push_back(std::move(c));
    return;
  }
  if (fields.has("slide")) fields.fail_plainly("slide", "is for contacts with a gap in coordinates; remove it");
  const auto shapes = fields.two_tables("between");
  c.first = shape(*shapes[0], owner + ": between[0]");
  c.second = shape(*shapes[1], owner + ": between[1]");
  if (const auto defect = order_defect(c.first, c.second))
    throw InputError(shapes[defect->key == "between[0]" ? 0 : 1]->where, fmt::format("{}: {}", owner, defect->message));
  check_one_moves(c.first.marker.body, c.second.marker.body, fields.where("between"), owner);
  if (point_contacts(c).empty())
    throw InputError(c.where,
                     fmt::format("{}: a {} and a {} cannot touch at a point; give one of them a round shape or "
                                 "corners",
                                 owner, c.first.shape, c.second.shape));
  spec_.contacts.push_back(std::move(c));
}

}  // namespace hstar::model
