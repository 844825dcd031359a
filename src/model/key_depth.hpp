// src/model/key_depth.hpp: a bound on dotted keys, which a TOML reader follows by recursion.
#pragma once

#include <string>
#include <string_view>

namespace hstar::model {

/// A key of the model file has two parts at most (`friction.mu`); twenty thousand would overflow the stack.
inline constexpr int most_key_parts = 8;

/// @throws InputError at the first key of `text` with more than most_key_parts parts. `name` is the file's.
void check_key_depth(std::string_view text, const std::string& name);

}  // namespace hstar::model
