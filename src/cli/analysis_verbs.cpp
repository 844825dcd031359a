// src/cli/analysis_verbs.cpp
#include "cli/analysis_verbs.hpp"

#include <fmt/core.h>
#include <fmt/ostream.h>

#include <cstdlib>
#include <iostream>

#include "cli/verbs.hpp"
#include "hstar/assemble.hpp"
#include "hstar/error.hpp"
#include "hstar/inverse.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {
namespace {

using record::write_text_file;

}  // namespace

CLI::App* AnalysisVerbs::add(CLI::App& app, const char* name, const char* about, const char* footer) {
  CLI::App* verb = app.add_subcommand(name, about);
  verb->add_option("MODEL", model_file_, "model file (TOML; or JSON of simEngine2D)")->required();
  verb->add_option("--set", set_, "override anything: path.to.value=x (repeatable)")->allow_extra_args(false);
  verb->add_option("--json", json_file_, "also write the result to this file as JSON");
  verb->footer(footer);
  return verb;
}

AnalysisVerbs::AnalysisVerbs(CLI::App& app) {
  assemble_ = add(app, "assemble", "put rough estimates of positions and velocities onto the constraints",
                  "Of all configurations near the estimate the nearest is taken; contacts are left out.\n"
                  "Examples:\n"
                  "  hstar assemble four_bar.toml\n"
                  "  hstar assemble four_bar.toml --keep crank.angle --weight rocker.angle=10");
  assemble_
      ->add_option("--keep", keep_,
                   "coordinate (crank.angle), velocity (crank.omega), body or its orientation in space (crank.turn) "
                   "that must not move (repeatable)")
      ->allow_extra_args(false);
  assemble_->add_option("--weight", weights_, "coordinate or body = weight: the larger, the less it moves (repeatable)")
      ->allow_extra_args(false);
  assemble_->add_flag("--trace", trace_, "also print the iterates, their residuals and how fast these fall");

  equilibrium_ =
      add(app, "equilibrium", "static equilibrium, its stability, and the set of equilibria with friction",
          "Downhill from the estimate to a stable equilibrium; with dry friction also how far each coordinate\n"
          "or a parameter may go before something slips or opens.\n"
          "Exit code: 0 found, 1 there is none near the estimate (the reason is printed), 2 bad input.\n"
          "Examples:\n"
          "  hstar equilibrium ladder.toml\n"
          "  hstar equilibrium slider_crank.toml --vary torque --coordinate crank.angle\n"
          "  hstar equilibrium inverted_pendulum.toml --nearest --json rest.json");
  equilibrium_->add_flag("--nearest", equilibrium_options_.nearest, "the nearest equilibrium, stable or not");
  equilibrium_->add_option("--touching", equilibrium_options_.touching, "close this contact first (repeatable)")
      ->allow_extra_args(false);
  equilibrium_
      ->add_option("--coordinate", equilibrium_options_.coordinates,
                   "interval of this coordinate (repeatable; default: all that friction alone holds)")
      ->allow_extra_args(false);
  equilibrium_->add_option("--vary", equilibrium_options_.vary, "interval of this parameter of the model (repeatable)")
      ->allow_extra_args(false);
  equilibrium_->add_flag("--no-intervals", no_intervals_, "only the state of rest");

  inverse_ = add(app, "inverse", "driver forces and torques for the motion that the drivers prescribe",
                 "Every degree of freedom needs a driver. NAME.least and NAME.largest differ where a frictional joint\n"
                 "stands still and may carry any force inside its cone.\n"
                 "Exit code: 0 the end was reached, 1 no motion goes on beyond a singular position, 2 bad input.\n"
                 "Example:\n  hstar inverse web_cutter.toml -o torque.csv");
  inverse_->add_option("-o,--output", table_file_, "write the table to this file (default: print it)");

  modes_ = add(app, "modes", "natural frequencies, damping and mode shapes about an equilibrium",
               "Eigenvalues of the equations of motion linearised on the constraints. (Which modes of contact and\n"
               "friction a state allows: hstar classify.)\n"
               "Exit code: 0 found, 1 there is no equilibrium near the estimate (the reason is printed), 2 bad input.\n"
               "Examples:\n"
               "  hstar modes chain.toml\n"
               "  hstar modes inverted_pendulum.toml --nearest --json modes.json");
  modes_->add_flag("--given", modes_options_.given, "about the assembled estimate instead of an equilibrium");
  modes_->add_flag("--nearest", modes_options_.nearest, "about the nearest equilibrium, stable or not");
  modes_->add_flag("--without-friction", without_friction_, "let go what dry friction holds");
  modes_->add_option("--touching", modes_options_.touching, "close this contact first (repeatable)")
      ->allow_extra_args(false);
}

