// src/formulation/dae_problem.cpp
#include "formulation/dae_problem.hpp"

#include <algorithm>
#include <cmath>

#include "hstar/stop.hpp"

namespace hstar {

MechanismDae::MechanismDae(std::shared_ptr<const System> system, const Mode& mode, DaeForm form)
    : DaeTurning(std::move(system)),
      mode_(mode),
      form_(form),
      equations_(system_, !system_->is_spatial()),
      dependent_(equations_),
      slopes_(equations_, mode) {
  const System& s = *system_;
  const auto m = static_cast<std::size_t>(ModeRows::most(s)), n = static_cast<std::size_t>(s.nv);
  for (auto* by_row : {&phi_, &speed_, &gamma_, &lambda_, &of_mode_}) by_row->resize(m);
  for (auto* by_velocity : {&mass_, &force_}) by_velocity->resize(n);
  rate_.resize(static_cast<std::size_t>(s.ns));
  kind_.resize(m);
  for (const Freedom& f : equations_.motion.freedoms()) mass_[f.velocity] = equations_.motion.mass()[f.slot];
}

bool MechanismDae::begin(double t, const double* y) {
  const System& s = *system_;
  equations_.rows.choose(mode_);
  const int m = equations_.rows.count();
  for (int i = 0; i < m; ++i) kind_[i] = DaeRow::position;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (const int row = equations_.rows.of_stuck(static_cast<int>(u)); row >= 0)
      std::fill_n(kind_.begin() + row, s.frictions[u].directions, DaeRow::velocity);
  if (m > 0) {
    equations_.evaluate(t, y);
    equations_.rows.fill();
  }
  slopes_.begin();
  if (!dependent_.begin(kind_)) return false;
  shares_drive_ = false;
  for (std::size_t u = 0; u < s.frictions.size() && dependent_.count() > 0; ++u) {
    const FrictionUnit& unit = s.frictions[u];
    shares_drive_ |= !unit.normal_force && mode_.friction[u].slide == Slide::slip &&
                     (unit.contact < 0 || mode_.closed[unit.contact]);
  }
  return true;
}

bool MechanismDae::solve(double t, const double* y, double* a, double* rate, double* lambda) {
  const System& s = *system_;
  equations_.evaluate(t, y);
  if (s.nq > 0 && !equations_.solve(mode_)) return false;
  for (const Freedom& f : equations_.motion.freedoms()) a[f.velocity] = equations_.acceleration()[f.slot];
  multipliers_of_mode(lambda);
  extra_rates();
  std::copy(rate_.begin(), rate_.end(), rate);
  return true;
}

void MechanismDae::extra_rates() {
  for (std::size_t i = 0; i < rate_.size(); ++i)
    rate_[i] = hstar::evaluate(system_->states[i].rate, equations_.motion.kinematics());
}

void MechanismDae::add_force(const Row& row, double multiplier) {
  for (int i = 0; i < 2 && multiplier != 0; ++i)
    for (int c = 0; c < system_->bodies[row.body[i]].dofs; ++c)
      force_[system_->bodies[row.body[i]].dof + c] += row.J[i][c] * multiplier;
}

void MechanismDae::differentiate(const double* a, DaeSlopes& out) {
  // A new matrix may impose other rows.
  if (dependent_.count() > 0) dependent_.choose(kind_);
  slopes_.differentiate(a, lambda_.data(), dependent_, out);
}

void MechanismDae::multipliers_of_mode(double* lambda) const {
  std::copy_n(equations_.multipliers().begin(), equations_.rows.count(), lambda);
  const System& s = *system_;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (hstar::skims(s, mode_, static_cast<int>(u)))
      lambda[equations_.rows.of_contact(s.frictions[u].contact)] = equations_.friction_force(static_cast<int>(u));
}

bool MechanismDae::dependent_rows(const double* lambda) {
  if (dependent_.count() == 0) return true;
  if (shares_drive_) {
    if (!equations_.solve(mode_)) return false;
    multipliers_of_mode(of_mode_.data());
  }
  dependent_.find(kind_);
  for (std::size_t d = 0; d < dependent_.count(); ++d) {
    double& sum = phi_[dependent_.row(d)];
    sum = 0;
    for (int j = 0; j < equations_.rows.count(); ++j)
      sum += dependent_.n(d)[j] * (lambda[j] - (shares_drive_ ? of_mode_[static_cast<std::size_t>(j)] : 0.0));
  }
  return true;
}

bool MechanismDae::evaluate(double t, const double* y, const double* lambda) {
  if (stop_requested_meanwhile()) return false;
  const System& s = *system_;
  const int m = equations_.rows.count();
  equations_.evaluate(t, y);
  equations_.rows.fill();
  std::copy(lambda, lambda + m, lambda_.begin());
  for (const Freedom& f : equations_.motion.freedoms()) force_[f.velocity] = equations_.load()[f.slot];
  for (int i = 0; i < m; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (slopes_.exerts(i)) add_force(equations_.rows[i], lambda[i]);
    speed_[at] = equations_.motion.free_speed(equations_.rows[i]);
    gamma_[at] = equations_.rows[i].gamma;
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (const auto f = slopes_.friction(u, lambda); f.acts) add_force(f.row, f.tau);
  equations_.rows.positions(phi_.data());
  if (!dependent_rows(lambda)) return false;
  extra_rates();
  double check = 0;
  for (const double x : force_) check += x;
  for (const double x : rate_) check += x;
  for (int i = 0; i < m; ++i) check += phi_[i] + speed_[i];
  return std::isfinite(check);
}

}  // namespace hstar
