// src/formulation/mode_equations.cpp: accelerations and multipliers of a mode.
#include "formulation/mode_equations.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/contact_shares.hpp"
#include "formulation/linear_mode.hpp"

namespace hstar {
namespace {

std::vector<double> mass_diagonal(const System& s) {
  std::vector<double> mass;
  for (const Body& b : s.bodies) {
    if (s.is_spatial()) {
      for (std::size_t c = 0; c < 6; ++c) mass.push_back(b.prescribed ? -1.0 : c < 3 ? b.mass : b.moment[c - 3]);
      continue;
    }
    mass.push_back(b.prescribed ? -1.0 : b.mass);
    mass.push_back(b.prescribed ? -1.0 : b.mass);
    mass.push_back(b.prescribed || !b.turns ? -1.0 : b.inertia);
  }
  return mass;
}

int most_rows(const System& s) { return s.rows + static_cast<int>(s.contacts.size()) + s.sliding_rows(); }

}  // namespace

ModeEquations::ModeEquations(std::shared_ptr<const System> system, bool linear_modes)
    : system_(std::move(system)),
      linear_(linear_modes && LinearModes::possible(*system_) ? std::make_unique<LinearModes>(system_) : nullptr),
      mass_(mass_diagonal(*system_)),
      factors_(mass_, most_rows(*system_), system_->columns, linear_ != nullptr),
      islands_(mass_, system_->columns) {
  const System& s = *system_;
  const auto n = s.slots(), m = static_cast<std::size_t>(most_rows(s)), units = s.frictions.size();
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
  stuck_.reserve(units);
  choice_.reserve(units + s.contacts.size());
  friction_.resize(units);
  normal_.resize(units);
  reference_ = std::make_shared<std::vector<SlideReference>>(units);
  slide_direction_.assign(units, {1, 0, 0});
  for (const FrictionUnit& unit : s.frictions) {
    const bool guide = unit.side_matters && s.joints[unit.joint]->normal_force_is_linear();
    const int side = guide ? s.joints[unit.joint]->side_row() : -1;
    guide_row_.push_back(side < 0 ? -1 : s.joint_row[unit.joint] + side);
  }
  sliding_.reserve(units);
  first_sliding_.assign(s.bodies.size(), -1);
  island_regularity_.assign(s.bodies.size(), 1.0);
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
  product_.resize(static_cast<std::size_t>(s.nv) + m + 2 * units);
  fill_constant_rows();
}

ModeEquations::~ModeEquations() = default;

void ModeEquations::stand_where(const ModeEquations& other) {
  kin_ = other.kin_;
  f_ = other.f_;
  reference_ = other.reference_;
}

void ModeEquations::evaluate(double t, const double* y) {
  system_->update(kin_, t, y);
  system_->applied_forces(kin_, f_.data());
}

int ModeEquations::find_redundant(double tolerance, double stick_tolerance) {
  int sticking = 0;
  for (std::size_t u = 0; u < stick_row_.size(); ++u)
    if (stick_row_[u] >= 0) sticking += system_->frictions[u].directions;
  return factors_.find_redundant(saddle_rows_.data(), m_, tolerance, m_ - sticking,
                                 std::max(tolerance, stick_tolerance));
}

bool ModeEquations::factor_rows() { return factors_.factor(saddle_rows_.data(), m_); }

double ModeEquations::contact_force(int contact) const {
  const int row = contact_row_[contact];
  return row < 0 ? 0.0 : lambda_[row];
}

double ModeEquations::press_reserve(int contact) const {
  return shared_ && shares_->contact(contact).asked ? shares_->contact(contact).margin : contact_force(contact);
}

double ModeEquations::stick_reserve(int unit, int direction) const {
  const FrictionUnit& own = system_->frictions[unit];
  if (shared_) {
    const ContactShares::OfUnit& shared = shares_->unit(unit);
    if (shared.creeps) return direction > 0 ? shared.holds_again : shared.slips;
    if (shared.beyond) return shared.slips;
  }
  const double force = own.directions > 1 ? std::abs(friction_force(unit)) : direction * friction_force(unit);
  return own.mu_static(kin_) * normal_force(unit) - force;
}

bool ModeEquations::solve(const Mode& mode, RowSolver* solver, const double* gamma_shift) {
  const System& s = *system_;
  ++solves;
  solver_ = solver;
  fill_rows(mode);
  for (int i = 0; i < m_; ++i) rhs_[i] = rows_[i].gamma + (gamma_shift ? gamma_shift[i] : 0.0);
  if (!factor()) return false;

  // Known friction goes to the applied forces: on a copy, so that several modes can be tried at one state.
  std::copy(f_.begin(), f_.end(), load_.begin());
  sliding_.clear();
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const FrictionMode& fm = mode.friction[u];
    friction_[u] = normal_[u] = 0;
    if (guide_row_[u] >= 0 && fm.slide == Slide::stick) continue;  // nothing is known yet; keeps a long loop short
    if (unit.normal_force && (unit.contact < 0 || mode.closed[unit.contact])) normal_[u] = unit.given_normal(kin_);
    SlideForce force;
    if (!slide_force(mode, static_cast<int>(u), force)) continue;
    slide_direction_[u] = force.direction;
    if (fm.slide == Slide::slip && !unit.normal_force)
      sliding_.push_back({static_cast<int>(u), force.coefficient, force.row});
    friction_[u] = force.known;
    add_row(force.row, force.known, load_.data());
  }
  return finish(mode);
}

