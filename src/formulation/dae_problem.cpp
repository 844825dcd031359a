// src/formulation/dae_problem.cpp
#include "formulation/dae_problem.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/signal_slopes.hpp"

namespace hstar {

MechanismDae::MechanismDae(std::shared_ptr<const System> system, const Mode& mode, DaeForm form)
    : system_(std::move(system)), mode_(mode), form_(form), equations_(system_) {
  const System& s = *system_;
  const auto m = static_cast<std::size_t>(s.rows) + s.contacts.size() + s.frictions.size();
  const auto n = static_cast<std::size_t>(s.nq);
  mass_.resize(n);
  is_angle_.resize(n);
  force_.resize(n);
  rate_.resize(static_cast<std::size_t>(s.ns));
  phi_.resize(m);
  speed_.resize(m);
  gamma_.resize(m);
  lambda_.resize(m);
  kind_.resize(m);
  slope_.resize(m);
  derivative_.resize(std::max<std::size_t>(m, 4));
  dof_.assign(s.slots(), -1);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) {
      dof_[3 * b + static_cast<std::size_t>(c)] = s.bodies[b].dof + c;
      mass_[static_cast<std::size_t>(s.bodies[b].dof + c)] = c < 2 ? s.bodies[b].mass : s.bodies[b].inertia;
      is_angle_[static_cast<std::size_t>(s.bodies[b].dof + c)] = c == 2;
    }
  null_load_.resize(s.slots());
  null_a_.resize(s.slots());
  zero_.assign(m, 0.0);
}

bool MechanismDae::begin(double t, const double* y) {
  const System& s = *system_;
  equations_.choose_rows(mode_);
  const int m = equations_.row_count();
  for (int i = 0; i < m; ++i) kind_[static_cast<std::size_t>(i)] = DaeRow::position;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (const int row = equations_.stick_row(static_cast<int>(u)); row >= 0)
      kind_[static_cast<std::size_t>(row)] = DaeRow::velocity;
  if (m == 0) return true;
  equations_.evaluate(t, y);
  equations_.fill_rows(mode_);
  const int redundant = equations_.find_redundant();
  if (redundant == 0) return true;
  // A dependent row d is replaced by n . lambda = 0, n the projection of e_d onto the multipliers that
  // exert no force: the load G_d^T is balanced by multipliers alone.
  auto& saddle = equations_.saddle();
  if (!saddle.factor(equations_.saddle_rows(), m)) return false;
  const std::size_t stride = phi_.size();
  null_.assign(static_cast<std::size_t>(redundant) * stride, 0.0);
  null_at_.assign(stride, 0);
  std::size_t next = 0;
  for (int d = 0; d < m; ++d) {
    if (!saddle.is_redundant(d)) continue;
    kind_[static_cast<std::size_t>(d)] = DaeRow::multiplier;
    const Row& row = equations_.row(d);
    std::fill(null_load_.begin(), null_load_.end(), 0.0);
    for (std::size_t i = 0; i < 2; ++i)
      for (int c = 0; c < 3; ++c) {
        const auto at = static_cast<std::size_t>(3 * row.body[i] + c);
        if (dof_[at] >= 0) null_load_[at] += row.J[i][c];
      }
    null_at_[static_cast<std::size_t>(d)] = next;
    double* n = null_.data() + next;
    next += stride;
    saddle.solve(null_load_.data(), zero_.data(), null_a_.data(), n);
    // With massless coordinates the solver leaves the multipliers of dependent rows at zero, and so do we.
    if (n[d] == 0) std::fill(n, n + m, 0.0);
    n[d] += 1;
  }
  return true;
}

bool MechanismDae::solve(double t, const double* y, double* a, double* rate, double* lambda) {
  const System& s = *system_;
  equations_.evaluate(t, y);
  if (s.nq > 0 && !equations_.solve(mode_)) return false;
  for (std::size_t i = 0; i < dof_.size(); ++i)
    if (dof_[i] >= 0) a[dof_[i]] = equations_.acceleration()[i];
  for (int i = 0; i < equations_.row_count(); ++i) lambda[i] = equations_.joint_multiplier(i);
  for (int i = 0; i < s.ns; ++i)
    rate[i] = hstar::evaluate(s.states[static_cast<std::size_t>(i)].rate, equations_.kinematics());
  return true;
}

