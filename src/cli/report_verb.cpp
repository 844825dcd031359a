// src/cli/report_verb.cpp
//
// `hstar report`: the page of a run that is there, or one page of several.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <filesystem>
#include <iostream>

#include "cli/open_page.hpp"
#include "cli/verb.hpp"
#include "hstar/error.hpp"
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

class ReportVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    app.add_option("DIR", runs_, "folder of a run, or its run.h5; several are compared on one page")->required();
    app.add_option("-o,--output", page_, "page to write (default: report.html of the run; comparison.html)");
    app.add_flag("--open", open_, "show it in the browser");
  }

  int run() override {
    if (runs_.size() == 1)
      write_one();
    else
      write_all();
    fmt::print(std::cout, "{}{}\n", page_, report_is_interactive() ? "" : " (plain: this hstar was built without npm)");
    if (open_) open_page(page_);
    return 0;
  }

 private:
  void write_one() {
    const LabelledRun run = stored_run(runs_.front());
    if (page_.empty())
      page_ = std::filesystem::is_directory(runs_.front())
                  ? runs_.front() + "/report.html"
                  : std::filesystem::path(runs_.front()).replace_extension(".html").string();
    write_report(run.result, run.model, page_);
  }

  void write_all() {
    std::vector<LabelledRun> runs;
    for (const std::string& where : runs_) runs.push_back(stored_run(where));
    if (page_.empty()) page_ = "comparison.html";
    write_comparison(runs, page_);
  }

  std::vector<std::string> runs_;
  std::string page_;
  bool open_ = false;
};

const VerbEntry report_entry(
    VerbGroup::simulate, "report", "make report.html from the result files of a run, or of several",
    "Of several runs the page shows the curves of all, the mechanism and the events of the first with the others as\n"
    "ghosts, and what their options and parameters differ in.\n"
    "Examples:\n"
    "  hstar report out/01_drag_sled\n"
    "  hstar report out/dry out/oiled -o friction.html --open",
    make_verb<ReportVerb>);

}  // namespace
}  // namespace hstar::cli
