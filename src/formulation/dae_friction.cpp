// src/formulation/dae_friction.cpp: friction among MechanismSlopes.
#include <algorithm>
#include <cmath>

#include "formulation/dae_slopes.hpp"
#include "formulation/tolerances.hpp"
#include "mechanism/signal_slopes.hpp"
#include "mechanism/spatial/contact.hpp"
#include "mechanism/spatial/signal_slopes.hpp"

namespace hstar {

MechanismSlopes::Friction MechanismSlopes::friction(std::size_t unit, const double* lambda) {
  const FrictionUnit& u = system_.frictions[unit];
  const FrictionMode& mode = mode_.friction[unit];
  Friction f;
  if (u.contact >= 0 && !mode_.closed[u.contact]) return f;
  if (u.contact >= 0 && mode_.closed[u.contact] == skimming) {
    f.acts = skims(system_, mode_, static_cast<int>(unit));
    if (!f.acts) return f;
    f.row = equations_.motion.tangent_row(static_cast<int>(unit), f.d);
    f.speed = equations_.motion.free_speed(f.row);
    f.tau = lambda[equations_.rows.of_contact(u.contact)];
    f.by_normal = 1;
    return f;
  }
  const double viscous = mode.slide == Slide::stick ? 0 : u.law.viscous();
  if (mode.slide != Slide::slip && viscous == 0) return f;
  f.acts = true;
  f.row = equations_.motion.tangent_row(static_cast<int>(unit), f.d);
  f.speed = equations_.motion.free_speed(f.row);
  f.tau = -viscous * f.speed;
  f.by_speed = -viscous;
  if (mode.slide != Slide::slip) return f;
  const FrictionCoefficients mu = u.coefficients(equations_.motion.kinematics());
  const double coefficient = -mode.direction * u.law.mu_kinetic(mode.direction * f.speed, mode.piece, mu);
  double normal;
  if (u.normal_force) {
    normal = u.given_normal(equations_.motion.kinematics());
  } else {
    normal = u.lever * equations_.rows.normal_force(static_cast<int>(unit), mode.side, lambda, derivative_.data());
    f.by_normal = coefficient * u.lever;
  }
  f.tau += coefficient * normal;
  f.by_speed -= u.law.mu_slope(mode.direction * f.speed, mode.piece, mu) * normal;
  const double by_static = u.law.share_of_static(mode.direction * f.speed);
  f.by_mu_static = -mode.direction * normal * by_static;
  f.by_mu_kinetic = -mode.direction * normal * (1 - by_static);
  f.by_given = u.normal_force && normal > 0 ? coefficient * u.lever : 0;
  return f;
}

void MechanismSlopes::tangent_slopes(std::size_t unit, RowSlope* out) const {
  const FrictionUnit& u = system_.frictions[unit];
  const Kinematics& k = equations_.motion.kinematics();
  RowSlope normal;
  if (u.joint >= 0)
    system_.joints[u.joint]->tangent_slope(k, *out);
  else
    system_.contacts[u.contact]->slopes(k, normal, *out);
}

void MechanismSlopes::tangent_slopes(std::size_t unit, SpatialRowSlope* out) const {
  const FrictionUnit& u = system_.frictions[unit];
  const Kinematics& k = equations_.motion.kinematics();
  if (u.joint >= 0) return system_.joints[u.joint]->tangent_slopes(k, out);
  const auto& contact = static_cast<const SpatialContact&>(*system_.contacts[u.contact]);
  if (u.part != FrictionPart::sliding) return contact.turning_slopes(k, u.part == FrictionPart::spinning, out);
  SpatialRowSlope rows[3];
  contact.slopes(k, rows);
  std::copy(rows + 1, rows + 3, out);
}

void MechanismSlopes::differentiate_friction(const double* lambda, DaeSlopes& out) {
  for (std::size_t u = 0; u < system_.frictions.size(); ++u) {
    const Friction f = friction(u, lambda);
    if (!f.acts) continue;
    if (system_.is_spatial()) {
      SpatialRowSlope tangent[most_directions];
      tangent_slopes(u, tangent);
      differentiate_friction_of(u, f, tangent, out);
    } else {
      RowSlope tangent;
      tangent_slopes(u, &tangent);
      differentiate_friction_of(u, f, &tangent, out);
    }
    differentiate_formulas(system_.frictions[u], f, out);
    if (f.by_normal == 0) continue;
    int column[most_columns];
    columns(f.row, column);
    const auto unit = static_cast<int>(u);
    const auto [first, count] = equations_.rows.normal_rows(unit);
    equations_.rows.normal_force(unit, mode_.friction[u].side, lambda, derivative_.data());
    for (int i = 0; i < count; ++i)
      for (int c = 0; c < columns(); ++c)
        if (column[c] >= 0 && derivative_[i] != 0)
          out.force_lambda.push_back({column[c], first + i, entry(f.row, c) * f.by_normal * derivative_[i]});
  }
}

void MechanismSlopes::differentiate_formulas(const FrictionUnit& unit, const Friction& f, DaeSlopes& out) {
  const std::pair<const std::optional<BoundExpression>*, double> formulas[] = {
      {&unit.mu_static_formula, f.by_mu_static},
      {&unit.mu_kinetic_formula, f.by_mu_kinetic},
      {&unit.normal_force, f.by_given}};
  for (const auto& [formula, factor] : formulas) {
    if (!*formula || (*formula)->constant || factor == 0) continue;
    force_slopes_.clear();
    if (system_.is_spatial()) {
      SpatialDirection along{f.row.body, {}};
      for (int i = 0; i < 12; ++i) along.g[i] = f.row.J[i / 6][i % 6];
      add_formula(along, **formula, equations_.motion.kinematics(), 0, 0, factor, force_slopes_);
    } else {
      ForceDirection along{f.row.body, {}};
      for (int i = 0; i < 6; ++i) along.g[i] = f.row.J[i / 3][i % 3];
      add_formula(along, **formula, equations_.motion.kinematics(), 0, 0, factor, force_slopes_);
    }
    store(force_slopes_, out);
  }
}

// The force is tau R^T d, R the rows of gamma_T and d its direction: d turns with gamma_T, (1 - d d^T) gamma_T' /
// speed.
template <class RowSlopes>
void MechanismSlopes::differentiate_friction_of(std::size_t unit, const Friction& f, const RowSlopes* tangent,
                                                DaeSlopes& out) {
  const int n = columns(), k = system_.frictions[unit].directions;
  int column[most_columns];
  double v[most_columns], acceleration[most_columns];
  columns(f.row, column);
  motion(f.row, nullptr, v, acceleration);
  Row rows[most_directions];
  double turn = 0;  // tau / speed; 0 where d is held, because gamma_T has none
  if (k > 1) {
    equations_.motion.tangent_rows(static_cast<int>(unit), rows);
    double across = 0;
    for (int i = 0; i < k; ++i)
      across = std::max(across, std::abs(equations_.motion.free_speed(rows[i]) - f.speed * f.d[i]));
    if (f.speed != 0 && across <= formulation::across * std::abs(f.speed)) turn = f.tau / f.speed;
  } else {
    rows[0] = f.row;
  }
  for (int b = 0; b < n; ++b) {
    if (column[b] < 0) continue;
    double by_q[most_directions] = {}, by_v[most_directions], along_q = 0, along_v = 0;  // of gamma_T
    for (int i = 0; i < k; ++i) {
      for (int c = 0; c < n; ++c) by_q[i] += v[c] * as_slope(tangent[i]).J(c, b);
      by_v[i] = entry(rows[i], b);
      along_q += f.d[i] * by_q[i];
      along_v += f.d[i] * by_v[i];
    }
    for (int c = 0; c < n; ++c) {
      if (column[c] < 0) continue;
      double row_q = 0, turned_q = 0, turned_v = 0;
      for (int i = 0; i < k; ++i) {
        row_q += f.d[i] * as_slope(tangent[i]).J(c, b);
        turned_q += entry(rows[i], c) * (by_q[i] - f.d[i] * along_q);
        turned_v += entry(rows[i], c) * (by_v[i] - f.d[i] * along_v);
      }
      const double J = entry(f.row, c);
      const double force_q = f.tau * row_q + J * f.by_speed * along_q + turn * turned_q;
      const double force_v = J * f.by_speed * along_v + turn * turned_v;
      if (force_q != 0) out.force_q.push_back({column[c], column[b], force_q});
      if (force_v != 0) out.force_v.push_back({column[c], column[b], force_v});
    }
  }
}

}  // namespace hstar
