// src/record/resolved_model.cpp: a model with everything said, the options as they will be in effect among it.
#include "hstar/model_reference.hpp"
#include "hstar/record.hpp"
#include "model/reader.hpp"
#include "model/resolve.hpp"

namespace hstar {

std::string resolved_model_json(const std::string& path, const std::vector<Override>& overrides) {
  std::string written;
  model::Imported read = model::complete_document(model::file_text(path), path, overrides, written);
  const ModelSpec spec = model::read_document(read.document, written, path);
  // What depends on other options, and aliases.
  model::Value& simulation = read.document.find("simulation")->value;
  const auto set = [&simulation](const char* key, model::Value value) {
    if (model::Member* m = simulation.find(key))
      m->value = std::move(value);
    else
      simulation.members.push_back({key, {}, std::move(value)});
  };
  for (const auto& [key, text] : options_as_run(spec)) {
    model::Value value;
    value.kind = model::Value::Kind::text;
    value.text = text.substr(0, text.find(" ("));
    if (key == "integrator" || key == "formulation") set(key.c_str(), value);
  }
  model::Value atol;
  atol.kind = model::Value::Kind::number;
  atol.number = spec.simulation.atol > 0 ? spec.simulation.atol : 1e-3 * spec.simulation.rtol;
  set("atol", atol);
  return model::json_text(model::resolve(read.document)) + "\n";
}

}  // namespace hstar
