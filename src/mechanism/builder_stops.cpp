// src/mechanism/builder_stops.cpp: limits of joints, and gaps that formulas read.
#include <set>

#include "hstar/check_model.hpp"
#include "mechanism/builder.hpp"
#include "mechanism/contact_measure.hpp"
#include "mechanism/spatial/joints.hpp"

namespace hstar {

void Builder::find_stops() {
  const auto find = [&](const auto& joints) {
    for (std::size_t j = 0; j < joints.size(); ++j)
      for (JointStop& stop : joint_stops(joints[j].name, joints[j].limits)) stops_.push_back({std::move(stop), j});
  };
  find(spec_.joints);
  find(spec_.spatial.joints);
}

std::vector<std::string> Builder::contact_names() const {
  std::vector<std::string> names;
  for (const ContactSpec& c : contacts_) names.push_back(c.name);
  for (const auto& parts : spatial_parts_)
    for (const ContactPart& part : parts) names.push_back(part.name);
  for (const PlacedStop& stop : stops_) names.push_back(stop.stop.name);
  return names;
}

std::vector<std::string> Builder::contact_bodies(std::size_t contact) const {
  if (contact < contacts_.size()) {
    const ContactSpec& c = contacts_[contact];
    if (!c.gap) return {c.first.marker.body, c.second.marker.body};
    std::vector<std::string> bodies;
    for (const std::string& name : c.gap->variables()) bodies.push_back(name.substr(0, name.rfind('.')));
    return bodies;
  }
  contact -= contacts_.size();
  for (std::size_t i = 0; i < spatial_parts_.size(); ++i) {
    const SpatialContactSpec& c = spec_.spatial.contacts[i];
    if (contact < spatial_parts_[i].size()) return {c.first.body, c.second.body};
    contact -= spatial_parts_[i].size();
  }
  const std::size_t joint = stops_[contact].joint;
  if (spec_.dimension == 3)
    return {spec_.spatial.joints[joint].markers[0].body, spec_.spatial.joints[joint].markers[1].body};
  return {spec_.joints[joint].markers[0].body, spec_.joints[joint].markers[1].body};
}

void Builder::find_gaps() {
  const std::set<std::string, std::less<>> read = names_read(false);
  const std::size_t before = spec_.spatial.forces.size() + joint_measures_.size() + spec_.forces.size();
  const std::vector<std::string> names = contact_names();
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::string gap = names[c] + ".gap", rate = names[c] + ".gap_velocity";
    if (!read.contains(gap) && !read.contains(rate)) continue;
    const int force = static_cast<int>(before + gaps_.size());
    gaps_.push_back(c);
    names_.coordinates[gap] = {SignalKind::force_length, force};
    names_.coordinates[rate] = {SignalKind::force_rate, force};
  }
}

void Builder::stops() {
  System& s = *system_;
  for (const PlacedStop& placed : stops_) {
    const Joint& joint = *s.joints[placed.joint];
    std::unique_ptr<Contact> contact;
    if (s.is_spatial()) {
      const SpatialJointSpec& spec = spec_.spatial.joints[placed.joint];
      const auto which = static_cast<std::size_t>(placed.stop.limits->coordinate);
      const std::string coordinate = spec.name + "." + std::string(free_coordinates(spec.type)[which]);
      const auto measure = static_cast<std::size_t>(names_.coordinates.at(coordinate).index);
      contact = make_spatial_stop(joint, *s.forces[measure], placed.stop);
    } else {
      contact = make_planar_stop(joint, placed.stop);
    }
    contact->name = placed.stop.name;
    contact->where = placed.stop.limits->where;
    contact->first = joint.first.body;
    contact->second = joint.second.body;
    contact->restitution = placed.stop.limits->restitution;
    const Body& second = s.bodies[contact->second];
    s.contact_friction.push_back(-1);
    s.contact_constant.push_back(contact->rows_are_constant(fixed(contact->first), second.turns) &&
                                 free_or_fixed(contact->second));
    s.contacts.push_back(std::move(contact));
  }
}

void Builder::contact_measures() {
  for (const std::size_t c : gaps_) {
    const Contact& contact = *system_->contacts[c];
    add_force(make_contact_measure(contact), contact.name, contact.where, {{contact.first, contact.second}, {}});
  }
}

}  // namespace hstar
