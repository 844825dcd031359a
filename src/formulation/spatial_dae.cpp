// src/formulation/spatial_dae.cpp
#include "formulation/spatial_dae.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/spatial/signal_slopes.hpp"

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

SpatialDae::SpatialDae(std::shared_ptr<const System> system, const Mode& mode)
    : system_(std::move(system)), mode_(mode), equations_(system_, false) {
  const System& s = *system_;
  const std::size_t n = at(s.nv), m = at(s.rows);
  mass_.resize(n);
  force_.resize(n);
  rate_.resize(at(s.ns));
  for (auto* v : {&phi_, &speed_, &gamma_, &lambda_, &zero_}) v->assign(m, 0.0);
  slots_.resize(s.slots());
  null_a_.resize(s.slots());
  state_.resize(s.size());
  kind_.resize(m);
  slope_.resize(m);
  null_at_.resize(m);
  dof_.assign(s.slots(), -1);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) {
      dof_[s.slot(b, c)] = s.bodies[b].dof + c;
      mass_[at(s.bodies[b].dof + c)] = equations_.mass()[s.slot(b, c)];
    }
}

void SpatialDae::displace(const double* q0, const double* displacement, double* q) {
  const System& s = *system_;
  std::fill(slots_.begin(), slots_.end(), 0.0);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) slots_[s.slot(b, c)] = displacement[s.bodies[b].dof + c];
  std::copy(q0, q0 + s.nq, q);
  s.displace(slots_.data(), 1.0, q);
}

void SpatialDae::place_rates(const double* q, const double* v, double* q_dot) {
  std::copy(q, q + system_->nq, state_.begin());
  std::copy(v, v + system_->nv, state_.begin() + system_->nq);
  system_->coordinate_rates(state_.data(), q_dot);
}

bool SpatialDae::begin(double t, const double* y) {
  equations_.choose_rows(mode_);
  std::fill(kind_.begin(), kind_.end(), DaeRow::position);
  const int m = rows();
  if (m == 0) return true;
  equations_.evaluate(t, y);
  equations_.fill_rows(mode_);
  if (equations_.find_redundant() == 0) return true;
  // A dependent row d is replaced by n . lambda = 0, n the projection of e_d onto the multipliers that exert no
  // force: the load G_d^T is balanced by multipliers alone.
  auto& saddle = equations_.saddle();
  if (!saddle.factor(equations_.saddle_rows(), m)) return false;
  null_.assign(at(m) * at(saddle.redundant_count()), 0.0);
  std::size_t next = 0;
  for (int d = 0; d < m; ++d) {
    if (!saddle.is_redundant(d)) continue;
    kind_[at(d)] = DaeRow::multiplier;
    std::fill(slots_.begin(), slots_.end(), 0.0);
    equations_.add_row(equations_.row(d), 1.0, slots_.data());
    null_at_[at(d)] = next;
    double* n = null_.data() + next;
    next += at(m);
    saddle.solve(slots_.data(), zero_.data(), null_a_.data(), n);
    n[d] += 1;
  }
  return true;
}

void SpatialDae::extra_rates() {
  for (int i = 0; i < system_->ns; ++i)
    rate_[at(i)] = hstar::evaluate(system_->states[at(i)].rate, equations_.kinematics());
}

bool SpatialDae::solve(double t, const double* y, double* a, double* rate, double* lambda) {
  const System& s = *system_;
  equations_.evaluate(t, y);
  if (!equations_.solve(mode_)) return false;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) a[s.bodies[b].dof + c] = equations_.acceleration()[s.slot(b, c)];
  for (int i = 0; i < rows(); ++i) lambda[i] = equations_.joint_multiplier(i);
  extra_rates();
  std::copy(rate_.begin(), rate_.end(), rate);
  return true;
}

bool SpatialDae::evaluate(double t, const double* y, const double* lambda) {
  const System& s = *system_;
  equations_.evaluate(t, y);
  equations_.fill_rows(mode_);
  const Kinematics& k = equations_.kinematics();
  std::copy(equations_.load().begin(), equations_.load().end(), slots_.begin());
  for (int i = 0; i < rows(); ++i) {
    const Row& row = equations_.row(i);
    lambda_[at(i)] = lambda[i];
    equations_.add_row(row, lambda[i], slots_.data());
    double speed = -row.nu;
    for (std::size_t b = 0; b < 2; ++b)
      if (!s.bodies[at(row.body[b])].prescribed) speed += k.along(row.J[b], row.body[b]);
    speed_[at(i)] = speed;
    gamma_[at(i)] = row.gamma;
  }
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) force_[at(s.bodies[b].dof + c)] = slots_[s.slot(b, c)];
  s.joint_positions(k, phi_.data());
  for (int i = 0; i < rows(); ++i) {
    if (kind(i) != DaeRow::multiplier) continue;
    const double* n = null_.data() + null_at_[at(i)];
    double sum = 0;
    for (int j = 0; j < rows(); ++j) sum += n[j] * lambda[j];
    phi_[at(i)] = sum;
  }
  extra_rates();
  double check = 0;
  for (const auto* v : {&force_, &rate_, &phi_, &speed_})
    for (const double x : *v) check += x;
  return std::isfinite(check);
}

