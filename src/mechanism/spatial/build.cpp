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

std::unique_ptr<SpatialContact> make_spatial_contact(const ContactPart& part, const Body& first, const Body& second,
                                                     const SpatialShapeSpec& shape) {
  const auto in_own_axes = [](const Body& body, Feature3 f) {
    if (!body.has_own_axes) return f;
    for (Vec3* x : {&f.a[0], &f.a[1], &f.normal}) *x = transposed_times(body.axes, *x);
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
  auto contact = find_contact(part.first, part.second)
                     ->make(in_own_axes(first, part.first), in_own_axes(second, part.second), surface);
  contact->name = part.name;
  return contact;
}

void start_spatial(const System& system, const Body& body, const SpatialBodySpec& spec, double* y) {
  if (body.prescribed) return;
  double *q = y + body.coordinate, *v = y + system.nq + body.dof;
  std::copy(spec.position.begin(), spec.position.end(), q);
  const EulerParameters p = body.has_own_axes ? compose(spec.orientation, body.axes_p) : spec.orientation;
  std::copy(p.begin(), p.end(), q + 3);
  std::copy(spec.velocity.begin(), spec.velocity.end(), v);
  const Vec3 omega = body.has_own_axes ? transposed_times(body.axes, spec.angular_velocity) : spec.angular_velocity;
  std::copy(omega.begin(), omega.end(), v + 3);
}

}  // namespace hstar
