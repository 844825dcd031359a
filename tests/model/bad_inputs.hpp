// tests/model/bad_inputs.hpp
//
// Bad input as a table: a good model, one thing changed in it, and the whole message a user must see.
// Every part that refuses input adds its own table; bad_input_test.cpp (reading) and the tests of the
// builder walk through them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar::test {

struct BadInput {
  const char* model;    ///< a whole good model (models.hpp)
  const char* from;     ///< text that occurs once in it; "" = the model is replaced altogether
  const char* to;       ///< what stands there instead
  const char* message;  ///< exactly what the user sees; the file is called m.toml
};

/// The changed model. Throws std::logic_error if `from` does not occur exactly once.
[[nodiscard]] std::string text_of(const BadInput& bad);
/// what() of the InputError that `parse_model` throws, or "no error".
[[nodiscard]] std::string message_of_reading(const BadInput& bad, const std::vector<Override>& overrides = {});

[[nodiscard]] std::span<const BadInput> bad_syntax();    ///< TOML, sections, keys, types
[[nodiscard]] std::span<const BadInput> bad_values();    ///< ranges, names, references
[[nodiscard]] std::span<const BadInput> bad_formulas();  ///< formulas, parameters, names in them
[[nodiscard]] std::span<const BadInput> bad_spatial();   ///< orientations, inertia, joints and forces in space
[[nodiscard]] std::span<const BadInput> bad_import();    ///< JSON of simEngine2D

}  // namespace hstar::test
