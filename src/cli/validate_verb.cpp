// src/cli/validate_verb.cpp: `hstar validate`.
#include <iostream>

#include "cli/verb.hpp"
#include "hstar/validate.hpp"

namespace hstar::cli {
namespace {

class ValidateVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    app.add_option("PROBLEM", options_.targets,
                   "problem names, folders with model.toml, reference.toml and accept.toml, or `ode23` "
                   "(default: all of them)");
    app.add_option("--folder", options_.folder, "folder of the problems");
    app.add_flag("--details", options_.details, "print every matched event");
  }
  int run() override { return validate(options_, std::cout) == 0 ? 0 : 1; }

 private:
  ValidateOptions options_;
};

const VerbEntry validate_entry(VerbGroup::look_up, "validate", "run validation problems against their references",
                               "Exit code: 0 everything passed, 1 something fell short, 2 bad input,\n"
                               "3 a file could not be written.\n"
                               "Examples:\n"
                               "  hstar validate\n"
                               "  hstar validate p02_sled_metal p05_bounce_zeno_half --details\n"
                               "  hstar validate my_problem/",
                               make_verb<ValidateVerb>);

}  // namespace
}  // namespace hstar::cli
