// src/record/json_extremes.hpp: the extremes of a run's measures, in summary.json and on the page alike.
#pragma once

#include "hstar/run.hpp"
#include "record/json_writer.hpp"

namespace hstar::record {

inline void write_extremes(JsonWriter& json, const RunResult& result) {
  json.open("extremes", '[');
  for (const RunResult::Extreme& e : result.extremes) {
    json.open("", '{');
    json.item("measure", e.measure);
    json.item("mode", e.mode);
    json.item("min", e.min);
    json.item("t_min", e.t_min);
    json.item("max", e.max);
    json.item("t_max", e.t_max);
    json.close('}');
  }
  json.close(']');
}

}  // namespace hstar::record
