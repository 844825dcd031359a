// src/model/read_model.cpp
//
// The order of reading a model: text -> document -> overrides -> sections -> names in formulas.
#include <fmt/core.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hstar/import.hpp"
#include "hstar/output_rows.hpp"
#include "model/defects.hpp"
#include "model/include.hpp"
#include "model/json_document.hpp"
#include "model/model_document.hpp"
#include "model/nearest.hpp"
#include "model/reader.hpp"
#include "model/simengine2d.hpp"
#include "model/toml_text.hpp"

namespace hstar {
namespace model {

void Reader::simulation(const Value& table) {
  Fields fields(context_, section("simulation"), table, "simulation");
  fields.check_for("");
  SimulationSpec& s = spec_.simulation;
  s.where = table.where;
  s.start = fields.number("start");
  s.end = fields.number("end");
  if (!(s.end > s.start))
    fields.fail_plainly("end", fmt::format("end = {} s must be > start = {} s; give a later end", s.end, s.start));
  s.integrator = fields.word("integrator");
  if (const auto defect = integrator_defect(s.integrator)) fields.fail_plainly(defect->key, defect->message);
  s.formulation = fields.word("formulation");
  s.baumgarte_alpha = fields.maybe_number("baumgarte_alpha").value_or(0.0);
  s.baumgarte_beta = fields.maybe_number("baumgarte_beta").value_or(0.0);
  if (s.formulation != "baumgarte" && s.baumgarte_alpha + s.baumgarte_beta > 0)
    spec_.notices.emplace_back("baumgarte_alpha and baumgarte_beta are not used: formulation is not baumgarte");
  s.rtol = fields.number("rtol");
  s.atol = fields.maybe_number("atol").value_or(0.0);
  s.max_step = fields.maybe_number("max_step").value_or(0.0);
  s.first_step = fields.maybe_number("first_step").value_or(0.0);
  s.fixed_step = fields.number("fixed_step");
  s.newton = fields.word("newton");
  s.max_order = static_cast<int>(fields.integer("max_order"));
  s.newmark_beta = fields.number("newmark_beta");
  s.newmark_gamma = fields.number("newmark_gamma");
  s.hht_alpha = fields.number("hht_alpha");
  s.rho_infinity = fields.number("rho_infinity");
  s.islands = fields.boolean("islands");
  s.multiple_impact = fields.word("multiple_impact");
  s.impact_energy = fields.word("impact_energy");
  s.sliding = fields.word("sliding");
  const Value* output = fields.find("output");
  const bool steps = output != nullptr && output->is_text() && output->text == "steps";
  s.output = steps ? every_step : fields.number("output");
  s.multipliers = fields.boolean("multipliers");
  if (const auto defect = output_defect(s)) fields.fail_plainly(defect->key, defect->message);
  s.stop_after_events = fields.integer("stop_after_events");
  s.max_events_per_instant = fields.integer("max_events_per_instant");
  if (s.fixed_step > 0.0) {
    for (const char* key : {"first_step", "max_step"})
      if (fields.has(key))
        fields.fail_plainly(key, fmt::format("{} is not used with fixed_step; remove one of them", key));
  }
}

namespace {

using SectionReader = void (Reader::*)(const Value&, std::size_t);

void check_sections(const Value& document) {
  std::vector<std::string> known = section("model").key_names();
  for (const SectionSpec& s : sections())
    if (s.header.front() == '[') known.emplace_back(s.name);
  for (const Member& m : document.members) {
    if (std::find(known.begin(), known.end(), m.key) == known.end())
      throw InputError(m.where, fmt::format("unknown section or key \"{}\"; {}", m.key,
                                            suggestion(m.key, known, "known at the top of the file")));
    if (section("model").find(m.key) != nullptr) continue;
    const SectionSpec& s = section(m.key);
    if (s.repeated ? m.value.is_array() : m.value.is_table()) continue;
    throw InputError(m.where, fmt::format("{} must be written {}: there {}", m.key, s.header,
                                          s.repeated ? "may be several" : "is only one"));
  }
}

void read_all(const Value& document, const std::string& section_name, Context& context, Reader& reader,
              SectionReader read) {
  const Member* m = document.find(section_name);
  if (m == nullptr) return;
  for (std::size_t i = 0; i < m->value.items.size(); ++i) {
    const Value& table = m->value.items[i];
    if (!table.is_table())
      throw InputError(table.where, fmt::format("{} = {} must be written as a section [[{}]]", section_name,
                                                m->value.shown(), section_name));
    context.set_indices(table.indices);
    (reader.*read)(table, i + 1);
  }
  context.set_indices({});
}

}  // namespace

ModelSpec read_document(Value document, const std::string& text, const std::string& file) {
  check_sections(document);
  ModelSpec spec;
  spec.file = file;
  spec.text = text;
  Context context;
  if (const Member* parameters = document.find("parameters")) context.set_parameters(parameters->value);
  spec.parameters = context.parameters();

  // The top of the file holds sections too; only its own keys are read here.
  Value top;
  top.where = {file, 0, 0};
  for (const Member& m : document.members)
    if (section("model").find(m.key) != nullptr) top.members.push_back(m);
  const Fields fields(context, section("model"), top, "model");
  spec.title = fields.text("title");
  spec.dimension = static_cast<int>(fields.integer("dimension"));
  const bool spatial = spec.dimension == 3;
  if (!spatial) spec.gravity = fields.pair("gravity");
  if (spatial && fields.has("gravity")) spec.spatial.gravity = fields.triple("gravity");

  Reader reader(context, spec);
  Value no_simulation;
  no_simulation.where = {file, 0, 0};
  const Member* simulation = document.find("simulation");
  reader.simulation(simulation != nullptr ? simulation->value : no_simulation);
  read_all(document, "table", context, reader, &Reader::table);
  read_all(document, "controller", context, reader, &Reader::controller_output);
  read_all(document, "body", context, reader, spatial ? &Reader::spatial_body : &Reader::body);
  read_all(document, "joint", context, reader, spatial ? &Reader::spatial_joint : &Reader::joint);
  read_all(document, "force", context, reader, spatial ? &Reader::spatial_force : &Reader::force);
  read_all(document, "contact", context, reader, spatial ? &Reader::spatial_contact : &Reader::contact);
  read_all(document, "state", context, reader, &Reader::state);
  read_all(document, "controller", context, reader, &Reader::controller);
  read_all(document, "guard", context, reader, &Reader::guard);
  read_all(document, "measure", context, reader, &Reader::measure);
  if (const Member* more = simulation != nullptr ? simulation->value.find("accelerations") : nullptr;
      more != nullptr && more->value.boolean)
    reader.acceleration_measures(more->where);
  if (!spec.has_bodies() && spec.states.empty())
    throw InputError(Location{file, 0, 0},
                     "the model is empty: it has neither [[body]] nor [[state]]; give at least one");
  check_names(spec, context);
  if (spec.has_bodies() && !fields.has("gravity"))
    spec.notices.emplace_back(spatial ? "gravity is not given; it is taken as [0, 0, 0] m/s^2"
                                      : "gravity is not given; it is taken as [0, 0] m/s^2");
  return spec;
}

Imported written_document(const std::string& text, const std::string& name, std::string& written) {
  Imported read;
  if (looks_like_json(text)) {
    read.document = parse_json(text, name);
    include_files(read.document, name);
    // What `hstar info --json` prints is a model as it stands; those of simEngine2D have no such section.
    if (read.document.find("simulation") == nullptr) read = import_simengine2d(read.document, nullptr);
    written = toml_text(read.document);
  } else {
    read.document = parse_document(text, name);
    // (What is recorded is complete: files that are included may change.)
    const bool included = include_files(read.document, name);
    written = included ? toml_text(read.document) : text;
  }
  return read;
}

void complete(Value& document, const std::vector<Override>& overrides, bool together) {
  // Parameters and templates ("body.link{i}.mass") first: they decide what the copies are. Then single copies.
  const auto may_name_a_copy = [](const Override& given) { return given.path.starts_with("contact."); };
  std::vector<Override> before, after;
  for (const Override& given : overrides)
    (given.path.starts_with("parameters.") || given.path.starts_with("system.") ||
             given.path.starts_with("simulation.") || given.path.find('{') != std::string::npos
         ? before
         : after)
        .push_back(given);
  apply_overrides(document, before);
  expand_repetitions(document, together && std::none_of(after.begin(), after.end(), may_name_a_copy));
  expand_system(document);
  apply_overrides(document, after);
}

Imported complete_document(const std::string& text, const std::string& name, const std::vector<Override>& overrides,
                           std::string& written) {
  Imported read = written_document(text, name, written);
  complete(read.document, overrides, false);
  return read;
}

std::string file_text(const std::string& path) {
  const auto refuse = [&path](const std::string& why) {
    throw InputError(fmt::format("cannot read \"{}\": {}; give the path of a model file", path, why));
  };
  std::error_code ignored;  // (of a loop of links; opening it says so)
  if (path != "-" && std::filesystem::is_directory(path, ignored)) refuse("it is a folder");
  std::ifstream file(path == "-" ? "/dev/stdin" : path, std::ios::binary);
  if (!file) refuse(std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) refuse("reading failed");
  return text.str();
}

}  // namespace model

struct ModelDocument::Read {
  model::Imported imported;
  std::string written, name;
};

ModelDocument::ModelDocument(const std::string& text, const std::string& name) {
  auto read = std::make_unique<Read>();
  read->name = name;
  read->imported = model::written_document(text, name, read->written);
  read_ = std::move(read);
}

ModelDocument::~ModelDocument() = default;

ModelSpec ModelDocument::with(const std::vector<Override>& overrides, ReadPairs pairs) const {
  model::Value document = read_->imported.document;
  model::complete(document, overrides, pairs == ReadPairs::together);
  ModelSpec spec = model::read_document(std::move(document), read_->written, read_->name);
  spec.notices.insert(spec.notices.begin(), read_->imported.notices.begin(), read_->imported.notices.end());
  return spec;
}

ModelSpec parse_model(const std::string& text, const std::string& name, const std::vector<Override>& overrides,
                      ReadPairs pairs) {
  return ModelDocument(text, name).with(overrides, pairs);
}

ModelSpec read_model(const std::string& path, const std::vector<Override>& overrides, ReadPairs pairs) {
  return parse_model(model::file_text(path), path, overrides, pairs);
}

std::string import_model(const std::string& path, const std::string& analysis) {
  const std::string json = model::file_text(path);
  if (!model::looks_like_json(json))
    throw InputError(
        fmt::format("\"{}\" is not JSON (it does not begin with a brace); what can be imported are models "
                    "of simEngine2D",
                    path));
  const model::Value given = model::parse_json(json, path);
  model::Value how;
  if (!analysis.empty()) how = model::parse_json(model::file_text(analysis), analysis);
  const model::Imported imported = model::import_simengine2d(given, analysis.empty() ? nullptr : &how);
  std::string text =
      fmt::format("# Made by `hstar import` from {}\n",
                  std::filesystem::path(path).filename().string() +
                      (analysis.empty() ? "" : " and " + std::filesystem::path(analysis).filename().string()));
  for (const std::string& notice : imported.notices) text += "# " + notice + "\n";
  text += model::toml_text(imported.document);
  // Whatever the sections of ours refuse is refused here, at its place in the JSON file.
  static_cast<void>(model::read_document(imported.document, text, path));
  return text;
}

}  // namespace hstar
