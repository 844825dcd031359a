// src/simulate/constant_loads.cpp: does anything in a model depend explicitly on time? Functions of a program may.
#include <algorithm>

#include "simulate/options.hpp"

namespace hstar {
namespace {

bool timeless(const Expression& e) {
  const auto& names = e.variables();
  return std::find(names.begin(), names.end(), "t") == names.end();
}
bool timeless(const std::optional<Expression>& e) { return !e || timeless(*e); }
bool timeless(const MarkerSpec& m) { return timeless(m.x) && timeless(m.y); }
bool timeless(const std::optional<FrictionSpec>& f) {
  return !f || (timeless(f->normal_force) && timeless(f->mu_static_formula) && timeless(f->mu_kinetic_formula));
}
bool timeless(const SpatialShapeSpec& s) {
  return !s.surface_velocity || std::all_of(s.surface_velocity->begin(), s.surface_velocity->end(),
                                            [](const Expression& e) { return timeless(e); });
}
bool timeless(const ShapeSpec& s) { return timeless(s.marker) && timeless(s.surface_velocity); }

}  // namespace

bool has_constant_loads(const ModelSpec& spec) {
  const auto markers = [](const std::vector<MarkerSpec>& list) {
    return std::all_of(list.begin(), list.end(), [](const MarkerSpec& m) { return timeless(m); });
  };
  const ModelSpec::Spatial& spatial = spec.spatial;
  return std::all_of(spatial.bodies.begin(), spatial.bodies.end(),
                     [](const SpatialBodySpec& b) {
                       return !b.motion || (timeless(b.motion->x) && timeless(b.motion->y) && timeless(b.motion->z) &&
                                            timeless(b.motion->angle));
                     }) &&
         std::all_of(spatial.joints.begin(), spatial.joints.end(),
                     [](const SpatialJointSpec& j) { return timeless(j.value) && timeless(j.friction); }) &&
         std::all_of(
             spatial.forces.begin(), spatial.forces.end(),
             [](const SpatialForceSpec& f) {
               return std::all_of(f.vector.begin(), f.vector.end(), [](const Expression& e) { return timeless(e); }) &&
                      timeless(f.stiffness) && timeless(f.damping) && timeless(f.free_length) && timeless(f.actuator);
             }) &&
         std::all_of(spatial.contacts.begin(), spatial.contacts.end(),
                     [](const SpatialContactSpec& c) {
                       return timeless(c.first) && timeless(c.second) && timeless(c.friction);
                     }) &&
         std::all_of(spec.bodies.begin(), spec.bodies.end(),
                     [](const BodySpec& b) {
                       return !b.motion ||
                              (timeless(b.motion->x) && timeless(b.motion->y) && timeless(b.motion->angle));
                     }) &&
         std::all_of(spec.joints.begin(), spec.joints.end(),
                     [&](const JointSpec& j) {
                       return !j.user && markers(j.markers) && timeless(j.value) && timeless(j.friction);
                     }) &&
         std::all_of(spec.forces.begin(), spec.forces.end(),
                     [&](const ForceSpec& f) {
                       return !f.user && markers(f.markers) && timeless(f.fx) && timeless(f.fy) && timeless(f.torque) &&
                              timeless(f.stiffness) && timeless(f.damping) && timeless(f.free_length) &&
                              timeless(f.actuator);
                     }) &&
         std::all_of(
             spec.contacts.begin(), spec.contacts.end(),
             [](const ContactSpec& c) { return timeless(c.first) && timeless(c.second) && timeless(c.friction); }) &&
         std::all_of(spec.guards.begin(), spec.guards.end(), [](const GuardSpec& g) {
           return !g.changes() || (!g.change && !g.function && g.times.empty() && timeless(g.when));
         });
}

}  // namespace hstar
