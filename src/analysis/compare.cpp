// src/analysis/compare.cpp
//
// Runs one model with many methods and measures each (hstar/compare.hpp).
#include "hstar/compare.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/compare_run.hpp"
#include "formulation/formulation.hpp"
#include "hstar/dae.hpp"
#include "hstar/flow.hpp"
#include "hstar/output_rows.hpp"
#include "integrator/newmark.hpp"
#include "simulate/options.hpp"

namespace hstar {
namespace {

struct Method {
  std::string formulation, integrator;
};

bool wanted(const std::vector<std::string>& list, std::string_view name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

void check_names(const CompareOptions& options) {
  for (const std::string& name : options.formulations)
    if (find_formulation(name) == nullptr)
      throw InputError("compare: formulation '" + name + "' is not known; `hstar list` shows the known ones");
  for (const std::string& name : options.integrators)
    if (find_integrator(name) == nullptr && find_dae_integrator(name) == nullptr)
      throw InputError("compare: integrator '" + name + "' is not known; `hstar list` shows the known ones");
  const auto check = [](double value, double low, double high, const char* what) {
    if (!(value >= low && value <= high))
      throw InputError(fmt::format("compare: {} = {:g} must be in [{:g}, {:g}]", what, value, low, high));
  };
  for (const double rtol : options.tolerances) check(rtol, 1e-14, 0.1, "rtol");
  for (const double h : options.steps) check(h, 1e-300, 1e300, "step");
  if (options.accuracy) check(*options.accuracy, 1e-15, 1.0, "accuracy");
  check(options.time_limit, 1e-3, 1e6, "time limit");
}

/// Every combination of the values of further keys.
std::vector<std::vector<Override>> variants(const CompareOptions& options) {
  std::vector<std::vector<Override>> all{{}};
  for (const auto& [key, values] : options.vary) {
    if (values.empty()) throw InputError("compare: --vary " + key + " has no values; give " + key + "=a,b,c");
    std::vector<std::vector<Override>> longer;
    for (const auto& begun : all)
      for (const std::string& value : values) {
        longer.push_back(begun);
        longer.back().push_back({"simulation." + key, value});
      }
    all = std::move(longer);
  }
  return all;
}

std::string label(const std::vector<Override>& variant) {
  std::string out;
  for (const Override& o : variant)
    out += (out.empty() ? "" : " ") + o.path.substr(o.path.rfind('.') + 1) + "=" + o.value;
  return out;
}

/// Of the formula, as these options set it.
int order_of(const SimulationSpec& s, const FlowOptions& o) {
  const IntegratorEntry* plain = find_integrator(s.integrator);
  const IntegratorEntry* second = find_second_order_integrator(s.integrator);
  const std::string& name = plain != nullptr ? plain->name : s.integrator;
  if (name == "bdf" || name == "ode113") return o.max_order;
  if (name == "newmark") return integrator::newmark_method(o).order;
  if (plain != nullptr) return plain->order;
  if (second != nullptr) return second->order;
  const DaeIntegratorEntry* dae = find_dae_integrator(s.integrator);
  return dae != nullptr ? dae->order : 0;
}

/// Every pair that solves this model. Without constraints all formulations are the same equations.
std::vector<Method> methods(CompareOptions options, const System& system) {
  for (std::string& name : options.integrators)
    if (const IntegratorEntry* entry = find_integrator(name)) name = entry->name;  // of an alias
  const bool held = system.held();
  std::vector<Method> all;
  for (const FormulationEntry& f : formulations()) {
    if (!wanted(options.formulations, f.name)) continue;
    if (options.formulations.empty() && !held && f.name != "direct") continue;
    if (f.dae) {
      for (const DaeIntegratorEntry& i : dae_integrators())
        if (i.solves(*f.dae) && wanted(options.integrators, i.name)) all.push_back({std::string(f.name), i.name});
    } else {
      const auto add = [&](std::span<const IntegratorEntry> entries) {
        for (const IntegratorEntry& i : entries)
          if (wanted(options.integrators, i.name)) all.push_back({std::string(f.name), i.name});
      };
      add(integrators());
      // Under constraints BDF and Newmark solve the DAE; on y' = f(t, y) the former only where it is asked for.
      if (!held || !options.integrators.empty()) add(further_integrators());
      const std::vector<int> velocity_of = system.velocity_of();
      if (std::any_of(velocity_of.begin(), velocity_of.end(), [](int v) { return v >= 0; }))
        add(second_order_integrators());
    }
  }
  if (all.empty())
    throw InputError("compare: none of the integrators solves any of the formulations; see `hstar list`");
  return all;
}

}  // namespace

Comparison compare(const std::string& model, const std::vector<Override>& overrides, const CompareOptions& options) {
  check_names(options);
  ModelSpec spec = read_model(model, overrides);
  spec.simulation.output = every_step;
  const auto system = build_system(spec);
  const std::vector<Method> all = methods(options, *system);
  std::vector<double> tolerances = options.tolerances;
  if (tolerances.empty() && options.steps.empty()) tolerances = {1e-4, 1e-6, 1e-8, 1e-10};

  Comparison out;
  out.title = spec.title.empty() ? spec.file : spec.title;
  out.accuracy = options.accuracy;
  out.constrained = system->rows > 0;
  out.conservative = analysis::keeps_energy(spec);
  const std::vector<std::vector<Override>> all_variants = variants(options);
  const std::size_t count = all.size() * all_variants.size() * (tolerances.size() + options.steps.size());
  std::size_t number = 0;
  const auto goes_on = [&](const std::string& what) {
    return !options.progress || options.progress(number, count, what);
  };

  if (!goes_on("reference")) return out;
  analysis::Truth truth = options.reference.empty() ? analysis::own_truth(spec, system)
                                                    : analysis::read_truth(options.reference, *system, spec);
  if (!options.exact.empty()) analysis::apply_closed_form(options.exact, *system, spec, truth);
  out.reference = truth.source;
  out.events = truth.events.size();

  const auto run_all = [&](const Method& m, const std::vector<Override>& variant_keys) {
    std::vector<Override> changed = overrides;
    changed.insert(changed.end(), variant_keys.begin(), variant_keys.end());
    ModelSpec of_variant = variant_keys.empty() ? spec : read_model(model, changed);
    of_variant.simulation.output = every_step;
    const auto one = [&](double rtol, double step) {
      ++number;
      if (!goes_on(fmt::format("{} {} {:g}", m.formulation, m.integrator, step > 0 ? step : rtol))) return false;
      ModelSpec variant = of_variant;
      SimulationSpec& s = variant.simulation;
      s.formulation = m.formulation;
      s.integrator = m.integrator;
      s.fixed_step = step;
      if (step > 0) s.first_step = s.max_step = 0.0;
      if (rtol > 0) s.rtol = rtol;
      if (rtol > 0) s.atol = spec.simulation.atol > 0 ? spec.simulation.atol / spec.simulation.rtol * rtol : 0.0;
      out.rows.push_back(analysis::measured_run(variant, system, out.conservative, options.time_limit, truth));
      // The machine has other work: of short runs the fastest of three counts.
      CompareRow& row = out.rows.back();
      row.variant = label(variant_keys);
      row.order = order_of(s, loop_options(variant, *system).flow);
      for (int again = 0; again < 2 && row.finished() && row.seconds < 0.05; ++again)
        row.seconds =
            std::min(row.seconds, analysis::measured_run(variant, system, false, options.time_limit, truth).seconds);
      out.rows.back().rtol = step > 0 ? 0.0 : rtol;
      out.rows.back().step = step;
      return true;
    };
    for (const double rtol : tolerances)
      if (!one(rtol, 0.0)) return false;
    for (const double h : options.steps)
      if (!one(0.0, h)) return false;
    return true;
  };
  for (const Method& m : all)
    for (const std::vector<Override>& v : all_variants)
      if (!run_all(m, v)) return out;
  return out;
}

}  // namespace hstar
