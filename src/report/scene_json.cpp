// src/report/scene_json.cpp
#include "report/scene_json.hpp"

namespace hstar::report {
namespace {

using record::JsonWriter;

void value(JsonWriter& json, const char* key, const Value& v) {
  if (v.column < 0) {
    json.item(key, v.constant);
    return;
  }
  json.open(key, '{');
  json.item("column", static_cast<std::size_t>(v.column));
  json.close('}');
}

void place(JsonWriter& json, const char* key, const Place& p) {
  json.open(key, '{');
  json.item("body", p.body);
  json.open("at", '[');
  value(json, "", p.x);
  value(json, "", p.y);
  json.close(']');
  json.close('}');
}

void values(JsonWriter& json, const char* key, std::span<const Value> list) {
  json.open(key, '[');
  for (const Value& v : list) value(json, "", v);
  json.close(']');
}

void place(JsonWriter& json, const char* key, const SpatialScene::Place& p) {
  json.open(key, '{');
  json.item("body", p.body);
  numbers(json, "at", p.at);
  json.close('}');
}

template <class Spring>
void write_springs(JsonWriter& json, const std::vector<Spring>& springs) {
  json.open("springs", '[');
  for (const Spring& s : springs) {
    json.open("", '{');
    json.item("name", s.name);
    json.open("ends", '[');
    place(json, "", s.first);
    place(json, "", s.second);
    json.close(']');
    json.close('}');
  }
  json.close(']');
}

template <class Rod>
void write_rods(JsonWriter& json, const std::vector<Rod>& rods) {
  json.open("rods", '[');
  for (const Rod& r : rods) {
    json.open("", '{');
    json.item("body", r.body);
    points(json, "points", r.points);
    json.close('}');
  }
  json.close(']');
}

}  // namespace

void numbers(JsonWriter& json, const char* key, std::span<const double> list) {
  json.open(key, '[');
  for (const double x : list) json.item("", x);
  json.close(']');
}

void write_scene(JsonWriter& json, const Scene& scene) {
  if (scene.empty()) {
    json.null("scene");
    return;
  }
  json.open("scene", '{');
  json.open("bodies", '[');
  for (const Scene::Body& b : scene.bodies) {
    json.open("", '{');
    json.item("name", b.name);
    value(json, "x", b.x);
    value(json, "y", b.y);
    value(json, "angle", b.angle);
    json.item("ground", b.ground);
    json.close('}');
  }
  json.close(']');
  json.open("shapes", '[');
  for (const Shape& s : scene.shapes) {
    json.open("", '{');
    json.item("kind", s.kind);
    place(json, "place", s.place);
    json.item("radius", s.radius);
    numbers(json, "normal", s.normal);
    if (!s.points.empty()) points(json, "points", s.points);
    json.close('}');
  }
  json.close(']');
  write_springs(json, scene.springs);
  write_rods(json, scene.rods);
  json.open("contacts", '[');
  for (const Scene::Contact& c : scene.contacts) {
    json.open("", '{');
    json.item("name", c.name);
    values(json, "point", c.point);
    values(json, "normal", c.normal);
    values(json, "tangent", c.tangent);
    value(json, "normal_force", c.normal_force);
    value(json, "friction", c.friction);
    json.item("mu", c.mu);
    json.close('}');
  }
  json.close(']');
  json.open("reactions", '[');
  for (const Scene::Reaction& r : scene.reactions) {
    json.open("", '{');
    json.item("name", r.name);
    place(json, "place", r.place);
    values(json, "force", r.force);
    json.close('}');
  }
  json.close(']');
  json.close('}');
}

void write_scene(JsonWriter& json, const SpatialScene& scene) {
  json.open("scene", '{');
  json.item("spatial", true);
  numbers(json, "up", scene.up);
  json.open("bodies", '[');
  for (const SpatialScene::Body& b : scene.bodies) {
    json.open("", '{');
    json.item("name", b.name);
    values(json, "r", b.r);
    values(json, "p", b.p);
    json.item("ground", b.ground);
    numbers(json, "box", b.box);
    numbers(json, "box_axes", b.box_axes);
    json.close('}');
  }
  json.close(']');
  json.open("hinges", '[');
  for (const SpatialScene::Hinge& h : scene.hinges) {
    json.open("", '{');
    json.item("kind", h.kind);
    place(json, "place", h.place);
    numbers(json, "axis", h.axis);
    json.close('}');
  }
  json.close(']');
  write_springs(json, scene.springs);
  json.open("shapes", '[');
  for (const SpatialScene::Shape& s : scene.shapes) {
    json.open("", '{');
    json.item("kind", s.spec.shape);
    json.item("body", s.body);
    numbers(json, "at", s.spec.point);
    numbers(json, "normal", s.spec.normal);
    json.item("radius", s.spec.radius);
    numbers(json, "sides", s.spec.sides);
    json.open("points", '[');
    if (s.spec.shape == "capsule")
      for (const Vec3& p : s.spec.ends) numbers(json, "", p);
    for (const Vec3& p : s.spec.points) numbers(json, "", p);
    json.close(']');
    json.close('}');
  }
  json.close(']');
  json.open("contacts", '[');
  for (const SpatialScene::Contact& c : scene.contacts) {
    json.open("", '{');
    json.item("name", c.name);
    values(json, "point", c.point);
    values(json, "normal", c.normal);
    values(json, "force", c.force);
    json.item("mu", c.mu);
    json.close('}');
  }
  json.close(']');
  write_rods(json, scene.rods);
  json.close('}');
}

}  // namespace hstar::report
