// src/cli/assemble_verb.cpp: `hstar assemble`.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <iostream>

#include "cli/model_argument.hpp"
#include "cli/verb.hpp"
#include "hstar/assemble.hpp"
#include "hstar/error.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {
namespace {

class AssembleVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    app.add_option("--json", json_file_, "also write the result to this file as JSON");
    app.add_option("--keep", keep_,
                   "coordinate (crank.angle), velocity (crank.omega), body or its orientation in space (crank.turn) "
                   "that must not move (repeatable)")
        ->allow_extra_args(false);
    app.add_option("--weight", weights_, "coordinate or body = weight: the larger, the less it moves (repeatable)")
        ->allow_extra_args(false);
    app.add_flag("--trace", trace_, "also print the iterates, their residuals and how fast these fall");
  }

  int run() override {
    AssembleOptions options{keep_, {}};
    for (const std::string& text : weights_) {
      const std::size_t equals = text.find('=');
      char* end = nullptr;
      const double value = equals == std::string::npos ? 0.0 : std::strtod(text.c_str() + equals + 1, &end);
      if (equals == std::string::npos || equals == 0 || end == text.c_str() + equals + 1 || *end != '\0')
        throw InputError("--weight '" + text + "' must be NAME=number, for example --weight crank.angle=10");
      options.weights.emplace_back(text.substr(0, equals), value);
    }
    const Assembly assembly = assemble(model_.read(), options);
    if (trace_) std::cout << assembly_trace(assembly);
    std::cout << assembly_text(assembly);
    if (!json_file_.empty()) record::write_text_file(json_file_, assembly_json(assembly));
    return 0;
  }

 private:
  ModelArgument model_;
  std::string json_file_;
  std::vector<std::string> keep_, weights_;
  bool trace_ = false;
};

const VerbEntry assemble_entry(VerbGroup::analyse, "assemble",
                               "put rough estimates of positions and velocities onto the constraints",
                               "Of all configurations near the estimate the nearest is taken; contacts are left out.\n"
                               "Examples:\n"
                               "  hstar assemble four_bar.toml\n"
                               "  hstar assemble four_bar.toml --keep crank.angle --weight rocker.angle=10",
                               make_verb<AssembleVerb>);

}  // namespace
}  // namespace hstar::cli
