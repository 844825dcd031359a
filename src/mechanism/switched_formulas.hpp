// src/mechanism/switched_formulas.hpp
//
// The formulas of a model that the motion follows, one after the other: where their switches stand in a run's table of
// branches, and what a jump of each would mean. Measures and resets are read at instants, passive guards change
// nothing: their switches are none of the motion's.
#pragma once

#include <string>
#include <type_traits>

#include "hstar/model_spec.hpp"
#include "mechanism/signal_names.hpp"

namespace hstar {

/// What a formula gives, and so what its jump is.
enum class FormulaRole : unsigned char {
  position,  ///< prescribed: a jump is a contradiction
  anchor,    ///< of a force: it steps
  velocity,  ///< of a surface: a jump is an impact or the start of sliding
  guard,     ///< an active guard: a jump through zero is its event
  other      ///< forces, rates
};

/// Calls f(formula, name, role, access, force) for each; `force`: number of the force it stands in, -1 if in none.
template <class Model, class F>
void for_each_formula(Model& model, const F& f) {
  const auto visit = [&](auto& formula, const std::string& name, FormulaRole role, Access access, int force = -1) {
    using Formula = std::remove_cvref_t<decltype(formula)>;
    if constexpr (std::is_same_v<Formula, Expression>)
      f(formula, name, role, access, force);
    else if (formula)
      f(*formula, name, role, access, force);
  };
  using enum FormulaRole;
  const auto visit_markers = [&](auto& markers, const std::string& name, FormulaRole role) {
    for (auto& m : markers) {
      visit(m.x, name + ".point", role, Access::time_only);
      visit(m.y, name + ".point", role, Access::time_only);
    }
  };
  const auto visit_friction = [&](auto& friction, const std::string& name) {
    if (!friction) return;
    visit(friction->mu_static_formula, name + ".mu_static", other, Access::kinematic);
    visit(friction->mu_kinetic_formula, name + ".mu_kinetic", other, Access::kinematic);
    visit(friction->normal_force, name + ".normal_force", other, Access::kinematic);
  };
  const auto visit_spring = [&](auto& force, const std::string& name, int index) {
    const Access access = force.type.find("spring") != std::string::npos ? Access::own_spring : Access::kinematic;
    visit(force.stiffness, name + ".stiffness", other, access, index);
    visit(force.damping, name + ".damping", other, access, index);
    visit(force.free_length, name + ".free_length", other, access, index);
    visit(force.actuator, name + ".actuator", other, access, index);
  };
  for (auto& b : model.bodies) {
    if (!b.motion) continue;
    visit(b.motion->x, b.name + ".motion", position, Access::time_only);
    visit(b.motion->y, b.name + ".motion", position, Access::time_only);
    visit(b.motion->angle, b.name + ".motion", position, Access::time_only);
  }
  for (auto& j : model.joints) {
    visit_markers(j.markers, j.name, position);
    visit(j.value, j.name + ".value", position, j.type == "equation" ? Access::place : Access::time_only);
    visit_friction(j.friction, j.name);
  }
  int index = 0;
  for (auto& force : model.forces) {
    visit_markers(force.markers, force.name, anchor);
    visit(force.fx, force.name + ".force", other, Access::kinematic);
    visit(force.fy, force.name + ".force", other, Access::kinematic);
    visit(force.torque, force.name + ".torque", other, Access::kinematic);
    visit_spring(force, force.name, index++);
  }
  for (auto& c : model.contacts) {
    for (auto* shape : {&c.first, &c.second}) {
      visit(shape->marker.x, c.name + ".point", position, Access::time_only);
      visit(shape->marker.y, c.name + ".point", position, Access::time_only);
      visit(shape->surface_velocity, c.name + ".surface_velocity", velocity, Access::time_only);
    }
    visit(c.gap, c.name + ".gap", position, Access::place);
    visit(c.slide, c.name + ".slide", position, Access::place);
    visit_friction(c.friction, c.name);
  }
  for (auto& b : model.spatial.bodies) {
    if (!b.motion) continue;
    visit(b.motion->x, b.name + ".motion", position, Access::time_only);
    visit(b.motion->y, b.name + ".motion", position, Access::time_only);
    visit(b.motion->z, b.name + ".motion", position, Access::time_only);
    visit(b.motion->angle, b.name + ".motion", position, Access::time_only);
  }
  for (auto& j : model.spatial.joints) {
    visit(j.value, j.name + ".value", position, Access::time_only);
    visit_friction(j.friction, j.name);
  }
  index = 0;
  for (auto& force : model.spatial.forces) {
    for (auto& component : force.vector) visit(component, force.name + ".vector", other, Access::kinematic);
    visit_spring(force, force.name, index++);
  }
  for (auto& c : model.spatial.contacts) {
    for (auto* shape : {&c.first, &c.second}) {
      if (!shape->surface_velocity) continue;
      for (auto& component : *shape->surface_velocity)
        visit(component, c.name + ".surface_velocity", velocity, Access::time_only);
    }
    visit_friction(c.friction, c.name);
  }
  for (auto& s : model.states) visit(s.rate, s.name + ".rate", other, Access::kinematic);
  for (auto& g : model.guards)
    if (g.changes() || g.terminal) visit(g.when, g.name, guard, Access::kinematic);
}

/// Gives every switch its place in the table of branches; how many there are.
inline int place_switches(ModelSpec& model) {
  int count = 0;
  for_each_formula(model, [&](Expression& formula, const std::string&, FormulaRole, Access, int) {
    if (formula.switch_count() == 0) return;
    formula.place_switches(count);
    count += formula.switch_count();
  });
  return count;
}

}  // namespace hstar
