// src/model/check_names.cpp
//
// Which names a formula may use: every name in every formula is either something the model has, in
// a place where it is known, or an error at its column.
#include <fmt/core.h>
#include <algorithm>
#include <unordered_set>

#include "mechanism/joint_stops.hpp"
#include "mechanism/planar/shape_pairs.hpp"
#include "mechanism/spatial/joints.hpp"
#include "mechanism/spatial/shapes.hpp"
#include "model/excerpt.hpp"
#include "model/nearest.hpp"
#include "model/reader.hpp"

namespace hstar::model {
namespace {

using Names = std::vector<std::string>;

void add(Names& names, const std::string& owner, std::initializer_list<const char*> quantities) {
  for (const char* q : quantities) names.push_back(owner + "." + q);
}

template <class Spec>
bool is_spring(const Spec& f) {
  return f.type == "spring_damper" || f.type == "rotational_spring_damper";
}

/// What events alone change of contacts and friction: of whole contacts, and of their parts.
void add_told(Names& names, const ModelSpec& spec) {
  const auto add_contact = [&](const std::string& name, bool friction) {
    add(names, name, {"impacts", "closed"});
    if (friction) add(names, name, {"stuck"});
  };
  for (const ContactSpec& c : spec.contacts) add_contact(c.name, c.friction.has_value());
  for (const ContactSpec& c : point_contacts(spec.contacts)) add_contact(c.name, c.friction.has_value());
  for (const SpatialContactSpec& c : spec.spatial.contacts) {
    add_contact(c.name, c.friction.has_value());
    for (const ContactPart& part : contact_parts(c)) add_contact(part.name, c.friction.has_value());
  }
  const auto add_joint = [&](const auto& j) {
    if (j.friction) add(names, j.name, {"stuck"});
    for (const JointStop& stop : joint_stops(j.name, j.limits)) add_contact(stop.name, false);
  };
  for (const JointSpec& j : spec.joints) add_joint(j);
  for (const SpatialJointSpec& j : spec.spatial.joints) add_joint(j);
}

/// Contacts by the names that they have as single ones.
Names single_contacts(const ModelSpec& spec) {
  Names names;
  for (const ContactSpec& c : point_contacts(spec.contacts)) names.push_back(c.name);
  for (const SpatialContactSpec& c : spec.spatial.contacts)
    for (const ContactPart& part : contact_parts(c)) names.push_back(part.name);
  const auto add_stops = [&](const auto& joints) {
    for (const auto& j : joints)
      for (const JointStop& stop : joint_stops(j.name, j.limits)) names.push_back(stop.name);
  };
  add_stops(spec.joints);
  add_stops(spec.spatial.joints);
  return names;
}

/// Everything that may be used in forces, rates, guards and resets.
Names measured_names(const ModelSpec& spec) {
  Names names{"t"};
  for (const StateSpec& s : spec.states) names.push_back(s.name);
  for (const BodySpec& b : spec.bodies) {
    add(names, b.name, {"x", "y", "vx", "vy"});
    if (b.inertia || b.motion) add(names, b.name, {"angle", "omega"});
  }
  for (const SpatialBodySpec& b : spec.spatial.bodies)
    add(names, b.name,
        {"x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz", "omega_x", "omega_y", "omega_z"});
  for (const ForceSpec& f : spec.forces)
    if (is_spring(f)) add(names, f.name, {"length", "rate"});
  for (const SpatialForceSpec& f : spec.spatial.forces) {
    if (is_spring(f)) add(names, f.name, {"length", "rate"});
    if (f.type == "rotational_spring_damper") add(names, f.name, {"angle"});
  }
  for (const SpatialJointSpec& j : spec.spatial.joints) {
    for (const std::string_view word : free_coordinates(j.type)) {
      names.push_back(j.name + "." + std::string(word));
      names.push_back(names.back() + "_rate");
    }
  }
  for (const std::string& contact : single_contacts(spec)) add(names, contact, {"gap", "gap_velocity"});
  add_told(names, spec);
  return names;
}

/// What constraints and contacts in coordinates may use.
Names place_names(const ModelSpec& spec) {
  Names names{"t"};
  for (const BodySpec& b : spec.bodies) {
    add(names, b.name, {"x", "y"});
    if (b.inertia || b.motion) add(names, b.name, {"angle"});
  }
  return names;
}

/// What only measures may use: known after the accelerations have been solved for.
Names reaction_names(const ModelSpec& spec) {
  Names names;
  for (const BodySpec& b : spec.bodies) {
    add(names, b.name, {"ax", "ay"});
    if (b.inertia || b.motion) add(names, b.name, {"alpha"});
  }
  for (const SpatialBodySpec& b : spec.spatial.bodies)
    add(names, b.name, {"ax", "ay", "az", "alpha_x", "alpha_y", "alpha_z"});
  for (const SpatialJointSpec& j : spec.spatial.joints) {
    add(names, j.name, {"fx", "fy", "fz", "tx", "ty", "tz"});
    if (j.friction) add(names, j.name, {"normal", "tangential", "slip_velocity"});
  }
  for (const JointSpec& j : spec.joints) {
    add(names, j.name, {"fx", "fy", "torque"});
    if (j.type == "translational") add(names, j.name, {"normal", "tangential"});
  }
  for (const std::string& contact : single_contacts(spec)) {
    add(names, contact, {"slip_velocity", "normal", "tangential"});
    if (spec.dimension == 3) add(names, contact, {"slip_x", "slip_y", "slip_z", "fx", "fy", "fz"});
  }
  for (const SpatialContactSpec& c : spec.spatial.contacts)
    if (changes_features(c))
      for (const char* word : whole_contact_words) add(names, c.name, {word});
  for (const ForceSpec& f : spec.forces)
    if (is_spring(f)) add(names, f.name, {"force"});
  for (const SpatialForceSpec& f : spec.spatial.forces)
    if (is_spring(f)) add(names, f.name, {"force"});
  if (spec.has_bodies()) names.emplace_back("energy");
  return names;
}

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const char* allowed_text(Scope scope) {
  switch (scope) {
    case Scope::constant:
      return "only parameters";
    case Scope::time:
      return "only t and parameters";
    case Scope::place:
      return "only t, parameters and the coordinates x, y, angle of bodies";
    case Scope::measured:
    case Scope::element:
      return "only t, parameters, states, positions and velocities of bodies, lengths and rates of springs";
    case Scope::reaction:
      break;
  }
  return "only measured quantities";
}

/// Why a name that is not allowed is not: the most helpful sentence there is.
std::string reason(const std::string& name, Scope scope, const ModelSpec& spec, const Names& allowed,
                   const Names& measured, const Names& reactions, const Context& context) {
  if (has(reactions, name) && (scope == Scope::measured || scope == Scope::element))
    return fmt::format(
        "\"{}\" is known only after the forces; it may be used in [[measure]] and in `when` of guards only", name);
  if (has(measured, name) || has(reactions, name))
    return fmt::format("\"{}\" may not be used here, {}", name, allowed_text(scope));
  if (name == "length" || name == "rate")
    return fmt::format(
        "\"{0}\" alone means the element's own, in formulas of springs; elsewhere write spring.{0} with "
        "the spring's name",
        name);
  for (const MeasureSpec& m : spec.measures)
    if (m.name == name)
      return fmt::format("\"{}\" is a measure; formulas cannot use measures, write out its value", name);
  for (const BodySpec& b : spec.bodies)
    if (!b.inertia && !b.motion &&
        (name == b.name + ".angle" || name == b.name + ".omega" || name == b.name + ".alpha"))
      return fmt::format("body \"{}\" is a point mass and has no angle; give it an inertia", b.name);
  Names known = allowed;
  for (const std::string& p : context.parameter_names()) known.push_back(p);
  for (const char* constant : {"pi", "e"})
    if (!has(known, constant)) known.emplace_back(constant);
  return fmt::format("unknown name \"{}\"; {}", name, suggestion(name, known, "known here"));
}

}  // namespace

void check_names(const ModelSpec& spec, const Context& context) {
  const Names measured = measured_names(spec), reactions = reaction_names(spec), places = place_names(spec);
  const std::unordered_set<std::string_view> is_measured(measured.begin(), measured.end()),
      is_reaction(reactions.begin(), reactions.end()), is_place(places.begin(), places.end());
  const auto is_allowed = [&](const std::string& name, Scope scope) {
    const bool measures = scope == Scope::measured || scope == Scope::element || scope == Scope::reaction;
    return (scope == Scope::time && name == "t") || (scope == Scope::place && is_place.count(name) > 0) ||
           (measures && is_measured.count(name) > 0) ||
           (scope == Scope::element && (name == "length" || name == "rate")) ||
           (scope == Scope::reaction && is_reaction.count(name) > 0);
  };
  for (const FormulaUse& use : context.uses) {
    const Names& used = use.formula.variables();
    for (std::size_t k = 0; k < used.size(); ++k) {
      if (is_allowed(used[k], use.scope)) continue;
      Names allowed;
      if (use.scope == Scope::time) allowed = {"t"};
      if (use.scope == Scope::place) allowed = places;
      if (use.scope == Scope::measured || use.scope == Scope::element || use.scope == Scope::reaction)
        allowed = measured;
      if (use.scope == Scope::element) allowed.insert(allowed.end(), {"length", "rate"});
      if (use.scope == Scope::reaction) allowed.insert(allowed.end(), reactions.begin(), reactions.end());
      const Location where = use.formula.where_variable(k);
      const auto at = static_cast<std::size_t>(std::max(0, where.column - use.formula.where().column));
      throw InputError(where, fmt::format("{} = \"{}\": {}", use.owner, excerpt(use.formula.text(), at),
                                          reason(used[k], use.scope, spec, allowed, measured, reactions, context)));
    }
  }
}

}  // namespace hstar::model
