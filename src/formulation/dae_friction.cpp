// src/formulation/dae_friction.cpp: friction in a MechanismDae, and derivatives of what it does.
#include <algorithm>
#include <cmath>

#include "formulation/dae_problem.hpp"
#include "mechanism/spatial/contact.hpp"

namespace hstar {

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

void MechanismDae::tangent_slopes(std::size_t unit, RowSlope* out) const {
  const FrictionUnit& u = system_->frictions[unit];
  const Kinematics& k = equations_.kinematics();
  RowSlope normal;
  if (u.joint >= 0)
    system_->joints[static_cast<std::size_t>(u.joint)]->tangent_slope(k, *out);
  else
    system_->contacts[static_cast<std::size_t>(u.contact)]->slopes(k, normal, *out);
}

void MechanismDae::tangent_slopes(std::size_t unit, SpatialRowSlope* out) const {
  const FrictionUnit& u = system_->frictions[unit];
  const Kinematics& k = equations_.kinematics();
  if (u.joint >= 0) return system_->joints[static_cast<std::size_t>(u.joint)]->tangent_slopes(k, out);
  const auto& contact = static_cast<const SpatialContact&>(*system_->contacts[static_cast<std::size_t>(u.contact)]);
  SpatialRowSlope rows[3];
  contact.slopes(k, rows);
  std::copy(rows + 1, rows + 3, out);
}

void MechanismDae::differentiate_friction(DaeSlopes& out) {
  for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
    const Friction f = friction(u, lambda_.data());
    if (!f.acts) continue;
    if (system_->is_spatial()) {
      SpatialRowSlope tangent;
      tangent_slopes(u, &tangent);
      differentiate_friction_of(f, tangent, out);
    } else {
      RowSlope tangent;
      tangent_slopes(u, &tangent);
      differentiate_friction_of(f, tangent, out);
    }
    if (f.by_normal == 0) continue;
    int first, count, column[most_columns];
    columns(f.row, column);
    normal_force(u, lambda_.data(), first, count);
    for (int i = 0; i < count; ++i)
      for (int c = 0; c < columns(); ++c)
        if (column[c] >= 0 && derivative_[static_cast<std::size_t>(i)] != 0)
          out.force_lambda.push_back(
              {column[c], first + i, entry(f.row, c) * f.by_normal * derivative_[static_cast<std::size_t>(i)]});
  }
}

template <class RowSlopes>
void MechanismDae::differentiate_friction_of(const Friction& f, const RowSlopes& tangent, DaeSlopes& out) {
  const int n = columns();
  const Slope by = as_slope(tangent);
  int column[most_columns];
  double v[most_columns], acceleration[most_columns];
  columns(f.row, column);
  motion(f.row, nullptr, v, acceleration);
  for (int b = 0; b < n; ++b) {
    if (column[b] < 0) continue;
    double speed_q = 0;
    for (int c = 0; c < n; ++c) speed_q += v[c] * by.J(c, b);
    for (int c = 0; c < n; ++c) {
      if (column[c] < 0) continue;
      const double J = entry(f.row, c);
      const double by_q = f.tau * by.J(c, b) + J * f.by_speed * speed_q;
      const double by_v = J * f.by_speed * entry(f.row, b);
      if (by_q != 0) out.force_q.push_back({column[c], column[b], by_q});
      if (by_v != 0) out.force_v.push_back({column[c], column[b], by_v});
    }
  }
}

}  // namespace hstar
