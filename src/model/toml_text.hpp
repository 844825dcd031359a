// src/model/toml_text.hpp
//
// A document tree written as TOML; numbers keep every bit.
#pragma once

#include "model/document.hpp"

namespace hstar::model {

/// Sections in the order of the tree: keys of the top, then [tables] and [[arrays of tables]].
[[nodiscard]] std::string toml_text(const Value& document);

}  // namespace hstar::model
