// src/report/scene_json.hpp: what report/src/view.ts and report/src/spatial_view.ts read.
#pragma once

#include <span>

#include "record/json_writer.hpp"
#include "report/scene.hpp"
#include "report/spatial_scene.hpp"

namespace hstar::report {

/// "key": [x, y, ...]
void numbers(record::JsonWriter& json, const char* key, std::span<const double> list);
/// A list of points of the plane or of space.
template <class Point>
void points(record::JsonWriter& json, const char* key, const std::vector<Point>& list) {
  json.open(key, '[');
  for (const Point& p : list) numbers(json, "", p);
  json.close(']');
}
/// "scene": null if it is empty.
void write_scene(record::JsonWriter& json, const Scene& scene);
void write_scene(record::JsonWriter& json, const SpatialScene& scene);

}  // namespace hstar::report
