// src/report/scene_json.hpp: what report/src/view.ts and report/src/spatial_view.ts read.
#pragma once

#include <span>

#include "record/json_writer.hpp"
#include "report/scene.hpp"
#include "report/spatial_scene.hpp"

namespace hstar::report {

/// "key": [x, y, ...]
void numbers(record::JsonWriter& json, const char* key, std::span<const double> list);
/// "scene": null if it is empty.
void write_scene(record::JsonWriter& json, const Scene& scene);
void write_scene(record::JsonWriter& json, const SpatialScene& scene);

}  // namespace hstar::report
