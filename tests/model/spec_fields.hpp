// tests/model/spec_fields.hpp
//
// Every field of a model in code, one after another: visit(spec, use) calls use(name, field) for each number, word,
// list, formula and part that may be there.
#pragma once

#include <string>

#include "hstar/model_spec.hpp"

namespace hstar::test {

template <class Use>
class SpecFields {
 public:
  explicit SpecFields(Use& use) : use_(use) {}

  void model(ModelSpec& m) {
    field("title", m.title);
    field("dimension", m.dimension);
    field("gravity", m.gravity);
    field("spatial.gravity", m.spatial.gravity);
    of("simulation", [&] { simulation(m.simulation); });
    all("body", m.bodies, [&](BodySpec& b) { body(b); });
    all("joint", m.joints, [&](JointSpec& j) { joint(j); });
    all("force", m.forces, [&](ForceSpec& f) { force(f); });
    all("contact", m.contacts, [&](ContactSpec& c) { contact(c); });
    all("body", m.spatial.bodies, [&](SpatialBodySpec& b) { body(b); });
    all("joint", m.spatial.joints, [&](SpatialJointSpec& j) { joint(j); });
    all("force", m.spatial.forces, [&](SpatialForceSpec& f) { force(f); });
    all("contact", m.spatial.contacts, [&](SpatialContactSpec& c) { contact(c); });
    all("state", m.states, [&](StateSpec& s) {
      field("name", s.name);
      field("initial", s.initial);
      field("rate", s.rate);
    });
    all("guard", m.guards, [&](GuardSpec& g) { guard(g); });
    all("measure", m.measures, [&](MeasureSpec& s) {
      field("name", s.name);
      field("unit", s.unit);
      field("value", s.value);
    });
  }