bool ModeEquations::slide_force(const Mode& mode, int unit, SlideForce& force) const {
  const auto u = static_cast<std::size_t>(unit);
  const FrictionUnit& about = system_->frictions[u];
  const FrictionMode& fm = mode.friction[u];
  const bool slips = fm.slide == Slide::slip, viscous = about.law.viscous() > 0 && fm.slide != Slide::stick;
  if (!slips && !viscous) return false;
  if (about.contact >= 0 && !mode.closed[about.contact]) return false;
  tangent_row(unit, force.row, force.direction.data());
  const double speed = free_speed(force.row);
  force.known = viscous ? -about.law.viscous() * speed : 0.0;
  const double mu = slips ? -fm.direction * about.mu_kinetic(fm.direction * speed, fm.piece, kin_) : 0.0;
  force.coefficient = about.normal_force ? 0.0 : mu * about.lever;
  if (about.normal_force) force.known += mu * about.given_normal(kin_);
  return true;
}

const LinearMode* ModeEquations::linear(const Mode& mode) const { return linear_ ? linear_->find(mode) : nullptr; }

bool ModeEquations::solve_at(const Mode& mode, double t, const double* y) {
  const LinearMode* linear = this->linear(mode);
  if (!linear) {
    evaluate(t, y);
    return solve(mode);
  }
  const System& s = *system_;
  ++solves;
  shared_ = false;
  evaluate_kinematics(t, y);
  if (!linear->is_affine()) linear->other_forces(kin_, load_.data());
  linear->product(0, linear->places(), t, y, load_.data(), product_.data());
  double check = 0;
  for (int i = 0; i < s.nv + linear->rows(); ++i) check += product_[i];
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) a_[s.slot(b, c)] = product_[s.bodies[b].dof + c];
  const double* result = product_.data() + s.nv;
  std::copy(result, result + linear->rows(), lambda_.begin());
  result += linear->rows();
  std::copy(result, result + friction_.size(), friction_.begin());
  result += friction_.size();
  std::copy(result, result + normal_.size(), normal_.begin());
  return std::isfinite(check);
}

bool ModeEquations::rates_at(const Mode& mode, double t, const double* y, double* ydot) {
  const System& s = *system_;
  if (const LinearMode* linear = this->linear(mode)) {
    ++solves;
    if (!linear->is_affine()) {
      evaluate_kinematics(t, y);
      linear->other_forces(kin_, load_.data());
    }
    std::copy(y + s.nq, y + s.nq + s.nv, ydot);
    linear->product(0, s.nv, t, y, load_.data(), ydot + s.nq);
    return true;
  }
  evaluate(t, y);
  forces_wanted_ = false;
  const bool solved = solve(mode);
  forces_wanted_ = true;
  if (solved) store_rates(y, ydot);
  return solved;
}

