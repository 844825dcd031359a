// src/formulation/mode_equations.cpp: rows of a mode, accelerations, multipliers, implicit friction.
#include "formulation/mode_equations.hpp"

#include <algorithm>
#include <cmath>

#include "math/dense.hpp"

namespace hstar {
namespace {

std::vector<double> mass_diagonal(const System& s) {
  std::vector<double> mass;
  for (const Body& b : s.bodies) {
    mass.push_back(b.prescribed ? -1.0 : b.mass);
    mass.push_back(b.prescribed ? -1.0 : b.mass);
    mass.push_back(b.prescribed || !b.turns ? -1.0 : b.inertia);
  }
  return mass;
}

int most_rows(const System& s) { return s.rows + static_cast<int>(s.contacts.size() + s.frictions.size()); }

}  // namespace

ModeEquations::ModeEquations(std::shared_ptr<const System> system)
    : system_(std::move(system)), mass_(mass_diagonal(*system_)), saddle_(mass_, most_rows(*system_)), islands_(mass_) {
  const System& s = *system_;
  const auto n = 3 * s.bodies.size(), m = static_cast<std::size_t>(most_rows(s)), units = s.frictions.size();
  s.prepare(kin_);
  f_.resize(n);
  a_.resize(n);
  lambda_.resize(m);
  rhs_.resize(m);
  rows_.resize(m);
  saddle_rows_.resize(m);
  for (std::size_t i = 0; i < m; ++i) saddle_rows_[i].J = rows_[i].J;
  contact_row_.assign(s.contacts.size(), -1);
  stick_row_.assign(units, -1);
  closed_.reserve(s.contacts.size());
  islands_closed_.reserve(s.contacts.size());
  stuck_.reserve(units);
  friction_.resize(units);
  normal_.resize(units);
  sliding_.reserve(units);
  first_sliding_.assign(s.bodies.size(), -1);
  last_sliding_.assign(s.bodies.size(), -1);
  sliding_islands_.reserve(std::min(units, s.bodies.size()));
  reserve_friction(std::min<std::size_t>(units, 8));
  lambda_base_.resize(m);
  a_base_.resize(n);
  derivative_.resize(std::max<std::size_t>(m, 4));
  zero_.assign(m, 0.0);
  load_.resize(n);
  for (const auto& joint : s.joints) islands_.join(joint->first.body, joint->second.body);
  joint_islands_ = islands_;
  islands_.settle();
}

void ModeEquations::evaluate(double t, const double* y) {
  system_->update(kin_, t, y);
  system_->applied_forces(kin_, f_.data());
}

void ModeEquations::choose_rows(const Mode& mode) {
  const System& s = *system_;
  closed_.clear();
  stuck_.clear();
  m_ = s.rows;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    contact_row_[c] = mode.closed[c] ? m_++ : -1;
    if (mode.closed[c]) closed_.push_back(static_cast<int>(c));
  }
  if (closed_ != islands_closed_) {
    islands_ = joint_islands_;
    for (const int c : closed_) {
      const Contact& contact = *s.contacts[static_cast<std::size_t>(c)];
      islands_.join(contact.first, contact.second);
    }
    islands_.settle();
    islands_closed_ = closed_;
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const bool sticks = mode.friction[u].slide == Slide::stick;
    stick_row_[u] = sticks ? m_++ : -1;
    if (sticks) stuck_.push_back(static_cast<int>(u));
  }
}

void ModeEquations::tangent_row(int unit, Row& row) const {
  const FrictionUnit& u = system_->frictions[static_cast<std::size_t>(unit)];
  row = Row{};
  if (u.joint >= 0) {
    const Joint& joint = *system_->joints[static_cast<std::size_t>(u.joint)];
    row.body = {joint.first.body, joint.second.body};
    joint.tangent(kin_, row);
  } else {
    const Contact& contact = *system_->contacts[static_cast<std::size_t>(u.contact)];
    Row normal;
    row.body = normal.body = {contact.first, contact.second};
    contact.rows_at(kin_, normal, row);
  }
  system_->fold(kin_, row);
}

