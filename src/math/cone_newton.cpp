// src/math/cone_newton.cpp: the equations of Alart & Curnier (1991) over exact cones, and semismooth Newton on them.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "math/cone_search.hpp"
#include "math/dense.hpp"
#include "math/wide_lu.hpp"

namespace hstar::math {
namespace {

using Row = Eigen::Map<Eigen::RowVectorXd>;
using ConstRow = Eigen::Map<const Eigen::RowVectorXd>;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

double length(const double* x, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

}  // namespace

void ConeSearch::rates(const double* force, double* a) const {
  for (int i = 0; i < n_; ++i) a[i] = c_[at(i)] + ConstRow(g_.data() + i * n_, n_).dot(ConstRow(force, n_));
}

double ConeSearch::normal(int unit, const double* force, double* slope) const {
  const ConeUnit& u = p_->unit[at(unit)];
  if (slope != nullptr) std::fill(slope, slope + n_, 0.0);
  if (u.normal == ConeUnit::Normal::given) return u.normal_0;
  if (u.normal == ConeUnit::Normal::contact) {
    const int row = p_->contact[at(u.contact)].row;
    if (slope != nullptr) slope[row] = 1 / scale_[at(row)];
    return force[row] / scale_[at(row)];
  }
  double sum = 0;
  for (int part = u.part; part < u.part + u.parts; ++part) {
    const ConePart& from = p_->part[at(part)];
    double value[3] = {};
    for (int k = 0; k < from.size; ++k) {
      const double* R = p_->reaction.data() + (from.row + k) * n_;
      value[k] = p_->reaction_0[at(from.row + k)];
      for (int j = 0; j < n_; ++j) value[k] += R[j] * force[j] / scale_[at(j)];
    }
    const double norm = length(value, from.size);
    sum += from.weight * norm;
    if (slope == nullptr || norm == 0) continue;
    for (int k = 0; k < from.size; ++k) {
      const double* R = p_->reaction.data() + (from.row + k) * n_;
      for (int j = 0; j < n_; ++j) slope[j] += from.weight * value[k] / norm * R[j] / scale_[at(j)];
    }
  }
  return sum;
}

double ConeSearch::equations(const double* force, double* phi) {
  rates(force, a_.data());
  // The force of a contact that its rate presses: with it the friction of its units is taken.
  const auto pressed = [&](int row) { return std::max(0.0, force[row] - a_[at(row)]); };
  for (const ConeContact& contact : p_->contact) phi[contact.row] = force[contact.row] - pressed(contact.row);
  for (std::size_t j = 0; j < p_->unit.size(); ++j) {
    const ConeUnit& u = p_->unit[j];
    const int row = u.row;
    const double s = scale_[at(row)];
    double N;
    if (u.normal == ConeUnit::Normal::contact) {
      const int normal_row = p_->contact[at(u.contact)].row;
      N = pressed(normal_row) / scale_[at(normal_row)];
    } else {
      N = normal(static_cast<int>(j), force);
    }
    const double radius = mu[j] * N * s;
    if (u.slides) {
      const bool acts = u.normal != ConeUnit::Normal::contact || N > 0;
      for (int k = 0; k < u.directions; ++k)
        phi[row + k] = force[row + k] + radius * u.direction[at(k)] - (acts ? s * u.further[at(k)] : 0.0);
      continue;
    }
    double y[3];
    for (int k = 0; k < u.directions; ++k) y[k] = force[row + k] - a_[at(row + k)];
    const double size = length(y, u.directions);
    for (int k = 0; k < u.directions; ++k)
      phi[row + k] = size <= radius ? a_[at(row + k)] : force[row + k] - radius / size * y[k];
  }
  return length(phi, n_);
}

/// One element of the generalised derivative of equations() at f; a_ holds the rates there.
void ConeSearch::jacobian() {
  Eigen::Map<Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> J(jac_.data(), n_, n_);
  J.setIdentity();
  const auto g = [&](int row) { return ConstRow(g_.data() + row * n_, n_); };
  const auto is_pressed = [&](int row) { return f[at(row)] - a_[at(row)] > 0; };
  for (const ConeContact& contact : p_->contact)
    if (is_pressed(contact.row)) J.row(contact.row) = g(contact.row);
  Row slope(slope_.data(), n_);
  for (std::size_t j = 0; j < p_->unit.size(); ++j) {
    const ConeUnit& u = p_->unit[j];
    const int row = u.row, d = u.directions;
    double N;
    if (u.normal == ConeUnit::Normal::contact) {
      const int normal_row = p_->contact[at(u.contact)].row;
      if (!is_pressed(normal_row)) continue;  // open: f = 0
      const double s = scale_[at(normal_row)];
      N = (f[at(normal_row)] - a_[at(normal_row)]) / s;
      slope = -g(normal_row) / s;
      slope[normal_row] += 1 / s;
    } else {
      N = normal(static_cast<int>(j), f.data(), slope_.data());
    }
    slope *= mu[j] * scale_[at(row)];
    const double radius = mu[j] * N * scale_[at(row)];
    if (u.slides) {
      for (int k = 0; k < d; ++k) J.row(row + k) += u.direction[at(k)] * slope;
      continue;
    }
    if (!(radius > 0)) continue;
    double y[3];
    for (int k = 0; k < d; ++k) y[k] = f[at(row + k)] - a_[at(row + k)];
    const double size = length(y, d);
    if (size <= radius) {
      for (int k = 0; k < d; ++k) J.row(row + k) = g(row + k);
      continue;
    }
    for (int k = 0; k < d; ++k) {
      for (int l = 0; l < d; ++l) {
        const double turn = radius / size * ((k == l ? 1.0 : 0.0) - y[k] * y[l] / (size * size));
        J.row(row + k) += turn * g(row + l);
        J(row + k, row + l) -= turn;
      }
      J.row(row + k) -= y[k] / size * slope;
    }
  }
}

/// From phi_ to step_ by LU, with a shift that singular equations do not feel where they can be solved; false if not.
bool ConeSearch::shifted_direction() {
  constexpr double shift = 1e-10;
  double* matrix = linear_.matrix(n_);
  std::copy_n(jac_.begin(), n_ * n_, matrix);
  for (int i = 0; i < n_; ++i) {
    matrix[i * (n_ + 1)] += shift;
    step_[at(i)] = -phi_[at(i)];
  }
  if (wide_lu(matrix, n_, pivot_.data()) == 0) return false;
  lu_solve(matrix, n_, pivot_.data(), step_.data());
  const ConstRow step(step_.data(), n_);
  return shift * step.norm() <= 1e-3 * length(phi_.data(), n_);
}

/// The shortest step that solves the linearised equations as well as can be, or one next to it.
bool ConeSearch::newton_direction() {
  jacobian();
  if (n_ > small && shifted_direction()) return true;
  if (n_ > small && hasty_) return false;
  double* matrix = linear_.matrix(n_);
  for (int j = 0; j < n_; ++j)
    for (int i = 0; i < n_; ++i) matrix[j * n_ + i] = jac_[at(i * n_ + j)];
  linear_.factor();
  for (int i = 0; i < n_; ++i) step_[at(i)] = -phi_[at(i)];
  linear_.solve(step_.data());
  return ConstRow(step_.data(), n_).allFinite();
}

/// Newton with line search until no step makes the equations better; the number of steps.
int ConeSearch::newton(int most) {
  double merit = equations(f.data(), phi_.data());
  int stalled = 0, step = 0;
  while (step < most && merit > 1e-17 * size() && stalled < 3) {
    if (!newton_direction()) break;
    ++step;
    std::copy(f.begin(), f.begin() + n_, from_.begin());
    const auto go = [&](double share) {
      for (int i = 0; i < n_; ++i) f[at(i)] = from_[at(i)] + share * step_[at(i)];
      return equations(f.data(), phi_.data());
    };
    double share = 1, best = merit, best_share = 0;
    for (int halving = 0; halving < 12; ++halving, share *= 0.5) {
      const double reached = go(share);
      if (reached < best) {
        best = reached;
        best_share = share;
        if (reached < (1 - 0.3 * share) * merit) break;
      } else if (best_share > 0) {
        break;
      }
    }
    const double reached = go(best_share);
    if (best_share == 0) break;
    stalled = reached > 0.9 * merit ? stalled + 1 : 0;
    merit = reached;
  }
  return step;
}

/// Full steps, up or down: they leave corners of the equations where every shorter step is uphill. Keeps the best.
int ConeSearch::leap(int most) {
  std::copy(f.begin(), f.begin() + n_, from_.begin());
  double least = equations(f.data(), phi_.data());
  int step = 0;
  for (; step < most && newton_direction(); ++step) {
    for (int i = 0; i < n_; ++i) f[at(i)] += step_[at(i)];
    const double reached = equations(f.data(), phi_.data());
    if (!(reached < 1e6 * size())) break;
    if (reached >= least) continue;
    least = reached;
    std::copy(f.begin(), f.begin() + n_, from_.begin());
  }
  std::copy(from_.begin(), from_.begin() + n_, f.begin());
  return step;
}

}  // namespace hstar::math
