// src/record/options.cpp
//
// What a run was asked to do, with every default resolved, and what it gave in a few counts.
#include <algorithm>

#include "hstar/dae.hpp"
#include "hstar/output_rows.hpp"
#include "hstar/record.hpp"
#include "record/largest_order.hpp"

namespace hstar {

namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

/// What only some methods read.
void add_options_of_method(const SimulationSpec& s, const std::string& method, const std::string& formulation,
                           Options& out) {
  const bool second = find_second_order_integrator(method) != nullptr;
  const bool constrained = formulation == "index3" || formulation == "ggl" || formulation == "index1";
  if (second || method == "bdf" || (method == "radau" && constrained) || method == "backward_euler" ||
      method == "trapezoidal")
    out.emplace_back("newton", s.newton);
  if (method == "bdf" || method == "ode113" || method == "ida")
    out.emplace_back("max_order", std::to_string(largest_order(s)));
  if (method == "exact") out.emplace_back("islands", s.islands ? "true" : "false");
  if (method == "newmark") {
    out.emplace_back("newmark_beta", number_text(s.newmark_beta));
    out.emplace_back("newmark_gamma", number_text(s.newmark_gamma));
  }
  if (method == "hht") out.emplace_back("hht_alpha", number_text(s.hht_alpha));
  if (method == "generalized_alpha") out.emplace_back("rho_infinity", number_text(s.rho_infinity));
  if (formulation == "baumgarte") {
    out.emplace_back("baumgarte_alpha", s.baumgarte_alpha > 0 ? number_text(s.baumgarte_alpha) : "automatic");
    out.emplace_back("baumgarte_beta", s.baumgarte_beta > 0 ? number_text(s.baumgarte_beta) : "automatic");
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> options_as_run(const ModelSpec& model) {
  const SimulationSpec& s = model.simulation;
  const auto or_none = [](double value, const char* none) {
    return value > 0 ? number_text(value) : std::string(none);
  };
  const IntegratorEntry* integrator = find_integrator(s.integrator);
  std::string method = integrator != nullptr ? integrator->name : s.integrator;
  if (method != s.integrator) method += " (" + s.integrator + ")";
  std::string formulation = s.formulation;
  const DaeIntegratorEntry* dae = integrator ? nullptr : find_dae_integrator(s.integrator);
  if (formulation.empty())
    formulation = dae != nullptr ? dae->index3 ? "index3" : "ggl"
                  : model.joints.empty() && model.spatial.joints.empty() && model.contacts.empty() &&
                          model.pairs.empty() && model.spatial.contacts.empty()
                      ? "direct"
                      : "projection";

  std::vector<std::pair<std::string, std::string>> options{
      {"start", number_text(s.start)},
      {"end", number_text(s.end)},
      {"integrator", method},
      {"formulation", formulation},
      {"rtol", number_text(s.rtol)},
      {"atol", number_text(s.atol > 0 ? s.atol : 1e-3 * s.rtol)},
      {"max_step", or_none(s.max_step, "none")},
      {"first_step", or_none(s.first_step, "automatic")},
      {"fixed_step", or_none(s.fixed_step, "none")},
      {"output", or_none(s.output, s.output == every_step ? "steps" : "dense")},
      {"stop_after_events", s.stop_after_events > 0 ? std::to_string(s.stop_after_events) : "none"},
      {"max_events_per_instant", std::to_string(s.max_events_per_instant > 0 ? s.max_events_per_instant : 100)}};
  if (!model.contacts.empty() || !model.pairs.empty() || !model.spatial.contacts.empty()) {
    options.emplace_back("multiple_impact", s.multiple_impact);
    options.emplace_back("impact_energy", s.impact_energy);
  }
  add_options_of_method(s, integrator != nullptr ? integrator->name : s.integrator, formulation, options);
  if (!model.has_bodies()) {  // a [[state]] automaton has no equations of motion to formulate
    std::erase_if(options, [](const auto& option) { return option.first == "formulation"; });
  }
  return options;
}

std::vector<std::pair<std::string, std::string>> options_as_run(const ModelSpec& model, const RunResult& result) {
  Options options = options_as_run(model);
  for (const auto& [name, value] : result.chosen)
    for (auto& [option, text] : options)
      if (option == name) text = number_text(value);
  return options;
}

}  // namespace hstar