ModelSpec AnalysisVerbs::model() const { return read_model(model_file_, overrides_of(set_)); }

void AnalysisVerbs::write_json(const std::string& text) const {
  if (!json_file_.empty()) write_text_file(json_file_, text);
}

std::optional<int> AnalysisVerbs::run() {
  if (*assemble_) return assemble_verb();
  if (*equilibrium_) return equilibrium_verb();
  if (*inverse_) return inverse_verb();
  if (*modes_) return modes_verb();
  return std::nullopt;
}

int AnalysisVerbs::assemble_verb() {
  AssembleOptions options{keep_, {}};
  for (const std::string& text : weights_) {
    const std::size_t equals = text.find('=');
    char* end = nullptr;
    const double value = equals == std::string::npos ? 0.0 : std::strtod(text.c_str() + equals + 1, &end);
    if (equals == std::string::npos || equals == 0 || end == text.c_str() + equals + 1 || *end != '\0')
      throw InputError("--weight '" + text + "' must be NAME=number, for example --weight crank.angle=10");
    options.weights.emplace_back(text.substr(0, equals), value);
  }
  const Assembly assembly = assemble(model(), options);
  if (trace_) std::cout << assembly_trace(assembly);
  std::cout << assembly_text(assembly);
  write_json(assembly_json(assembly));
  return 0;
}

int AnalysisVerbs::equilibrium_verb() {
  EquilibriumOptions& options = equilibrium_options_;
  options.intervals = !no_intervals_;
  options.remake = [this](const std::string& parameter, double value) {
    std::vector<Override> changed = overrides_of(set_);
    changed.push_back({"parameters." + parameter, fmt::format("{:.17g}", value)});
    return read_model(model_file_, changed);
  };
  const EquilibriumResult result = find_equilibrium(model(), options);
  std::cout << equilibrium_text(result);
  write_json(equilibrium_json(result));
  if (result.found) return 0;
  std::cout.flush();
  fmt::print(std::cerr, "hstar: no equilibrium: {}\n", result.why);
  return 1;
}

int AnalysisVerbs::inverse_verb() {
  const InverseResult result = inverse_dynamics(model());
  if (table_file_.empty())
    std::cout << inverse_csv(result);
  else
    write_text_file(table_file_, inverse_csv(result));
  write_json(inverse_json(result));
  for (const std::string& notice : result.notices) fmt::print(std::cerr, "notice: {}\n", notice);
  for (const SingularPosition& s : result.singular)
    fmt::print(std::cerr, "singular position at t = {:.12g} s (+- {:.1e}): {} depends on the other constraints{}\n",
               s.t, s.t_error, s.row, s.passed ? "; passed" : "; no motion goes on from here");
  return result.reached_end ? 0 : 1;
}

int AnalysisVerbs::modes_verb() {
  modes_options_.friction = !without_friction_;
  try {
    const NaturalModesResult result = natural_modes(model(), modes_options_);
    std::cout << natural_modes_text(result);
    write_json(natural_modes_json(result));
    return 0;
  } catch (const NoEquilibrium& none) {
    fmt::print(std::cerr, "hstar: {}\n", none.what());
    return 1;
  }
}

}  // namespace hstar::cli
