// src/cli/model_argument.cpp
#include "cli/model_argument.hpp"

#include <filesystem>
#include <utility>

#include "hstar/error.hpp"

namespace hstar::cli {
namespace {

struct SimulationOption {
  std::string_view name;
  const char* about;
};

constexpr std::array<SimulationOption, 5> simulation_options{{{"integrator", "see `hstar list`"},
                                                              {"formulation", "see `hstar list`"},
                                                              {"rtol", "relative tolerance"},
                                                              {"atol", "absolute tolerance"},
                                                              {"end", "end of the run [s]"}}};

std::vector<Override> overrides_of(const std::vector<std::string>& set) {
  std::vector<Override> all;
  for (const std::string& text : set) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw InputError("--set '" + text + "' must be path.to.value=x, for example --set simulation.end=10");
    }
    // A bare name is a parameter's, as in --vary.
    std::string path = text.substr(0, equals);
    if (path.find('.') == std::string::npos && path != "title" && path != "dimension" && path != "gravity")
      path.insert(0, "parameters.");
    all.push_back({std::move(path), text.substr(equals + 1)});
  }
  return all;
}

}  // namespace

void ModelArgument::add_to(CLI::App& verb) {
  verb.add_option("MODEL", file_, "model file (TOML; or JSON of simEngine2D)")->required();
  verb.add_option("--set", set_, "override anything: path.to.value=x, e.g. parameters.mu=0.3 (repeatable)")
      ->allow_extra_args(false);
}

void ModelArgument::add_simulation_options(CLI::App& verb, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < simulation_options.size(); ++i)
      if (simulation_options[i].name == name)
        verb.add_option("--" + std::string(name), simulation_[i], simulation_options[i].about);
}

std::vector<Override> ModelArgument::overrides() const {
  std::vector<Override> all = overrides_of(set_);
  for (std::size_t i = 0; i < simulation_options.size(); ++i)
    if (!simulation_[i].empty())
      all.push_back({"simulation." + std::string(simulation_options[i].name), simulation_[i]});
  return all;
}

ModelSpec ModelArgument::read() const { return read_model(file_, overrides()); }

std::string ModelArgument::name() const {
  return file_ == "-" ? "stdin" : std::filesystem::path(file_).stem().string();
}

}  // namespace hstar::cli
