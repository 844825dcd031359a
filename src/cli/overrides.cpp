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
    all.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return all;
}

}  // namespace hstar::cli
