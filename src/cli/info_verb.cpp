// src/cli/info_verb.cpp: `hstar info`: what a model is, without running it.
#include <iostream>

#include "cli/model_argument.hpp"
#include "cli/verb.hpp"
#include "hstar/model_reference.hpp"
#include "hstar/run.hpp"

namespace hstar::cli {
namespace {

class InfoVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    model_.add_simulation_options(app);
    app.add_flag("--json", json_, "print the model with every default, parameter and copy written out, as JSON");
  }

  int run() override {
    std::cout << (json_ ? resolved_model_json(model_.file(), model_.overrides()) : describe_model(model_.read()));
    return 0;
  }

 private:
  ModelArgument model_;
  bool json_ = false;
};

const VerbEntry info_entry(VerbGroup::look_up, "info", "describe a model without running it",
                           "Examples:\n"
                           "  hstar info pendulum.toml --set body.rod.mass=2\n"
                           "  hstar info pendulum.toml --json",
                           make_verb<InfoVerb>);

}  // namespace
}  // namespace hstar::cli
