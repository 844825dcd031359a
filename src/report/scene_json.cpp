// src/report/scene_json.cpp
#include "report/scene_json.hpp"

#include <array>

namespace hstar::report {
namespace {

using record::JsonWriter;

/// "key": [write(item) by item]
template <class Items, class Write>
void list(JsonWriter& json, const char* key, const Items& items, const Write& write) {
  json.open(key, '[');
  for (const auto& item : items) write(item);
  json.close(']');
}

/// "key": [{ write(item) } by item]
template <class Items, class Write>
void objects(JsonWriter& json, const char* key, const Items& items, const Write& write) {
  list(json, key, items, [&](const auto& item) {
    json.open("", '{');
    write(item);
    json.close('}');
  });
}

void value(JsonWriter& json, const char* key, const Value& v) {
  if (v.column < 0) {
    json.item(key, v.constant);
    return;
  }
  json.open(key, '{');
  json.item("column", static_cast<std::size_t>(v.column));
  json.close('}');
}

void values(JsonWriter& json, const char* key, std::span<const Value> all) {
  list(json, key, all, [&](const Value& v) { value(json, "", v); });
}

template <class Points>
void points(JsonWriter& json, const char* key, const Points& all) {
  list(json, key, all, [&](const auto& p) { numbers(json, "", p); });
}

void place(JsonWriter& json, const char* key, const Place& p) {
  json.open(key, '{');
  json.item("body", p.body);
  values(json, "at", std::array{p.x, p.y});
  json.close('}');
}

void place(JsonWriter& json, const char* key, const SpatialScene::Place& p) {
  json.open(key, '{');
  json.item("body", p.body);
  numbers(json, "at", p.at);
  json.close('}');
}

/// Springs and rods, which planar and spatial scenes have alike.
template <class AnyScene>
void write_connections(JsonWriter& json, const AnyScene& scene) {
  objects(json, "springs", scene.springs, [&](const auto& s) {
    json.item("name", s.name);
    list(json, "ends", std::array{s.first, s.second}, [&](const auto& p) { place(json, "", p); });
  });
  objects(json, "rods", scene.rods, [&](const auto& r) {
    json.item("body", r.body);
    points(json, "points", r.points);
  });
}

}  // namespace

void numbers(JsonWriter& json, const char* key, std::span<const double> all) {
  list(json, key, all, [&](double x) { json.item("", x); });
}

void write_scene(JsonWriter& json, const Scene& scene) {
  if (scene.empty()) {
    json.null("scene");
    return;
  }
  json.open("scene", '{');
  objects(json, "bodies", scene.bodies, [&](const Scene::Body& b) {
    json.item("name", b.name);
    value(json, "x", b.x);
    value(json, "y", b.y);
    value(json, "angle", b.angle);
    json.item("ground", b.ground);
  });
  objects(json, "shapes", scene.shapes, [&](const Shape& s) {
    json.item("kind", s.kind);
    place(json, "place", s.place);
    json.item("radius", s.radius);
    numbers(json, "normal", s.normal);
    if (!s.points.empty()) points(json, "points", s.points);
  });
  write_connections(json, scene);
  json.close('}');
}

void write_scene(JsonWriter& json, const SpatialScene& scene) {
  json.open("scene", '{');
  json.item("spatial", true);
  numbers(json, "up", scene.up);
  objects(json, "bodies", scene.bodies, [&](const SpatialScene::Body& b) {
    json.item("name", b.name);
    values(json, "r", b.r);
    values(json, "p", b.p);
    json.item("ground", b.ground);
    numbers(json, "box", b.box);
    numbers(json, "box_axes", b.box_axes);
  });
  objects(json, "hinges", scene.hinges, [&](const SpatialScene::Hinge& h) {
    json.item("kind", h.kind);
    place(json, "place", h.place);
    numbers(json, "axis", h.axis);
  });
  objects(json, "shapes", scene.shapes, [&](const SpatialScene::Shape& s) {
    json.item("kind", s.spec.shape);
    json.item("body", s.body);
    numbers(json, "at", s.spec.point);
    numbers(json, "normal", s.spec.normal);
    json.item("radius", s.spec.radius);
    numbers(json, "sides", s.spec.sides);
    if (s.spec.shape == "capsule")
      points(json, "points", s.spec.ends);
    else
      points(json, "points", s.spec.points);
  });
  objects(json, "contacts", scene.contacts, [&](const SpatialScene::Contact& c) {
    json.item("name", c.name);
    values(json, "point", c.point);
    values(json, "normal", c.normal);
    values(json, "force", c.force);
    json.item("mu", c.mu);
  });
  write_connections(json, scene);
  json.close('}');
}

}  // namespace hstar::report