std::array<int, 12> SpatialDae::columns(const Row& row) const {
  std::array<int, 12> column{};
  for (std::size_t b = 0; b < 2; ++b) {
    const Body& body = system_->bodies[at(row.body[b])];
    for (int c = 0; c < 6; ++c) column[6 * b + at(c)] = body.prescribed ? -1 : body.dof + c;
  }
  return column;
}

void SpatialDae::jacobian(DaeEntries& out) {
  for (int i = 0; i < rows(); ++i) {
    const Row& row = equations_.row(i);
    const auto column = columns(row);
    for (std::size_t c = 0; c < 12; ++c)
      if (column[c] >= 0) out.push_back({i, column[c], row.J[c / 6][c % 6]});
  }
}

void SpatialDae::curvature(const double* mu, DaeEntries& out) {
  const System& s = *system_;
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    s.joints[j]->slopes(equations_.kinematics(), slope_.data() + s.joint_row[j]);
  for (int i = 0; i < rows(); ++i) {
    const auto column = columns(equations_.row(i));
    for (std::size_t a = 0; a < 12; ++a)
      for (std::size_t b = 0; b < 12; ++b)
        if (column[a] >= 0 && column[b] >= 0) out.push_back({column[a], column[b], mu[i] * slope_[at(i)].J[a][b]});
  }
}

void SpatialDae::differentiate(const double*, DaeSlopes& out) {
  const System& s = *system_;
  const Kinematics& k = equations_.kinematics();
  for (DaeEntries* entries :
       {&out.force_q, &out.force_v, &out.force_s, &out.force_lambda, &out.rate_q, &out.rate_v, &out.rate_s, &out.rows,
        &out.speed_q, &out.acceleration_q, &out.acceleration_v, &out.row_lambda})
    entries->clear();
  jacobian(out.rows);
  for (const DaeEntry& e : out.rows) out.force_lambda.push_back({e.column, e.row, e.value});
  curvature(lambda_.data(), out.force_q);  // fills slope_ too
  force_slopes_.clear();
  for (const auto& force : s.forces) force->slopes(k, force_slopes_);
  const auto take = [&](const std::vector<ForceSlopes::Entry>& from, DaeEntries& to) {
    for (const auto& e : from)
      if (dof_[at(e.row)] >= 0 && dof_[at(e.column)] >= 0) to.push_back({dof_[at(e.row)], dof_[at(e.column)], e.value});
  };
  take(force_slopes_.by_position, out.force_q);
  take(force_slopes_.by_velocity, out.force_v);
  for (const auto& e : force_slopes_.by_state)
    if (dof_[at(e.row)] >= 0) out.force_s.push_back({dof_[at(e.row)], e.column - s.nq - s.nv, e.value});
  // Gyroscopic torque J w x w.
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const Body& body = s.bodies[b];
    if (body.prescribed) continue;
    const Vec3& w = k.spatial[b].omega_bar;
    const Mat3 slope =
        skew({body.moment[0] * w[0], body.moment[1] * w[1], body.moment[2] * w[2]}) -
        skew(w) * Mat3{Vec3{body.moment[0], 0, 0}, Vec3{0, body.moment[1], 0}, Vec3{0, 0, body.moment[2]}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out.force_v.push_back({body.dof + 3 + i, body.dof + 3 + j, slope[at(i)][at(j)]});
  }
  for (int i = 0; i < rows(); ++i) {
    const Row& row = equations_.row(i);
    const auto column = columns(row);
    double v[12];
    for (std::size_t c = 0; c < 12; ++c) v[c] = k.velocity(at(row.body[c / 6]), static_cast<int>(c % 6));
    for (std::size_t b = 0; b < 12; ++b) {
      if (column[b] < 0) continue;
      double by_speed = 0;
      for (std::size_t c = 0; c < 12; ++c) by_speed += v[c] * slope_[at(i)].J[c][b];
      out.speed_q.push_back({i, column[b], by_speed});
    }
    if (kind(i) == DaeRow::multiplier)
      for (int j = 0; j < rows(); ++j) out.row_lambda.push_back({i, j, null_[null_at_[at(i)] + at(j)]});
  }
  // Extra states: a formula's derivative is that of a force of one unit on row 0.
  const SpatialDirection unit{{0, 0}, {1}};
  for (int i = 0; i < s.ns; ++i) {
    force_slopes_.clear();
    add_formula(unit, s.states[at(i)].rate, k, 0, 0, 1, force_slopes_);
    for (const auto& e : force_slopes_.by_position)
      if (const int c = dof_[at(e.column)]; c >= 0) out.rate_q.push_back({i, c, e.value});
    for (const auto& e : force_slopes_.by_velocity)
      if (const int c = dof_[at(e.column)]; c >= 0) out.rate_v.push_back({i, c, e.value});
    for (const auto& e : force_slopes_.by_state) out.rate_s.push_back({i, e.column - s.nq - s.nv, e.value});
  }
}

}  // namespace hstar
