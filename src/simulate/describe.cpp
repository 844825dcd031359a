// src/simulate/describe.cpp: what `hstar info` prints.

#include "hstar/modes.hpp"
#include "hstar/output_rows.hpp"
#include "hstar/run.hpp"
#include "mechanism/short_number.hpp"
#include "simulate/model_process.hpp"
#include "simulate/options.hpp"

namespace hstar {
namespace {

std::string number(double x) { return short_number(x, 10); }

class Quiet final : public EventLog {
 public:
  bool wanted() const override { return false; }
  void add(EventRecord) override {}
};

std::string line(const std::string& name, const std::string& value) {
  std::string text = "  " + name;
  text.append(text.size() < 24 ? 24 - text.size() : 1, ' ');
  return text + value + "\n";
}

}  // namespace

std::string describe_model(const ModelSpec& model) {
  const auto system = build_system(model);
  const System& s = *system;
  const auto made = model_process(model, system);
  MechanismProcess& process = *made;
  auto y = s.initial_state();
  Quiet quiet;
  const Settled settled = process.start(model.simulation.start, y, quiet);

  std::string text = (model.title.empty() ? model.file : model.title) + "\n";
  text += "\nmechanism\n";
  int redundant = 0;
  for (const auto& notice : process.notices()) redundant += notice.find("is redundant") != std::string::npos;
  text += line("bodies", std::to_string(model.bodies.size() + model.spatial.bodies.size()) + " (+ ground)");
  for (const Body& b : s.bodies) {
    if (b.name == "ground") continue;
    const auto moments = [&] {
      return ", principal moments of inertia " + number(b.moment[0]) + ", " + number(b.moment[1]) + ", " +
             number(b.moment[2]) + " kg m^2";
    };
    text += line("  " + b.name, b.prescribed ? (b.fixed ? "fixed" : "prescribed motion")
                                             : "mass " + number(b.mass) + " kg" +
                                                   (s.is_spatial() ? moments()
                                                    : b.turns      ? ", inertia " + number(b.inertia) + " kg m^2"
                                                                   : ", point mass"));
  }
  text += line("coordinates", std::to_string(s.nq));
  text += line("constraint rows",
               std::to_string(s.rows) + (redundant ? " (" + std::to_string(redundant) + " redundant)" : ""));
  text += line("degrees of freedom", std::to_string(s.nv - s.rows + redundant) + " before friction and contact");
  text += line("frictional elements", std::to_string(s.frictions.size()));
  text += line("contacts", std::to_string(s.contacts.size()));
  text += line("extra states", std::to_string(s.ns));
  text += line("guards of the model", std::to_string(s.guards.size()));

  text += "\ninitial mode\n";
  if (settled.then == Settled::Then::fail) {
    text += "  none: " + settled.message + "\n";
  } else {
    const Mode& mode = process.mode();
    for (std::size_t j = 0; j < s.joints.size(); ++j)
      if (s.joint_friction[j] >= 0) text += line(s.joints[j]->name, friction_mode_text(s, mode, s.joint_friction[j]));
    for (std::size_t c = 0; c < s.contacts.size(); ++c)
      text += line(s.contacts[c]->name, contact_mode_text(s, mode, static_cast<int>(c)));
    if (s.frictions.empty() && s.contacts.empty()) text += "  smooth: nothing sticks, slips or touches\n";
  }
  if (!s.frictions.empty() || !s.contacts.empty()) text += "\nconsistent modes\n" + modes_text(consistent_modes(model));
  text += "\ninitial state (consistent)\n";
  const auto names = s.state_names(), units = s.state_units();
  if (s.is_spatial()) s.as_written(y.data());
  for (std::size_t i = 0; i < names.size(); ++i)
    text += line(names[i], number(y[i]) + (units[i].empty() ? "" : " " + units[i]));
  if (!process.notices().empty()) {
    text += "\nnotices\n";
    for (const auto& notice : process.notices()) text += "  " + notice + "\n";
  }

  const SimulationSpec& sim = model.simulation;
  const LoopOptions options = loop_options(model, s);
  text += "\noptions\n";
  text += line("start, end", number(sim.start) + " s, " + number(sim.end) + " s");
  const IntegratorEntry* entry = find_integrator(sim.integrator);
  text +=
      line("integrator",
           sim.integrator +
               (entry ? (entry->name == sim.integrator ? " (" : " (" + entry->name + ": ") + entry->about + ")" : ""));
  text += line("formulation", std::string(formulation_in_use(model, s).name) +
                                  (sim.formulation.empty() ? " (chosen: default for this mechanism)" : ""));
  text += line("rtol, atol",
               number(sim.rtol) + ", " + number(options.flow.atol) + (sim.atol > 0 ? "" : " (chosen: 1e-3 rtol)"));
  text += line("max_step", sim.max_step > 0 ? number(sim.max_step) + " s" : "none");
  text += line("first_step", sim.first_step > 0 ? number(sim.first_step) + " s" : "chosen by the integrator");
  text += line("fixed_step", sim.fixed_step > 0 ? number(sim.fixed_step) + " s" : "none: error control");
  text += line("output", sim.output > 0             ? "every " + number(sim.output) + " s"
                         : sim.output == every_step ? "every step"
                                                    : "dense");
  text += line("stop_after_events", sim.stop_after_events > 0 ? std::to_string(sim.stop_after_events) : "none");
  text += line("max_events_per_instant", std::to_string(options.max_events_per_instant));
  return text;
}

}  // namespace hstar
