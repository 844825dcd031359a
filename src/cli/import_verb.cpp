// src/cli/import_verb.cpp: `hstar import`.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <iostream>

#include "cli/verb.hpp"
#include "hstar/import.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {
namespace {

class ImportVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    app.add_option("MODEL", model_, "model in JSON (.adm)")->required();
    app.add_option("ANALYSIS", analysis_, "its analysis (.acf)");
    app.add_option("-o,--output", output_, "file to write (default: print it)");
  }

  int run() override {
    const std::string text = import_model(model_, analysis_);
    if (!output_.empty()) record::write_text_file(output_, text);
    fmt::print(std::cout, "{}{}", output_.empty() ? text : output_, output_.empty() ? "" : "\n");
    return 0;
  }

 private:
  std::string model_, analysis_, output_;
};

const VerbEntry import_entry(
    VerbGroup::look_up, "import", "write a simEngine2D model (JSON) as a model file",
    "The other verbs take such a model as it is; without an analysis it runs for 10 s. What is not taken is an "
    "error\n"
    "at its place in the file; what was assumed or left out stands in the first lines.\n"
    "Examples:\n"
    "  hstar import pendulum.json\n"
    "  hstar import pendulum.json dynamics.acf -o imported.toml",
    make_verb<ImportVerb>);

}  // namespace
}  // namespace hstar::cli
