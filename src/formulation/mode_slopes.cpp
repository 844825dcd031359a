// src/formulation/mode_slopes.cpp
#include "formulation/mode_slopes.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace hstar {

struct ModeSlopes::Factors : Eigen::PartialPivLU<Eigen::MatrixXd> {
  using PartialPivLU::PartialPivLU;
};

ModeSlopes::~ModeSlopes() = default;

ModeSlopes::ModeSlopes(std::shared_ptr<const System> system, const Mode& mode, const ModeEquations& from)
    : nv_(static_cast<std::size_t>(system->nv)),
      ns_(static_cast<std::size_t>(system->ns)),
      dae_(system, mode, DaeForm::index3),
      known_(!system->is_spatial() && system->nq == system->nv),
      a_(nv_),
      rate_(ns_),
      lambda_(static_cast<std::size_t>(dae_.max_rows())),
      later_(nv_ + ns_ + lambda_.size()),
      earlier_(later_.size()),
      matrix_(system->nv + dae_.max_rows(), system->nv + dae_.max_rows()),
      by_(matrix_.rows(), 2 * system->nv + system->ns + 1),
      solution_(by_.rows(), by_.cols()),
      factors_(std::make_unique<Factors>(matrix_.rows())) {
  dae_.share_slide_references(from);
  dae_.share_branches(from.motion.kinematics().branches);
  // Modes differ in their entries; memory is taken once. Two bodies meet in a row or force, with three columns each.
  constexpr std::size_t entries_of_two_bodies = 36;
  const std::size_t most =
      entries_of_two_bodies * (lambda_.size() + system->forces.size() + 2 * system->frictions.size() + ns_ + 1);
  for (DaeEntries* entries : {&slopes_.force_q, &slopes_.force_v, &slopes_.force_s, &slopes_.force_lambda,
                              &slopes_.rate_q, &slopes_.rate_v, &slopes_.rate_s, &slopes_.rows, &slopes_.speed_q,
                              &slopes_.acceleration_q, &slopes_.acceleration_v, &slopes_.row_lambda, &rows_})
    entries->reserve(most);
}

bool ModeSlopes::sample(double t, const double* y, std::vector<double>& out) {
  if (!dae_.evaluate(t, y, lambda_.data())) return false;
  std::copy_n(dae_.force(), nv_, out.begin());
  std::copy_n(dae_.rate(), ns_, out.begin() + static_cast<std::ptrdiff_t>(nv_));
  for (int i = 0; i < dae_.rows(); ++i) out[nv_ + ns_ + static_cast<std::size_t>(i)] = -dae_.gamma()[i];
  rows_.clear();
  dae_.jacobian(rows_);
  for (const DaeEntry& e : rows_) out[nv_ + ns_ + static_cast<std::size_t>(e.row)] += e.value * a_[e.column];
  return true;
}

bool ModeSlopes::evaluate(double t, const double* y, double dt, double* by_y, double* by_t) {
  if (!known_) return false;
  if (!begun_ && !dae_.begin(t, y)) return false;
  begun_ = true;
  if (dae_.skims()) return false;
  const int m = dae_.rows();
  for (int i = 0; i < m; ++i)
    if (dae_.kind(i) == DaeRow::multiplier) return false;
  const double after = t + dt, before = t - dt;
  if (!dae_.solve(t, y, a_.data(), rate_.data(), lambda_.data()) || !sample(after, y, later_) ||
      !sample(before, y, earlier_) || !dae_.evaluate(t, y, lambda_.data()))
    return false;
  for (std::size_t i = 0; i < later_.size(); ++i) later_[i] = (later_[i] - earlier_[i]) / (after - before);
  dae_.differentiate(a_.data(), slopes_);

  const auto nv = static_cast<Eigen::Index>(nv_), ns = static_cast<Eigen::Index>(ns_), n = 2 * nv + ns;
  // Rows that this mode does not have are those of the identity.
  matrix_.setIdentity();
  matrix_.topLeftCorner(nv + m, nv + m).setZero();
  by_.setZero();
  const auto add = [](const DaeEntries& entries, Eigen::MatrixXd& to, Eigen::Index row, Eigen::Index column,
                      double factor) {
    for (const DaeEntry& e : entries) to(row + e.row, column + e.column) += factor * e.value;
  };
  for (Eigen::Index i = 0; i < nv; ++i) matrix_(i, i) = dae_.mass()[i];
  add(slopes_.force_lambda, matrix_, 0, nv, -1);
  add(slopes_.rows, matrix_, nv, 0, 1);
  add(slopes_.force_q, by_, 0, 0, 1);
  add(slopes_.force_v, by_, 0, nv, 1);
  add(slopes_.force_s, by_, 0, 2 * nv, 1);
  add(slopes_.acceleration_q, by_, nv, 0, -1);
  add(slopes_.acceleration_v, by_, nv, nv, -1);
  for (Eigen::Index i = 0; i < nv; ++i) by_(i, n) = later_[i];
  for (Eigen::Index i = 0; i < m; ++i) by_(nv + i, n) = -later_[nv + ns + i];
  if (nv > 0) {
    factors_->compute(matrix_);
    solution_.noalias() = factors_->solve(by_);
  }

  std::fill(by_y, by_y + n * n, 0.0);
  for (Eigen::Index i = 0; i < nv; ++i) {
    by_y[i * n + nv + i] = 1;
    by_t[i] = 0;
    by_t[nv + i] = solution_(i, n);
    for (Eigen::Index j = 0; j < n; ++j) by_y[(nv + i) * n + j] = solution_(i, j);
  }
  const auto rates_by = [&](const DaeEntries& entries, Eigen::Index column) {
    for (const DaeEntry& e : entries) by_y[(2 * nv + e.row) * n + column + e.column] += e.value;
  };
  rates_by(slopes_.rate_q, 0);
  rates_by(slopes_.rate_v, nv);
  rates_by(slopes_.rate_s, 2 * nv);
  for (Eigen::Index i = 0; i < ns; ++i) by_t[2 * nv + i] = later_[nv + i];
  return std::all_of(by_y, by_y + n * n, [](double x) { return std::isfinite(x); });
}

}  // namespace hstar