void ModeEquations::store_rates(const double* y, double* ydot) const {
  const System& s = *system_;
  s.coordinate_rates(y, ydot);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) ydot[s.nq + s.bodies[b].dof + c] = a_[s.slot(b, c)];
}

bool ModeEquations::solve_impact(const Mode& mode, const double* momentum, const double* target, const double* mu) {
  const System& s = *system_;
  ++solves;
  solver_ = nullptr;
  fill_rows(mode);
  std::copy(target, target + m_, rhs_.begin());
  if (!factor_rows()) return false;
  std::copy(momentum, momentum + load_.size(), load_.begin());
  sliding_.clear();
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const FrictionMode& fm = mode.friction[u];
    friction_[u] = normal_[u] = 0;
    // A prescribed normal force is finite and has no impulse.
    if (unit.normal_force || fm.slide != Slide::slip) continue;
    if (unit.contact >= 0 && !mode.closed[unit.contact]) continue;
    Row row;
    tangent_row(static_cast<int>(u), row, slide_direction_[u].data());
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
  shared_ = false;
  // (Accelerations do not depend on how forces are shared while nothing slides.)
  if (saddle().redundant_count() > 0 && (forces_wanted_ || !sliding_.empty()) && !share_forces(mode)) return false;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const int side = mode.friction[u].side;
    if (mode.friction[u].slide == Slide::stick) friction_[u] = held_force(static_cast<int>(u));
    if (guide_row_[u] >= 0) {
      const double normal = lambda_[guide_row_[u]];
      normal_[u] = side != 0 ? side * normal : std::abs(normal);
      continue;
    }
    if (unit.normal_force) continue;
    if (unit.joint >= 0)
      normal_[u] = unit.lever * s.joints[unit.joint]->normal_force(joint_multipliers(unit.joint), mode.friction[u].side,
                                                                   derivative_.data());
    else
      normal_[u] = unit.lever * contact_force(unit.contact);
  }
  double check = 0;
  for (const double x : a_) check += x;
  for (int i = 0; i < m_; ++i) {
    check += lambda_[i];
    force_scale_ = std::max(force_scale_, std::abs(lambda_[i]));
  }
  return std::isfinite(check);
}

bool ModeEquations::share_forces(const Mode& mode) {
  if (!shares_) {
    if (system_->contacts.empty() && system_->frictions.empty()) return true;
    shares_ = std::make_unique<ContactShares>(system_);
  }
  if (!shares_->ask(*this, mode)) return true;
  if (!shares_->solve(*this, mode)) return false;
  shared_ = true;
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (std::size_t c = 0; c < contact_row_.size(); ++c)
    if (const auto& contact = shares_->contact(static_cast<int>(c)); contact.asked && contact_row_[c] >= 0)
      lambda_[at(contact_row_[c])] = contact.normal;
  for (std::size_t u = 0; u < stick_row_.size(); ++u)
    if (const auto& unit = shares_->unit(static_cast<int>(u)); unit.asked && stick_row_[u] >= 0)
      std::copy_n(unit.force.begin(), system_->frictions[u].directions, lambda_.begin() + stick_row_[u]);
  for (int i = 0; i < system_->rows; ++i)
    if (const auto& body = rows_[at(i)].body; shares_->covers(body[0]) || shares_->covers(body[1]))
      lambda_[at(i)] = shares_->joint_multiplier(i);
  // What slides moves by other forces than those of the rows alone.
  bool others = false;
  std::fill(load_.begin(), load_.end(), 0.0);
  for (const Sliding& slides : sliding_) {
    const auto& unit = shares_->unit(slides.unit);
    if (!unit.asked) continue;
    const auto k = static_cast<std::size_t>(&slides - sliding_.data());
    const double change = unit.force[0] - unit.known - tau_[k];
    friction_[at(slides.unit)] += change;
    add_row(slides.row, change, load_.data());
    others |= change != 0;
  }
  if (!others) return true;
  solve_rows(load_.data(), zero_.data(), response_a_.data(), response_lambda_.data());
  for (std::size_t i = 0; i < a_.size(); ++i) a_[i] += response_a_[i];
  return true;
}

}  // namespace hstar
