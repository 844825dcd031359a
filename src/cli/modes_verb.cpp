// src/cli/modes_verb.cpp: `hstar modes`: natural frequencies. (Modes of contact and friction: `hstar classify`.)
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <iostream>

#include "cli/model_argument.hpp"
#include "cli/verb.hpp"
#include "hstar/natural_modes.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {
namespace {

class ModesVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    app.add_option("--json", json_file_, "also write the result to this file as JSON");
    app.add_flag("--given", options_.given, "about the assembled estimate instead of an equilibrium");
    app.add_flag("--nearest", options_.nearest, "about the nearest equilibrium, stable or not");
    app.add_flag("--without-friction", without_friction_, "let go what dry friction holds");
    app.add_option("--touching", options_.touching, "close this contact first (repeatable)")->allow_extra_args(false);
  }

  int run() override {
    options_.friction = !without_friction_;
    try {
      const NaturalModesResult result = natural_modes(model_.read(), options_);
      std::cout << natural_modes_text(result);
      if (!json_file_.empty()) record::write_text_file(json_file_, natural_modes_json(result));
      return 0;
    } catch (const NoEquilibrium& none) {
      fmt::print(std::cerr, "hstar: {}\n", none.what());
      return 1;
    }
  }

 private:
  ModelArgument model_;
  std::string json_file_;
  NaturalModesOptions options_;
  bool without_friction_ = false;
};

const VerbEntry modes_entry(
    VerbGroup::analyse, "modes", "natural frequencies, damping and mode shapes about an equilibrium",
    "Eigenvalues of the equations of motion linearised on the constraints. (Which modes of contact and\n"
    "friction a state allows: hstar classify.)\n"
    "Exit code: 0 found, 1 there is no equilibrium near the estimate (the reason is printed), 2 bad input.\n"
    "Examples:\n"
    "  hstar modes chain.toml\n"
    "  hstar modes inverted_pendulum.toml --nearest --json modes.json",
    make_verb<ModesVerb>);

}  // namespace
}  // namespace hstar::cli
