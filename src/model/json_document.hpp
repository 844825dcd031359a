// src/model/json_document.hpp
//
// JSON (RFC 8259) into the same tree of values with places as TOML, for importers.
#pragma once

#include "model/document.hpp"

namespace hstar::model {

/// True if the text can only be JSON: its first character is a brace, which no TOML file begins with.
[[nodiscard]] bool looks_like_json(const std::string& text);

/// Columns count characters. A null has no meaning in a model and is refused like a key given twice.
/// @throws InputError at the place of the mistake if `text` is not JSON.
[[nodiscard]] Value parse_json(const std::string& text, const std::string& name);

}  // namespace hstar::model