void ModeEquations::normal_row(int index, Row& row) const {
  const Contact& contact = *system_->contacts[static_cast<std::size_t>(index)];
  Row tangent;
  row = Row{};
  row.body = tangent.body = {contact.first, contact.second};
  contact.rows_at(kin_, row, tangent);
  system_->fold(kin_, row);
}

namespace {
/// J v - nu with the free bodies' velocities (prescribed motion is in nu).
double free_speed(const Row& row, const Kinematics& k, const System& s) {
  double sum = -row.nu;
  for (std::size_t i = 0; i < 2; ++i) {
    if (s.bodies[static_cast<std::size_t>(row.body[i])].prescribed) continue;
    const BodyMotion& b = k.of(row.body[i]);
    sum += row.J[i][0] * b.v[0] + row.J[i][1] * b.v[1] + row.J[i][2] * b.omega;
  }
  return sum;
}
}  // namespace

double ModeEquations::slide_velocity(int unit) const {
  Row row;
  tangent_row(unit, row);
  return free_speed(row, kin_, *system_);
}

double ModeEquations::gap_velocity(int contact) const {
  Row row;
  normal_row(contact, row);
  return free_speed(row, kin_, *system_);
}

double ModeEquations::row_acceleration(const Row& row) const {
  double sum = -row.gamma;
  for (std::size_t i = 0; i < 2; ++i) {
    const double* a = a_.data() + 3 * row.body[i];
    sum += row.J[i][0] * a[0] + row.J[i][1] * a[1] + row.J[i][2] * a[2];
  }
  return sum;
}

std::string ModeEquations::row_name(int i) const {
  if (i < system_->rows) return system_->row_name(i);
  for (std::size_t c = 0; c < contact_row_.size(); ++c)
    if (contact_row_[c] == i) return "contact \"" + system_->contacts[c]->name + "\" (normal)";
  for (std::size_t u = 0; u < stick_row_.size(); ++u)
    if (stick_row_[u] == i) {
      const FrictionUnit& unit = system_->frictions[u];
      return (unit.joint >= 0 ? "joint \"" + system_->joints[static_cast<std::size_t>(unit.joint)]->name
                              : "contact \"" + system_->contacts[static_cast<std::size_t>(unit.contact)]->name) +
             "\" (stick)";
    }
  return "row " + std::to_string(i);
}

void ModeEquations::fill_rows(const Mode&) {
  const System& s = *system_;
  s.joint_rows(kin_, rows_.data());
  for (const int c : closed_) normal_row(c, rows_[static_cast<std::size_t>(contact_row_[static_cast<std::size_t>(c)])]);
  for (const int u : stuck_) tangent_row(u, rows_[static_cast<std::size_t>(stick_row_[static_cast<std::size_t>(u)])]);
  for (int i = 0; i < m_; ++i) saddle_rows_[static_cast<std::size_t>(i)].body = rows_[static_cast<std::size_t>(i)].body;
}

int ModeEquations::find_redundant() { return saddle_.find_redundant(saddle_rows_.data(), m_); }

int ModeEquations::find_redundant(double stick_tolerance) {
  return saddle_.find_redundant(saddle_rows_.data(), m_, 1e-9, m_ - static_cast<int>(stuck_.size()), stick_tolerance);
}

double ModeEquations::contact_force(int contact) const {
  const int row = contact_row_[static_cast<std::size_t>(contact)];
  return row < 0 ? 0.0 : lambda_[static_cast<std::size_t>(row)];
}

