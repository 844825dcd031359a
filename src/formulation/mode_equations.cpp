// src/formulation/mode_equations.cpp: accelerations and multipliers of a mode.
#include "formulation/mode_equations.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/contact_shares.hpp"
#include "formulation/linear_mode.hpp"

namespace hstar {
namespace {
/// Friction against the motion.
double drag(const ModeEquations& equations, int unit) {
  return std::copysign(1.0, -equations.motion.slide_velocity(unit)) * equations.friction_force(unit);
}
}  // namespace

ModeEquations::ModeEquations(std::shared_ptr<const System> system, bool linear_modes)
    : motion(system),
      rows(motion, linear_modes && LinearModes::possible(*system)),
      sliding(*system, rows),
      linear_(linear_modes && LinearModes::possible(*system) ? std::make_unique<LinearModes>(system) : nullptr) {
  const System& s = *system;
  const auto n = s.slots(), m = static_cast<std::size_t>(ModeRows::most(s)), units = s.frictions.size();
  for (auto* by_slot : {&f_, &a_, &load_, &change_a_}) by_slot->resize(n);
  for (auto* by_row : {&lambda_, &rhs_, &change_lambda_, &zero_}) by_row->resize(m);
  friction_.resize(units);
  normal_.resize(units);
  slide_direction_.assign(units, {1, 0, 0});
  derivative_.resize(std::max<std::size_t>(m, 4));
  product_.resize(static_cast<std::size_t>(s.nv) + m + 2 * units);
}

ModeEquations::~ModeEquations() = default;

void ModeEquations::stand_where(const ModeEquations& other) {
  motion.kinematics() = other.motion.kinematics();
  motion.share_references(other.motion);
  f_ = other.f_;
}

void ModeEquations::evaluate(double t, const double* y) {
  motion.evaluate(t, y);
  system().applied_forces(motion.kinematics(), f_.data());
}

double ModeEquations::contact_force(int contact) const {
  const int row = rows.of_contact(contact);
  return row < 0 ? 0.0 : lambda_[row];
}

double ModeEquations::press_reserve(int contact) const {
  const int unit = system().contact_friction[contact];
  if (unit >= 0 && sliding.skims(unit)) return drag(*this, unit);
  return shared_ && shares_->contact(contact).asked ? shares_->contact(contact).margin : contact_force(contact);
}

double ModeEquations::stick_reserve(int unit, int direction) const {
  const FrictionUnit& own = system().frictions[unit];
  if (sliding.skims(unit)) return own.law.viscous() * std::abs(motion.slide_velocity(unit)) - drag(*this, unit);
  if (shared_) {
    const ContactShares::OfUnit& shared = shares_->unit(unit);
    if (shared.creeps) return direction > 0 ? shared.holds_again : shared.slips;
    if (shared.beyond) return shared.slips;
  }
  const double force = own.directions > 1 ? std::abs(friction_force(unit)) : direction * friction_force(unit);
  return own.mu_static(motion.kinematics()) * normal_force(unit) - force;
}

void ModeEquations::friction_forces(int unit, double* lambda) const {
  const int k = system().frictions[unit].directions;
  if (k == 1)
    lambda[0] = friction_[unit];
  else if (const int row = rows.of_stuck(unit); row >= 0)
    std::copy_n(lambda_.begin() + row, k, lambda);
  else
    for (int i = 0; i < k; ++i) lambda[i] = friction_[unit] * slide_direction_[unit][i];
}

bool ModeEquations::solve(const Mode& mode, RowSolver* other, const double* gamma_shift, bool forces_wanted) {
  const System& s = system();
  RowSolver& solver = other ? *other : rows;
  ++solves;
  rows.fill();
  for (int i = 0; i < rows.count(); ++i) rhs_[i] = rows[i].gamma + (gamma_shift ? gamma_shift[i] : 0.0);
  if (!solver.factor()) {
    // Which rows depend on others was judged elsewhere perhaps, at the end of a step that was refused. (What is found
    // here holds here alone: it may be a stage far away, which will be refused.)
    if (other || !rows.factor_here()) return false;
  }

  // Known friction goes to the applied forces: on a copy, so that several modes can be tried at one state.
  std::copy(f_.begin(), f_.end(), load_.begin());
  sliding.clear();
  for (auto* by_unit : {&friction_, &normal_}) std::fill(by_unit->begin(), by_unit->end(), 0.0);
  for (const int u : rows.acting().units) {
    const FrictionUnit& unit = s.frictions[u];
    const FrictionMode& fm = mode.friction[u];
    if (sliding.guide_row(u) >= 0 && fm.slide == Slide::stick) continue;  // nothing is known yet
    if (unit.normal_force) normal_[u] = unit.given_normal(motion.kinematics());
    SlideForce force;
    if (!slide_force(motion, mode, u, force)) continue;
    slide_direction_[u] = force.direction;
    if (unit.contact >= 0 && mode.closed[unit.contact] == skimming) {
      if (skims(s, mode, u)) sliding.add_skimming(u, force.row);
      continue;
    }
    if (fm.slide == Slide::slip && !unit.normal_force) sliding.add(u, force.coefficient, force.row);
    friction_[u] = force.known;
    force.row.add(force.known, load_.data(), s.columns);
  }
  return finish(mode, solver, forces_wanted);
}

const LinearMode* ModeEquations::linear(const Mode& mode) const { return linear_ ? linear_->find(mode) : nullptr; }

Linearity ModeEquations::linearity(const Mode& mode) const {
  if (!linear_) return rows.saddle().redundant_count() > 0 ? Linearity::none : hstar::linearity(system(), mode);
  const LinearMode* found = linear_->find(mode);
  return found == nullptr ? Linearity::none : found->is_affine() ? Linearity::affine : Linearity::constant;
}

bool ModeEquations::solve_at(const Mode& mode, double t, const double* y) {
  const LinearMode* linear = this->linear(mode);
  if (!linear) {
    evaluate(t, y);
    return solve(mode);
  }
  const System& s = system();
  ++solves;
  shared_ = false;
  sliding.clear();
  motion.evaluate(t, y);
  if (!linear->is_affine()) linear->other_forces(motion.kinematics(), load_.data());
  linear->product(0, linear->places(), t, y, load_.data(), product_.data());
  double check = 0;
  for (int i = 0; i < s.nv + linear->rows(); ++i) check += product_[i];
  for (const Freedom& f : motion.freedoms()) a_[f.slot] = product_[f.velocity];
  const double* result = product_.data() + s.nv;
  std::copy(result, result + linear->rows(), lambda_.begin());
  result += linear->rows();
  std::copy(result, result + friction_.size(), friction_.begin());
  result += friction_.size();
  std::copy(result, result + normal_.size(), normal_.begin());
  return std::isfinite(check);
}

bool ModeEquations::rates_at(const Mode& mode, double t, const double* y, double* ydot) {
  const System& s = system();
  if (const LinearMode* linear = this->linear(mode)) {
    ++solves;
    if (!linear->is_affine()) {
      motion.evaluate(t, y);
      linear->other_forces(motion.kinematics(), load_.data());
    }
    std::copy(y + s.nq, y + s.nq + s.nv, ydot);
    linear->product(0, s.nv, t, y, load_.data(), ydot + s.nq);
    return true;
  }
  evaluate(t, y);
  if (!solve(mode, nullptr, nullptr, false)) return false;
  store_rates(y, ydot);
  return true;
}

void ModeEquations::store_rates(const double* y, double* ydot) const {
  const System& s = system();
  s.coordinate_rates(y, ydot);
  for (const Freedom& f : motion.freedoms()) ydot[s.nq + f.velocity] = a_[f.slot];
}

bool ModeEquations::solve_for(const Mode& mode, const double* f, const double* rhs, const double* mu) {
  const System& s = system();
  ++solves;
  rows.fill();
  std::copy(rhs, rhs + rows.count(), rhs_.begin());
  if (!rows.factor()) return false;
  std::copy(f, f + load_.size(), load_.begin());
  sliding.clear();
  for (auto* by_unit : {&friction_, &normal_}) std::fill(by_unit->begin(), by_unit->end(), 0.0);
  for (const int u : rows.acting().units) {
    const FrictionUnit& unit = s.frictions[u];
    const FrictionMode& fm = mode.friction[u];
    if (unit.normal_force || fm.slide != Slide::slip) continue;
    sliding.add(u, -fm.direction * mu[u] * unit.lever, motion.tangent_row(u, slide_direction_[u].data()));
  }
  return finish(mode, rows, true);
}

bool ModeEquations::finish(const Mode& mode, RowSolver& solver, bool forces_wanted) {
  const System& s = system();
  force_scale_ = 0;
  for (const double x : load_) force_scale_ = std::max(force_scale_, std::abs(x));
  solver.solve(load_.data(), rhs_.data(), a_.data(), lambda_.data());
  const bool slides = !sliding.all().empty(), redundant = rows.saddle().redundant_count() > 0;
  shared_ = false;
  // (Accelerations do not depend on how forces are shared while nothing slides.)
  if (redundant && (forces_wanted || slides) && !(s.contacts.empty() && s.frictions.empty())) {
    if (!shares_) shares_ = std::make_unique<ContactShares>(motion.shared_system());
    if (!shares_->find(*this, mode)) return false;
    shared_ = shares_->any();
  }
  // (Friction by shares needs no multipliers of the rows, which may be too large where these all but depend on each
  // other.)
  const bool by_shares = std::all_of(sliding.all().begin(), sliding.all().end(),
                                     [&](const auto& slide) { return shared_ && shares_->unit(slide.unit).asked; });
  if (!by_shares && !sliding.solve(mode, solver, a_, lambda_)) return false;
  for (const SlidingFriction::Slides& slide : sliding.all()) friction_[slide.unit] += slide.tau;
  if (shared_) take_shares(solver);
  for (const int u : rows.acting().units) {
    const FrictionUnit& unit = s.frictions[u];
    const int side = mode.friction[u].side;
    if (mode.friction[u].slide == Slide::stick) {
      const int row = rows.of_stuck(u);  // -1: its contact touches without force
      friction_[u] = row < 0 ? 0.0 : lambda_[row];
      for (int i = 1; row >= 0 && i < unit.directions; ++i) friction_[u] = std::hypot(friction_[u], lambda_[row + i]);
    }
    if (const int guide = sliding.guide_row(u); guide >= 0)
      normal_[u] = side != 0 ? side * lambda_[guide] : std::abs(lambda_[guide]);
    else if (!unit.normal_force)
      normal_[u] = unit.lever * rows.normal_force(u, side, lambda_.data(), derivative_.data());
  }
  double check = 0;
  for (const double x : a_) check += x;
  for (int i = 0; i < rows.count(); ++i) {
    check += lambda_[i];
    force_scale_ = std::max(force_scale_, std::abs(lambda_[i]));
  }
  return std::isfinite(check);
}

void ModeEquations::take_shares(RowSolver& solver) {
  const System& s = system();
  for (const int c : rows.acting().contacts)
    if (shares_->contact(c).asked) lambda_[rows.of_contact(c)] = shares_->contact(c).normal;
  for (const int u : rows.acting().units)
    if (const auto& unit = shares_->unit(u); unit.asked && rows.of_stuck(u) >= 0)
      std::copy_n(unit.force.begin(), s.frictions[u].directions, lambda_.begin() + rows.of_stuck(u));
  for (int i = 0; i < s.rows; ++i)
    if (const auto& body = rows[i].body; shares_->covers(body[0]) || shares_->covers(body[1]))
      lambda_[i] = shares_->joint_multiplier(i);
  // What slides moves by other forces than those of the rows alone.
  bool others = false;
  std::fill(load_.begin(), load_.end(), 0.0);
  for (const SlidingFriction::Slides& slides : sliding.all()) {
    const auto& unit = shares_->unit(slides.unit);
    if (!unit.asked) continue;
    sliding.set_regular(slides.unit);
    const double change = unit.force[0] - unit.known - slides.tau;
    friction_[slides.unit] += change;
    slides.row.add(change, load_.data(), s.columns);
    others |= change != 0;
  }
  if (!others) return;
  solver.solve(load_.data(), zero_.data(), change_a_.data(), change_lambda_.data());
  for (std::size_t i = 0; i < a_.size(); ++i) a_[i] += change_a_[i];
}

}  // namespace hstar
