// src/cli/report_verbs.cpp
#include "cli/report_verbs.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ostream.h>
#include <spawn.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "cli/verbs.hpp"
#include "hstar/output_rows.hpp"
#include "hstar/record.hpp"
#include "hstar/report.hpp"

namespace hstar::cli {
namespace {

/// The run in a folder, or in one HDF5 file. @throws InputError for what holds none.
LabelledRun stored_run(const std::string& where) {
  const std::filesystem::path path(where);
  const bool folder = std::filesystem::is_directory(path);
  if (!folder && path.extension() != ".h5")
    throw InputError(fmt::format("'{}' is no run; give the folder that `hstar run` wrote, or its run.h5", where));
  StoredRun stored = read_hdf5(folder ? where + "/run.h5" : where);
  std::string label = (folder ? path / "" : path).parent_path().filename().string();
  return {label.empty() ? where : std::move(label), std::move(stored.result), std::move(stored.model)};
}

std::string plain_mark() { return report_is_interactive() ? "" : " (plain: this hstar was built without npm)"; }

/// Ends a run as soon as its first state is recorded.
class FirstState final : public RunSink {
 public:
  bool stop_requested() override { return true; }
};

}  // namespace

void open_page(const std::string& path) {
  std::string program = "xdg-open", page = std::filesystem::absolute(path).string();
  char* const arguments[] = {program.data(), page.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ) != 0)
    fmt::print(std::cerr, "notice: there is no xdg-open here; open {} in a browser\n", page);
  posix_spawn_file_actions_destroy(&quiet);
}

ReportVerbs::ReportVerbs(CLI::App& app)
    : report_(app.add_subcommand("report", "make report.html from the result files of a run, or of several")),
      view_(app.add_subcommand("view", "draw a model as it stands before it runs")) {
  report_->add_option("DIR", runs_, "folder of a run, or its run.h5; several are compared on one page")->required();
  report_->add_option("-o,--output", page_, "page to write (default: report.html of the run; comparison.html)");
  report_->add_flag("--open", open_report_, "show it in the browser");
  report_->footer(
      "Of several runs the page shows the curves of all, the mechanism and the events of the first with the others as\n"
      "ghosts, and what their options and parameters differ in.\n"
      "Examples:\n"
      "  hstar report out/01_drag_sled\n"
      "  hstar report out/dry out/oiled -o friction.html --open");
  view_->add_option("MODEL", model_file_, "model file (TOML; or JSON of simEngine2D)")->required();
  view_->add_option("--set", set_, "override anything: path.to.value=x (repeatable)")->allow_extra_args(false);
  view_->add_option("-o,--output", view_page_, "page to write (default: out/<name of the model file>/view.html)");
  view_->add_flag("--open", open_view_, "show it in the browser");
  view_->footer("Example:\n  hstar view examples/16_clearance_pin.toml --open");
}

std::optional<int> ReportVerbs::run() {
  if (*report_) return report_verb();
  if (*view_) return view_verb();
  return std::nullopt;
}

int ReportVerbs::report_verb() {
  std::string page = page_;
  if (runs_.size() == 1) {
    const LabelledRun run = stored_run(runs_.front());
    if (page.empty())
      page = std::filesystem::is_directory(runs_.front())
                 ? runs_.front() + "/report.html"
                 : std::filesystem::path(runs_.front()).replace_extension(".html").string();
    write_report(run.result, run.model, page);
  } else {
    std::vector<LabelledRun> runs;
    for (const std::string& where : runs_) runs.push_back(stored_run(where));
    if (page.empty()) page = "comparison.html";
    write_comparison(runs, page);
  }
  fmt::print(std::cout, "{}{}\n", page, plain_mark());
  if (open_report_) open_page(page);
  return 0;
}

int ReportVerbs::view_verb() {
  ModelSpec model = read_model(model_file_, overrides_of(set_));
  model.simulation.output = every_step;
  FirstState first;
  RunResult result = hstar::run(model, &first);
  if (result.outcome.status == RunStatus::interrupted) {
    result.outcome.status = RunStatus::reached_end;
    result.outcome.message = "The model as it stands before it runs.";
    result.rows.resize(1);
  }
  std::string page = view_page_;
  if (page.empty()) {
    const std::string folder = "out/" + std::filesystem::path(model_file_).stem().string();
    std::filesystem::create_directories(folder);
    page = folder + "/view.html";
  }
  write_report(result, model, page);
  fmt::print(std::cout, "{}{}\n", page, plain_mark());
  if (open_view_) open_page(page);
  return result.outcome.success() ? 0 : 1;
}

}  // namespace hstar::cli
