// src/simulate/modes.cpp: the consistent modes of a state.
#include "hstar/modes.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "simulate/model_process.hpp"
#include "simulate/options.hpp"

namespace hstar {
namespace {

ConsistentMode describe(MechanismProcess& process, const Mode& mode) {
  const System& s = process.system();
  const ModeEquations& equations = process.equations();
  ConsistentMode out;
  out.text = mode_text(s, mode);
  if (!process.solve_mode(mode)) return out;
  const auto rate_of = [&](const Row& row) { return row.rate(equations.acceleration().data(), s.columns); };
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    if (unit.joint < 0) continue;
    const int i = static_cast<int>(u);
    out.elements.push_back({s.joints[unit.joint]->name, friction_mode_text(s, mode, i), equations.normal_force(i),
                            equations.friction_force(i), 0.0, rate_of(equations.motion.tangent_row(i))});
  }
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const int i = static_cast<int>(c), unit = s.contact_friction[c];
    ElementInMode e{s.contacts[c]->name, contact_mode_text(s, mode, i)};
    e.lambda_n = equations.contact_force(i);
    e.gap_acceleration = rate_of(equations.motion.normal_row(i));
    if (unit >= 0) {
      e.lambda_t = equations.friction_force(unit);
      e.slide_acceleration = rate_of(equations.motion.tangent_row(unit));
    }
    out.elements.push_back(std::move(e));
  }
  out.note = process.range_text(mode);
  return out;
}

}  // namespace

ModeAnswer consistent_modes(const ModelSpec& model, const std::vector<std::pair<std::string, double>>& states) {
  const auto system = build_system(model);
  const auto made = model_process(model, system);
  MechanismProcess& process = *made;
  std::vector<double> y = system->initial_state();
  const std::vector<std::string> names = system->state_names();
  for (const auto& [name, value] : states) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError("the model has no state \"" + name + "\"; `hstar info` prints the names of all states");
    y[found - names.begin()] = value;
  }
  ModeAnswer answer;
  std::vector<Mode> modes;
  Settled settled;
  if (!process.classify(model.simulation.start, y, modes, settled)) {
    answer.kind = "impossible";
    answer.why = settled.message;
    return answer;
  }
  answer.kind = modes.empty() ? "inconsistent" : modes.size() == 1 ? "unique" : "indeterminate";
  ContactReduction& reduction = process.solver().reduction();
  for (int i = 0; i < reduction.count() && modes.size() <= 1; ++i)
    if (!reduction.island(i).elements.empty() && !reduction.island(i).is_planar())
      answer.kind = modes.empty() ? "not found" : "found";
  for (int i = 0; i < reduction.count(); ++i) {
    const ContactReduction::Island& island = reduction.island(i);
    const contact::Problem& p = island.problem;
    std::size_t contact = 0, unit = 0;
    for (const UndecidedElement& e : island.elements) {
      const contact::Contact* c = e.contact >= 0 ? &p.contact[contact++] : nullptr;
      const contact::Unit* u = e.unit >= 0 ? &p.unit[unit++] : nullptr;
      if (!c || (u && u->directions > 1)) continue;
      const double nn = p.g(c->row, c->row), nt = u ? p.g(c->row, u->row) : 0, mu = u ? u->mu_kinetic : 0;
      answer.contacts.push_back({system->contacts[e.contact]->name, p.c[c->row], nn - mu * nt, nn + mu * nt});
    }
  }
  for (const Mode& mode : modes) answer.modes.push_back(describe(process, mode));
  return answer;
}

std::string modes_text(const ModeAnswer& answer) {
  std::string text = "  " + answer.kind;
  if (answer.kind == "impossible") return text + ": " + answer.why + "\n";
  if (answer.kind == "inconsistent") text += ": no mode satisfies the laws of contact and friction here";
  if (answer.kind == "found")
    text += ": one mode satisfies the laws; where friction has several directions others are not looked for";
  if (answer.kind == "not found") text += ": no mode was found that satisfies the laws of contact and friction here";
  if (answer.kind == "indeterminate")
    text += fmt::format(": {} modes satisfy the laws; a run takes the first ({})", answer.modes.size(), mode_rule);
  text += "\n";
  for (const ConsistentMode& mode : answer.modes) {
    text += "  " + mode.text + "\n";
    for (const ElementInMode& e : mode.elements)
      text +=
          fmt::format("    {:20} {:7} lambda_N = {:.10g}, lambda_T = {:.10g}, g_N'' = {:.10g}, gamma_T' = {:.10g}\n",
                      e.element, e.mode, e.lambda_n, e.lambda_t, e.gap_acceleration, e.slide_acceleration);
    if (!mode.note.empty()) text += "    " + mode.note + "\n";
  }
  for (const ContactNumbers& c : answer.contacts)
    text += fmt::format("    {:20} b = {:.10g} m/s^2, p+ = {:.10g}, p- = {:.10g} 1/kg\n", c.contact, c.b, c.p_plus,
                        c.p_minus);
  return text;
}

}  // namespace hstar
