// src/cli/method_verbs.hpp: `hstar inspect`, `method` and `eliminate`: what stands behind a run, in numbers.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hstar/inspect.hpp"

namespace hstar::cli {

class MethodVerbs {
 public:
  explicit MethodVerbs(CLI::App& app);
  /// Runs the verb that was given; its exit code, or nothing if it was none of these.
  std::optional<int> run();

 private:
  int inspect_verb();

  CLI::App *inspect_, *method_, *eliminate_;
  std::string model_file_, integrator_, formulation_, json_file_, npz_file_, method_name_, matrix_file_;
  std::string picture_file_, csv_file_;
  double every_ = 0;
  int max_order_ = 0;
  std::vector<std::string> set_;
  InspectOptions inspect_options_;
  bool steps_ = false, right_side_ = false;
  std::size_t leading_rows_ = 0;
};

/// Full-pivot elimination of the matrix in a file; `right_side`: its last column is b of A x = b.
[[nodiscard]] int eliminate_verb(const std::string& file, bool right_side, bool steps, std::size_t leading_rows);

}  // namespace hstar::cli
