// src/record/summary.cpp
//
// summary.json: what a run was and how it ended, for people and for scripts.
#include "hstar/record.hpp"
#include "hstar/version.hpp"
#include "record/counters.hpp"
#include "record/json_extremes.hpp"
#include "record/json_writer.hpp"
#include "record/text.hpp"
#include "record/text_file.hpp"

namespace hstar {
namespace {

using record::JsonWriter;

void write_outcome(JsonWriter& json, const RunResult& result) {
  json.open("outcome", '{');
  json.item("status", name(result.outcome.status));
  json.item("success", result.outcome.success());
  json.item("t", result.outcome.t);
  json.item("mode", result.outcome.mode);
  json.item("last_event", result.outcome.last_event);
  json.item("message", result.outcome.message);
  json.close('}');
}

void write_counters(JsonWriter& json, const RunCounters& c) {
  json.open("counters", '{');
  for (const record::Counter& counter : record::counters) json.item(counter.name, counter.in(c));
  json.close('}');
}

}  // namespace

void write_summary(const RunResult& result, const ModelSpec& model, const std::vector<Override>& overrides,
                   const std::string& folder) {
  write_summary(result, tally(result.events), model, overrides, folder);
}

void write_summary(const RunResult& result, const EventTally& events, const ModelSpec& model,
                   const std::vector<Override>& overrides, const std::string& folder) {
  JsonWriter json;
  json.open("", '{');
  json.item("program", "hstar " HSTAR_VERSION);
  json.item("title", model.title);
  json.item("model", record::base_name(model.file));
  json.item("model_hash", model_hash(model, overrides));
  json.open("set", '{');
  for (const Override& change : overrides) json.item(change.path, change.value);
  json.close('}');
  json.open("parameters", '{');
  for (const auto& [parameter, value] : model.parameters) json.item(parameter, value);
  json.close('}');
  json.open("options", '{');
  for (const auto& [option, value] : options_as_run(model, result)) json.item(option, value);
  json.close('}');
  write_outcome(json, result);
  write_counters(json, result.counters);
  json.open("events_by_kind", '{');
  for (const auto& [kind, count] : events.kinds) json.item(kind, count);
  json.close('}');
  json.open("largest_residuals", '{');
  json.item("momentum", events.largest.momentum);
  json.item("energy", events.largest.energy);
  json.item("cone", events.largest.cone);
  json.close('}');
  record::write_extremes(json, result);
  json.open("notices", '[');
  for (const std::string& notice : result.notices) json.item("", notice);
  json.close(']');
  json.open("final_state", '{');
  for (std::size_t i = 0; i < result.state_names.size() && i < result.y_end.size(); ++i) {
    json.item(result.state_names[i], result.y_end[i]);
  }
  json.close('}');
  json.close('}');

  record::write_text_file(folder + "/summary.json", json.text() + '\n');
}

}  // namespace hstar
