// src/mechanism/system.cpp: kinematics, forces and rows of all elements at one instant.
#include "mechanism/system.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace hstar {
namespace {

/// A number that no other call has, of any thread: each takes numbers in blocks.
std::uint64_t next_version() {
  constexpr std::uint64_t block = 1 << 20;
  static std::atomic<std::uint64_t> blocks{0};
  thread_local std::uint64_t last = 0, end = 0;
  if (last == end) {
    last = block * blocks.fetch_add(1);
    end = last + block;
  }
  return ++last;
}

}  // namespace

FrictionCoefficients FrictionUnit::coefficients_by_formulas(const Kinematics& k) const {
  FrictionCoefficients now = law.coefficients();
  if (mu_kinetic_formula) now.mu_kinetic = std::max(evaluate(*mu_kinetic_formula, k), 0.0);
  if (mu_static_formula) now.mu_static = evaluate(*mu_static_formula, k);
  now.mu_static = std::max(now.mu_static, now.mu_kinetic);
  return now;
}

double FrictionUnit::given_normal(const Kinematics& k) const {
  return lever * std::max(evaluate(*normal_force, k), 0.0);
}

void System::prepare(Kinematics& k) const {
  k.columns = columns;
  k.bodies = &bodies;
  k.forces = &forces;
  if (is_spatial()) return prepare_spatial(k);
  k.body.assign(bodies.size(), BodyMotion{});
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].fixed) continue;
    BodyMotion& b = k.body[i];
    b.r = {bodies[i].x.at(0).value, bodies[i].y.at(0).value};
    b.angle = bodies[i].angle.at(0).value;
    b.c = std::cos(b.angle);
    b.s = std::sin(b.angle);
  }
}

void System::update(Kinematics& k, double t, const double* y) const {
  k.t = t;
  k.y = y;
  k.version = next_version();
  if (is_spatial()) return update_spatial(k, t, y);
  const Moment now = k.now();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    BodyMotion& b = k.body[i];
    if (body.fixed) continue;
    if (body.prescribed) {
      const auto x = body.x.at(now), yy = body.y.at(now), angle = body.angle.at(now);
      b.r = {x.value, yy.value};
      b.v = {x.rate, yy.rate};
      b.a = {x.acceleration, yy.acceleration};
      b.omega = angle.rate;
      b.alpha = angle.acceleration;
      if (angle.value != b.angle) {
        b.angle = angle.value;
        b.c = std::cos(b.angle);
        b.s = std::sin(b.angle);
      }
      continue;
    }
    const double* q = y + body.coordinate;
    const double* v = y + nq + body.dof;
    b.r = {q[0], q[1]};
    b.v = {v[0], v[1]};
    if (body.dofs == 3) {
      b.angle = q[2];
      b.omega = v[2];
      b.c = std::cos(b.angle);
      b.s = std::sin(b.angle);
    }
  }
}

void System::coordinate_rates(const double* y, double* q_dot) const {
  if (is_spatial()) return spatial_rates(y, q_dot);
  std::copy(y + nq, y + nq + nv, q_dot);
}

void System::displace(const double* displacement, double factor, double* q) const {
  if (is_spatial()) return displace_spatial(displacement, factor, q);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (int c = 0; c < bodies[b].dofs; ++c) q[bodies[b].coordinate + c] += factor * displacement[slot(b, c)];
}

void System::applied_forces(const Kinematics& k, double* f) const {
  if (is_spatial())
    body_forces(k, f);
  else
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      f[3 * i] = bodies[i].mass * gravity[0];
      f[3 * i + 1] = bodies[i].mass * gravity[1];
      f[3 * i + 2] = 0;
    }
  for (const auto& force : forces) force->apply(k, f);
}

void System::fold(const Kinematics& k, Row& row) const {
  for (int i = 0; i < 2; ++i) {
    const int index = row.body[i];
    const Body& body = bodies[index];
    if (body.fixed || !body.prescribed) continue;
    row.nu -= k.along(row.J[i], index);
    double sum = 0;
    for (int c = 0; c < columns; ++c) sum += row.J[i][c] * k.acceleration(static_cast<std::size_t>(index), c);
    row.gamma -= sum;
  }
}

Expression::Sizes System::given_sizes(const Kinematics& k, const Row& row) const {
  Expression::Sizes sum{0, 0};
  for (std::size_t i = 0; i < 2; ++i) {
    const Body& body = bodies[row.body[i]];
    if (body.fixed || !body.prescribed) continue;
    const auto add = [&](const TimeFunction& f, int first, int last) {
      const Expression::Sizes size = f.sizes(k.now());
      for (int c = first; c <= last; ++c) {
        sum.value += std::abs(row.J[i][c]) * size.value;
        sum.rate += std::abs(row.J[i][c]) * size.rate;
      }
    };
    const int turning = columns == 3 ? 2 : 3;
    add(body.x, 0, 0);
    add(body.y, 1, 1);
    if (columns == 6) add(body.z, 2, 2);
    add(body.angle, turning, columns - 1);
  }
  return sum;
}

void System::clear_fixed(Row& row) const {
  for (std::size_t i = 0; i < 2; ++i)
    if (bodies[row.body[i]].fixed) std::fill(row.J[i], row.J[i] + columns, 0.0);
}

std::array<int, 2> System::bodies_of(const FrictionUnit& unit) const {
  return unit.contact >= 0 ? contacts[unit.contact]->bodies() : joints[unit.joint]->bodies();
}

