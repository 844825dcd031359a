// include/hstar/model_reference.hpp
//
// The reference of the model file, its schema, and a model with everything said; all from the key table that reads it.
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

/// Markdown: one table a section with every key, its value, unit, default and meaning, then the
/// quantities and functions formulas may use. docs/model-file.md contains exactly this text.
[[nodiscard]] std::string model_reference_markdown();

/// JSON Schema (draft 7) of the model file, for editors and for programs that write models. docs/model.schema.json is
/// exactly this text.
[[nodiscard]] std::string model_schema_json();

/// The model in `path` as JSON: overrides put in, copies made, parameters and constant formulas computed, defaults
/// written out. What it holds is again a model with the same meaning. @throws InputError as read_model.
[[nodiscard]] std::string resolved_model_json(const std::string& path, const std::vector<Override>& overrides = {});

}  // namespace hstar
