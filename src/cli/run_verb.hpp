// src/cli/run_verb.hpp: what `hstar run` does, for verbs that run a model of their own.
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar::cli {

struct RunArguments {
  std::string model;
  std::vector<Override> overrides;
  std::string folder;               ///< for the results
  std::vector<std::string> panels;  ///< --plot: columns with commas between them, one panel each
  std::vector<std::string> vary;    ///< --vary: a run for each combination of values
  bool quiet = false;
  bool open = false;  ///< show the page in the browser
  bool all_events = false, trace_events = false, profile = false;
  bool no_report = false;
  bool history = false;  ///< also write steps.csv
};

/// Runs the model, prints its events and writes its results. The exit code: 0 it reached its end, 1 it ended before.
[[nodiscard]] int run_model(const RunArguments& arguments);

}  // namespace hstar::cli