void System::joint_rows(const Kinematics& k, Row* out) const {
  for (const auto& joint : joints) {
    const int n = joint->rows();
    for (int i = 0; i < n; ++i) out[i].body = joint->bodies();
    joint->rows_at(k, out);
    for (int i = 0; i < n; ++i) fold(k, out[i]);
    out += n;
  }
}

void System::joint_positions(const Kinematics& k, double* phi) const {
  for (const auto& joint : joints) {
    joint->position(k, phi);
    phi += joint->rows();
  }
}

std::string System::row_name(int row) const {
  for (std::size_t i = joints.size(); i-- > 0;)
    if (row >= joint_row[i])
      return "joint \"" + joints[i]->name + "\" (" + std::string(joints[i]->row_name(row - joint_row[i])) + ")";
  return "row " + std::to_string(row);
}

double System::kinetic_energy(const Kinematics& k) const {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].prescribed) continue;
    if (is_spatial()) {
      const SpatialMotion& b = k.spatial[i];
      sum += 0.5 * bodies[i].mass * dot(b.v, b.v);
      for (std::size_t c = 0; c < 3; ++c) sum += 0.5 * bodies[i].moment[c] * b.omega_bar[c] * b.omega_bar[c];
      continue;
    }
    const BodyMotion& b = k.body[i];
    sum += 0.5 * bodies[i].mass * dot(b.v, b.v) + 0.5 * bodies[i].inertia * b.omega * b.omega;
  }
  return sum;
}

double System::potential_energy(const Kinematics& k) const {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].prescribed)
      sum -= bodies[i].mass * (is_spatial() ? dot(gravity3, k.spatial[i].r) : dot(gravity, k.body[i].r));
  for (const auto& force : forces) sum += force->potential_energy(k);
  return sum;
}

std::vector<std::string> System::state_names() const {
  std::vector<std::string> names(size());
  for (const Body& b : bodies) {
    if (b.prescribed) continue;
    constexpr const char* planar_q[] = {".x", ".y", ".angle"};
    constexpr const char* planar_v[] = {".vx", ".vy", ".omega"};
    constexpr const char* spatial_q[] = {".x", ".y", ".z", ".e0", ".e1", ".e2", ".e3"};
    constexpr const char* spatial_v[] = {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
    for (int i = 0; i < b.coordinates; ++i)
      names[b.coordinate + i] = b.name + (is_spatial() ? spatial_q[i] : planar_q[i]);
    for (int i = 0; i < b.dofs; ++i) names[nq + b.dof + i] = b.name + (is_spatial() ? spatial_v[i] : planar_v[i]);
  }
  for (int i = 0; i < ns; ++i) names[nq + nv + i] = states[i].name;
  return names;
}

std::vector<std::string> System::state_units() const {
  std::vector<std::string> units(size());
  for (const Body& b : bodies) {
    if (b.prescribed) continue;
    for (int i = 0; i < b.coordinates; ++i) units[b.coordinate + i] = !turns(i) ? "m" : is_spatial() ? "" : "rad";
    for (int i = 0; i < b.dofs; ++i) units[nq + b.dof + i] = !turns(i) ? "m/s" : "rad/s";
  }
  // Angles of springs and joints over whole turns, "hinge.angle", are states; states of the model have no unit.
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i].name.find(".angle") != std::string::npos) units[static_cast<std::size_t>(nq + nv) + i] = "rad";
  return units;
}

std::vector<int> System::velocity_of() const {
  std::vector<int> all;
  if (held() || nq != nv) return all;
  for (int i = 0; i < 2 * nq; ++i) all.push_back(i < nq ? nq + i : -1);
  for (const ExtraState& s : states) {
    const BoundExpression& rate = s.rate;
    const bool a_name = !rate.constant && rate.refs.size() == 1 && rate.refs[0].kind == SignalKind::state &&
                        rate.formula.text() == rate.formula.variables()[0];
    all.push_back(a_name ? rate.refs[0].index : -1);
  }
  return all;
}

std::vector<double> System::initial_state() const { return initial; }

double evaluate_formula(const BoundExpression& e, const Kinematics& k, double own_length, double own_rate) noexcept {
  std::array<double, max_signals> vars;
  for (std::size_t i = 0; i < e.refs.size(); ++i) {
    const SignalRef& r = e.refs[i];
    vars[i] = r.kind == SignalKind::time         ? k.t
              : r.kind == SignalKind::own_length ? own_length
              : r.kind == SignalKind::own_rate   ? own_rate
                                                 : read_kinematic(r, k);
  }
  return e.formula.value(vars.data(), k.branches);
}

double read_kinematic(const SignalRef& ref, const Kinematics& k) noexcept {
  switch (ref.kind) {
    case SignalKind::time:
      return k.t;
    case SignalKind::body_x:
      return k.of(ref.index).r[0];
    case SignalKind::body_y:
      return k.of(ref.index).r[1];
    case SignalKind::body_angle:
      return k.of(ref.index).angle;
    case SignalKind::body_vx:
      return k.of(ref.index).v[0];
    case SignalKind::body_vy:
      return k.of(ref.index).v[1];
    case SignalKind::body_omega:
      return k.of(ref.index).omega;
    case SignalKind::spatial_motion:
      return read_spatial(ref.index, k);
    case SignalKind::state:
      return k.y[ref.index];
    case SignalKind::force_length:
      return (*k.forces)[ref.index]->output(0, k);
    case SignalKind::force_rate:
      return (*k.forces)[ref.index]->output(1, k);
    default:
      return 0.0;
  }
}

}  // namespace hstar
