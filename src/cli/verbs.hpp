// src/cli/verbs.hpp
//
// The verbs of the command line, each a function of its own arguments that returns the exit code:
// 0 done, 1 a numerical end or a validation that falls short. Bad input is thrown (InputError): 2.
#pragma once

#include <string>
#include <vector>

#include "hstar/compare.hpp"
#include "hstar/model_spec.hpp"
#include "hstar/sweep.hpp"

namespace hstar::cli {

struct RunArguments {
  std::string model;
  std::vector<Override> overrides;  ///< --set, --rtol, --atol, --integrator, --formulation, in this order
  std::string folder;               ///< -o; "": out/<name of the model file>
  std::vector<std::string> panels;  ///< --plot: columns with commas between them, one panel each
  std::vector<std::string> vary;    ///< --vary: a run for each combination of values
  bool quiet = false;
  bool open = false;  ///< show the page in the browser
  bool all_events = false, trace_events = false;
  bool no_report = false;
  bool history = false;  ///< also write steps.csv
};

struct CompareArguments {
  std::string model;
  std::vector<Override> overrides;
  CompareOptions options;
  std::vector<std::string> vary;      ///< key=a,b,c
  std::string csv, svg, convergence;  ///< files to write; "": none
};

struct SweepArguments {
  std::string model;
  std::vector<Override> overrides;
  std::vector<std::string> vary;
  SweepOptions options;  ///< axes are read from `vary`
  std::string picture;   ///< SVG file; "": none
  std::string log;       ///< axes of the picture in decades: "x", "y" or "xy"
};

/// Of the texts of --set. @throws InputError for one that is not path=value.
[[nodiscard]] std::vector<Override> overrides_of(const std::vector<std::string>& set);
[[nodiscard]] int sweep_verb(const SweepArguments& arguments);
[[nodiscard]] int compare_verb(const CompareArguments& arguments);
/// An imported model as TOML to `output`, or printed where that is "".
[[nodiscard]] int import_verb(const std::string& model, const std::string& analysis, const std::string& output);
[[nodiscard]] int run_verb(const RunArguments& arguments);
/// Writes the model that the program carries into out/demo and runs it there.
[[nodiscard]] int demo_verb(bool open);
/// Writes the table to `file`, to standard output if "".
[[nodiscard]] int kinematics_verb(const std::string& model, const std::vector<Override>& overrides,
                                  const std::string& file);
/// The consistent modes of the initial state, or of every line of the table `states` ("": none), to `file` ("":
/// printed).
[[nodiscard]] int classify_verb(const std::string& model, const std::vector<Override>& overrides,
                                const std::string& states, const std::string& file);
[[nodiscard]] int list_verb(bool markdown);

}  // namespace hstar::cli
