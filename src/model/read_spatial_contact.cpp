// src/model/read_spatial_contact.cpp
//
// Contacts of a model with dimension = 3.
#include <fmt/core.h>
#include <algorithm>

#include "mechanism/spatial/polyhedron.hpp"
#include "mechanism/spatial/shapes.hpp"
#include "model/reader.hpp"

namespace hstar::model {

SpatialShapeSpec Reader::contact_shape(const Value& table, const std::string& owner) {
  Fields fields(context_, spatial_section("shape"), table, owner);
  if (!fields.has("shape")) fields.missing("shape");
  SpatialShapeSpec s;
  s.shape = fields.word("shape");
  fields.check_for(s.shape);
  s.body = one_body(fields, "body");
  s.where = table.where;
  s.point = fields.triple("point");
  if (s.shape == "plane") {
    s.normal = fields.direction3("normal");
    if (fields.has("surface_velocity")) s.surface_velocity = fields.formulas3("surface_velocity", Scope::time);
  }
  if (s.shape == "sphere" || s.shape == "capsule") s.radius = fields.number("radius");
  if (s.shape == "capsule") {
    const std::vector<Vec3> ends = fields.triples("ends");
    if (ends.size() != 2 || ends[0] == ends[1])
      fields.fail("ends", "must be two different points [[xa, ya, za], [xb, yb, zb]]");
    s.ends = {ends[0], ends[1]};
  }
  if (s.shape == "box") {
    s.sides = fields.triple("sides");
    if (!(*std::min_element(s.sides.begin(), s.sides.end()) > 0)) fields.fail("sides", "must be three lengths > 0");
  }
  if (s.shape == "hull") {
    s.points = fields.triples("points");
    if (const std::string defect = hull_defect(s.points); !defect.empty()) fields.fail_plainly("points", defect);
  }
  return s;
}

void Reader::spatial_contact(const Value& table, std::size_t number) {
  const std::string owner = owner_of("contact", table, number);
  Fields fields(context_, spatial_section("contact"), table, owner);
  SpatialContactSpec c;
  name_and_laws(fields, table, owner, Radii::contact, c);
  const auto shapes = fields.two_tables("between");
  c.first = contact_shape(*shapes[0], owner + ": between[0]");
  c.second = contact_shape(*shapes[1], owner + ": between[1]");
  check_one_moves(c.first.body, c.second.body, fields.where("between"), owner);
  if (contact_parts(c).empty())
    throw InputError(c.where, fmt::format("{}: a {} and a {} cannot touch at one point; make one of them a sphere, a "
                                          "capsule, a box or a hull",
                                          owner, c.first.shape, c.second.shape));
  spec_.spatial.contacts.push_back(std::move(c));
}

}  // namespace hstar::model
