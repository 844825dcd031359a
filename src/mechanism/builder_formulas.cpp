// src/mechanism/builder_formulas.cpp: what a model says by formulas alone: states, guards, measures.
#include <algorithm>

#include "mechanism/builder.hpp"
#include "mechanism/spatial/build.hpp"

namespace hstar {
namespace {

/// A program's functions of a guard see orientations and angular velocities in the axes that the model gives. The guard
/// is part of the system.
void see_written_state(const System& system, GuardSpec& guard) {
  const System* const s = &system;
  if (guard.function)
    guard.function = [s, f = guard.function](double t, std::span<const double> y) {
      thread_local std::vector<double> written;
      written.assign(y.begin(), y.end());
      s->as_written(written.data());
      return f(t, written);
    };
  if (guard.change)
    guard.change = [s, f = guard.change](double t, std::span<double> y) {
      s->as_written(y.data());
      f(t, y);
      to_own_axes(*s, y.data());
    };
}

}  // namespace

void Builder::states() {
  for (const StateSpec& spec : spec_.states)
    system_->states.push_back(
        {spec.name, spec.initial, names_.bind(spec.rate, Access::kinematic, "state \"" + spec.name + "\": rate")});
  for (const Turning& turning : turning_) {
    BoundExpression rate;
    rate.formula = Expression::compile("rate", {}, {});
    rate.refs = {{SignalKind::force_rate, turning.force}};
    rate.constant = false;
    system_->states.push_back({turning.state, 0, std::move(rate)});
  }
  for (const ToldState& told : system_->told) system_->states.push_back({told.name, 0, {}});
}

void Builder::guards() {
  System& s = *system_;
  const auto names = s.state_names();
  for (const GuardSpec& spec : spec_.guards) {
    const std::string owner = "guard \"" + spec.name + "\"";
    UserGuard guard;
    guard.spec = spec;
    if (spec.times.empty() && !spec.function) guard.when = names_.bind(spec.when, Access::solved, owner + ": when");
    const bool forces = std::any_of(guard.when.refs.begin(), guard.when.refs.end(),
                                    [](const SignalRef& r) { return r.kind >= SignalKind::force_value; });
    if (forces && spec.when.switch_count() > 0)
      fail(spec.when.where(), owner +
                                  ": when: a formula of forces or accelerations may have no relations, abs, sign, min, "
                                  "max or tables in it; give each of its sides a guard");
    for (const auto& [target, value] : spec.reset) {
      const auto it = std::find(names.begin(), names.end(), target);
      if (it == names.end()) fail(value.where(), owner + ": reset: unknown state \"" + target + "\"");
      guard.reset.emplace_back(static_cast<int>(it - names.begin()),
                               names_.bind(value, Access::kinematic, owner + ": reset"));
    }
    if (s.has_own_axes()) see_written_state(s, guard.spec);
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

void Builder::switches() {
  System& s = *system_;
  for_each_formula(spec_,
                   [&](const Expression& formula, const std::string& name, FormulaRole role, Access access, int force) {
                     if (formula.has_hidden_switches() && (s.unwatched.empty() || s.unwatched.back() != name))
                       s.unwatched.push_back(name);
                     if (formula.switch_count() == 0) return;
                     SwitchedFormula switched{name, role, names_.bind(formula, access, name)};
                     for (SignalRef& r : switched.bound.refs) {
                       if (r.kind == SignalKind::own_length) r = {SignalKind::force_length, force};
                       if (r.kind == SignalKind::own_rate) r = {SignalKind::force_rate, force};
                     }
                     s.branches = formula.first_switch() + formula.switch_count();
                     s.switched.push_back(std::move(switched));
                   });
}

}  // namespace hstar
