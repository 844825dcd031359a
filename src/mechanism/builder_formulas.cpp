// src/mechanism/builder_formulas.cpp: what a model says by formulas alone: states, guards, measures.
#include <algorithm>

#include "mechanism/builder.hpp"

namespace hstar {

void Builder::states() {
  for (const StateSpec& spec : spec_.states)
    system_->states.push_back(
        {spec.name, spec.initial, names_.bind(spec.rate, Access::kinematic, "state \"" + spec.name + "\": rate")});
  for (std::size_t i = 0; i < spec_.spatial.forces.size(); ++i) {
    if (!counts_turns(spec_.spatial.forces[i])) continue;
    BoundExpression rate;
    rate.formula = Expression::compile("rate", {}, {});
    rate.refs = {{SignalKind::force_rate, static_cast<int>(i)}};
    rate.constant = false;
    system_->states.push_back({turn_state(spec_.spatial.forces[i]), 0, std::move(rate)});
  }
}

void Builder::guards() {
  System& s = *system_;
  const auto names = s.state_names();
  for (const GuardSpec& spec : spec_.guards) {
    const std::string owner = "guard \"" + spec.name + "\"";
    UserGuard guard;
    guard.spec = spec;
    if (spec.times.empty() && !spec.function) guard.when = names_.bind(spec.when, Access::kinematic, owner + ": when");
    for (const auto& [target, value] : spec.reset) {
      const auto it = std::find(names.begin(), names.end(), target);
      if (it == names.end()) fail(value.where(), owner + ": reset: unknown state \"" + target + "\"");
      for (const Body& b : s.bodies) {
        const auto index = it - names.begin();
        const bool turns = (index >= b.coordinate + 3 && index < b.coordinate + 7) ||
                           (index >= s.nq + b.dof + 3 && index < s.nq + b.dof + 6);
        if (b.has_own_axes && turns)
          fail(value.where(), owner + ": reset: \"" + target +
                                  "\" of a body whose inertia is not diagonal cannot be "
                                  "reset yet; write the body in its principal axes");
      }
      guard.reset.emplace_back(static_cast<int>(it - names.begin()),
                               names_.bind(value, Access::kinematic, owner + ": reset"));
    }
    s.guards.push_back(std::move(guard));
  }
}

void Builder::measures() {
  for (const MeasureSpec& spec : spec_.measures) {
    if (spec.name == "energy" || spec.name == "t" || names_.states.count(spec.name))
      fail(spec.where, "measure \"" + spec.name + "\": a column of this name is recorded anyway; choose another name");
    Measure m{spec.name, spec.unit, names_.bind(spec.value, Access::solved, "measure \"" + spec.name + "\""), false};
    for (const SignalRef& r : m.value.refs) m.needs_solve |= r.kind >= SignalKind::force_value;
    system_->measures.push_back(std::move(m));
  }
}

}  // namespace hstar
