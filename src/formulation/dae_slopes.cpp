// src/formulation/dae_slopes.cpp
#include "formulation/dae_slopes.hpp"

#include <algorithm>

#include "mechanism/signal_slopes.hpp"
#include "mechanism/spatial/contact.hpp"
#include "mechanism/spatial/signal_slopes.hpp"

namespace hstar {

MechanismSlopes::MechanismSlopes(const ModeEquations& equations, const Mode& mode)
    : equations_(equations), system_(equations.system()), mode_(mode), dof_(system_.slots(), -1) {
  const auto m = static_cast<std::size_t>(ModeRows::most(system_));
  if (system_.is_spatial())
    spatial_slope_.resize(m);
  else
    slope_.resize(m);
  derivative_.resize(std::max<std::size_t>(m, 4));
  exerted_.resize(m);
  skimming_rows_.reserve(system_.contacts.size());
  for (const Freedom& f : equations_.motion.freedoms()) dof_[f.slot] = f.velocity;
}

void MechanismSlopes::begin() {
  skimming_rows_.clear();
  for (std::size_t c = 0; c < system_.contacts.size(); ++c)
    if (mode_.closed[c] == skimming) skimming_rows_.push_back(equations_.rows.of_contact(static_cast<int>(c)));
}

void MechanismSlopes::columns(const Row& row, int (&column)[most_columns]) const {
  const int width = system_.columns;
  for (int i = 0; i < 2 * width; ++i)
    column[i] = dof_[system_.slot(static_cast<std::size_t>(row.body[i / width]), i % width)];
}

void MechanismSlopes::jacobian(DaeEntries& rows) const {
  int column[most_columns];
  for (int i = 0; i < equations_.rows.count(); ++i) {
    const Row& row = equations_.rows[i];
    columns(row, column);
    for (int c = 0; c < columns(); ++c)
      if (column[c] >= 0) rows.push_back({i, column[c], entry(row, c)});
  }
}

void MechanismSlopes::row_slopes() {
  const System& s = system_;
  const Kinematics& k = equations_.motion.kinematics();
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    if (s.is_spatial())
      s.joints[j]->slopes(k, spatial_slope_.data() + s.joint_row[j]);
    else
      s.joints[j]->slopes(k, slope_.data() + s.joint_row[j]);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!mode_.closed[c]) continue;
    const auto row = static_cast<std::size_t>(equations_.rows.of_contact(static_cast<int>(c)));
    if (s.is_spatial()) {
      SpatialRowSlope all[3];
      static_cast<const SpatialContact&>(*s.contacts[c]).slopes(k, all);
      spatial_slope_[row] = all[0];
    } else {
      RowSlope tangent;
      s.contacts[c]->slopes(k, slope_[row], tangent);
    }
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const int row = equations_.rows.of_stuck(static_cast<int>(u));
    if (row < 0) continue;
    if (s.is_spatial())
      tangent_slopes(u, spatial_slope_.data() + row);
    else
      tangent_slopes(u, slope_.data() + row);
  }
}

void MechanismSlopes::curvature(const double* mu, DaeEntries& out) {
  row_slopes();
  const int width = system_.columns;
  int column[most_columns];
  for (int i = 0; i < equations_.rows.count(); ++i) {
    columns(equations_.rows[i], column);
    const Slope by = slope(i);
    for (int a = 0; a < columns(); ++a)
      for (int b = 0; b < columns(); ++b)
        if (column[a] >= 0 && column[b] >= 0 && (by.J(a, b) != 0 || turning_pair(a, b, width)))
          out.push_back({column[a], column[b], mu[i] * by.J(a, b)});
  }
}

void MechanismSlopes::motion(const Row& row, const double* a, double (&v)[most_columns],
                             double (&acceleration)[most_columns]) const {
  const Kinematics& k = equations_.motion.kinematics();
  const int width = system_.columns;
  for (int i = 0; i < 2 * width; ++i) {
    const auto body = static_cast<std::size_t>(row.body[i / width]);
    const int c = i % width, at = dof_[system_.slot(body, c)];
    v[i] = k.velocity(body, c);
    acceleration[i] = at >= 0 ? (a ? a[at] : 0.0) : k.acceleration(body, c);
    // A point mass has no angle, and the mode equations know none of it.
    if (at < 0 && !system_.bodies[body].prescribed) v[i] = acceleration[i] = 0;
  }
}

void MechanismSlopes::differentiate(const double* a, const double* lambda, const DependentRows& dependent,
                                    DaeSlopes& out) {
  for (DaeEntries* entries :
       {&out.force_q, &out.force_v, &out.force_s, &out.force_lambda, &out.rate_q, &out.rate_v, &out.rate_s, &out.rows,
        &out.speed_q, &out.acceleration_q, &out.acceleration_v, &out.row_lambda})
    entries->clear();
  differentiate_forces(out);
  jacobian(out.rows);
  for (const DaeEntry& e : out.rows)
    if (exerts(e.row)) out.force_lambda.push_back({e.column, e.row, e.value});
  for (int i = 0; i < equations_.rows.count(); ++i) exerted_[static_cast<std::size_t>(i)] = exerts(i) ? lambda[i] : 0;
  curvature(exerted_.data(), out.force_q);  // fills the slopes of rows too
  differentiate_rows(a, dependent, out);
  differentiate_friction(lambda, out);
  differentiate_states(out);
}

