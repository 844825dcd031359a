// src/formulation/solved_signals.cpp
#include "formulation/solved_signals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mechanism/spatial/contact.hpp"

namespace hstar {

double SolvedSignals::tangential(int unit) const {
  if (unit < 0) return 0;
  const double force = equations_.friction_force(unit);
  return equations_.system().frictions[unit].directions > 1 ? std::abs(force) : force;
}

double SolvedSignals::slip_velocity(int unit) const { return unit < 0 ? 0.0 : equations_.motion.sliding(unit); }

std::array<double, 6> SolvedSignals::friction_wrench(const Joint& joint, int unit) const {
  // As that of the joint's own rows, with those of gamma_T in their places.
  const ModeEquations& e = equations_;
  std::array<Row, 6> rows;
  std::array<double, 6> lambda{};
  e.motion.tangent_rows(unit, rows.data());
  e.friction_forces(unit, lambda.data());
  const int used = equations_.system().frictions[unit].directions;
  for (std::size_t i = static_cast<std::size_t>(used); i < rows.size(); ++i) rows[i].body = rows[0].body;
  return joint.wrench(e.motion.kinematics(), rows.data(), lambda.data());
}

double SolvedSignals::contact_vector(std::size_t contact, std::size_t component) const {
  if (contact_ != contact) vectors_ = contact_vectors(contact_ = contact);
  return vectors_[component];
}

std::array<double, 6> SolvedSignals::contact_vectors(std::size_t contact) const {
  // A row along a direction has the direction itself in the columns of the second body's r_dot.
  const ModeEquations& e = equations_;
  const int unit = e.system().contact_friction[contact];
  const bool closed = e.rows.of_contact(static_cast<int>(contact)) >= 0;
  std::array<double, 6> vectors{};
  const auto add = [&](std::size_t first, const Row& row, double value) {
    for (std::size_t axis = 0; axis < 3; ++axis) vectors[first + axis] += row.J[1][axis] * value;
  };
  const int index = static_cast<int>(contact);
  if (closed) add(3, e.motion.normal_row(index), e.contact_force(index));
  if (unit < 0) return vectors;
  std::array<double, most_directions> force{};
  if (closed) e.friction_forces(unit, force.data());
  const double* along = force.data();
  for (const Row& row : e.motion.tangents(unit)) {
    add(0, row, e.motion.free_speed(row));
    if (closed) add(3, row, *along++);
  }
  return vectors;
}

double SolvedSignals::whole_contact(std::size_t whole, std::size_t component) const {
  if (whole_ != whole) sums_ = sum_of_parts(equations_.system().whole_contacts[whole_ = whole]);
  return sums_[component];
}

std::array<double, 8> SolvedSignals::sum_of_parts(const WholeContact& whole) const {
  const System& s = equations_.system();
  const Kinematics& k = equations_.motion.kinematics();
  double gap = std::numeric_limits<double>::infinity(), normal = 0;
  Vec3 force{0, 0, 0}, moment{0, 0, 0};
  bool touches = false;
  for (std::size_t c = whole.first; c < whole.first + whole.parts; ++c) {
    const int index = static_cast<int>(c);
    if (equations_.rows.of_contact(index) < 0) continue;
    const Contact& part = *s.contacts[c];
    touches = true;
    gap = std::min(gap, part.gap(k));
    const std::array<double, 6> vectors = contact_vectors(c);
    // That on the second body of the contact as written, whose parts name their bodies in either order.
    const double sign = part.second == whole.second ? 1 : -1, N = equations_.contact_force(index);
    force = force + sign * Vec3{vectors[3], vectors[4], vectors[5]};
    moment = moment + N * static_cast<const SpatialContact&>(part).place(k).point;
    normal += N;
  }
  // Bodies that touch are nowhere nearer than where they do: hundreds of pairs of edges and faces need no look.
  for (std::size_t c = whole.first; !touches && c < whole.first + whole.parts; ++c)
    gap = std::min(gap, s.contacts[c]->apart(k));
  const Vec3 centre = (1 / normal) * moment;
  std::array<double, 8> out{gap, normal, force[0], force[1], force[2]};
  for (std::size_t i = 0; i < 3; ++i) out[5 + i] = normal > 0 ? centre[i] : std::numeric_limits<double>::quiet_NaN();
  return out;
}

double SolvedSignals::read(const SignalRef& ref) const {
  const System& s = equations_.system();
  const ModeEquations& e = equations_;
  const Kinematics& k = e.motion.kinematics();
  const auto i = static_cast<std::size_t>(ref.index);
  // Force of the multipliers and of friction on the second body, at its point.
  const auto reaction = [&](std::size_t component) {
    auto sum = s.joints[i]->reaction(k, e.joint_multipliers(ref.index));
    if (const int unit = s.joint_friction[i]; unit >= 0) {
      const Row row = e.motion.tangent_row(unit);
      const double force = e.friction_force(unit);
      const Vec2 f{row.J[1][0] * force, row.J[1][1] * force};
      const Vec2 at = k.of(s.joints[i]->second.body).global(s.joints[i]->second.local);
      sum[0] += f[0];
      sum[1] += f[1];
      sum[2] += row.J[1][2] * force - (at[0] * f[1] - at[1] * f[0]);
    }
    return sum[component];
  };
  const auto acceleration = [&](int c) {
    return s.bodies[i].prescribed ? k.acceleration(i, c) : e.acceleration()[s.slot(i, c)];
  };
  // Global axes: A (omega_bar x omega_bar + omega_bar_dot) = A omega_bar_dot.
  const auto spatial_acceleration = [&](std::size_t body, std::size_t c) {
    const bool given = s.bodies[body].prescribed;
    Vec3 a;
    for (std::size_t j = 0; j < 3; ++j) {
      const int column = static_cast<int>(j) + (c < 3 ? 0 : 3);
      a[j] = given ? k.acceleration(body, column) : e.acceleration()[s.slot(body, column)];
    }
    return c < 3 ? a[c] : (k.spatial[body].A * a)[c - 3];
  };
  switch (ref.kind) {
    case SignalKind::body_ax:
      return acceleration(0);
    case SignalKind::body_ay:
      return acceleration(1);
    case SignalKind::body_alpha:
      return acceleration(2);
    case SignalKind::spatial_acceleration:
      return spatial_acceleration(i / 6, i % 6);
    case SignalKind::joint_wrench: {
      const Joint& joint = *s.joints[i / 6];
      const int first = s.joint_row[i / 6];
      if (first >= e.rows.count()) return 0;
      const double held = joint.wrench(k, &e.rows[first], e.joint_multipliers(ref.index / 6))[i % 6];
      const int unit = s.joint_friction[i / 6];
      return unit < 0 ? held : held + friction_wrench(joint, unit)[i % 6];
    }
    case SignalKind::joint_fx:
      return reaction(0);
    case SignalKind::joint_fy:
      return reaction(1);
    case SignalKind::joint_torque:
      return reaction(2);
    case SignalKind::joint_normal: {
      const int unit = s.joint_friction[i];
      if (unit >= 0 && s.frictions[unit].normal_force) return e.normal_force(unit) / s.frictions[unit].lever;
      // Along the guide's normal with its sign; the size of the pin's force.
      std::array<double, 8> unused{};
      const int side = s.joints[i]->side_row();
      return side >= 0 ? e.joint_multipliers(ref.index)[side]
                       : s.joints[i]->normal_force(e.joint_multipliers(ref.index), 0, unused.data());
    }
    case SignalKind::joint_tangential:
      return tangential(s.joint_friction[i]);
    case SignalKind::joint_slip_velocity:
      return slip_velocity(s.joint_friction[i]);
    case SignalKind::contact_gap:
      return s.contacts[i]->gap(k);
    case SignalKind::contact_gap_velocity:
      return e.motion.gap_velocity(ref.index);
    case SignalKind::contact_slip_velocity:
      return slip_velocity(s.contact_friction[i]);
    case SignalKind::contact_normal:
      return e.contact_force(ref.index);
    case SignalKind::contact_tangential:
      return tangential(s.contact_friction[i]);
    case SignalKind::contact_vector:
      return contact_vector(i / 6, i % 6);
    case SignalKind::whole_contact:
      return whole_contact(i / 8, i % 8);
    case SignalKind::force_value:
      return s.forces[i]->output(2, k);
    case SignalKind::energy:
      return s.kinetic_energy(k) + s.potential_energy(k);
    default:
      return read_kinematic(ref, k);
  }
}

double SolvedSignals::evaluate(const BoundExpression& e) const {
  if (e.constant) return e.value;
  std::array<double, max_signals> vars;
  for (std::size_t i = 0; i < e.refs.size(); ++i) vars[i] = read(e.refs[i]);
  return e.formula.value(vars.data());
}

bool needs_solve(const BoundExpression& e) {
  return std::any_of(e.refs.begin(), e.refs.end(),
                     [](const SignalRef& r) { return r.kind >= SignalKind::force_value; });
}

}  // namespace hstar
