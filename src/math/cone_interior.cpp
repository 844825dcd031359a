// src/math/cone_interior.cpp: an interior-point path to near a solution, for where Newton from sweeps fails.
//
// The laws as complementary pairs in self-dual cones, for any normal force N(f),
//   lambda_N >= 0 | a_N >= 0,      x = (mu N, lambda_T) in K | y = (y_0, a_T) in K,      x o y = 0,
// which says y_0 = |a_T| and the law of Coulomb; their products are brought to zero together along x o y = m e, with
// Nesterov and Todd's scaling, as for convex cone programs, though this one is not convex (Acary et al. 2023 do so for
// the form of De Saxce). With W^-1 dx + W dy = q the steps of y go out, and (G + D) df is left, regular where G is not.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "math/cone_search.hpp"
#include "math/dense.hpp"
#include "math/soc.hpp"

namespace hstar::math {
namespace {

using ConstRow = Eigen::Map<const Eigen::RowVectorXd>;
constexpr int widest = 4;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

/// Strictly inside: normal forces of a size, no friction; rates as they are, raised into their cones.
void ConeSearch::enter(double force) {
  std::fill(f.begin(), f.begin() + n_, 0.0);
  for (const ConeContact& contact : p_->contact) f[at(contact.row)] = force;
  for (std::size_t j = 0; j < p_->unit.size(); ++j)
    if (p_->unit[j].slides) project_unit(static_cast<int>(j));
  rates(f.data(), a_.data());
  for (const ConeContact& contact : p_->contact) y_[at(contact.row)] = std::max(a_[at(contact.row)], force);
  for (std::size_t j = 0; j < p_->unit.size(); ++j) {
    const ConeUnit& u = p_->unit[j];
    double square = 0;
    for (int k = 0; k < u.directions; ++k) {
      y_[at(u.row + k)] = a_[at(u.row + k)];
      square += y_[at(u.row + k)] * y_[at(u.row + k)];
    }
    y0_[j] = std::sqrt(square) + force;
  }
}

/// Forces at f and rates of the pair of a unit that is undecided.
void ConeSearch::pair(int unit, double* x, double* y) const {
  const ConeUnit& u = p_->unit[at(unit)];
  x[0] = mu[at(unit)] * normal(unit, f.data()) * scale_[at(u.row)];
  y[0] = y0_[at(unit)];
  for (int k = 0; k < u.directions; ++k) {
    x[k + 1] = f[at(u.row + k)];
    y[k + 1] = y_[at(u.row + k)];
  }
}

/// One step towards products of `aim`; the share of it that stays inside, 0 if there is none.
double ConeSearch::interior_step(double aim) {
  Eigen::Map<Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> J(jac_.data(), n_, n_);
  J = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(g_.data(), n_, n_);
  rates(f.data(), a_.data());
  for (int i = 0; i < n_; ++i) step_[at(i)] = y_[at(i)] - a_[at(i)];
  for (const ConeContact& contact : p_->contact) {
    const int i = contact.row;
    J(i, i) += y_[at(i)] / f[at(i)];
    step_[at(i)] += aim / f[at(i)] - y_[at(i)];
  }
  const int units = static_cast<int>(p_->unit.size());
  const auto row = [](double* x, int n) { return Eigen::Map<Eigen::RowVectorXd>(x, n); };
  for (int j = 0; j < units; ++j) {
    const ConeUnit& u = p_->unit[at(j)];
    const int d = u.directions;
    const double s = scale_[at(u.row)], N = normal(j, f.data(), slope_.data());
    for (int i = 0; i < n_; ++i) slope_[at(i)] *= mu[at(j)] * s;
    if (u.slides) {
      for (int k = 0; k < d; ++k) {
        const int i = u.row + k;
        J.row(i) = u.direction[at(k)] * row(slope_.data(), n_);
        J(i, i) += 1;
        step_[at(i)] = s * u.further[at(k)] - f[at(i)] - mu[at(j)] * N * s * u.direction[at(k)];
      }
      continue;
    }
    if (!(mu[at(j)] * N > 0)) {
      for (int k = 0; k < d; ++k) {
        J.row(u.row + k).setZero();
        J(u.row + k, u.row + k) = 1;
        step_[at(u.row + k)] = -f[at(u.row + k)];
      }
      continue;
    }
    double x[widest], y[widest], lambda[widest], r[widest], q[widest], out[widest];
    double* w = w_.data() + widest * j;
    pair(j, x, y);
    if (!soc::scaling(x, y, d + 1, w, eta_[at(j)])) return 0;
    soc::scaled(w, eta_[at(j)], y, lambda, d + 1);
    r[0] = aim - soc::dot(lambda, lambda, d + 1);
    for (int k = 1; k <= d; ++k) r[k] = -2 * lambda[0] * lambda[k];
    soc::divide(lambda, r, q, d + 1);
    soc::unscaled(w, eta_[at(j)], q, out, d + 1);
    // W^-2 = (2 (J w) (J w)^T - J) / eta^2, columns x_0 and lambda_T.
    const double inverse = 1 / (eta_[at(j)] * eta_[at(j)]);
    target_[at(j)] = out[0];
    for (int k = 0; k < d; ++k) {
      const int i = u.row + k;
      step_[at(i)] += out[k + 1];
      J.row(i) -= 2 * inverse * w[0] * w[k + 1] * row(slope_.data(), n_);
      for (int l = 0; l < d; ++l) J(i, u.row + l) += inverse * (2 * w[k + 1] * w[l + 1] + (k == l ? 1.0 : 0.0));
    }
  }
  if (!lu(jac_.data(), n_, pivot_.data())) return 0;
  lu_solve(jac_.data(), n_, pivot_.data(), step_.data());
  const ConstRow df(step_.data(), n_);
  if (!df.allFinite()) return 0;
  // dy: of normals from their products, of units from theirs (y_0) and the rates.
  for (int i = 0; i < n_; ++i) phi_[at(i)] = a_[at(i)] - y_[at(i)] + ConstRow(g_.data() + i * n_, n_).dot(df);
  double most = 1e300;
  for (const ConeContact& contact : p_->contact)
    most = std::min({most, soc::reach(&f[at(contact.row)], &step_[at(contact.row)], 1),
                     soc::reach(&y_[at(contact.row)], &phi_[at(contact.row)], 1)});
  for (int j = 0; j < units; ++j) {
    const ConeUnit& u = p_->unit[at(j)];
    if (u.slides) continue;
    const int d = u.directions;
    double x[widest], y[widest], dx[widest], dy[widest];
    pair(j, x, y);
    if (!(x[0] > 0)) continue;
    const double *w = w_.data() + widest * j, inverse = 1 / (eta_[at(j)] * eta_[at(j)]);
    static_cast<void>(normal(j, f.data(), slope_.data()));
    dx[0] = mu[at(j)] * scale_[at(u.row)] * ConstRow(slope_.data(), n_).dot(df);
    double along = w[0] * dx[0];
    for (int k = 0; k < d; ++k) {
      dx[k + 1] = step_[at(u.row + k)];
      dy[k + 1] = phi_[at(u.row + k)];
      along -= w[k + 1] * dx[k + 1];
    }
    dy[0] = target_[at(j)] - inverse * (2 * w[0] * along - dx[0]);
    dy0_[at(j)] = dy[0];
    most = std::min({most, soc::reach(x, dx, d + 1), soc::reach(y, dy, d + 1)});
  }
  return std::min(1.0, 0.95 * most);
}

/// The largest product of the pairs, beside the mean: `mean` out.
double ConeSearch::products() const {
  double sum = 0;
  int count = 0;
  for (const ConeContact& contact : p_->contact) {
    sum += f[at(contact.row)] * y_[at(contact.row)];
    ++count;
  }
  for (int j = 0; j < static_cast<int>(p_->unit.size()); ++j) {
    if (p_->unit[at(j)].slides) continue;
    double x[widest], y[widest];
    pair(j, x, y);
    if (!(x[0] > 0)) continue;
    sum += soc::dot(x, y, p_->unit[at(j)].directions + 1);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

/// Follows the path from forces of a size; f is near a solution if it came to the end.
int ConeSearch::interior(double force) {
  enter(force);
  const double first = products(), end = 1e-16 * known_ * known_;
  double share = 1;
  int steps = 0;
  for (; steps < 150; ++steps) {
    const double mean = products();
    if (!(mean > end) || !(mean < 1e8 * first)) break;
    // Away from the middle of the cones short steps lead nowhere: back to it first.
    const double sigma = share > 0.9 ? 0.1 : share > 0.5 ? 0.3 : share > 0.2 ? 0.8 : 2;
    share = interior_step(sigma * mean);
    if (!(share > 1e-8)) break;
    for (int i = 0; i < n_; ++i) {
      f[at(i)] += share * step_[at(i)];
      y_[at(i)] += share * phi_[at(i)];
    }
    for (std::size_t j = 0; j < p_->unit.size(); ++j)
      if (!p_->unit[j].slides) y0_[j] += share * dy0_[j];
  }
  return steps;
}

}  // namespace hstar::math
