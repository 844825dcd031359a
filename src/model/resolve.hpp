// src/model/resolve.hpp
//
// A model with everything said: overrides put in, copies made, parameters and constant formulas computed, defaults
// written out. The result is again a document that can be read, and means the same.
#pragma once

#include "model/document.hpp"
#include "model/fields.hpp"

namespace hstar::model {

/// `document` without `count` (expand_repetitions), and known to be good (it has been read).
[[nodiscard]] Value resolve(const Value& document);

/// As JSON, indented by two blanks a level; small lists stay on one line. Numbers keep every bit.
[[nodiscard]] std::string json_text(const Value& value, int depth = 0);

}  // namespace hstar::model