double MechanismDae::free_speed(const Row& row) const {
  double sum = -row.nu;
  for (std::size_t i = 0; i < 2; ++i) {
    if (system_->bodies[static_cast<std::size_t>(row.body[i])].prescribed) continue;
    const BodyMotion& b = equations_.kinematics().of(row.body[i]);
    sum += row.J[i][0] * b.v[0] + row.J[i][1] * b.v[1] + row.J[i][2] * b.omega;
  }
  return sum;
}

void MechanismDae::columns(const Row& row, int (&column)[6]) const {
  for (std::size_t i = 0; i < 6; ++i) column[i] = dof_[static_cast<std::size_t>(3 * row.body[i / 3]) + i % 3];
}

void MechanismDae::add_force(const Row& row, double multiplier) {
  if (multiplier == 0) return;
  int column[6];
  columns(row, column);
  for (int i = 0; i < 6; ++i)
    if (column[i] >= 0) force_[static_cast<std::size_t>(column[i])] += row.J[i / 3][i % 3] * multiplier;
}

double MechanismDae::normal_force(std::size_t unit, const double* lambda, int& first, int& count) {
  const FrictionUnit& u = system_->frictions[unit];
  if (u.joint < 0) {
    first = equations_.contact_row(u.contact);
    count = 1;
    derivative_[0] = 1;
    return lambda[first];
  }
  const Joint& joint = *system_->joints[static_cast<std::size_t>(u.joint)];
  first = system_->joint_row[static_cast<std::size_t>(u.joint)];
  count = joint.rows();
  return joint.normal_force(lambda + first, mode_.friction[unit].side, derivative_.data());
}

MechanismDae::Friction MechanismDae::friction(std::size_t unit, const double* lambda) {
  const FrictionUnit& u = system_->frictions[unit];
  const FrictionMode& mode = mode_.friction[unit];
  Friction f;
  if (u.contact >= 0 && !mode_.closed[static_cast<std::size_t>(u.contact)]) return f;
  const double viscous = mode.slide == Slide::stick ? 0 : u.law.viscous();
  if (mode.slide != Slide::slip && viscous == 0) return f;
  f.acts = true;
  equations_.tangent_row(static_cast<int>(unit), f.row);
  f.speed = free_speed(f.row);
  f.tau = -viscous * f.speed;
  f.by_speed = -viscous;
  if (mode.slide != Slide::slip) return f;
  const double coefficient = -mode.direction * u.law.mu_kinetic(mode.direction * f.speed, mode.piece);
  double normal;
  if (u.normal_force) {
    normal = u.lever * std::max(hstar::evaluate(*u.normal_force, equations_.kinematics()), 0.0);
  } else {
    int first, count;
    normal = u.lever * normal_force(unit, lambda, first, count);
    f.by_normal = coefficient * u.lever;
  }
  f.tau += coefficient * normal;
  f.by_speed -= u.law.mu_slope(mode.direction * f.speed, mode.piece) * normal;
  return f;
}

