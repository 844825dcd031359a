// src/mechanism/builder_joints.cpp: joints of the plane and of space, and the friction in them.
#include <algorithm>

#include "mechanism/builder.hpp"
#include "mechanism/planar/joints.hpp"
#include "mechanism/planar/user_elements.hpp"
#include "mechanism/spatial/build.hpp"
#include "mechanism/spatial/joint_element.hpp"
#include "mechanism/spatial/user_elements.hpp"

namespace hstar {

namespace {

bool needs_angle(const JointSpec& spec, bool is_second) {
  if (spec.type == "relative_angle") return true;
  if (spec.type == "absolute_angle") return is_second;
  return spec.type == "revolute" && (spec.friction.has_value() || !spec.limits.empty());
}

}  // namespace

void Builder::joints() {
  System& s = *system_;
  for (const JointSpec& spec : spec_.joints) {
    const std::string owner = "joint \"" + spec.name + "\"";
    if (spec.user) check_own_joint(spec, owner);
    if (s.is_spatial()) {
      own_spatial_joint(spec, owner);
      continue;
    }
    Marker first, second;
    BoundExpression formula;
    if (spec.type == "equation") {
      formula = names_.bind(*spec.value, Access::place, owner + ": equation");
      const auto bodies = SignalNames::bodies_of({&formula}, spec.value->where(), owner);
      first.body = bodies[0];
      second.body = bodies[1];
    } else if (spec.markers.size() == 1) {
      second = marker(spec.markers[0], owner);
    } else {
      first = marker(spec.markers[0], owner);
      second = marker(spec.markers[1], owner);
    }
    const auto entries = planar_joints();
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.type == spec.type; });
    if (entry == entries.end() && !spec.user) fail(spec.where, owner + ": unknown type \"" + spec.type + "\"");
    const auto turns = [&](int b) { return s.bodies[b].turns || b == 0; };
    const JointContext context{turns(first.body), turns(second.body), second.body, std::move(formula)};
    for (const auto& [b, does] : {std::pair{first, context.first_turns}, std::pair{second, context.second_turns}})
      if (!does && needs_angle(spec, b.body == second.body))
        fail(spec.where,
             owner + ": body \"" + s.bodies[b.body].name + "\" is a point mass and has no angle; give it an inertia");
    auto joint = spec.user ? make_user_joint(spec.user) : entry->make(spec, context);
    joint->name = spec.name;
    joint->where = spec.where;
    joint->first = first;
    joint->second = second;
    const bool constant = joint->rows_are_constant(fixed(first.body), turns(second.body)) && free_or_fixed(second.body);
    add_joint(std::move(joint), constant, spec.type, spec.friction ? &*spec.friction : nullptr);
  }
}

void Builder::check_own_joint(const JointSpec& spec, const std::string& owner) const {
  const int rows = spec.user->rows(), most = system_->is_spatial() ? most_spatial_user_rows : most_user_rows;
  if (rows < 1 || rows > most)
    fail(spec.where,
         owner + ": a joint of one's own has 1 to " + std::to_string(most) + " rows, not " + std::to_string(rows));
}

void Builder::own_spatial_joint(const JointSpec& spec, const std::string& owner) {
  if (!spec.user) fail(spec.where, owner + ": a planar joint in a spatial model; those in space are in spatial.joints");
  auto joint = make_spatial_user_joint(spec.user);
  joint->name = spec.name;
  joint->where = spec.where;
  joint->first.body = marker(spec.markers.at(0), owner).body;
  joint->second.body = marker(spec.markers.at(1), owner).body;
  add_joint(std::move(joint), false, spec.type, spec.friction ? &*spec.friction : nullptr);
}

void Builder::spatial_joints() {
  System& s = *system_;
  for (SpatialJointSpec spec : spec_.spatial.joints) {
    std::array<int, 2> body{};
    for (std::size_t i = 0; i < 2; ++i) {
      SpatialMarkerSpec& m = spec.markers[i];
      const auto it = names_.bodies.find(m.body);
      if (it == names_.bodies.end()) fail(m.where, "joint \"" + spec.name + "\": unknown body \"" + m.body + "\"");
      body[i] = it->second;
      to_own_axes(s.bodies[body[i]], m);
    }
    add_joint(make_spatial_element(spec, body[0], body[1]), false, spec.type,
              spec.friction ? &*spec.friction : nullptr);
  }
}

void Builder::add_joint(std::unique_ptr<Joint> joint, bool constant, const std::string& type,
                        const FrictionSpec* friction) {
  System& s = *system_;
  s.joint_row.push_back(s.rows);
  s.joint_constant.push_back(constant);
  s.rows += joint->rows();
  s.joint_friction.push_back(-1);
  s.joints.push_back(std::move(joint));
  if (friction) joint_friction(type, *friction, *s.joints.back());
}

void Builder::joint_friction(const std::string& type, const FrictionSpec& f, const Joint& joint) {
  System& s = *system_;
  if (!joint.slides())
    fail(f.where, "joint \"" + joint.name + "\": type \"" + type + "\" has no friction; use translational or revolute");
  FrictionUnit unit;
  unit.joint = static_cast<int>(s.joints.size()) - 1;
  unit.directions = joint.directions();
  unit.law = FrictionLaw(f);
  bind_friction(f, "joint \"" + joint.name + "\"", unit);
  unit.turns = type == "revolute";
  unit.lever = unit.turns ? f.lever() : 1.0;
  unit.side_matters = joint.side_row() >= 0 && !f.normal_force;
  unit.velocity_is_linear = joint.tangent_is_linear(fixed(joint.first.body), s.bodies[joint.second.body].turns) &&
                            free_or_fixed(joint.first.body) && free_or_fixed(joint.second.body);
  s.joint_friction.back() = static_cast<int>(s.frictions.size());
  s.frictions.push_back(std::move(unit));
}

}  // namespace hstar
