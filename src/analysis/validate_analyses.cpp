// src/analysis/validate_analyses.cpp
//
// A case of a table that is analysed instead of run: what equilibrium, natural modes, inverse dynamics and assembly
// give, as named numbers and words.
#include <fmt/core.h>

#include <cstdlib>

#include "analysis/validation.hpp"
#include "hstar/assemble.hpp"
#include "hstar/equilibrium.hpp"
#include "hstar/inverse.hpp"
#include "hstar/natural_modes.hpp"

namespace hstar::validation {
namespace {

/// sled.x, sled.x.least, plate.reserve, pin.fx, stiffness1, found; words: stability.
Answer equilibrium_case(const ModelSpec& model, const EquilibriumOptions& options) {
  const EquilibriumResult result = find_equilibrium(model, options);
  Answer answer;
  answer.add("found", result.found);
  answer.add("held", result.held_by_friction);
  answer.add("freedoms", result.freedoms);
  for (std::size_t i = 0; i < result.names.size(); ++i) answer.add(result.names[i], result.coordinates[i]);
  for (const RestInterval& i : result.intervals) {
    answer.add(i.name + ".least", i.least);
    answer.add(i.name + ".largest", i.largest);
    answer.add(i.name + ".bounded_below", i.bounded_below);
    answer.add(i.name + ".bounded_above", i.bounded_above);
    answer.words[i.name + ".below"] = i.below;
    answer.words[i.name + ".above"] = i.above;
  }
  for (const ElementAtRest& e : result.elements) {
    answer.add(e.element + ".normal", e.normal);
    answer.add(e.element + ".normal_least", e.normal_least);
    answer.add(e.element + ".normal_largest", e.normal_largest);
    answer.add(e.element + ".tangential", e.tangential);
    answer.add(e.element + ".tangential_least", e.tangential_least);
    answer.add(e.element + ".tangential_largest", e.tangential_largest);
    answer.add(e.element + ".reserve", e.reserve);
    for (const FrictionAtRest& f : e.friction) {
      answer.add(e.element + ".friction_" + f.name, f.value);
      answer.add(e.element + ".friction_" + f.name + "_least", f.least);
      answer.add(e.element + ".friction_" + f.name + "_largest", f.largest);
    }
    answer.words[e.element] = e.mode;
  }
  for (const auto& [name, value] : result.reactions) answer.add(name, value);
  for (std::size_t i = 0; i < result.stiffness.size(); ++i)
    answer.add(fmt::format("stiffness{}", i + 1), result.stiffness[i]);
  answer.words["stability"] = result.stability;
  return answer;
}

/// frequency1, damping1, re1, im1, ... by frequency; freedoms; words: stability.
Answer modes_case(const ModelSpec& model, const AcceptFile& accept) {
  const auto& o = accept.case_options;
  const NaturalModesResult result = natural_modes(model, {o.given, o.nearest, o.friction, o.touching});
  Answer answer;
  answer.add("freedoms", result.freedoms);
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const NaturalMode& m = result.modes[i];
    const std::string number = std::to_string(i + 1);
    answer.add("frequency" + number, m.frequency);
    answer.add("damping" + number, m.damping);
    answer.add("re" + number, m.eigenvalue.real());
    answer.add("im" + number, m.eigenvalue.imag());
    for (std::size_t k = 0; k < result.names.size(); ++k)
      answer.add(fmt::format("shape{}.{}", number, result.names[k]), m.shape[k].real());
  }
  for (std::size_t i = 0; i < result.coordinates.size(); ++i)
    answer.add(result.coordinate_names[i], result.coordinates[i]);
  answer.words["stability"] = result.stability;
  return answer;
}

/// motor.force, motor.least, motor.largest, motor.power at the end; possible.
Answer inverse_case(const ModelSpec& model) {
  const InverseResult result = inverse_dynamics(model);
  if (result.rows.empty()) throw InputError("inverse dynamics gave no positions");
  const InverseResult::Row& last = result.rows.back();
  Answer answer;
  answer.t = last.t;
  answer.add("possible", last.possible);
  for (std::size_t i = 0; i < result.drivers.size(); ++i) {
    answer.add(result.drivers[i].driver + ".force", last.force[i]);
    answer.add(result.drivers[i].driver + ".least", last.least[i]);
    answer.add(result.drivers[i].driver + ".largest", last.largest[i]);
    answer.add(result.drivers[i].driver + ".power", last.power[i]);
  }
  answer.words["stuck"] = last.stuck;
  return answer;
}

/// crank.angle, crank.angle.moved, rows, rank; words: free, or `refused` if it cannot be assembled.
Answer assemble_case(const ModelSpec& model, const AcceptFile& accept) {
  AssembleOptions options{accept.case_options.keep, {}};
  for (const auto& [name, weight] : accept.case_options.weights)
    options.weights.emplace_back(name, std::strtod(weight.c_str(), nullptr));
  const Assembly assembly = assemble(model, options);
  Answer answer;
  for (const auto* list : {&assembly.coordinates, &assembly.velocities})
    for (const AssembledCoordinate& c : *list) {
      answer.add(c.name, c.assembled);
      answer.add(c.name + ".moved", c.moved);
    }
  answer.add("rows", assembly.rows);
  answer.add("rank", assembly.rank);
  for (const std::string& name : assembly.free)
    answer.words["free"] += (answer.words["free"].empty() ? "" : ", ") + name;
  return answer;
}

}  // namespace

Answer analysis_case(const std::string& file, const std::vector<Override>& overrides, const AcceptFile& accept) {
  const ModelSpec model = read_model(file, overrides);
  if (accept.case_analysis == "modes") return modes_case(model, accept);
  if (accept.case_analysis == "inverse") return inverse_case(model);
  if (accept.case_analysis == "assemble") return assemble_case(model, accept);
  const auto& o = accept.case_options;
  EquilibriumOptions options;
  options.nearest = o.nearest;
  options.touching = o.touching;
  options.coordinates = o.coordinates;
  options.vary = o.vary;
  options.remake = [&](const std::string& parameter, double value) {
    std::vector<Override> changed = overrides;
    changed.push_back({"parameters." + parameter, fmt::format("{:.17g}", value)});
    return read_model(file, changed);
  };
  return equilibrium_case(model, options);
}

}  // namespace hstar::validation
