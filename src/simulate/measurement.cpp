// src/simulate/measurement.cpp
#include "simulate/measurement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "simulate/column_words.hpp"

namespace hstar {

Measurement::Measurement(MechanismProcess& process) : process_(process) {
  const System& s = process.system();
  columns_ = s.state_names();
  units_ = s.state_units();
  // The columns of one element, or of the mechanism: those of `word` that it has.
  const auto add = [&](const std::string& element, std::size_t index, bool turns, auto has) {
    for (const ColumnEntry& word : column_words()) {
      if (!has(word.owner)) continue;
      const bool wrench = word.kind == SignalKind::joint_wrench || word.kind == SignalKind::contact_vector;
      columns_.push_back(element + std::string(word.name));
      units_.emplace_back(turns && !word.turning_unit.empty() ? word.turning_unit : word.unit);
      signals_.push_back({word.kind, static_cast<int>(wrench ? 6 * index : index) + word.component});
    }
  };
  using enum ColumnOwner;
  const bool spatial = s.is_spatial();
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    const bool rubs = s.joint_friction[j] >= 0;
    add(s.joints[j]->name + ".", j, rubs && s.frictions[static_cast<std::size_t>(s.joint_friction[j])].turns,
        [&](ColumnOwner o) { return o == (spatial ? spatial_joint : planar_joint) || (rubs && o == joint_friction); });
  }
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const bool rubs = s.contact_friction[c] >= 0;
    add(s.contacts[c]->name + ".", c, false, [&](ColumnOwner o) {
      return o == contact || (spatial && o == spatial_contact) || (rubs && o == contact_friction) ||
             (spatial && rubs && o == spatial_contact_friction);
    });
  }
  add("", 0, false, [&](ColumnOwner o) { return (s.nq > 0 && o == mechanism) || (s.rows > 0 && o == constraints); });
  phi_.resize(static_cast<std::size_t>(s.rows));
  rows_.resize(static_cast<std::size_t>(s.rows));
  for (const Measure& m : s.measures) {
    columns_.push_back(m.name);
    units_.push_back(m.unit);
  }
}

double Measurement::drift(bool of_velocity) const {
  const System& s = process_.system();
  const Kinematics& k = process_.equations().kinematics();
  double worst = 0;
  if (!of_velocity) {
    s.joint_positions(k, phi_.data());
    for (const double phi : phi_) worst = std::max(worst, std::abs(phi));
    return worst;
  }
  s.joint_rows(k, rows_.data());
  for (const Row& row : rows_) {
    double rate = -row.nu;
    for (std::size_t i = 0; i < 2; ++i) {
      if (s.bodies[static_cast<std::size_t>(row.body[i])].prescribed) continue;  // in nu
      rate += k.along(row.J[i], row.body[i]);
    }
    worst = std::max(worst, std::abs(rate));
  }
  return worst;
}

double Measurement::tangential(int unit) const {
  if (unit < 0) return 0;
  const double force = process_.equations().friction_force(unit);
  return process_.system().frictions[static_cast<std::size_t>(unit)].directions > 1 ? std::abs(force) : force;
}

double Measurement::slip_velocity(int unit) const {
  if (unit < 0) return 0;
  const ModeEquations& e = process_.equations();
  const bool several = process_.system().frictions[static_cast<std::size_t>(unit)].directions > 1;
  return several ? e.slide_speed(unit) : e.slide_velocity(unit);
}

std::array<double, 6> Measurement::friction_wrench(const Joint& joint, int unit) const {
  // As that of the joint's own rows, with those of gamma_T in their places.
  const ModeEquations& e = process_.equations();
  std::array<Row, 6> rows;
  std::array<double, 6> lambda{};
  e.tangent_rows(unit, rows.data());
  e.friction_forces(unit, lambda.data());
  const int used = process_.system().frictions[static_cast<std::size_t>(unit)].directions;
  for (std::size_t i = static_cast<std::size_t>(used); i < rows.size(); ++i) rows[i].body = rows[0].body;
  return joint.wrench(e.kinematics(), rows.data(), lambda.data());
}

