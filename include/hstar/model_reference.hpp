// include/hstar/model_reference.hpp
//
// The reference tables of the model file, printed from the same key table that reads it.
#pragma once

#include <string>

namespace hstar {

/// Markdown: one table a section with every key, its value, unit, default and meaning, then the
/// quantities and functions formulas may use. docs/model-file.md contains exactly this text.
[[nodiscard]] std::string model_reference_markdown();

}  // namespace hstar
