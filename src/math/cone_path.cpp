// src/math/cone_path.cpp
#include "math/cone_path.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "math/cone_search.hpp"
#include "math/dense.hpp"
#include "math/soc.hpp"
#include "math/wide_lu.hpp"

namespace hstar::math {
namespace {

using Row = Eigen::Map<Eigen::RowVectorXd>;
using ConstRow = Eigen::Map<const Eigen::RowVectorXd>;
constexpr double least_step = 1e-6;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void ConePath::reserve(int units, int rows) {
  const std::size_t n = at(rows), m = at(units);
  if (here_.y0.size() < m) {
    for (auto* v : {&here_.y0, &from_.y0, &tried_.y0, &tangent_.dy0, &step_.dy0, &normal_0_, &eta_, &dx0_})
      v->resize(m);
    for (auto* v : {&w_, &to_center_, &to_fall_}) v->resize(m);
  }
  if (here_.f.size() >= n) return;
  for (auto* v :
       {&here_.f, &from_.f, &tried_.f, &tangent_.df, &step_.df, &offset_, &y_, &dy_, &slope_, &weight_, &fall_, &aim_})
    v->resize(n);
  matrix_.resize((n + 1) * (n + 1));
  solution_.resize(n + 1);
  pivot_.resize(n + 1);
}

bool ConePath::acts(int unit) const {
  const ConeUnit& u = at_.p_->unit[at(unit)];
  return !u.slides && at_.mu[at(unit)] > 0 && !(u.normal == ConeUnit::Normal::given && !(u.normal_0 > 0));
}

/// x_0 of a unit, or |lambda_T| of one that slides; scaled.
double ConePath::limit(int unit, double normal, double beta) const {
  const ConeUnit& u = at_.p_->unit[at(unit)];
  return at_.mu[at(unit)] * at_.rate_scale(u.row) * ((1 - beta) * normal + beta * normal_0_[at(unit)]);
}

void ConePath::pair(int unit, double x0, const Point& point, double* x, double* y) const {
  const ConeUnit& u = at_.p_->unit[at(unit)];
  x[0] = x0;
  y[0] = point.y0[at(unit)];
  for (int k = 0; k < u.directions; ++k) {
    x[k + 1] = point.f[at(u.row + k)];
    y[k + 1] = y_[at(u.row + k)];
  }
}

bool ConePath::start(double size, double wide) {
  const ConeProblem& p = *at_.p_;
  n_ = at_.n_;
  if (!(size > 0)) return false;
  wide_ = wide;
  products_ = size * size;
  steps_ = 0;
  orientation_ = 0;
  length_ = 1;
  here_.beta = 1;
  std::fill(here_.f.begin(), here_.f.begin() + n_, 0.0);
  for (const ConeContact& contact : p.contact) here_.f[at(contact.row)] = size;
  pairs_ = static_cast<double>(std::max<std::size_t>(1, p.contact.size() + p.unit.size()));
  const int units = static_cast<int>(p.unit.size());
  for (int j = 0; j < units; ++j) {
    const ConeUnit& u = p.unit[at(j)];
    normal_0_[at(j)] = at_.normal(j, here_.f.data());
    if (u.normal == ConeUnit::Normal::parts)
      normal_0_[at(j)] = std::max(normal_0_[at(j)], size / at_.rate_scale(u.row));
    here_.y0[at(j)] = acts(j) ? products_ / limit(j, 0, 1) : 0;
  }
  for (int j = 0; j < units; ++j) {
    const ConeUnit& u = p.unit[at(j)];
    if (u.slides)
      for (int k = 0; k < u.directions; ++k) here_.f[at(u.row + k)] = -limit(j, 0, 1) * u.direction[at(k)];
  }
  at_.rates(here_.f.data(), offset_.data());
  for (int i = 0; i < n_; ++i) offset_[at(i)] = -offset_[at(i)];
  for (const ConeContact& contact : p.contact) offset_[at(contact.row)] += size;
  std::fill(tangent_.df.begin(), tangent_.df.begin() + n_, 0.0);
  tangent_.fall = 1;
  return true;
}

/// y_ at here_ and how far from the curve it is; infinite outside the cones.
ConePath::Distance ConePath::distance() {
  const ConeProblem& p = *at_.p_;
  const double aim = products_ * here_.beta;
  Distance out{0, 0};
  const auto add = [&](double square) {
    out.worst = std::max(out.worst, std::sqrt(square));
    out.all += square;
  };
  at_.rates(here_.f.data(), y_.data());
  for (int i = 0; i < n_; ++i) y_[at(i)] += here_.beta * offset_[at(i)];
  for (const ConeContact& contact : p.contact) {
    const double x = here_.f[at(contact.row)], y = y_[at(contact.row)];
    if (!(x > 0 && y > 0)) return {INFINITY, INFINITY};
    const double off = x * y / aim - 1;
    add(off * off);
  }
  for (int j = 0; j < static_cast<int>(p.unit.size()); ++j) {
    if (!acts(j)) continue;
    const int size = p.unit[at(j)].directions + 1;
    double x[widest], y[widest], w[widest], lambda[widest], eta;
    pair(j, limit(j, at_.normal(j, here_.f.data()), here_.beta), here_, x, y);
    if (!soc::scaling(x, y, size, w, eta)) return {INFINITY, INFINITY};
    soc::scaled(w, eta, y, lambda, size);
    const double off = soc::dot(lambda, lambda, size) / aim - 1;
    const double across = 2 * lambda[0] * soc::tail(lambda, size) / aim;
    add(off * off + across * across);
  }
  out.all = std::sqrt(out.all);
  return out;
}

/// Rows of a unit that slides: lambda_T = -mu N d + further.
void ConePath::slide_rows(int unit, double N) {
  const ConeUnit& u = at_.p_->unit[at(unit)];
  const int width = n_ + 1;
  const double beta = here_.beta, s = at_.rate_scale(u.row), force = limit(unit, N, beta);
  const double by_beta = at_.mu[at(unit)] * s * (normal_0_[at(unit)] - N);
  // The viscous force acts while the contact is closed: on the curve a share, x over x + y of the normal.
  int row = -1;
  double share = 1, by_x = 0, by_y = 0;
  if (u.normal == ConeUnit::Normal::contact) {
    row = at_.p_->contact[at(u.contact)].row;
    const double x = here_.f[at(row)], y = y_[at(row)];
    share = x / (x + y);
    by_x = y / ((x + y) * (x + y));
    by_y = -x / ((x + y) * (x + y));
  }
  for (int k = 0; k < u.directions; ++k) {
    const int i = u.row + k;
    const double d = u.direction[at(k)], further = s * u.further[at(k)];
    Row to(matrix_.data() + i * width, n_);
    to = d * ConstRow(slope_.data(), n_);
    to[i] += 1;
    fall_[at(i)] = by_beta * d + further * share;
    aim_[at(i)] = further * share * (1 - beta) - here_.f[at(i)] - force * d;
    weight_[at(i)] = 0;
    if (row < 0 || further == 0) continue;
    to -= further * (1 - beta) * by_y * ConstRow(at_.g_.data() + row * n_, n_);
    to[row] -= further * (1 - beta) * by_x;
    fall_[at(i)] -= further * (1 - beta) * by_y * offset_[at(row)];
  }
}

/// Rows of a unit that is undecided. W^-2 = (2 (J w) (J w)^T - J) / eta^2, columns x_0 and lambda_T.
bool ConePath::stick_rows(int unit, double N) {
  const ConeUnit& u = at_.p_->unit[at(unit)];
  const int width = n_ + 1, d = u.directions;
  const double by_beta = at_.mu[at(unit)] * at_.rate_scale(u.row) * (normal_0_[at(unit)] - N);
  double x[widest], y[widest], lambda[widest], r[widest], q[widest];
  double *w = w_[at(unit)].data(), *center = to_center_[at(unit)].data(), *fall = to_fall_[at(unit)].data();
  pair(unit, limit(unit, N, here_.beta), here_, x, y);
  if (!soc::scaling(x, y, d + 1, w, eta_[at(unit)])) return false;
  const double eta = eta_[at(unit)], inverse = 1 / (eta * eta);
  soc::scaled(w, eta, y, lambda, d + 1);
  r[0] = products_ * here_.beta - soc::dot(lambda, lambda, d + 1);
  for (int k = 1; k <= d; ++k) r[k] = -2 * lambda[0] * lambda[k];
  soc::divide(lambda, r, q, d + 1);
  soc::unscaled(w, eta, q, center, d + 1);
  r[0] = products_;
  for (int k = 1; k <= d; ++k) r[k] = 0;
  soc::divide(lambda, r, q, d + 1);
  soc::unscaled(w, eta, q, fall, d + 1);
  const double size = soc::determinant(x, d + 1);
  for (int k = 0; k < d; ++k) {
    const int i = u.row + k;
    double* to = matrix_.data() + i * width;
    const double with_x0 = -2 * inverse * w[0] * w[k + 1];
    aim_[at(i)] = center[k + 1];
    fall_[at(i)] += with_x0 * by_beta - fall[k + 1];
    Row(to, n_) += with_x0 * ConstRow(slope_.data(), n_);
    for (int l = 0; l < d; ++l) to[u.row + l] += inverse * (2 * w[k + 1] * w[l + 1] + (k == l ? 1.0 : 0.0));
    weight_[at(i)] = 1 / size;
  }
  return true;
}

/// The equations of a step at here_ (y_ of distance()), all but their last row.
bool ConePath::matrix() {
  const ConeProblem& p = *at_.p_;
  const int width = n_ + 1;
  for (int i = 0; i < n_; ++i) std::copy_n(at_.g_.data() + i * n_, n_, matrix_.data() + i * width);
  std::copy_n(offset_.begin(), n_, fall_.begin());
  for (const ConeContact& contact : p.contact) {
    const int i = contact.row;
    const double x = here_.f[at(i)], y = y_[at(i)];
    matrix_[at(i * width + i)] += y / x;
    fall_[at(i)] -= products_ / x;
    aim_[at(i)] = products_ * here_.beta / x - y;
    weight_[at(i)] = 1 / (x * x);
  }
  for (int j = 0; j < static_cast<int>(p.unit.size()); ++j) {
    const ConeUnit& u = p.unit[at(j)];
    const double N = at_.normal(j, here_.f.data(), slope_.data());
    Row(slope_.data(), n_) *= at_.mu[at(j)] * at_.rate_scale(u.row) * (1 - here_.beta);
    if (u.slides) {
      slide_rows(j, N);
    } else if (acts(j)) {
      if (!stick_rows(j, N)) return false;
    } else {
      for (int i = u.row; i < u.row + u.directions; ++i) {
        std::fill_n(matrix_.data() + i * width, n_, 0.0);
        matrix_[at(i * width + i)] = 1;
        fall_[at(i)] = 0;
        aim_[at(i)] = -here_.f[at(i)];
        weight_[at(i)] = 0;
      }
    }
  }
  for (int i = 0; i < n_; ++i) matrix_[at(i * width + n_)] = -here_.beta * fall_[at(i)];
  return true;
}

/// With the last row: no step along the tangent.
bool ConePath::factor() {
  if (!matrix()) return false;
  double* last = matrix_.data() + n_ * (n_ + 1);
  for (int i = 0; i < n_; ++i) last[i] = weight_[at(i)] * tangent_.df[at(i)] / pairs_;
  last[n_] = tangent_.fall;
  ++steps_;
  const int sign = wide_lu(matrix_.data(), n_ + 1, pivot_.data());
  if (orientation_ == 0) orientation_ = sign;
  if (sign == 0) return false;
  sign_ = sign;
  return true;
}

/// The rest of a step from df and fall: y_0 by unit, for products that move by a share towards the middle.
void ConePath::finish(double center, Step& step) {
  const double by_beta = -here_.beta * step.fall;
  for (int j = 0; j < static_cast<int>(at_.p_->unit.size()); ++j) {
    step.dy0[at(j)] = 0;
    if (!acts(j)) continue;
    const ConeUnit& u = at_.p_->unit[at(j)];
    const double s = at_.mu[at(j)] * at_.rate_scale(u.row), N = at_.normal(j, here_.f.data(), slope_.data());
    const double dx0 = s * ((1 - here_.beta) * ConstRow(slope_.data(), n_).dot(ConstRow(step.df.data(), n_)) +
                            (normal_0_[at(j)] - N) * by_beta);
    const double* w = w_[at(j)].data();
    const double inverse = 1 / (eta_[at(j)] * eta_[at(j)]);
    double along = w[0] * dx0;
    for (int k = 0; k < u.directions; ++k) along -= w[k + 1] * step.df[at(u.row + k)];
    step.dy0[at(j)] = center * to_center_[at(j)][0] + to_fall_[at(j)][0] * by_beta - inverse * (2 * w[0] * along - dx0);
    dx0_[at(j)] = dx0;
  }
}

/// The share of a step (after finish()) at which it leaves a cone.
double ConePath::reach(const Step& step) {
  const ConeProblem& p = *at_.p_;
  for (int i = 0; i < n_; ++i)
    dy_[at(i)] = ConstRow(at_.g_.data() + i * n_, n_).dot(ConstRow(step.df.data(), n_)) -
                 here_.beta * step.fall * offset_[at(i)];
  double most = step.fall > 0 ? 1.05 / step.fall : 1e300;
  for (const ConeContact& contact : p.contact) {
    const std::size_t i = at(contact.row);
    most = std::min({most, soc::reach(&here_.f[i], &step.df[i], 1), soc::reach(&y_[i], &dy_[i], 1)});
  }
  for (int j = 0; j < static_cast<int>(p.unit.size()); ++j) {
    if (!acts(j)) continue;
    const ConeUnit& u = p.unit[at(j)];
    double x[widest], y[widest], dx[widest], dy[widest];
    pair(j, limit(j, at_.normal(j, here_.f.data()), here_.beta), here_, x, y);
    dx[0] = dx0_[at(j)];
    dy[0] = step.dy0[at(j)];
    for (int k = 0; k < u.directions; ++k) {
      dx[k + 1] = step.df[at(u.row + k)];
      dy[k + 1] = dy_[at(u.row + k)];
    }
    most = std::min({most, soc::reach(x, dx, u.directions + 1), soc::reach(y, dy, u.directions + 1)});
  }
  return most;
}

void ConePath::move(const Point& from, const Step& step, double share, Point& to) const {
  for (int i = 0; i < n_; ++i) to.f[at(i)] = from.f[at(i)] + share * step.df[at(i)];
  for (std::size_t j = 0; j < at_.p_->unit.size(); ++j) to.y0[j] = from.y0[j] + share * step.dy0[j];
  to.beta = from.beta * (1 - share * step.fall);
}

/// The tangent at here_, on the way on.
bool ConePath::turn() {
  if (!factor()) return false;
  std::fill(solution_.begin(), solution_.begin() + n_, 0.0);
  solution_[at(n_)] = 1;
  lu_solve(matrix_.data(), n_ + 1, pivot_.data(), solution_.data());
  double square = solution_[at(n_)] * solution_[at(n_)];
  for (int i = 0; i < n_; ++i) square += weight_[at(i)] * solution_[at(i)] * solution_[at(i)] / pairs_;
  if (!std::isfinite(square) || square == 0) return false;
  // The determinant with the tangent itself in the last row never changes its sign on the way on.
  const double unit = (sign_ == orientation_ ? 1 : -1) / std::sqrt(square);
  for (int i = 0; i < n_; ++i) tangent_.df[at(i)] = unit * solution_[at(i)];
  tangent_.fall = unit * solution_[at(n_)];
  finish(0, tangent_);
  return true;
}

/// From here_, not far from the curve, to it, across the tangent.
bool ConePath::center(int most) {
  Distance off = distance();
  for (int round = 0; round < most; ++round) {
    if (!std::isfinite(off.worst) || !factor()) return false;
    std::copy_n(aim_.begin(), n_, solution_.begin());
    solution_[at(n_)] = 0;
    lu_solve(matrix_.data(), n_ + 1, pivot_.data(), solution_.data());
    std::copy_n(solution_.begin(), n_, step_.df.begin());
    step_.fall = solution_[at(n_)];
    if (!ConstRow(solution_.data(), n_ + 1).allFinite()) return false;
    finish(1, step_);
    double share = std::min(1.0, 0.9 * reach(step_)), best = share;
    std::swap(here_, tried_);
    Distance reached{INFINITY, INFINITY};
    for (int halving = 0; halving < 6; ++halving, share *= 0.5) {
      move(tried_, step_, share, here_);
      const Distance now = distance();
      if (now.worst <= wide_) return true;
      if (now.all < reached.all) {
        reached = now;
        best = share;
      }
      if (now.all < (1 - 0.2 * share) * off.all) break;
    }
    move(tried_, step_, best, here_);
    static_cast<void>(distance());
    if (round > 0 && !(reached.all < 0.95 * off.all)) return false;
    off = reached;
  }
  return false;
}

/// One step of the given length along the tangent and back to the curve.
bool ConePath::leap(double length) {
  move(from_, tangent_, length, here_);
  if (distance().worst <= 0.02) return true;
  const int before = steps_;
  const bool arrived = center(8);
  quick_ = steps_ - before;
  return arrived;
}

bool ConePath::follow(double beta, int most) {
  while (here_.beta > beta) {
    if (steps_ >= most || !std::isfinite(distance().worst) || !turn()) return false;
    const double reachable = 0.9 * reach(tangent_);
    std::swap(here_, from_);
    for (;;) {
      length_ = std::min(length_, reachable);
      quick_ = 0;
      if (leap(length_)) break;
      length_ *= 0.4;
      if (steps_ < most && length_ > least_step) continue;
      std::swap(here_, from_);
      return false;
    }
    length_ *= quick_ <= 1 ? 2.5 : quick_ == 2 ? 1.5 : quick_ == 3 ? 1 : 0.6;
    if (here_.beta > 1.5) return false;
    double largest = 0;
    for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(here_.f[at(i)]));
    if (!(largest < 1e8 * std::sqrt(products_))) return false;
  }
  return true;
}

}  // namespace hstar::math