bool MechanismDae::evaluate(double t, const double* y, const double* lambda) {
  const System& s = *system_;
  const int m = equations_.row_count();
  equations_.evaluate(t, y);
  equations_.fill_rows(mode_);
  const Kinematics& k = equations_.kinematics();
  std::copy(lambda, lambda + m, lambda_.begin());
  for (std::size_t i = 0; i < dof_.size(); ++i)
    if (dof_[i] >= 0) force_[static_cast<std::size_t>(dof_[i])] = equations_.load()[i];
  for (int i = 0; i < m; ++i) {
    const auto at = static_cast<std::size_t>(i);
    add_force(equations_.row(i), lambda[i]);
    speed_[at] = free_speed(equations_.row(i));
    gamma_[at] = equations_.row(i).gamma;
    phi_[at] = 0;
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (const Friction f = friction(u, lambda); f.acts) add_force(f.row, f.tau);
  s.joint_positions(k, phi_.data());
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (mode_.closed[c])
      phi_[static_cast<std::size_t>(equations_.contact_row(static_cast<int>(c)))] = s.contacts[c]->gap(k);
  for (int i = 0; i < m; ++i) {
    if (kind(i) != DaeRow::multiplier) continue;
    const double* n = null_.data() + null_at_[static_cast<std::size_t>(i)];
    double sum = 0;
    for (int j = 0; j < m; ++j) sum += n[j] * lambda[j];
    phi_[static_cast<std::size_t>(i)] = sum;
  }
  for (int i = 0; i < s.ns; ++i)
    rate_[static_cast<std::size_t>(i)] = hstar::evaluate(s.states[static_cast<std::size_t>(i)].rate, k);
  double check = 0;
  for (const double x : force_) check += x;
  for (const double x : rate_) check += x;
  for (int i = 0; i < m; ++i) check += phi_[static_cast<std::size_t>(i)] + speed_[static_cast<std::size_t>(i)];
  return std::isfinite(check);
}

void MechanismDae::jacobian(DaeEntries& rows) {
  int column[6];
  for (int i = 0; i < equations_.row_count(); ++i) {
    const Row& row = equations_.row(i);
    columns(row, column);
    for (int a = 0; a < 6; ++a)
      if (column[a] >= 0) rows.push_back({i, column[a], row.J[a / 3][a % 3]});
  }
}

void MechanismDae::row_slopes() {
  const System& s = *system_;
  const Kinematics& k = equations_.kinematics();
  for (std::size_t j = 0; j < s.joints.size(); ++j) s.joints[j]->slopes(k, slope_.data() + s.joint_row[j]);
  RowSlope normal, tangent;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (mode_.closed[c]) {
      s.contacts[c]->slopes(k, normal, tangent);
      slope_[static_cast<std::size_t>(equations_.contact_row(static_cast<int>(c)))] = normal;
    }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const int row = equations_.stick_row(static_cast<int>(u));
    if (row < 0) continue;
    const FrictionUnit& unit = s.frictions[u];
    if (unit.joint >= 0) {
      s.joints[static_cast<std::size_t>(unit.joint)]->tangent_slope(k, tangent);
    } else {
      s.contacts[static_cast<std::size_t>(unit.contact)]->slopes(k, normal, tangent);
    }
    slope_[static_cast<std::size_t>(row)] = tangent;
  }
}

void MechanismDae::curvature(const double* mu, DaeEntries& out) {
  row_slopes();
  int column[6];
  for (int i = 0; i < equations_.row_count(); ++i) {
    columns(equations_.row(i), column);
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b)
        if (column[a] >= 0 && column[b] >= 0 &&
            (slope_[static_cast<std::size_t>(i)].J[a][b] != 0 || (a == b && a % 3 == 2)))
          out.push_back({column[a], column[b], mu[i] * slope_[static_cast<std::size_t>(i)].J[a][b]});
  }
}

