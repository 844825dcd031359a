// src/report/page_data.cpp
#include "report/page_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "hstar/record.hpp"
#include "hstar/version.hpp"
#include "mechanism/friction_law.hpp"
#include "record/counters.hpp"
#include "record/json_extremes.hpp"
#include "record/json_writer.hpp"
#include "record/round_off.hpp"
#include "report/mode_bands.hpp"
#include "report/packed.hpp"
#include "report/scene_json.hpp"
#include "report/thin_curves.hpp"

namespace hstar::report {
namespace {

using record::JsonWriter;

void pairs(JsonWriter& json, const char* key, const std::vector<std::pair<std::string, std::string>>& rows) {
  json.open(key, '[');
  for (const auto& [name, value] : rows) {
    json.open("", '[');
    json.item("", name);
    json.item("", value);
    json.close(']');
  }
  json.close(']');
}

/// The law of one element beside the columns in which its motion and its force were recorded.
void write_friction(JsonWriter& json, const RunResult& result, const std::string& name, const FrictionSpec& spec) {
  const auto column = [&](const char* what) {
    const auto found = std::find(result.columns.begin(), result.columns.end(), name + what);
    return found == result.columns.end() ? 0 : static_cast<std::size_t>(found - result.columns.begin());
  };
  const std::size_t velocity = column(".slip_velocity"), force = column(".tangential"), normal = column(".normal");
  if (velocity == 0 || force == 0 || normal == 0) return;
  if (spec.mu_static_formula || spec.mu_kinetic_formula) return;  // there is no one curve to draw
  double fastest = 0;
  for (const auto& row : result.rows)
    if (std::isfinite(row[velocity])) fastest = std::max(fastest, std::abs(row[velocity]));
  const FrictionLaw law(spec);
  constexpr int samples = 120;
  std::vector<Vec2> curve;
  for (int i = 0; i <= samples; ++i) {
    const double speed = fastest * i / samples;
    curve.push_back({speed, law.mu_kinetic(speed, law.piece_of(speed, 1))});
  }
  json.open("", '{');
  json.item("element", name);
  json.item("rotary", result.units[velocity] == "rad/s");
  json.item("force", force);
  json.item("normal", normal);
  json.item("velocity", velocity);
  json.item("lever", spec.radius > 0 ? spec.radius : 1.0);
  json.item("mu_static", law.mu_static());
  points(json, "law", curve);
  json.close('}');
}

void write_events(JsonWriter& json, const RunResult& result) {
  json.open("events", '[');
  for (const EventRecord& e : result.events) {
    json.open("", '{');
    json.item("index", e.index);
    json.item("t", e.t);
    json.item("dt_error", e.dt_error);
    json.item("kind", e.kind);
    json.item("element", e.element);
    json.item("before", e.mode_before);
    json.item("after", e.mode_after);
    json.item("velocity_before", e.gap_velocity_before);
    json.item("velocity_after", e.gap_velocity_after);
    json.item("impulse_n", e.impulse_n);
    json.item("impulse_t", e.impulse_t);
    json.item("energy_loss", e.energy_loss);
    json.item("optional", e.optional);
    json.item("note", e.note);
    json.close('}');
  }
  json.close(']');
}

void write_outcome(JsonWriter& json, const RunResult& result) {
  const RunOutcome& o = result.outcome;
  json.open("outcome", '{');
  json.item("status", name(o.status));
  json.item("success", o.success());
  json.item("t", o.t);
  json.item("mode", o.mode);
  json.item("message", o.message);
  json.close('}');
  std::string counts;
  for (const auto& [kind, count] : tally(result.events).kinds)
    counts += fmt::format("{}{} {}", counts.empty() ? ": " : ", ", count, kind);
  json.item("summary", fmt::format("{} event{}{}", result.events.size(), result.events.size() == 1 ? "" : "s", counts));
}

void write_tables(JsonWriter& json, const RunResult& result, const ModelSpec& model) {
  json.open("notices", '[');
  for (const std::string& notice : result.notices) json.item("", notice);
  json.close(']');
  auto options = options_as_run(model, result);
  for (const auto& [parameter, number] : model.parameters)
    options.emplace_back("parameter " + parameter, number_text(number));
  pairs(json, "options", options);
  std::vector<std::pair<std::string, std::string>> counters;
  for (const record::Counter& counter : record::counters) {
    std::string words = counter.name;
    std::replace(words.begin(), words.end(), '_', ' ');
    counters.emplace_back(words, std::to_string(counter.in(result.counters)));
  }
  pairs(json, "counters", counters);
  std::vector<std::pair<std::string, std::string>> state;
  for (std::size_t i = 0; i < result.state_names.size() && i < result.y_end.size(); ++i)
    state.emplace_back(result.state_names[i], number_text(result.y_end[i]));
  pairs(json, "final_state", state);
  record::write_extremes(json, result);
}

void write_bands(JsonWriter& json, const RunResult& result, double t_start) {
  const double t_end = result.rows.empty() ? result.outcome.t : result.rows.back().front();
  json.open("bands", '[');
  for (const ModeBand& band : mode_bands(result, t_start, t_end)) {
    json.open("", '{');
    json.item("element", band.element);
    json.open("intervals", '[');
    for (const ModeInterval& i : band.intervals) {
      json.open("", '[');
      json.item("", i.from);
      json.item("", i.to);
      json.item("", i.mode);
      json.close(']');
    }
    json.close(']');
    json.close('}');
  }
  json.close(']');
}

}  // namespace

std::string page_data(const RunResult& result, const ModelSpec& model, const RowSource& rows, std::size_t room,
                      const std::string& label) {
  const Scene scene = make_scene(result, model);
  const SpatialScene spatial = make_spatial_scene(result, model);
  JsonWriter json;
  json.open("", '{');
  json.item("program", "hstar " HSTAR_VERSION);
  json.item("title", model.title.empty() ? std::string(record::base_name(model.file)) : model.title);
  json.item("label", label);
  json.item("model_file", record::base_name(model.file));
  json.item("model_hash", model_hash(model));
  json.item("model_text", model.text);
  json.item("t_start", model.simulation.start);
  write_outcome(json, result);
  write_tables(json, result, model);
  json.open("columns", '[');
  for (std::size_t i = 0; i < result.columns.size(); ++i) {
    json.open("", '{');
    json.item("name", result.columns[i]);
    json.item("unit", result.units[i]);
    json.close('}');
  }
  json.close(']');
  json.item("shown", result.columns.size());
  std::vector<std::string> constants;
  json.open("panels", '[');
  for (const Panel& panel : panels_of(result, constants)) {
    json.open("", '[');
    for (const std::size_t column : panel) json.item("", column);
    json.close(']');
  }
  json.close(']');
  write_events(json, result);
  write_bands(json, result, model.simulation.start);
  if (!spatial.empty())
    write_scene(json, spatial);
  else
    write_scene(json, scene);
  json.open("friction", '[');
  for (const JointSpec& joint : model.joints)
    if (joint.friction) write_friction(json, result, joint.name, *joint.friction);
  for (const ContactSpec& contact : model.contacts)
    if (contact.friction) write_friction(json, result, contact.name, *contact.friction);
  json.close(']');
  json.close('}');

  record::RoundOff round_off(std::span(result.units).subspan(1));
  for (const auto& row : result.rows) round_off.see(row[0], std::span(row).subspan(1));
  const std::size_t recorded = result.columns.size();
  const FurtherColumns& further = spatial.empty() ? scene.further : spatial.further;
  std::vector<double> bounds(recorded + further.size(), 0.0);
  for (std::size_t i = 1; i < recorded; ++i) bounds[i] = round_off.of(i - 1);
  ThinCurves curves(bounds);
  std::vector<double> all;
  rows([&](std::span<const double> row) {
    all.assign(row.begin(), row.end());
    for (std::size_t i = 1; i < recorded; ++i)
      if (std::abs(all[i]) <= bounds[i]) all[i] = 0;
    further.compute(row, all);
    curves.row(row[0], all);
  });
  curves.finish();
  constexpr double coarsest = 0.01;  // of a column's range: what is coarser is no picture
  std::string text = packed(json.text(), curves);
  while (text.size() > room && curves.tolerance() < coarsest) {
    curves.coarsen();
    text = packed(json.text(), curves);
  }
  return text;
}

}  // namespace hstar::report