 private:
  void simulation(SimulationSpec& s) {
    for (const auto& [name, x] : {std::pair<const char*, double*>{"start", &s.start},
                                  {"end", &s.end},
                                  {"rtol", &s.rtol},
                                  {"atol", &s.atol},
                                  {"max_step", &s.max_step},
                                  {"first_step", &s.first_step},
                                  {"fixed_step", &s.fixed_step},
                                  {"newmark_beta", &s.newmark_beta},
                                  {"newmark_gamma", &s.newmark_gamma},
                                  {"hht_alpha", &s.hht_alpha},
                                  {"rho_infinity", &s.rho_infinity},
                                  {"output", &s.output},
                                  {"baumgarte_alpha", &s.baumgarte_alpha},
                                  {"baumgarte_beta", &s.baumgarte_beta}})
      field(name, *x);
    for (const auto& [name, x] : {std::pair<const char*, std::string*>{"integrator", &s.integrator},
                                  {"formulation", &s.formulation},
                                  {"newton", &s.newton},
                                  {"multiple_impact", &s.multiple_impact},
                                  {"impact_energy", &s.impact_energy},
                                  {"sliding", &s.sliding}})
      field(name, *x);
    field("max_order", s.max_order);
    field("sample_times", s.sample_times);
    field("stop_after_events", s.stop_after_events);
    field("max_events_per_instant", s.max_events_per_instant);
  }
  void body(BodySpec& b) {
    field("name", b.name);
    field("mass", b.mass);
    field("inertia", b.inertia);
    field("position", b.position);
    field("angle", b.angle);
    field("velocity", b.velocity);
    field("angular_velocity", b.angular_velocity);
    part("motion", b.motion, [&](BodySpec::Motion& m) {
      field("x", m.x);
      field("y", m.y);
      field("angle", m.angle);
    });
  }
  void body(SpatialBodySpec& b) {
    field("name", b.name);
    field("mass", b.mass);
    field("inertia", b.inertia);
    field("position", b.position);
    field("orientation", b.orientation);
    field("velocity", b.velocity);
    field("angular_velocity", b.angular_velocity);
    part("motion", b.motion, [&](SpatialBodySpec::Motion& m) {
      field("x", m.x);
      field("y", m.y);
      field("z", m.z);
      field("angle", m.angle);
      field("axis", m.axis);
    });
  }
  void marker(MarkerSpec& m) {
    field("body", m.body);
    field("x", m.x);
    field("y", m.y);
  }
  void marker(SpatialMarkerSpec& m) {
    field("body", m.body);
    field("point", m.point);
    field("f", m.f);
    field("g", m.g);
    field("h", m.h);
  }
  void friction(std::optional<FrictionSpec>& f) {
    part("friction", f, [&](FrictionSpec& s) {
      field("law", s.law);
      for (const auto& [name, x] : {std::pair<const char*, double*>{"mu_static", &s.mu_static},
                                    {"mu_kinetic", &s.mu_kinetic},
                                    {"stribeck_velocity", &s.stribeck_velocity},
                                    {"stribeck_exponent", &s.stribeck_exponent},
                                    {"viscous", &s.viscous},
                                    {"radius", &s.radius},
                                    {"thrust_radius", &s.thrust_radius},
                                    {"rolling", &s.rolling},
                                    {"spinning", &s.spinning}})
        field(name, *x);
      field("table", s.table);
      field("normal_force", s.normal_force);
      field("mu_static_formula", s.mu_static_formula);
      field("mu_kinetic_formula", s.mu_kinetic_formula);
    });
  }
  void limits(std::vector<LimitsSpec>& all_limits) {
    all("limits", all_limits, [&](LimitsSpec& l) {
      field("coordinate", l.coordinate);
      field("lower", l.lower);
      field("upper", l.upper);
      field("restitution", l.restitution);
    });
  }
  void joint(JointSpec& j) {
    field("name", j.name);
    field("type", j.type);
    all("marker", j.markers, [&](MarkerSpec& m) { marker(m); });
    field("axis", j.axis);
    field("angle", j.angle);
    field("value", j.value);
    friction(j.friction);
    limits(j.limits);
  }
  void joint(SpatialJointSpec& j) {
    field("name", j.name);
    field("type", j.type);
    for (SpatialMarkerSpec& m : j.markers) of("marker", [&] { marker(m); });
    field("value", j.value);
    field("pitch", j.pitch);
    field("teeth1", j.teeth1);
    field("teeth2", j.teeth2);
    for (auto& wheel : j.ground_axes)
      for (Vec3& axis : wheel) field("ground_axes", axis);
    field("direction", j.direction);
    friction(j.friction);
    limits(j.limits);
  }
  template <class Force>
  void spring(Force& f) {
    field("stiffness", f.stiffness);
    field("damping", f.damping);
    field("free_length", f.free_length);
    field("actuator", f.actuator);
  }
  void force(ForceSpec& f) {
    field("name", f.name);
    field("type", f.type);
    all("marker", f.markers, [&](MarkerSpec& m) { marker(m); });
    field("axis", f.axis);
    field("fx", f.fx);
    field("fy", f.fy);
    field("torque", f.torque);
    spring(f);
  }
  void force(SpatialForceSpec& f) {
    field("name", f.name);
    field("type", f.type);
    for (SpatialMarkerSpec& m : f.markers) of("marker", [&] { marker(m); });
    for (Expression& e : f.vector) field("vector", e);
    spring(f);
    field("stiffness_matrix", f.stiffness_matrix);
    field("damping_matrix", f.damping_matrix);
  }
  void shape(ShapeSpec& s) {
    marker(s.marker);
    field("shape", s.shape);
    field("normal", s.normal);
    field("length", s.length);
    field("radius", s.radius);
    field("angles", s.angles);
    field("corners", s.corners);
    field("surface_velocity", s.surface_velocity);
  }
  void shape(SpatialShapeSpec& s) {
    field("body", s.body);
    field("shape", s.shape);
    field("point", s.point);
    field("normal", s.normal);
    field("radius", s.radius);
    for (Vec3& end : s.ends) field("ends", end);
    field("sides", s.sides);
    field("points", s.points);
    part("surface_velocity", s.surface_velocity, [&](std::array<Expression, 3>& v) {
      for (Expression& e : v) field("component", e);
    });
  }
  template <class Contact>
  void laws(Contact& c) {
    field("name", c.name);
    of("first", [&] { shape(c.first); });
    of("second", [&] { shape(c.second); });
    field("restitution", c.restitution);
    field("restitution_tangential", c.restitution_tangential);
    field("impact_law", c.impact_law);
    friction(c.friction);
  }
  void contact(ContactSpec& c) {
    laws(c);
    field("gap", c.gap);
    field("slide", c.slide);
    field("group", c.group);
  }
  void contact(SpatialContactSpec& c) { laws(c); }
  void guard(GuardSpec& g) {
    field("name", g.name);
    field("when", g.when);
    field("crossing", g.crossing);
    field("kind", g.kind);
    all("reset", g.reset, [&](std::pair<std::string, Expression>& r) {
      field("state", r.first);
      field("formula", r.second);
    });
    field("times", g.times);
    field("g_tol", g.g_tol);
  }

  template <class Field>
  void field(const char* name, Field& x) {
    use_(path_ + name, x);
  }
  template <class Parts>
  void of(const std::string& name, const Parts& parts) {
    const std::string outer = path_;
    path_ += name + ".";
    parts();
    path_ = outer;
  }
  template <class List, class Each>
  void all(const char* name, List& list, const Each& each) {
    if (list.empty()) return;
    use_(path_ + name, list);
    for (std::size_t i = 0; i < list.size(); ++i) of(name + std::to_string(i), [&] { each(list[i]); });
  }
  template <class Part, class Fields>
  void part(const char* name, std::optional<Part>& x, const Fields& fields) {
    if (!x) return;
    use_(path_ + name, x);
    if (x) of(name, [&] { fields(*x); });
  }

  Use& use_;
  std::string path_;
};

template <class Use>
void visit_fields(ModelSpec& spec, Use& use) {
  test::SpecFields<Use>(use).model(spec);
}

}  // namespace hstar::test
