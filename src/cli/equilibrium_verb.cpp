// src/cli/equilibrium_verb.cpp: `hstar equilibrium`.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <iostream>

#include "cli/model_argument.hpp"
#include "cli/verb.hpp"
#include "hstar/equilibrium.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {
namespace {

class EquilibriumVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    app.add_option("--json", json_file_, "also write the result to this file as JSON");
    app.add_flag("--nearest", options_.nearest, "the nearest equilibrium, stable or not");
    app.add_option("--touching", options_.touching, "close this contact first (repeatable)")->allow_extra_args(false);
    app.add_option("--coordinate", options_.coordinates,
                   "interval of this coordinate (repeatable; default: all that friction alone holds)")
        ->allow_extra_args(false);
    app.add_option("--vary", options_.vary, "interval of this parameter of the model (repeatable)")
        ->allow_extra_args(false);
    app.add_flag("--no-intervals", no_intervals_, "only the state of rest");
  }

  int run() override {
    options_.intervals = !no_intervals_;
    options_.remake = [this](const std::string& parameter, double value) {
      std::vector<Override> changed = model_.overrides();
      changed.push_back({"parameters." + parameter, fmt::format("{:.17g}", value)});
      return read_model(model_.file(), changed);
    };
    const EquilibriumResult result = find_equilibrium(model_.read(), options_);
    std::cout << equilibrium_text(result);
    if (!json_file_.empty()) record::write_text_file(json_file_, equilibrium_json(result));
    if (result.found) return 0;
    std::cout.flush();
    fmt::print(std::cerr, "hstar: no equilibrium: {}\n", result.why);
    return 1;
  }

 private:
  ModelArgument model_;
  std::string json_file_;
  EquilibriumOptions options_;
  bool no_intervals_ = false;
};

const VerbEntry equilibrium_entry(
    VerbGroup::analyse, "equilibrium", "static equilibrium, its stability, and the set of equilibria with friction",
    "Downhill from the estimate to a stable equilibrium; with dry friction also how far each coordinate\n"
    "or a parameter may go before something slips or opens.\n"
    "Exit code: 0 found, 1 there is none near the estimate (the reason is printed), 2 bad input.\n"
    "Examples:\n"
    "  hstar equilibrium ladder.toml\n"
    "  hstar equilibrium slider_crank.toml --vary torque --coordinate crank.angle\n"
    "  hstar equilibrium inverted_pendulum.toml --nearest --json rest.json",
    make_verb<EquilibriumVerb>);

}  // namespace
}  // namespace hstar::cli
