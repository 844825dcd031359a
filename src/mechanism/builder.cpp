// src/mechanism/builder.cpp: the order of building; bodies, names and initial values.
#include "mechanism/builder.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "hstar/check_model.hpp"

#include "mechanism/planar/shape_pairs.hpp"
#include "mechanism/spatial/build.hpp"
#include "mechanism/spatial/coordinates.hpp"
#include "mechanism/spatial/joints.hpp"

namespace hstar {

Builder::Builder(const ModelSpec& spec)
    : spec_(spec), contacts_(point_contacts(spec.contacts)), system_(std::make_shared<System>()) {
  for (const SpatialContactSpec& c : spec.spatial.contacts) spatial_parts_.push_back(contact_parts(c));
}

std::shared_ptr<const System> Builder::build() {
  system_->gravity = spec_.gravity;
  find_stops();
  find_coordinates();
  find_told();
  bodies();
  name_elements();
  spatial_joints();
  joints();
  spatial_forces();
  joint_measures();
  forces();
  contacts();
  spatial_contacts();
  stops();
  contact_measures();
  linear_forces();
  states();
  guards();
  measures();
  switches();
  initial();
  return system_;
}

void Builder::bodies() {
  System& s = *system_;
  Body ground;
  ground.name = "ground";
  ground.prescribed = ground.fixed = true;
  s.bodies.push_back(ground);
  names_.bodies["ground"] = 0;
  for (const BodySpec& b : spec_.bodies) {
    Body body;
    body.name = b.name;
    body.where = b.where;
    if (b.motion) {
      body.prescribed = true;
      const std::string what = "body \"" + b.name + "\": motion";
      body.x = TimeFunction(b.motion->x, what);
      body.y = TimeFunction(b.motion->y, what);
      body.angle = TimeFunction(b.motion->angle, what);
      body.fixed = body.x.is_constant() && body.y.is_constant() && body.angle.is_constant();
      body.turns = true;
    } else {
      body.mass = b.mass;
      body.turns = b.inertia.has_value();
      body.inertia = b.inertia.value_or(0.0);
      body.dofs = body.turns ? 3 : 2;
      body.coordinates = body.dofs;
    }
    add_body(std::move(body));
  }
  if (spec_.dimension == 3) spatial_bodies();
  s.ns = static_cast<int>(spec_.states.size() + turning_.size() + s.told.size());
  for (std::size_t i = 0; i < s.told.size(); ++i)
    s.told[i].place = s.nq + s.nv + s.ns - static_cast<int>(s.told.size() - i);
}

std::set<std::string, std::less<>> Builder::names_read(bool measures) const {
  std::set<std::string, std::less<>> read;
  const auto note = [&](const Expression& e) { read.insert(e.variables().begin(), e.variables().end()); };
  for_each_formula(spec_, [&](const Expression& e, const std::string&, FormulaRole, Access, int) { note(e); });
  for (const GuardSpec& g : spec_.guards) {
    note(g.when);
    for (const auto& [state, value] : g.reset) note(value);
  }
  for (const MeasureSpec& m : spec_.measures)
    if (measures) note(m.value);
  return read;
}

void Builder::find_told() {
  const std::set<std::string, std::less<>> read = names_read(true);
  const std::vector<std::string> parts = contact_names();
  for (const std::string& name : read) {
    const auto point = name.rfind('.');
    if (point == std::string::npos) continue;
    const std::string owner = name.substr(0, point), word = name.substr(point + 1);
    ToldState told;
    told.name = name;
    if (word == "impacts")
      told.what = ToldState::What::impacts;
    else if (word == "closed")
      told.what = ToldState::What::closed;
    else if (word == "stuck")
      told.what = ToldState::What::stuck;
    else
      continue;
    for (std::size_t c = 0; c < parts.size(); ++c)
      if (parts[c] == owner || parts[c].starts_with(owner + ".")) told.contacts.push_back(static_cast<int>(c));
    const auto find_joint = [&](const auto& joints) {
      for (std::size_t j = 0; j < joints.size(); ++j)
        if (joints[j].name == owner && joints[j].friction) told.joint = static_cast<int>(j);
    };
    find_joint(spec_.joints);
    find_joint(spec_.spatial.joints);
    if (!told.contacts.empty() || told.joint >= 0) system_->told.push_back(std::move(told));
  }
}

void Builder::find_coordinates() {
  const std::set<std::string, std::less<>> read = names_read(true);
  for (std::size_t i = 0; i < spec_.spatial.forces.size(); ++i)
    if (spec_.spatial.forces[i].type == "rotational_spring_damper")
      turning_.push_back({spec_.spatial.forces[i].name + ".angle", static_cast<int>(i)});
  for (std::size_t j = 0; j < spec_.spatial.joints.size(); ++j) {
    const SpatialJointSpec& joint = spec_.spatial.joints[j];
    int which = 0;
    for (const std::string_view word : free_coordinates(joint.type)) {
      const std::string name = joint.name + "." + std::string(word), rate = name + "_rate";
      const int at = which++;
      const bool limited = std::any_of(joint.limits.begin(), joint.limits.end(),
                                       [&](const LimitsSpec& l) { return l.coordinate == at; });
      const bool counted = word != "slide" && holds_by_turns(joint.type);
      if (!read.contains(name) && !read.contains(rate) && !limited && !counted) continue;
      const int force = measure_force(joint_measures_.size());
      joint_measures_.push_back({j, at});
      names_.coordinates[name] = {SignalKind::force_length, force};
      names_.coordinates[rate] = {SignalKind::force_rate, force};
      if (counted || (word != "slide" && (read.contains(name) || limited))) turning_.push_back({name, force});
    }
  }
  find_gaps();
}

int Builder::turn_state(int force) const {
  for (std::size_t i = 0; i < turning_.size(); ++i)
    if (turning_[i].force == force) return system_->nq + system_->nv + static_cast<int>(spec_.states.size() + i);
  return -1;
}

void Builder::add_body(Body body) {
  System& s = *system_;
  if (!body.prescribed) {
    body.coordinate = s.nq;
    body.dof = s.nv;
    s.nq += body.coordinates;
    s.nv += body.dofs;
  }
  names_.bodies[body.name] = static_cast<int>(s.bodies.size());
  s.bodies.push_back(std::move(body));
}

void Builder::spatial_bodies() {
  System& s = *system_;
  s.columns = 6;
  s.gravity3 = spec_.spatial.gravity;
  for (const SpatialBodySpec& spec : spec_.spatial.bodies) add_body(spatial_body(spec));
}

Marker Builder::marker(const MarkerSpec& m, const std::string& owner) {
  const auto it = names_.bodies.find(m.body);
  if (it == names_.bodies.end()) fail(m.where, owner + ": unknown body \"" + m.body + "\"");
  const TimeFunction x(m.x, owner + ": point"), y(m.y, owner + ": point");
  if (x.is_constant() && y.is_constant()) return {it->second, {m.x.constant_value(), m.y.constant_value()}};
  if (m.body != "ground")
    fail(m.where,
         owner + ": a point of body \"" + m.body + "\" must be constant; only points of the ground may move in time");
  Body carrier;
  carrier.name = owner + " (moving point)";
  carrier.where = m.where;
  carrier.prescribed = true;
  carrier.x = x;
  carrier.y = y;
  system_->bodies.push_back(std::move(carrier));
  return {static_cast<int>(system_->bodies.size()) - 1, {0, 0}};
}

void Builder::name_elements() {
  names_.spatial = system_->is_spatial();
  names_.first_state = system_->nq + system_->nv;
  for (std::size_t i = 0; i < spec_.joints.size(); ++i)  // in space only those of a program, behind the others
    names_.joints[spec_.joints[i].name] = static_cast<int>(spec_.spatial.joints.size() + i);
  for (std::size_t i = 0; i < spec_.spatial.forces.size(); ++i)
    names_.forces[spec_.spatial.forces[i].name] = static_cast<int>(i);
  for (std::size_t i = 0; i < spec_.spatial.joints.size(); ++i)
    names_.joints[spec_.spatial.joints[i].name] = static_cast<int>(i);
  for (std::size_t i = 0; i < spec_.forces.size() && !names_.spatial; ++i)
    names_.forces[spec_.forces[i].name] = static_cast<int>(i);
  for (const std::string& name : contact_names())
    names_.contacts.emplace(name, static_cast<int>(names_.contacts.size()));
  for (const SpatialContactSpec& c : spec_.spatial.contacts)
    if (changes_features(c)) names_.whole_contacts.emplace(c.name, static_cast<int>(names_.whole_contacts.size()));
  for (std::size_t i = 0; i < spec_.states.size(); ++i) names_.states[spec_.states[i].name] = static_cast<int>(i);
  for (const Turning& turning : turning_) {
    names_.states.try_emplace(turning.state, static_cast<int>(names_.states.size()));
    names_.coordinates[turning.state] = {SignalKind::force_length, turning.force};
  }
  for (const ToldState& told : system_->told)
    names_.states.try_emplace(told.name, static_cast<int>(names_.states.size()));
}

bool Builder::fixed(int body) const { return system_->bodies[body].fixed; }

bool Builder::free_or_fixed(int body) const {
  const Body& b = system_->bodies[body];
  return b.fixed || !b.prescribed;
}

void Builder::initial() {
  System& s = *system_;
  s.initial.assign(s.size(), 0.0);
  for (const BodySpec& b : spec_.bodies) {
    const Body& body = s.bodies[names_.bodies.at(b.name)];
    if (body.prescribed) continue;
    double* q = s.initial.data() + body.coordinate;
    double* v = s.initial.data() + s.nq + body.dof;
    q[0] = b.position[0], q[1] = b.position[1];
    v[0] = b.velocity[0], v[1] = b.velocity[1];
    if (body.turns) q[2] = b.angle, v[2] = b.angular_velocity;
  }
  for (const SpatialBodySpec& b : spec_.spatial.bodies)
    start_spatial(s, s.bodies[names_.bodies.at(b.name)], b, s.initial.data());
  for (int i = 0; i < s.ns; ++i) s.initial[s.nq + s.nv + i] = s.states[i].initial;
  start_turns();
  s.length = length();
}

void Builder::start_turns() {
  System& s = *system_;
  Kinematics k;
  s.prepare(k);
  s.update(k, spec_.simulation.start, s.initial.data());
  for (const Turning& turning : turning_)
    s.turns_counted.push_back({turn_state(turning.force), static_cast<std::size_t>(turning.force)});
  follow_turns(s, k, s.initial.data());
  for (std::size_t j = 0; j < spec_.spatial.joints.size(); ++j) {
    if (!holds_by_turns(spec_.spatial.joints[j].type)) continue;
    std::vector<int> states;
    for (std::size_t i = 0; i < joint_measures_.size(); ++i)
      if (const int state = turn_state(measure_force(i)); joint_measures_[i].joint == j && state >= 0)
        states.push_back(state);
    dynamic_cast<ReadsTurns&>(*s.joints[j]).read_turns(states, k);
  }
}

double Builder::length() const {
  const System& s = *system_;
  Kinematics k;
  s.prepare(k);
  s.update(k, spec_.simulation.start, s.initial.data());
  double largest = k.extent();
  for (const auto& joint : s.joints) largest = std::max(largest, joint->length());
  for (const auto& contact : s.contacts)
    if (const auto* stop = dynamic_cast<const StopsJoint*>(contact.get()); stop == nullptr || !stop->stops_turning())
      largest = std::max(largest, contact->length_scale(k));
  // Less than any mechanism is the round-off of a formula that was meant to be zero.
  return largest > 1e-9 && std::isfinite(largest) ? largest : 1.0;
}

std::shared_ptr<const System> build_system(const ModelSpec& spec) {
  ModelSpec placed = with_pairs_written_out(spec);
  check_model(placed);
  place_switches(placed);
  return Builder(placed).build();
}

}  // namespace hstar
