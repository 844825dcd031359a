// src/cli/import_verb.cpp: `hstar import`.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "cli/verbs.hpp"
#include "hstar/error.hpp"
#include "hstar/import.hpp"

namespace hstar::cli {

int import_verb(const std::string& model, const std::string& analysis, const std::string& output) {
  const std::string text = import_model(model, analysis);
  if (output.empty()) {
    fmt::print("{}", text);
    return 0;
  }
  std::ofstream file(output, std::ios::binary);
  file << text << std::flush;
  if (!file) throw InputError("cannot write '" + output + "': " + std::strerror(errno));
  fmt::print("{}\n", output);
  return 0;
}

}  // namespace hstar::cli
