// src/mechanism/builder.cpp: ModelSpec -> System. Names become indices here; from here on no strings.
#include <algorithm>
#include <cmath>
#include <map>

#include "mechanism/planar/contacts.hpp"
#include "mechanism/planar/forces.hpp"
#include "mechanism/planar/joints.hpp"
#include "mechanism/planar/shape_pairs.hpp"
#include "mechanism/planar/user_elements.hpp"
#include "mechanism/signal_names.hpp"
#include "mechanism/spatial/build.hpp"
#include "mechanism/spatial/forces.hpp"
#include "mechanism/spatial/joint_element.hpp"
#include "mechanism/system.hpp"

namespace hstar {
namespace {

class Builder {
 public:
  explicit Builder(const ModelSpec& spec)
      : spec_(spec), contacts_(point_contacts(spec.contacts)), system_(std::make_shared<System>()) {
    for (const SpatialContactSpec& c : spec.spatial.contacts) spatial_parts_.push_back(contact_parts(c));
  }

  std::shared_ptr<const System> build() {
    system_->gravity = spec_.gravity;
    bodies();
    name_elements();
    joints();
    spatial_joints();
    forces();
    spatial_forces();
    contacts();
    for (std::size_t i = 0; i < spatial_parts_.size(); ++i)
      add_contact(*system_, spec_.spatial.contacts[i], spatial_parts_[i], names_.bodies, static_cast<int>(i));
    linear_forces();
    states();
    guards();
    measures();
    initial();
    return system_;
  }

 private:
  [[noreturn]] static void fail(const Location& where, const std::string& text) { throw InputError(where, text); }

  void bodies() {
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
        body.coordinate = s.nq;
        body.dof = s.nv;
        s.nq += body.coordinates;
        s.nv += body.dofs;
      }
      names_.bodies[b.name] = static_cast<int>(s.bodies.size());
      s.bodies.push_back(std::move(body));
    }
    if (spec_.dimension == 3) spatial_bodies();
    s.ns = static_cast<int>(spec_.states.size() +
                            static_cast<std::size_t>(
                                std::count_if(spec_.spatial.forces.begin(), spec_.spatial.forces.end(), counts_turns)));
  }

  void spatial_bodies() {
    System& s = *system_;
    s.columns = 6;
    s.gravity3 = spec_.spatial.gravity;
    for (const SpatialBodySpec& spec : spec_.spatial.bodies) {
      Body body = spatial_body(spec);
      if (!body.prescribed) {
        body.coordinate = s.nq;
        body.dof = s.nv;
        s.nq += body.coordinates;
        s.nv += body.dofs;
      }
      names_.bodies[spec.name] = static_cast<int>(s.bodies.size());
      s.bodies.push_back(std::move(body));
    }
  }

  void spatial_joints() {
    System& s = *system_;
    for (SpatialJointSpec spec : spec_.spatial.joints) {
      std::array<int, 2> body{};
      for (std::size_t i = 0; i < 2; ++i) {
        SpatialMarkerSpec& m = spec.markers[i];
        const auto it = names_.bodies.find(m.body);
        if (it == names_.bodies.end()) fail(m.where, "joint \"" + spec.name + "\": unknown body \"" + m.body + "\"");
        body[i] = it->second;
        to_own_axes(s.bodies[static_cast<std::size_t>(body[i])], m);
      }
      auto joint = make_spatial_element(spec, body[0], body[1]);
      s.joint_row.push_back(s.rows);
      s.joint_constant.push_back(0);
      s.rows += joint->rows();
      s.joint_friction.push_back(-1);
      s.joints.push_back(std::move(joint));
      if (spec.friction) joint_friction(spec.type, *spec.friction, *s.joints.back());
    }
  }

