// src/cli/model_argument.hpp
//
// MODEL and the options that change it, which most verbs take.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar::cli {

class ModelArgument {
 public:
  /// MODEL and --set.
  void add_to(CLI::App& verb);
  /// Options that stand for --set simulation.NAME=VALUE.
  void add_simulation_options(CLI::App& verb, std::initializer_list<std::string_view> names = {
                                                  "rtol", "atol", "end", "integrator", "formulation"});

  [[nodiscard]] const std::string& file() const { return file_; }
  /// @throws InputError for a --set that is not path=value.
  [[nodiscard]] std::vector<Override> overrides() const;
  [[nodiscard]] ModelSpec read() const;
  /// The name of the file without its folder and ending: what results are named by.
  [[nodiscard]] std::string name() const;

 private:
  std::string file_;
  std::vector<std::string> set_;
  std::array<std::string, 5> simulation_;  ///< values of the options, in the order in which they override
};

}  // namespace hstar::cli
