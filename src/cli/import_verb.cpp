// src/cli/import_verb.cpp: `hstar import`.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <iostream>

#include "cli/verbs.hpp"
#include "hstar/error.hpp"
#include "hstar/import.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {

int import_verb(const std::string& model, const std::string& analysis, const std::string& output) {
  const std::string text = import_model(model, analysis);
  if (output.empty()) {
    fmt::print(std::cout, "{}", text);
    return 0;
  }
  record::write_text_file(output, text);
  fmt::print(std::cout, "{}\n", output);
  return 0;
}

}  // namespace hstar::cli