void MechanismSlopes::store(const ForceSlopes& slopes, DaeSlopes& out) const {
  const auto move = [&](const std::vector<ForceSlopes::Entry>& from, DaeEntries& to) {
    for (const auto& e : from) {
      const int row = dof_[e.row], column = dof_[e.column];
      if (row >= 0 && column >= 0) to.push_back({row, column, e.value});
    }
  };
  move(slopes.by_position, out.force_q);
  move(slopes.by_velocity, out.force_v);
  for (const auto& e : slopes.by_state)
    if (const int row = dof_[e.row]; row >= 0)
      out.force_s.push_back({row, e.column - system_.nq - system_.nv, e.value});
}

void MechanismSlopes::differentiate_forces(DaeSlopes& out) {
  const System& s = system_;
  const Kinematics& k = equations_.motion.kinematics();
  force_slopes_.clear();
  for (const auto& force : s.forces) force->slopes(k, force_slopes_);
  store(force_slopes_, out);
  if (!s.is_spatial()) return;
  // Gyroscopic torque J w x w.
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const Body& body = s.bodies[b];
    if (body.prescribed) continue;
    const Vec3 &w = k.spatial[b].omega_bar, &J = body.moment;
    const Mat3 by_w = skew({J[0] * w[0], J[1] * w[1], J[2] * w[2]}) -
                      skew(w) * Mat3{Vec3{J[0], 0, 0}, Vec3{0, J[1], 0}, Vec3{0, 0, J[2]}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out.force_v.push_back({body.dof + 3 + i, body.dof + 3 + j, by_w[i][j]});
  }
}

void MechanismSlopes::differentiate_rows(const double* a, const DependentRows& dependent, DaeSlopes& out) const {
  const int n = columns(), width = system_.columns;
  int column[most_columns];
  double v[most_columns], acceleration[most_columns];
  for (int i = 0; i < equations_.rows.count(); ++i) {
    const Row& row = equations_.rows[i];
    const Slope by = slope(i);
    columns(row, column);
    motion(row, a, v, acceleration);
    for (int b = 0; b < n; ++b) {
      if (column[b] < 0) continue;
      double by_speed = 0, by_q = -by.gamma(b), by_v = 0;
      // A row that turns with a body has slopes by its angle, also where position or motion make them zero: a
      // mode has one pattern, not another one as soon as a link at rest begins to move.
      const bool turns = system_.turns(b % width);
      bool by_place = turns || by.gamma(b) != 0, by_motion = turns;
      for (int c = 0; c < n; ++c) {
        by_speed += v[c] * by.J(c, b);
        by_q += acceleration[c] * by.J(c, b);
        by_v += (by.J(b, c) + by.J(c, b)) * v[c];
        by_place |= by.J(c, b) != 0;
        by_motion |= by.J(b, c) + by.J(c, b) != 0;
      }
      if (by_place) out.speed_q.push_back({i, column[b], by_speed});
      if (a && by_place) out.acceleration_q.push_back({i, column[b], by_q});
      if (a && by_motion) out.acceleration_v.push_back({i, column[b], by_v});
    }
  }
  for (std::size_t d = 0; d < dependent.count(); ++d)
    for (int j = 0; j < equations_.rows.count(); ++j)
      if (const double by = dependent.n(d)[j]; by != 0) out.row_lambda.push_back({dependent.row(d), j, by});
}

void MechanismSlopes::differentiate_states(DaeSlopes& out) {
  const System& s = system_;
  const Kinematics& k = equations_.motion.kinematics();
  // A formula's derivative is that of a force of one unit on row 0.
  for (int i = 0; i < s.ns; ++i) {
    force_slopes_.clear();
    const BoundExpression& rate = s.states[i].rate;
    if (s.is_spatial())
      add_formula(SpatialDirection{{0, 0}, {1}}, rate, k, 0, 0, 1, force_slopes_);
    else
      add_formula(ForceDirection{{0, 0}, {1, 0, 0, 0, 0, 0}}, rate, k, 0, 0, 1, force_slopes_);
    for (const auto& e : force_slopes_.by_position)
      if (const int c = dof_[e.column]; c >= 0) out.rate_q.push_back({i, c, e.value});
    for (const auto& e : force_slopes_.by_velocity)
      if (const int c = dof_[e.column]; c >= 0) out.rate_v.push_back({i, c, e.value});
    for (const auto& e : force_slopes_.by_state) out.rate_s.push_back({i, e.column - s.nq - s.nv, e.value});
  }
}

}  // namespace hstar
