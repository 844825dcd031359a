// src/cli/analysis_verbs.hpp: `hstar assemble`, `equilibrium`, `inverse` and `modes`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hstar/equilibrium.hpp"
#include "hstar/model_spec.hpp"
#include "hstar/natural_modes.hpp"

namespace hstar::cli {

class AnalysisVerbs {
 public:
  explicit AnalysisVerbs(CLI::App& app);
  /// Runs the verb that was given; its exit code, or nothing if it was none of these.
  std::optional<int> run();

 private:
  CLI::App* add(CLI::App& app, const char* name, const char* about, const char* footer);
  int assemble_verb();
  int equilibrium_verb();
  int inverse_verb();
  int modes_verb();
  [[nodiscard]] ModelSpec model() const;
  void write_json(const std::string& text) const;

  CLI::App *assemble_, *equilibrium_, *inverse_, *modes_;
  std::string model_file_, json_file_, table_file_;
  std::vector<std::string> set_, keep_, weights_;
  bool trace_ = false;
  EquilibriumOptions equilibrium_options_;
  NaturalModesOptions modes_options_;
  bool without_friction_ = false, no_intervals_ = false;
};

}  // namespace hstar::cli