bool ModeEquations::solve(const Mode& mode, RowSolver* solver, const double* gamma_shift) {
  const System& s = *system_;
  ++solves;
  solver_ = solver;
  fill_rows(mode);
  for (int i = 0; i < m_; ++i)
    rhs_[static_cast<std::size_t>(i)] = rows_[static_cast<std::size_t>(i)].gamma + (gamma_shift ? gamma_shift[i] : 0.0);
  if (!factor()) return false;

  // Known friction goes to the applied forces: on a copy, so that several modes can be tried at one state.
  std::copy(f_.begin(), f_.end(), load_.begin());
  sliding_.clear();
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const FrictionMode& fm = mode.friction[u];
    friction_[u] = normal_[u] = 0;
    if (unit.contact >= 0 && !mode.closed[static_cast<std::size_t>(unit.contact)]) continue;
    if (unit.normal_force) normal_[u] = unit.lever * std::max(hstar::evaluate(*unit.normal_force, kin_), 0.0);
    const bool slips = fm.slide == Slide::slip, viscous = unit.law.viscous() > 0 && fm.slide != Slide::stick;
    if (!slips && !viscous) continue;
    Row row;
    tangent_row(static_cast<int>(u), row);
    const double speed = free_speed(row, kin_, s);
    double known = viscous ? -unit.law.viscous() * speed : 0.0;
    if (slips) {
      const double coefficient = -fm.direction * unit.law.mu_kinetic(fm.direction * speed, fm.piece);
      if (unit.normal_force)
        known += coefficient * normal_[u];
      else
        sliding_.push_back({static_cast<int>(u), coefficient * unit.lever, row});
    }
    friction_[u] = known;
    for (std::size_t i = 0; i < 2; ++i)
      for (int c = 0; c < 3; ++c) load_[static_cast<std::size_t>(3 * row.body[i] + c)] += row.J[i][c] * known;
  }
  return finish(mode);
}

bool ModeEquations::solve_impact(const Mode& mode, const double* momentum, const double* target, const double* mu) {
  const System& s = *system_;
  ++solves;
  solver_ = nullptr;
  fill_rows(mode);
  std::copy(target, target + m_, rhs_.begin());
  if (!saddle_.factor(saddle_rows_.data(), m_)) return false;
  std::copy(momentum, momentum + load_.size(), load_.begin());
  sliding_.clear();
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const FrictionMode& fm = mode.friction[u];
    friction_[u] = normal_[u] = 0;
    // A prescribed normal force is finite and has no impulse.
    if (unit.normal_force || fm.slide != Slide::slip) continue;
    if (unit.contact >= 0 && !mode.closed[static_cast<std::size_t>(unit.contact)]) continue;
    Row row;
    tangent_row(static_cast<int>(u), row);
    sliding_.push_back({static_cast<int>(u), -fm.direction * mu[u] * unit.lever, row});
  }
  return finish(mode);
}

bool ModeEquations::finish(const Mode& mode) {
  const System& s = *system_;
  force_scale_ = 0;
  for (const double x : load_) force_scale_ = std::max(force_scale_, std::abs(x));
  solve_rows(load_.data(), rhs_.data(), a_.data(), lambda_.data());
  if (!sliding_.empty() && !solve_friction(mode)) return false;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    if (mode.friction[u].slide == Slide::stick) friction_[u] = lambda_[static_cast<std::size_t>(stick_row_[u])];
    if (unit.normal_force) continue;
    if (unit.joint >= 0)
      normal_[u] = unit.lever * s.joints[static_cast<std::size_t>(unit.joint)]->normal_force(
                                    joint_multipliers(unit.joint), mode.friction[u].side, derivative_.data());
    else
      normal_[u] = contact_force(unit.contact);
  }
  double check = 0;
  for (const double x : a_) check += x;
  for (int i = 0; i < m_; ++i) {
    check += lambda_[static_cast<std::size_t>(i)];
    force_scale_ = std::max(force_scale_, std::abs(lambda_[static_cast<std::size_t>(i)]));
  }
  return std::isfinite(check);
}

}  // namespace hstar
