// src/mechanism/builder_contacts.cpp: contacts, one for every pair of shapes that touch at a point.
#include "mechanism/builder.hpp"
#include "mechanism/planar/contacts.hpp"
#include "mechanism/planar/shape_pairs.hpp"
#include "mechanism/spatial/build.hpp"

namespace hstar {

void Builder::contacts() {
  System& s = *system_;
  for (const ContactSpec& spec : contacts_) {
    const std::string owner = "contact \"" + spec.name + "\"";
    Marker first, second;
    auto contact =
        spec.gap ? generalized_contact(spec, owner, first, second) : shape_contact(spec, owner, first, second);
    contact->name = spec.name;
    contact->where = spec.where;
    contact->first = first.body;
    contact->second = second.body;
    contact->restitution = spec.restitution;
    contact->restitution_tangential = spec.restitution_tangential;
    contact->impact_law = spec.impact_law;
    contact->group = spec.group;
    contact->circle = spec.circle;
    s.contact_friction.push_back(-1);
    s.contact_constant.push_back(contact->rows_are_constant(fixed(first.body), s.bodies[second.body].turns) &&
                                 free_or_fixed(second.body));
    s.contacts.push_back(std::move(contact));
    if (spec.friction) {
      FrictionUnit unit;
      unit.contact = static_cast<int>(s.contacts.size()) - 1;
      unit.law = FrictionLaw(*spec.friction);
      unit.velocity_is_linear = s.contact_constant.back() != 0;
      if (spec.friction->normal_force)
        fail(spec.friction->where, owner +
                                       ": a contact's friction takes its normal force from the contact; give mu "
                                       "without normal_force or friction_force");
      bind_friction(*spec.friction, owner, unit);
      s.contact_friction.back() = static_cast<int>(s.frictions.size());
      s.frictions.push_back(std::move(unit));
    }
  }
}

void Builder::spatial_contacts() {
  for (std::size_t i = 0; i < spatial_parts_.size(); ++i) {
    const SpatialContactSpec& spec = spec_.spatial.contacts[i];
    const std::size_t before = system_->frictions.size(), first = system_->contacts.size();
    add_contact(*system_, spec, spatial_parts_[i], names_.bodies, static_cast<int>(i));
    for (std::size_t u = before; u < system_->frictions.size(); ++u)
      if (system_->frictions[u].part == FrictionPart::sliding)
        bind_friction(*spec.friction, "contact \"" + spec.name + "\"", system_->frictions[u]);
    if (changes_features(spec))
      system_->whole_contacts.push_back(
          {spec.name, first, spatial_parts_[i].size(), names_.bodies.at(spec.second.body)});
  }
}

std::unique_ptr<Contact> Builder::shape_contact(const ContactSpec& spec, const std::string& owner, Marker& first,
                                                Marker& second) {
  first = marker(spec.first.marker, owner);
  second = marker(spec.second.marker, owner);
  const ContactEntry* entry = find_contact(spec.first.shape, spec.second.shape);
  if (!entry)
    fail(spec.where, owner + ": no contact between shapes \"" + spec.first.shape + "\" and \"" + spec.second.shape +
                         "\": they cannot touch at a point");
  return entry->make(spec, first, second);
}

std::unique_ptr<Contact> Builder::generalized_contact(const ContactSpec& spec, const std::string& owner, Marker& first,
                                                      Marker& second) const {
  BoundExpression gap = names_.bind(*spec.gap, Access::place, owner + ": gap"), slide;
  slide.formula = Expression::constant(0);
  if (spec.slide) slide = names_.bind(*spec.slide, Access::place, owner + ": slide");
  if (spec.friction && !spec.slide) fail(spec.where, owner + ": friction needs a slide beside the gap");
  const auto bodies = SignalNames::bodies_of({&gap, &slide}, spec.gap->where(), owner);
  first.body = bodies[0];
  second.body = bodies[1];
  return make_generalized_contact(std::move(gap), std::move(slide), second.body);
}

}  // namespace hstar
