// src/cli/view_verb.cpp: `hstar view`: a model as it stands before it runs.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <filesystem>
#include <iostream>

#include "cli/model_argument.hpp"
#include "cli/open_page.hpp"
#include "cli/verb.hpp"
#include "hstar/output_rows.hpp"
#include "hstar/report.hpp"
#include "hstar/run.hpp"

namespace hstar::cli {
namespace {

/// Ends a run as soon as its first state is recorded.
class FirstState final : public RunSink {
 public:
  bool stop_requested() override { return true; }
};

class ViewVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    app.add_option("-o,--output", page_, "page to write (default: out/<name of the model file>/view.html)");
    app.add_flag("--open", open_, "show it in the browser");
  }

  int run() override {
    ModelSpec model = model_.read();
    model.simulation.output = every_step;
    FirstState first;
    RunResult result = hstar::run(model, &first);
    if (result.outcome.status == RunStatus::interrupted) {
      result.outcome.status = RunStatus::reached_end;
      result.outcome.message = "The model as it stands before it runs.";
      result.rows.resize(1);
    }
    if (page_.empty()) {
      const std::string folder = "out/" + model_.name();
      std::filesystem::create_directories(folder);
      page_ = folder + "/view.html";
    }
    write_report(result, model, page_);
    fmt::print(std::cout, "{}{}\n", page_, report_is_interactive() ? "" : " (plain: this hstar was built without npm)");
    if (open_) open_page(page_);
    return result.outcome.success() ? 0 : 1;
  }

 private:
  ModelArgument model_;
  std::string page_;
  bool open_ = false;
};

const VerbEntry view_entry(VerbGroup::simulate, "view", "draw a model as it stands before it runs",
                           "Example:\n  hstar view examples/16_clearance_pin.toml --open", make_verb<ViewVerb>);

}  // namespace
}  // namespace hstar::cli
