// src/formulation/dae_problem.cpp
#include "formulation/dae_problem.hpp"

#include <algorithm>
#include <cmath>

#include "hstar/stop.hpp"

namespace hstar {

MechanismDae::MechanismDae(std::shared_ptr<const System> system, const Mode& mode, DaeForm form)
    : system_(std::move(system)), mode_(mode), form_(form), equations_(system_, !system_->is_spatial()) {
  const System& s = *system_;
  const auto m = static_cast<std::size_t>(s.rows + s.sliding_rows()) + s.contacts.size();
  const auto n = static_cast<std::size_t>(s.nv);
  mass_.resize(n);
  is_angle_.resize(n);
  force_.resize(n);
  rate_.resize(static_cast<std::size_t>(s.ns));
  phi_.resize(m);
  speed_.resize(m);
  gamma_.resize(m);
  lambda_.resize(m);
  kind_.resize(m);
  if (s.is_spatial())
    spatial_slope_.resize(m);
  else
    slope_.resize(m);
  slots_.resize(s.slots());
  state_.resize(s.size());
  derivative_.resize(std::max<std::size_t>(m, 4));
  dof_.assign(s.slots(), -1);
  is_turned_.resize(static_cast<std::size_t>(s.nq));
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const Body& body = s.bodies[b];
    for (int c = 0; c < body.dofs; ++c) {
      const auto at = static_cast<std::size_t>(body.dof + c);
      dof_[s.slot(b, c)] = body.dof + c;
      mass_[at] = equations_.motion.mass()[s.slot(b, c)];
      is_angle_[at] = s.turns(c);
    }
    for (int c = 0; c < body.coordinates; ++c) is_turned_[body.coordinate + c] = s.turns(c);
  }
  null_load_.resize(s.slots());
  null_a_.resize(s.slots());
  dependent_.resize(m);
  zero_.assign(m, 0.0);
}

bool MechanismDae::begin(double t, const double* y) {
  const System& s = *system_;
  equations_.rows.choose(mode_);
  const int m = equations_.rows.count();
  for (int i = 0; i < m; ++i) kind_[i] = DaeRow::position;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (const int row = equations_.rows.of_stuck(static_cast<int>(u)); row >= 0)
      std::fill_n(kind_.begin() + row, s.frictions[u].directions, DaeRow::velocity);
  positions_ = static_cast<int>(std::find(kind_.begin(), kind_.begin() + m, DaeRow::velocity) - kind_.begin());
  null_row_.clear();
  if (m == 0) return true;
  equations_.evaluate(t, y);
  equations_.rows.fill();
  if (equations_.rows.find_redundant() == 0) return true;
  const auto stride = phi_.size(), redundant = static_cast<std::size_t>(equations_.rows.saddle().redundant_count());
  null_.assign(redundant * stride, 0.0);
  null_row_.assign(redundant, 0);
  return find_null() && choose_dependent();
}

bool MechanismDae::solve(double t, const double* y, double* a, double* rate, double* lambda) {
  const System& s = *system_;
  equations_.evaluate(t, y);
  if (s.nq > 0 && !equations_.solve(mode_)) return false;
  for (std::size_t i = 0; i < dof_.size(); ++i)
    if (dof_[i] >= 0) a[dof_[i]] = equations_.acceleration()[i];
  for (int i = 0; i < equations_.rows.count(); ++i) lambda[i] = equations_.multipliers()[i];
  extra_rates();
  std::copy(rate_.begin(), rate_.end(), rate);
  return true;
}

void MechanismDae::extra_rates() {
  for (std::size_t i = 0; i < rate_.size(); ++i)
    rate_[i] = hstar::evaluate(system_->states[i].rate, equations_.motion.kinematics());
}

void MechanismDae::columns(const Row& row, int (&column)[most_columns]) const {
  const int width = system_->columns;
  for (int i = 0; i < 2 * width; ++i)
    column[i] = dof_[system_->slot(static_cast<std::size_t>(row.body[i / width]), i % width)];
}

void MechanismDae::add_force(const Row& row, double multiplier) {
  if (multiplier == 0) return;
  int column[most_columns];
  columns(row, column);
  for (int i = 0; i < columns(); ++i)
    if (column[i] >= 0) force_[column[i]] += entry(row, i) * multiplier;
}

bool MechanismDae::evaluate(double t, const double* y, const double* lambda) {
  if (stop_requested_meanwhile()) return false;
  const System& s = *system_;
  const int m = equations_.rows.count();
  equations_.evaluate(t, y);
  equations_.rows.fill();
  std::copy(lambda, lambda + m, lambda_.begin());
  for (std::size_t i = 0; i < dof_.size(); ++i)
    if (dof_[i] >= 0) force_[dof_[i]] = equations_.load()[i];
  for (int i = 0; i < m; ++i) {
    const auto at = static_cast<std::size_t>(i);
    add_force(equations_.rows[i], lambda[i]);
    speed_[at] = equations_.motion.free_speed(equations_.rows[i]);
    gamma_[at] = equations_.rows[i].gamma;
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (const Friction f = friction(u, lambda); f.acts) add_force(f.row, f.tau);
  equations_.rows.positions(phi_.data());
  if (null_rows() > 0) find_null();
  for (std::size_t d = 0; d < null_rows(); ++d) {
    const double* n = null(d);
    double sum = 0;
    for (int j = 0; j < m; ++j) sum += n[j] * lambda[j];
    phi_[null_row_[d]] = sum;
  }
  extra_rates();
  double check = 0;
  for (const double x : force_) check += x;
  for (const double x : rate_) check += x;
  for (int i = 0; i < m; ++i) check += phi_[i] + speed_[i];
  return std::isfinite(check);
}

}  // namespace hstar
