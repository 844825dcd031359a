// src/mechanism/builder_forces.cpp: forces of the plane and of space, and what each of them reads.
#include <algorithm>

#include "mechanism/builder.hpp"
#include "mechanism/planar/forces.hpp"
#include "mechanism/planar/user_elements.hpp"
#include "mechanism/spatial/build.hpp"
#include "mechanism/spatial/forces.hpp"
#include "mechanism/spatial/joint_measure.hpp"
#include "mechanism/spatial/user_elements.hpp"

namespace hstar {

void Builder::forces() {
  for (const ForceSpec& spec : spec_.forces) {
    const std::string owner = "force \"" + spec.name + "\"";
    if (spec.user) {
      own_force(spec, owner);
      continue;
    }
    if (system_->is_spatial())
      fail(spec.where, owner + ": a planar force in a spatial model; those in space are in spatial.forces");
    ForceContext context;
    if (spec.markers.size() == 1) {
      context.second = marker(spec.markers[0], owner);
    } else {
      context.first = marker(spec.markers[0], owner);
      context.second = marker(spec.markers[1], owner);
    }
    ForceReach reach{{context.first.body, context.second.body}, {}};
    context.bind = [&](const Expression& e, std::string_view what) {
      return bind_force(e, spec.type, owner + ": " + std::string(what), reach);
    };
    const auto entries = planar_forces();
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.type == spec.type; });
    if (entry == entries.end()) fail(spec.where, owner + ": unknown type \"" + spec.type + "\"");
    add_force(entry->make(spec, context), spec.name, spec.where, std::move(reach));
  }
}

void Builder::own_force(const ForceSpec& spec, const std::string& owner) {
  if (spec.markers.empty() || spec.markers.size() > most_user_bodies)
    fail(spec.where, owner + ": a force of one's own acts on 1 to " + std::to_string(most_user_bodies) +
                         " bodies, not " + std::to_string(spec.markers.size()));
  std::vector<int> bodies;
  for (const MarkerSpec& m : spec.markers) bodies.push_back(marker(m, owner).body);
  auto force = system_->is_spatial() ? make_spatial_user_force(spec.user, bodies) : make_user_force(spec.user, bodies);
  add_force(std::move(force), spec.name, spec.where, {std::move(bodies), {}});
}

void Builder::spatial_forces() {
  System& s = *system_;
  for (SpatialForceSpec spec : spec_.spatial.forces) {
    const int index = static_cast<int>(s.forces.size());
    const std::string owner = "force \"" + spec.name + "\"";
    std::array<int, 2> body{};
    ForceReach reach;
    for (std::size_t i = 0; i < 2; ++i) {
      body[i] = names_.bodies.at(spec.markers[i].body);
      reach.bodies.push_back(body[i]);
      to_own_axes(s.bodies[body[i]], spec.markers[i]);
    }
    SpatialForceContext context;
    context.first = body[0];
    context.second = body[1];
    context.second_axes = s.bodies[body[1]].axes;
    context.turn_state = turn_state(index);
    if (context.turn_state >= 0) reach.states.push_back(context.turn_state);
    context.bind = [&](const Expression& e, std::string_view what) {
      return bind_force(e, spec.type, owner + ": " + std::string(what), reach);
    };
    const auto entries = hstar::spatial_forces();
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.type == spec.type; });
    if (entry == entries.end()) fail(spec.where, owner + ": unknown type \"" + spec.type + "\"");
    add_force(entry->make(spec, context), spec.name, spec.where, std::move(reach));
  }
}

void Builder::joint_measures() {
  System& s = *system_;
  for (std::size_t i = 0; i < joint_measures_.size(); ++i) {
    const Joint& joint = *s.joints[joint_measures_[i].joint];
    const int state = turn_state(measure_force(i));
    ForceReach reach{{joint.first.body, joint.second.body}, {}};
    if (state >= 0) reach.states.push_back(state);
    add_force(make_joint_measure(joint, joint_measures_[i].which, state), joint.name, joint.where, std::move(reach));
  }
}

void Builder::add_force(std::unique_ptr<Force> force, const std::string& name, const Location& where,
                        ForceReach reach) {
  force->name = name;
  force->where = where;
  system_->forces.push_back(std::move(force));
  system_->force_reach.push_back(std::move(reach));
}

BoundExpression Builder::bind_force(const Expression& e, const std::string& type, const std::string& what,
                                    ForceReach& reach) const {
  const bool spring = type.find("spring") != std::string::npos;
  auto bound = names_.bind(e, spring ? Access::own_spring : Access::kinematic, what);
  for (const SignalRef& r : bound.refs) note_reach(r, reach);
  return bound;
}

void Builder::bind_friction(const FrictionSpec& spec, const std::string& owner, FrictionUnit& unit) const {
  const auto bind = [&](const std::optional<Expression>& e, const char* key, std::optional<BoundExpression>& to) {
    if (!e) return;
    to = names_.bind(*e, Access::kinematic, owner + ": friction." + key);
    for (const SignalRef& r : to->refs) note_reach(r, unit.reach);
  };
  bind(spec.mu_static_formula, "mu_static", unit.mu_static_formula);
  bind(spec.mu_kinetic_formula, "mu_kinetic", unit.mu_kinetic_formula);
  bind(spec.normal_force, "normal_force", unit.normal_force);
}

void Builder::note_reach(const SignalRef& r, ForceReach& reach) const {
  if (r.kind == SignalKind::state) reach.states.push_back(r.index);
  if (r.kind >= SignalKind::body_x && r.kind <= SignalKind::body_omega) reach.bodies.push_back(r.index);
  if (r.kind == SignalKind::spatial_motion) reach.bodies.push_back(r.index / 16);
  if (r.kind == SignalKind::force_length || r.kind == SignalKind::force_rate) {
    const auto add_body = [&](const std::string& body) {
      if (const auto it = names_.bodies.find(body); it != names_.bodies.end()) reach.bodies.push_back(it->second);
    };
    const auto add = [&](const auto& markers) {
      for (const auto& m : markers) add_body(m.body);
    };
    const auto at = static_cast<std::size_t>(r.index);
    const std::size_t in_space = spec_.spatial.forces.size();
    const std::size_t of_joints = in_space + joint_measures_.size(), written = of_joints + spec_.forces.size();
    if (at < in_space)
      add(spec_.spatial.forces[at].markers);
    else if (at < of_joints)
      add(spec_.spatial.joints[joint_measures_[at - in_space].joint].markers);
    else if (at < written)
      add(spec_.forces[at - of_joints].markers);
    else
      for (const std::string& body : contact_bodies(gaps_[at - written])) add_body(body);
    if (const int state = system_->is_spatial() ? turn_state(r.index) : -1; state >= 0) reach.states.push_back(state);
  }
}

void Builder::linear_forces() {
  System& s = *system_;
  std::vector<BodyFreedom> freedom;
  for (const Body& b : s.bodies)
    freedom.push_back({b.turns && !(b.prescribed && b.angle.is_constant()),
                       !b.prescribed || (b.x.is_affine() && b.y.is_affine() && b.angle.is_affine())});
  for (const auto& force : s.forces) s.force_affine.push_back(force->is_affine(freedom));
}

}  // namespace hstar
