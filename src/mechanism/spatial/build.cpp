// src/mechanism/spatial/build.cpp
#include "mechanism/spatial/build.hpp"

#include <algorithm>

#include "mechanism/spatial/contacts.hpp"
#include "mechanism/spatial/principal.hpp"

namespace hstar {

Body spatial_body(const SpatialBodySpec& spec) {
  Body body;
  body.name = spec.name;
  body.where = spec.where;
  body.turns = true;
  body.start = spec.orientation;
  if (spec.motion) {
    const std::string what = "body \"" + spec.name + "\": motion";
    body.prescribed = true;
    body.x = TimeFunction(spec.motion->x, what);
    body.y = TimeFunction(spec.motion->y, what);
    body.z = TimeFunction(spec.motion->z, what);
    body.angle = TimeFunction(spec.motion->angle, what);
    body.axis = spec.motion->axis;
    body.fixed = body.x.is_constant() && body.y.is_constant() && body.z.is_constant() && body.angle.is_constant();
    return body;
  }
  body.mass = spec.mass;
  body.coordinates = 7;
  body.dofs = 6;
  const Principal principal = principal_axes(spec.inertia);
  body.moment = principal.moment;
  body.has_own_axes = principal.axes != identity3;
  if (body.has_own_axes) {
    body.axes = principal.axes;
    body.axes_p = parameters_of(principal.axes);
  }
  return body;
}

void to_own_axes(const Body& body, SpatialMarkerSpec& marker) {
  if (!body.has_own_axes) return;
  for (Vec3* x : {&marker.point, &marker.f, &marker.g, &marker.h}) *x = transposed_times(body.axes, *x);
}

namespace {

/// Orientation and angular velocity.
void to_own_axes(const Body& body, double* p, double* omega_bar) {
  if (!body.has_own_axes) return;
  const EulerParameters own = compose({p[0], p[1], p[2], p[3]}, body.axes_p);
  std::copy(own.begin(), own.end(), p);
  const Vec3 omega = transposed_times(body.axes, {omega_bar[0], omega_bar[1], omega_bar[2]});
  std::copy(omega.begin(), omega.end(), omega_bar);
}

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// `shape` is the one that the part's first feature belongs to.
std::unique_ptr<SpatialContact> make_contact(const ContactPart& part, const Body& first, const Body& second,
                                             const SpatialShapeSpec& shape) {
  const auto in_own_axes = [](const Body& body, Feature3 f) {
    if (!body.has_own_axes) return f;
    for (Vec3* x : {&f.a[0], &f.a[1], &f.normal, &f.normals[0], &f.normals[1]}) *x = transposed_times(body.axes, *x);
    for (Vec3& x : f.corners) x = transposed_times(body.axes, x);
    return f;
  };
  RunningSurface surface;
  if (shape.surface_velocity) {
    surface.runs = true;
    surface.axes = first.axes;
    for (std::size_t i = 0; i < 3; ++i)
      surface.velocity[i] =
          TimeFunction((*shape.surface_velocity)[i], "contact \"" + part.name + "\": surface_velocity");
  }
  return find_contact(part.first, part.second)
      ->make(in_own_axes(first, part.first), in_own_axes(second, part.second), surface);
}

/// Friction of the contact added last: sliding, and what resists rolling and spinning.
void add_friction(System& system, const FrictionSpec& spec, const std::string& owner) {
  if (spec.normal_force)
    throw InputError(spec.where, owner +
                                     ": a contact's friction takes its normal force from the contact; give mu without "
                                     "normal_force or friction_force");
  FrictionUnit unit;
  unit.contact = static_cast<int>(system.contacts.size()) - 1;
  unit.directions = 2;
  unit.law = FrictionLaw(spec);
  system.contact_friction.back() = static_cast<int>(system.frictions.size());
  system.frictions.push_back(unit);
  FrictionSpec moment;  // at most the length times the normal force
  moment.mu_static = moment.mu_kinetic = 1;
  unit.law = FrictionLaw(moment);
  unit.turns = true;
  for (const FrictionPart part : {FrictionPart::rolling, FrictionPart::spinning}) {
    unit.part = part;
    unit.directions = part == FrictionPart::rolling ? 2 : 1;
    unit.lever = part == FrictionPart::rolling ? spec.rolling : spec.spinning;
    if (unit.lever > 0) system.frictions.push_back(unit);
  }
}

}  // namespace

void add_contact(System& system, const SpatialContactSpec& spec, const std::vector<ContactPart>& parts,
                 const std::map<std::string, int>& bodies, int group) {
  const std::string owner = "contact \"" + spec.name + "\"";
  const SpatialShapeSpec* const shapes[2] = {&spec.first, &spec.second};
  int body[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const auto it = bodies.find(shapes[k]->body);
    if (it == bodies.end()) throw InputError(shapes[k]->where, owner + ": unknown body \"" + shapes[k]->body + "\"");
    body[k] = it->second;
  }
  if (parts.empty())
    throw InputError(spec.where,
                     owner + ": a " + spec.first.shape + " and a " + spec.second.shape + " cannot touch at one point");
  for (const ContactPart& part : parts) {
    const int one = part.swapped ? 1 : 0, first = body[one], second = body[1 - one];
    auto contact = make_contact(part, system.bodies[at(first)], system.bodies[at(second)], *shapes[one]);
    contact->name = part.name;
    contact->where = spec.where;
    contact->first = first;
    contact->second = second;
    contact->restitution = spec.restitution;
    contact->restitution_tangential = spec.restitution_tangential;
    contact->impact_law = spec.impact_law;
    contact->group = group;
    contact->circle = part.sphere;
    system.contact_friction.push_back(-1);
    system.contact_constant.push_back(0);
    system.contacts.push_back(std::move(contact));
    if (spec.friction) add_friction(system, *spec.friction, owner);
  }
}

void to_own_axes(const System& system, double* y) {
  for (const Body& body : system.bodies)
    if (!body.prescribed) to_own_axes(body, y + body.coordinate + 3, y + system.nq + body.dof + 3);
}

void start_spatial(const System& system, const Body& body, const SpatialBodySpec& spec, double* y) {
  if (body.prescribed) return;
  double *q = y + body.coordinate, *v = y + system.nq + body.dof;
  std::copy(spec.position.begin(), spec.position.end(), q);
  std::copy(spec.orientation.begin(), spec.orientation.end(), q + 3);
  std::copy(spec.velocity.begin(), spec.velocity.end(), v);
  std::copy(spec.angular_velocity.begin(), spec.angular_velocity.end(), v + 3);
  to_own_axes(body, q + 3, v + 3);
}

}  // namespace hstar
