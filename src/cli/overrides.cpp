// src/cli/overrides.cpp: the texts of --set.
#include "cli/verbs.hpp"
#include "hstar/error.hpp"

namespace hstar::cli {

std::vector<Override> overrides_of(const std::vector<std::string>& set) {
  std::vector<Override> all;
  for (const std::string& text : set) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw InputError("--set '" + text + "' must be path.to.value=x, for example --set simulation.end=10");
    }
    // A bare name is a parameter's, as in --vary.
    std::string path = text.substr(0, equals);
    if (path.find('.') == std::string::npos && path != "title" && path != "dimension" && path != "gravity")
      path.insert(0, "parameters.");
    all.push_back({std::move(path), text.substr(equals + 1)});
  }
  return all;
}

}  // namespace hstar::cli
