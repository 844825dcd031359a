// src/model/check_model.cpp
//
// What holds for every model, wherever it comes from: the checks of a model file for a ModelSpec that a program made.
// Building calls it first, so that everything behind may rely on it.
#include <fmt/core.h>

#include <cmath>

#include "hstar/check_model.hpp"
#include "hstar/output_rows.hpp"
#include "model/defects.hpp"
#include "model/element_check.hpp"

namespace hstar {
namespace model {
namespace {

void check_simulation(const SimulationSpec& s) {
  const ElementCheck check(section("simulation"), "simulation", s.where);
  check.number("start", s.start);
  check.number("end", s.end);
  if (!(s.end > s.start))
    check.plainly(fmt::format("end = {} s must be > start = {} s; give a later end", s.end, s.start));
  if (const auto defect = integrator_defect(s.integrator)) check.plainly(defect->message);
  if (!s.formulation.empty()) check.word("formulation", s.formulation);
  check.word("newton", s.newton);
  check.word("multiple_impact", s.multiple_impact);
  check.word("impact_energy", s.impact_energy);
  check.word("sliding", s.sliding);
  const std::pair<const char*, double> always[] = {{"rtol", s.rtol},
                                                   {"fixed_step", s.fixed_step},
                                                   {"newmark_beta", s.newmark_beta},
                                                   {"newmark_gamma", s.newmark_gamma},
                                                   {"hht_alpha", s.hht_alpha},
                                                   {"rho_infinity", s.rho_infinity},
                                                   {"stop_after_events", static_cast<double>(s.stop_after_events)}};
  for (const auto& [key, value] : always) check.number(key, value);
  const std::pair<const char*, double> if_given[] = {
      {"atol", s.atol},
      {"max_step", s.max_step},
      {"first_step", s.first_step},
      {"baumgarte_alpha", s.baumgarte_alpha},
      {"baumgarte_beta", s.baumgarte_beta},
      {"max_order", s.max_order},
      {"max_events_per_instant", static_cast<double>(s.max_events_per_instant)}};
  for (const auto& [key, value] : if_given) check.number_if_given(key, value);
  if (s.output != every_step) check.number("output", s.output);
  if (const auto defect = output_defect(s)) check.plainly(defect->message);
  if (s.fixed_step > 0)
    for (const auto& [key, value] : {std::pair{"first_step", s.first_step}, {"max_step", s.max_step}})
      if (value != 0) check.plainly(fmt::format("{} is not used with fixed_step; remove one of them", key));
  for (const double t : s.sample_times)
    if (!std::isfinite(t)) check.plainly(fmt::format("sample time {} must be a finite number", t));
}

void check_automaton(const ModelSpec& spec, NameCheck& names) {
  for (const StateSpec& s : spec.states) {
    const ElementCheck check(section("state"), fmt::format("state \"{}\"", s.name), s.where);
    names.claim("plain", s.name, check, NameUse::state);
    check.number("initial", s.initial);
    check.formula("rate", s.rate);
  }
  for (const GuardSpec& g : spec.guards) {
    const ElementCheck check(section("guard"), fmt::format("guard \"{}\"", g.name), g.where);
    names.claim("element", g.name, check, NameUse::element);
    check.word("crossing", g.crossing);
    check.number("g_tol", g.g_tol);
    check.finite("times", g.times);
    if (const auto defect = times_defect(g.times)) check.plainly(defect->message);
    if (g.times.empty() && !g.function && g.when.is_constant())
      check.fail("when", fmt::format("{}", g.when.constant_value()), "is constant and never changes sign");
  }
  for (const MeasureSpec& m : spec.measures) {
    const ElementCheck check(section("measure"), fmt::format("measure \"{}\"", m.name), m.where);
    if (m.name.empty()) check.missing("name");  // no formula uses it: any word will do, "max(sled.vx)"
    check.formula("value", m.value);
  }
}

}  // namespace
}  // namespace model

void check_model(const ModelSpec& spec) {
  using namespace model;
  const ElementCheck check(section("model"), "model", {spec.file, 0, 0});
  check.number("dimension", spec.dimension);
  check.finite("gravity", spec.dimension == 3 ? std::span<const double>(spec.spatial.gravity) : spec.gravity);
  if (!spec.has_bodies() && spec.states.empty())
    throw InputError(check.where(), "the model is empty: it has neither [[body]] nor [[state]]; give at least one");
  check_simulation(spec.simulation);
  NameCheck names;
  if (spec.dimension == 3)
    check_spatial(spec, names);
  else
    check_planar(spec, names);
  check_automaton(spec, names);
}

}  // namespace hstar
