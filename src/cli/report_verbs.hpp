// src/cli/report_verbs.hpp: `hstar report` and `hstar view`: pages of runs that are there, and of a model before it
// runs.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace hstar::cli {

class ReportVerbs {
 public:
  explicit ReportVerbs(CLI::App& app);
  /// Runs the verb that was given; its exit code, or nothing if it was none of these.
  std::optional<int> run();

 private:
  int report_verb();
  int view_verb();

  CLI::App *report_, *view_;
  std::vector<std::string> runs_, set_;
  std::string page_, model_file_, view_page_;
  bool open_report_ = false, open_view_ = false;
};

/// Shows a page in the browser of this machine (xdg-open); says how where there is none.
void open_page(const std::string& path);

}  // namespace hstar::cli