void MechanismDae::differentiate(const double* a, DaeSlopes& out) {
  const System& s = *system_;
  const Kinematics& k = equations_.kinematics();
  for (DaeEntries* entries :
       {&out.force_q, &out.force_v, &out.force_s, &out.force_lambda, &out.rate_q, &out.rate_v, &out.rate_s, &out.rows,
        &out.speed_q, &out.acceleration_q, &out.acceleration_v, &out.row_lambda})
    entries->clear();

  const auto move = [&](const std::vector<ForceSlopes::Entry>& from, DaeEntries& to) {
    for (const auto& e : from) {
      const int row = dof_[static_cast<std::size_t>(e.row)], column = dof_[static_cast<std::size_t>(e.column)];
      if (row >= 0 && column >= 0) to.push_back({row, column, e.value});
    }
  };
  force_slopes_.clear();
  for (const auto& force : s.forces) force->slopes(k, force_slopes_);
  move(force_slopes_.by_position, out.force_q);
  move(force_slopes_.by_velocity, out.force_v);
  for (const auto& e : force_slopes_.by_state)
    if (const int row = dof_[static_cast<std::size_t>(e.row)]; row >= 0)
      out.force_s.push_back({row, e.column - 2 * s.nq, e.value});

  jacobian(out.rows);
  for (const DaeEntry& e : out.rows) out.force_lambda.push_back({e.column, e.row, e.value});
  curvature(lambda_.data(), out.force_q);  // fills slope_ too

  int column[6];
  // Derivatives of J v and of J a - gamma of a row, by each of its six coordinates.
  const auto motion = [&](const Row& row, double(&v)[6], double(&acceleration)[6]) {
    for (std::size_t i = 0; i < 6; ++i) {
      const auto body = static_cast<std::size_t>(row.body[i / 3]);
      const BodyMotion& b = k.body[body];
      const std::size_t c = i % 3;
      v[i] = c < 2 ? b.v[c] : b.omega;
      const int at = dof_[3 * body + c];
      acceleration[i] = at >= 0 ? (a ? a[at] : 0.0) : c < 2 ? b.a[c] : b.alpha;
      // A point mass has no angle, and the mode equations know none of it.
      if (at < 0 && !s.bodies[body].prescribed) v[i] = acceleration[i] = 0;
    }
  };
  double v[6], acceleration[6];
  for (int i = 0; i < equations_.row_count(); ++i) {
    const Row& row = equations_.row(i);
    const RowSlope& slope = slope_[static_cast<std::size_t>(i)];
    columns(row, column);
    motion(row, v, acceleration);
    for (int b = 0; b < 6; ++b) {
      if (column[b] < 0) continue;
      double by_speed = 0, by_q = -slope.gamma[b], by_v = 0;
      // A row that turns with a body has slopes by its angle, also where position or motion make them zero: a
      // mode has one pattern, not another one as soon as a link at rest begins to move.
      bool by_place = b % 3 == 2 || slope.gamma[b] != 0, by_motion = b % 3 == 2;
      for (int c = 0; c < 6; ++c) {
        by_speed += v[c] * slope.J[c][b];
        by_q += acceleration[c] * slope.J[c][b];
        by_v += (slope.J[b][c] + slope.J[c][b]) * v[c];
        by_place |= slope.J[c][b] != 0;
        by_motion |= slope.J[b][c] + slope.J[c][b] != 0;
      }
      if (by_place) out.speed_q.push_back({i, column[b], by_speed});
      if (a && by_place) out.acceleration_q.push_back({i, column[b], by_q});
      if (a && by_motion) out.acceleration_v.push_back({i, column[b], by_v});
    }
    if (kind(i) == DaeRow::multiplier)
      for (int j = 0; j < equations_.row_count(); ++j)
        if (const double n = null_[null_at_[static_cast<std::size_t>(i)] + static_cast<std::size_t>(j)]; n != 0)
          out.row_lambda.push_back({i, j, n});
  }

  RowSlope tangent, unused;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const Friction f = friction(u, lambda_.data());
    if (!f.acts) continue;
    const FrictionUnit& unit = s.frictions[u];
    if (unit.joint >= 0)
      s.joints[static_cast<std::size_t>(unit.joint)]->tangent_slope(k, tangent);
    else
      s.contacts[static_cast<std::size_t>(unit.contact)]->slopes(k, unused, tangent);
    columns(f.row, column);
    motion(f.row, v, acceleration);
    for (int b = 0; b < 6; ++b) {
      if (column[b] < 0) continue;
      double speed_q = 0;
      for (int c = 0; c < 6; ++c) speed_q += v[c] * tangent.J[c][b];
      for (int c = 0; c < 6; ++c) {
        if (column[c] < 0) continue;
        const double J = f.row.J[c / 3][c % 3];
        const double by_q = f.tau * tangent.J[c][b] + J * f.by_speed * speed_q;
        const double by_v = J * f.by_speed * f.row.J[b / 3][b % 3];
        if (by_q != 0) out.force_q.push_back({column[c], column[b], by_q});
        if (by_v != 0) out.force_v.push_back({column[c], column[b], by_v});
      }
    }
    if (f.by_normal == 0) continue;
    int first, count;
    normal_force(u, lambda_.data(), first, count);
    for (int i = 0; i < count; ++i)
      for (int c = 0; c < 6; ++c)
        if (column[c] >= 0 && derivative_[static_cast<std::size_t>(i)] != 0)
          out.force_lambda.push_back(
              {column[c], first + i, f.row.J[c / 3][c % 3] * f.by_normal * derivative_[static_cast<std::size_t>(i)]});
  }

  // Extra states: a formula's derivative is that of a force of one unit on row 0.
  const ForceDirection unit{{0, 0}, {1, 0, 0, 0, 0, 0}};
  for (int i = 0; i < s.ns; ++i) {
    force_slopes_.clear();
    add_formula(unit, s.states[static_cast<std::size_t>(i)].rate, k, 0, 0, 1, force_slopes_);
    for (const auto& e : force_slopes_.by_position)
      if (const int c = dof_[static_cast<std::size_t>(e.column)]; c >= 0) out.rate_q.push_back({i, c, e.value});
    for (const auto& e : force_slopes_.by_velocity)
      if (const int c = dof_[static_cast<std::size_t>(e.column)]; c >= 0) out.rate_v.push_back({i, c, e.value});
    for (const auto& e : force_slopes_.by_state) out.rate_s.push_back({i, e.column - 2 * s.nq, e.value});
  }
}

}  // namespace hstar
