// src/cli/demo_verb.cpp: `hstar demo`: examples/01_drag_sled.toml, which the program carries with it.
#include <filesystem>
#include <string>

#include "cli/demo_model.hpp"
#include "cli/run_verb.hpp"
#include "cli/verb.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {
namespace {

class DemoVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override { app.add_flag("--open", open_, "show the report in the browser"); }

  int run() override {
    RunArguments run;
    run.folder = "out/demo";
    run.model = run.folder + "/drag_sled.toml";
    run.open = open_;
    std::filesystem::create_directories(run.folder);
    record::write_text_file(run.model, demo_model());
    return run_model(run);
  }

 private:
  bool open_ = false;
};

const VerbEntry demo_entry(VerbGroup::simulate, "demo",
                           "run a model that the program carries: a sled pulled over a plate",
                           "Example:\n  hstar demo --open", make_verb<DemoVerb>);

}  // namespace
}  // namespace hstar::cli