double Measurement::contact_vector(std::size_t contact, std::size_t component) const {
  // A row along a direction has the direction itself in the columns of the second body's r_dot.
  const System& s = process_.system();
  const ModeEquations& e = process_.equations();
  const int unit = s.contact_friction[contact];
  const std::size_t axis = component % 3;
  std::array<Row, most_directions> rows;
  std::array<double, most_directions> value{};
  double sum = 0;
  if (component >= 3) {
    if (e.contact_row(static_cast<int>(contact)) < 0) return 0;
    Row normal;
    e.normal_row(static_cast<int>(contact), normal);
    sum = normal.J[1][axis] * e.contact_force(static_cast<int>(contact));
  }
  if (unit < 0) return sum;
  e.tangent_rows(unit, rows.data());
  if (component >= 3)
    e.friction_forces(unit, value.data());
  else
    e.slide_velocities(unit, value.data());
  for (int i = 0; i < s.frictions[static_cast<std::size_t>(unit)].directions; ++i)
    sum += rows[static_cast<std::size_t>(i)].J[1][axis] * value[static_cast<std::size_t>(i)];
  return sum;
}

double Measurement::read(const SignalRef& ref) const {
  const System& s = process_.system();
  const ModeEquations& e = process_.equations();
  const Kinematics& k = e.kinematics();
  const auto i = static_cast<std::size_t>(ref.index);
  // Force of the multipliers and of friction on the second body, at its point.
  const auto reaction = [&](std::size_t component) {
    auto sum = s.joints[i]->reaction(k, e.joint_multipliers(ref.index));
    if (const int unit = s.joint_friction[i]; unit >= 0) {
      Row row;
      e.tangent_row(unit, row);
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
      if (first >= e.row_count()) return 0;
      const double held = joint.wrench(k, &e.row(first), e.joint_multipliers(ref.index / 6))[i % 6];
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
      if (unit >= 0 && s.frictions[static_cast<std::size_t>(unit)].normal_force)
        return e.normal_force(unit) / s.frictions[static_cast<std::size_t>(unit)].lever;
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
      return e.gap_velocity(ref.index);
    case SignalKind::contact_slip_velocity:
      return slip_velocity(s.contact_friction[i]);
    case SignalKind::contact_normal:
      return e.contact_force(ref.index);
    case SignalKind::contact_tangential:
      return tangential(s.contact_friction[i]);
    case SignalKind::contact_vector:
      return contact_vector(i / 6, i % 6);
    case SignalKind::force_value:
      return s.forces[i]->output(2, k);
    case SignalKind::energy:
      return s.kinetic_energy(k) + s.potential_energy(k);
    case SignalKind::drift_position:
      return drift(false);
    case SignalKind::drift_velocity:
      return drift(true);
    default:
      return read_kinematic(ref, k);
  }
}

double Measurement::evaluate_solved(const BoundExpression& e) const {
  if (e.constant) return e.value;
  std::array<double, max_signals> vars;
  for (std::size_t i = 0; i < e.refs.size(); ++i) vars[i] = read(e.refs[i]);
  return e.formula.value(vars.data());
}

void Measurement::row(double t, std::span<const double> y, std::span<double> values) {
  const System& s = process_.system();
  std::copy(y.begin(), y.end(), values.begin());
  if (s.has_own_axes()) s.as_written(values.data());
  const bool solved = process_.solve_at(t, y.data());
  std::size_t at = y.size();
  for (const SignalRef& ref : signals_) values[at++] = solved ? read(ref) : std::numeric_limits<double>::quiet_NaN();
  for (const Measure& m : s.measures)
    values[at++] = solved || !m.needs_solve ? evaluate_solved(m.value) : std::numeric_limits<double>::quiet_NaN();
}

double Measurement::measure(std::size_t i, double t, std::span<const double> y) {
  const Measure& m = process_.system().measures[i];
  if (!m.needs_solve)
    process_.kinematics_at(t, y.data());
  else if (!process_.solve_at(t, y.data()))
    return std::numeric_limits<double>::quiet_NaN();
  return evaluate_solved(m.value);
}

}  // namespace hstar
