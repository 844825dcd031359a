// include/hstar/import.hpp
//
// Models of other programs. `read_model` and `parse_model` take them as they are: a text that begins with a brace is
// simEngine2D JSON; here is how to see what becomes of it.
#pragma once

#include <string>

namespace hstar {

/// The simEngine2D model in `path` (JSON) as the text of a model file, with the analysis file `analysis` if it is not
/// "". Lines with # at the top say what was assumed, renamed or left out. docs/model-file.md lists what is taken.
/// @throws InputError naming the place of what is not taken.
[[nodiscard]] std::string import_model(const std::string& path, const std::string& analysis = {});

}  // namespace hstar