  /// A marker; ground points that move in time become a prescribed body of their own.
  Marker marker(const MarkerSpec& m, const std::string& owner) {
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

  /// Indices by name, known before any formula is bound.
  void name_elements() {
    names_.spatial = system_->is_spatial();
    names_.first_state = system_->nq + system_->nv;
    for (std::size_t i = 0; i < spec_.joints.size(); ++i) names_.joints[spec_.joints[i].name] = static_cast<int>(i);
    for (std::size_t i = 0; i < spec_.spatial.forces.size(); ++i)
      names_.forces[spec_.spatial.forces[i].name] = static_cast<int>(i);
    for (std::size_t i = 0; i < spec_.spatial.joints.size(); ++i)
      names_.joints[spec_.spatial.joints[i].name] = static_cast<int>(i);
    for (std::size_t i = 0; i < spec_.forces.size(); ++i) names_.forces[spec_.forces[i].name] = static_cast<int>(i);
    for (std::size_t i = 0; i < contacts_.size(); ++i) names_.contacts[contacts_[i].name] = static_cast<int>(i);
    int part_number = 0;
    for (const auto& parts : spatial_parts_)
      for (const ContactPart& part : parts) names_.contacts[part.name] = part_number++;
    for (std::size_t i = 0; i < spec_.states.size(); ++i) names_.states[spec_.states[i].name] = static_cast<int>(i);
    for (const SpatialForceSpec& f : spec_.spatial.forces)
      if (counts_turns(f)) names_.states.try_emplace(turn_state(f), static_cast<int>(names_.states.size()));
  }

  void joints() {
    System& s = *system_;
    for (const JointSpec& spec : spec_.joints) {
      const std::string owner = "joint \"" + spec.name + "\"";
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
      const auto entry =
          std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.type == spec.type; });
      if (entry == entries.end() && !spec.user) fail(spec.where, owner + ": unknown type \"" + spec.type + "\"");
      if (s.is_spatial()) fail(spec.where, owner + ": joints of one's own are for planar models");
      if (spec.user && (spec.user->rows() < 1 || spec.user->rows() > most_user_rows))
        fail(spec.where, owner + ": a joint of one's own has 1 to " + std::to_string(most_user_rows) + " rows, not " +
                             std::to_string(spec.user->rows()));
      const auto turns = [&](int b) { return s.bodies[static_cast<std::size_t>(b)].turns || b == 0; };
      const JointContext context{turns(first.body), turns(second.body), second.body, std::move(formula)};
      for (const auto& [b, does] : {std::pair{first, context.first_turns}, std::pair{second, context.second_turns}})
        if (!does && needs_angle(spec, b.body == second.body))
          fail(spec.where, owner + ": body \"" + s.bodies[static_cast<std::size_t>(b.body)].name +
                               "\" is a point mass and has no angle; give it an inertia");
      auto joint = spec.user ? make_user_joint(spec.user) : entry->make(spec, context);
      joint->name = spec.name;
      joint->where = spec.where;
      joint->first = first;
      joint->second = second;
      s.joint_row.push_back(s.rows);
      s.joint_constant.push_back(joint->rows_are_constant(fixed(first.body), turns(second.body)) &&
                                 free_or_fixed(second.body));
      s.rows += joint->rows();
      s.joint_friction.push_back(-1);
      s.joints.push_back(std::move(joint));
      if (spec.friction) joint_friction(spec.type, *spec.friction, *s.joints.back());
    }
  }

  void spatial_forces() {
    System& s = *system_;
    for (SpatialForceSpec spec : spec_.spatial.forces) {
      const std::string owner = "force \"" + spec.name + "\"";
      std::array<int, 2> body{};
      ForceReach reach;
      for (std::size_t i = 0; i < 2; ++i) {
        body[i] = names_.bodies.at(spec.markers[i].body);
        reach.bodies.push_back(body[i]);
        to_own_axes(s.bodies[static_cast<std::size_t>(body[i])], spec.markers[i]);
      }
      SpatialForceContext context;
      context.first = body[0];
      context.second = body[1];
      context.second_axes = s.bodies[static_cast<std::size_t>(body[1])].axes;
      if (counts_turns(spec)) {
        context.turn_state = s.nq + s.nv + names_.states.at(turn_state(spec));
        reach.states.push_back(context.turn_state);
      }
      const bool spring = spec.type.find("spring") != std::string::npos;
      context.bind = [&, spring](const Expression& e, std::string_view what) {
        auto bound = names_.bind(e, spring ? Access::own_spring : Access::kinematic, owner + ": " + std::string(what));
        for (const SignalRef& r : bound.refs) note_reach(r, reach);
        return bound;
      };
      const auto entries = hstar::spatial_forces();
      const auto entry =
          std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.type == spec.type; });
      if (entry == entries.end()) fail(spec.where, owner + ": unknown type \"" + spec.type + "\"");
      auto force = entry->make(spec, context);
      force->name = spec.name;
      force->where = spec.where;
      s.forces.push_back(std::move(force));
      s.force_reach.push_back(std::move(reach));
    }
  }

  /// The angle of a rotational spring is known from positions up to whole turns: which turn it is in is kept by an
  /// extra state, the integral of the angle's rate, "spring.angle".
  static bool counts_turns(const SpatialForceSpec& spec) { return spec.type == "rotational_spring_damper"; }
  static std::string turn_state(const SpatialForceSpec& spec) { return spec.name + ".angle"; }

  static bool needs_angle(const JointSpec& spec, bool is_second) {
    if (spec.type == "relative_angle") return true;
    if (spec.type == "absolute_angle") return is_second;
    return spec.type == "revolute" && spec.friction.has_value();
  }

  void joint_friction(const std::string& type, const FrictionSpec& f, const Joint& joint) {
    System& s = *system_;
    if (!joint.slides())
      fail(f.where,
           "joint \"" + joint.name + "\": type \"" + type + "\" has no friction; use translational or revolute");
    FrictionUnit unit;
    unit.joint = static_cast<int>(s.joints.size()) - 1;
    unit.directions = joint.directions();
    unit.law = FrictionLaw(f);
    if (f.normal_force)
      unit.normal_force =
          names_.bind(*f.normal_force, Access::time_only, "joint \"" + joint.name + "\": friction.normal_force");
    unit.turns = type == "revolute";
    unit.lever = unit.turns ? f.lever() : 1.0;
    unit.side_matters = joint.side_row() >= 0 && !f.normal_force;
    unit.velocity_is_linear =
        joint.tangent_is_linear(fixed(joint.first.body), s.bodies[static_cast<std::size_t>(joint.second.body)].turns) &&
        free_or_fixed(joint.first.body) && free_or_fixed(joint.second.body);
    s.joint_friction.back() = static_cast<int>(s.frictions.size());
    s.frictions.push_back(std::move(unit));
  }

  bool fixed(int body) const { return system_->bodies[static_cast<std::size_t>(body)].fixed; }

  bool free_or_fixed(int body) const {
    const Body& b = system_->bodies[static_cast<std::size_t>(body)];
    return b.fixed || !b.prescribed;
  }

  void forces() {
    for (const ForceSpec& spec : spec_.forces) {
      const std::string owner = "force \"" + spec.name + "\"";
      if (system_->is_spatial()) fail(spec.where, owner + ": forces of one's own are for planar models");
      if (spec.user) {
        own_force(spec, owner);
        continue;
      }
      ForceContext context;
      if (spec.markers.size() == 1) {
        context.second = marker(spec.markers[0], owner);
      } else {
        context.first = marker(spec.markers[0], owner);
        context.second = marker(spec.markers[1], owner);
      }
      const bool spring = spec.type.find("spring") != std::string::npos;
      ForceReach reach{{context.first.body, context.second.body}, {}};
      context.bind = [&, spring](const Expression& e, std::string_view what) {
        auto bound = names_.bind(e, spring ? Access::own_spring : Access::kinematic, owner + ": " + std::string(what));
        for (const SignalRef& r : bound.refs) note_reach(r, reach);
        return bound;
      };
      const auto entries = planar_forces();
      const auto entry =
          std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.type == spec.type; });
      if (entry == entries.end()) fail(spec.where, owner + ": unknown type \"" + spec.type + "\"");
      auto force = entry->make(spec, context);
      force->name = spec.name;
      force->where = spec.where;
      system_->forces.push_back(std::move(force));
      system_->force_reach.push_back(std::move(reach));
    }
  }

  void own_force(const ForceSpec& spec, const std::string& owner) {
    if (spec.markers.empty() || spec.markers.size() > most_user_bodies)
      fail(spec.where, owner + ": a force of one's own acts on 1 to " + std::to_string(most_user_bodies) +
                           " bodies, not " + std::to_string(spec.markers.size()));
    std::vector<int> bodies;
    for (const MarkerSpec& m : spec.markers) bodies.push_back(marker(m, owner).body);
    auto force = make_user_force(spec.user, bodies);
    force->name = spec.name;
    force->where = spec.where;
    system_->forces.push_back(std::move(force));
    system_->force_reach.push_back({std::move(bodies), {}});
  }

  /// What a signal in a force's formula reads; lengths of springs by their markers, which may come later in the file.
  void note_reach(const SignalRef& r, ForceReach& reach) const {
    if (r.kind == SignalKind::state) reach.states.push_back(r.index);
    if (r.kind >= SignalKind::body_x && r.kind <= SignalKind::body_omega) reach.bodies.push_back(r.index);
    if (r.kind == SignalKind::spatial_motion) reach.bodies.push_back(r.index / 16);
    if (r.kind == SignalKind::force_length || r.kind == SignalKind::force_rate) {
      const auto add = [&](const auto& markers) {
        for (const auto& m : markers)
          if (const auto it = names_.bodies.find(m.body); it != names_.bodies.end()) reach.bodies.push_back(it->second);
      };
      const auto at = static_cast<std::size_t>(r.index);
      if (system_->is_spatial())
        add(spec_.spatial.forces[at].markers);
      else
        add(spec_.forces[at].markers);
    }
  }

  /// When all bodies are known, those that carry a moving point among them.
  void linear_forces() {
    System& s = *system_;
    std::vector<BodyFreedom> freedom;
    for (const Body& b : s.bodies)
      freedom.push_back({b.turns && !(b.prescribed && b.angle.is_constant()),
                         !b.prescribed || (b.x.is_affine() && b.y.is_affine() && b.angle.is_affine())});
    for (const auto& force : s.forces) s.force_affine.push_back(force->is_affine(freedom));
  }

  std::unique_ptr<Contact> shape_contact(const ContactSpec& spec, const std::string& owner, Marker& first,
                                         Marker& second) {
    first = marker(spec.first.marker, owner);
    second = marker(spec.second.marker, owner);
    const ContactEntry* entry = find_contact(spec.first.shape, spec.second.shape);
    if (!entry)
      fail(spec.where, owner + ": no contact between shapes \"" + spec.first.shape + "\" and \"" + spec.second.shape +
                           "\": they cannot touch at a point");
    return entry->make(spec, first, second);
  }

  std::unique_ptr<Contact> generalized_contact(const ContactSpec& spec, const std::string& owner, Marker& first,
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

  void contacts() {
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
      s.contact_friction.push_back(-1);
      s.contact_constant.push_back(
          contact->rows_are_constant(fixed(first.body), s.bodies[static_cast<std::size_t>(second.body)].turns) &&
          free_or_fixed(second.body));
      s.contacts.push_back(std::move(contact));
      if (spec.friction) {
        FrictionUnit unit;
        unit.contact = static_cast<int>(s.contacts.size()) - 1;
        unit.law = FrictionLaw(*spec.friction);
        unit.velocity_is_linear = s.contact_constant.back() != 0;
        if (spec.friction->normal_force)
          fail(spec.friction->where,
               owner + ": a contact's friction takes its normal force from the contact; remove normal_force");
        s.contact_friction.back() = static_cast<int>(s.frictions.size());
        s.frictions.push_back(std::move(unit));
      }
    }
  }

  void states() {
    for (const StateSpec& spec : spec_.states)
      system_->states.push_back(
          {spec.name, spec.initial, names_.bind(spec.rate, Access::kinematic, "state \"" + spec.name + "\": rate")});
    for (std::size_t i = 0; i < spec_.spatial.forces.size(); ++i) {
      if (!counts_turns(spec_.spatial.forces[i])) continue;
      BoundExpression rate;
      rate.formula = Expression::compile("rate", {}, {});
      rate.refs = {{SignalKind::force_rate, static_cast<int>(i)}};
      rate.constant = false;
      system_->states.push_back({turn_state(spec_.spatial.forces[i]), 0, std::move(rate)});
    }
  }

  void guards() {
    System& s = *system_;
    const auto names = s.state_names();
    for (const GuardSpec& spec : spec_.guards) {
      const std::string owner = "guard \"" + spec.name + "\"";
      UserGuard guard;
      guard.spec = spec;
      if (spec.times.empty() && !spec.function)
        guard.when = names_.bind(spec.when, Access::kinematic, owner + ": when");
      for (const auto& [target, value] : spec.reset) {
        const auto it = std::find(names.begin(), names.end(), target);
        if (it == names.end()) fail(value.where(), owner + ": reset: unknown state \"" + target + "\"");
        for (const Body& b : s.bodies) {
          const auto index = it - names.begin();
          const bool turns = (index >= b.coordinate + 3 && index < b.coordinate + 7) ||
                             (index >= s.nq + b.dof + 3 && index < s.nq + b.dof + 6);
          if (b.has_own_axes && turns)
            fail(value.where(), owner + ": reset: \"" + target +
                                    "\" of a body whose inertia is not diagonal cannot be "
                                    "reset yet; write the body in its principal axes");
        }
        guard.reset.emplace_back(static_cast<int>(it - names.begin()),
                                 names_.bind(value, Access::kinematic, owner + ": reset"));
      }
      s.guards.push_back(std::move(guard));
    }
  }

  void measures() {
    for (const MeasureSpec& spec : spec_.measures) {
      if (spec.name == "energy" || spec.name == "t" || names_.states.count(spec.name))
        fail(spec.where,
             "measure \"" + spec.name + "\": a column of this name is recorded anyway; choose another name");
      Measure m{spec.name, spec.unit, names_.bind(spec.value, Access::solved, "measure \"" + spec.name + "\""), false};
      for (const SignalRef& r : m.value.refs) m.needs_solve |= r.kind >= SignalKind::force_value;
      system_->measures.push_back(std::move(m));
    }
  }

  void initial() {
    System& s = *system_;
    s.initial.assign(s.size(), 0.0);
    for (const BodySpec& b : spec_.bodies) {
      const Body& body = s.bodies[static_cast<std::size_t>(names_.bodies.at(b.name))];
      if (body.prescribed) continue;
      double* q = s.initial.data() + body.coordinate;
      double* v = s.initial.data() + s.nq + body.dof;
      q[0] = b.position[0], q[1] = b.position[1];
      v[0] = b.velocity[0], v[1] = b.velocity[1];
      if (body.turns) q[2] = b.angle, v[2] = b.angular_velocity;
    }
    for (const SpatialBodySpec& b : spec_.spatial.bodies)
      start_spatial(s, s.bodies[static_cast<std::size_t>(names_.bodies.at(b.name))], b, s.initial.data());
    for (int i = 0; i < s.ns; ++i)
      s.initial[static_cast<std::size_t>(s.nq + s.nv + i)] = s.states[static_cast<std::size_t>(i)].initial;
    start_turns();
    s.length = length();
  }

  /// Rotational springs begin within half a turn.
  void start_turns() {
    System& s = *system_;
    Kinematics k;
    s.prepare(k);
    s.update(k, spec_.simulation.start, s.initial.data());
    for (std::size_t i = 0; i < spec_.spatial.forces.size(); ++i) {
      if (!counts_turns(spec_.spatial.forces[i])) continue;
      const int state = s.nq + s.nv + names_.states.at(turn_state(spec_.spatial.forces[i]));
      s.initial[static_cast<std::size_t>(state)] = s.forces[i]->output(0, k);
    }
  }

  [[nodiscard]] double length() const {
    const System& s = *system_;
    Kinematics k;
    s.prepare(k);
    s.update(k, spec_.simulation.start, s.initial.data());
    double largest = k.extent();
    for (const auto& joint : s.joints) largest = std::max(largest, joint->length());
    for (const auto& contact : s.contacts) largest = std::max(largest, contact->length_scale(k));
    // Less than any mechanism is the round-off of a formula that was meant to be zero.
    return largest > 1e-9 && std::isfinite(largest) ? largest : 1.0;
  }

  const ModelSpec& spec_;
  std::vector<ContactSpec> contacts_;                    ///< one-point contacts, the parts of those written
  std::vector<std::vector<ContactPart>> spatial_parts_;  ///< the same in space, by contact
  std::shared_ptr<System> system_;
  SignalNames names_;
};

}  // namespace

std::shared_ptr<const System> build_system(const ModelSpec& spec) { return Builder(spec).build(); }

}  // namespace hstar
