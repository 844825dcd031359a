// src/math/common_margin.cpp
#include "math/common_margin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.hpp"
#include "math/soc.hpp"

namespace hstar::math {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
std::size_t at(int i) { return static_cast<std::size_t>(i); }

using soc::determinant;
using soc::dot;
using soc::reach;
using soc::scaled;
using soc::tail;

}  // namespace

void CommonMargin::reserve(int variables, int cones) {
  const std::size_t n = at(variables) + 1, rows = at(cones * widest);
  cone_.reserve(at(cones));
  if (x_.size() < n) {
    for (auto* v : {&x_, &dx_, &dual_}) v->resize(n);
    H_.resize(n * n);
  }
  if (s_.size() < rows) {
    for (auto* v : {&h_, &s_, &y_, &ds_, &dy_, &lambda_, &q_, &w_}) v->resize(rows);
    eta_.resize(at(cones));
  }
  if (a_.size() < rows * n)
    for (auto* v : {&a_, &b_}) v->resize(rows * n);
}

void CommonMargin::begin(int variables) {
  n_ = variables + 1;
  rows_ = 0;
  cone_.clear();
}

CommonMargin::Block CommonMargin::add(int size, double weight) {
  reserve(n_ - 1, static_cast<int>(cone_.size()) + 1);
  cone_.push_back({size, rows_, weight});
  double *h = h_.data() + rows_, *A = a_.data() + rows_ * n_;
  std::fill(A, A + size * n_, 0.0);
  std::fill(h, h + size, 0.0);
  A[n_ - 1] = -weight;
  rows_ += size;
  return {h, A, n_};
}

/// Strictly inside all cones, and dual variables as central as can be. The largest t at x = 0, NaN if there is none.
double CommonMargin::start() {
  size_ = 0;
  for (int i = 0; i < rows_; ++i) size_ = std::max(size_, std::abs(h_[at(i)]));
  if (!(size_ > 0)) size_ = 1;
  for (int i = 0; i < rows_; ++i) h_[at(i)] /= size_;
  double t = infinite;
  for (const Cone& c : cone_) {
    const double inside = h_[at(c.row)] - tail(h_.data() + c.row, c.size);
    if (c.weight > 0)
      t = std::min(t, inside / c.weight);
    else if (!(inside > 0))
      return std::numeric_limits<double>::quiet_NaN();
  }
  std::fill(x_.begin(), x_.begin() + n_, 0.0);
  if (!std::isfinite(t)) return t;
  x_[at(n_ - 1)] = t - 1;
  double share = 0;
  for (const Cone& c : cone_) {
    double *s = s_.data() + c.row, *y = y_.data() + c.row;
    for (int k = 0; k < c.size; ++k) s[k] = h_[at(c.row + k)];
    s[0] -= c.weight * x_[at(n_ - 1)];
    const double det = determinant(s, c.size);
    for (int k = 0; k < c.size; ++k) y[k] = (k == 0 ? s[0] : -s[k]) / det;
    share += c.weight * y[0];
  }
  for (int i = 0; i < rows_; ++i) y_[at(i)] /= share;
  return t;
}

/// Nesterov and Todd's scaling: W y = W^-1 s = lambda. False at the boundary.
bool CommonMargin::scale_cones() {
  for (std::size_t j = 0; j < cone_.size(); ++j) {
    const Cone& c = cone_[j];
    const double *s = s_.data() + c.row, *y = y_.data() + c.row;
    double* w = w_.data() + c.row;
    if (!soc::scaling(s, y, c.size, w, eta_[j])) return false;
    scaled(w, eta_[j], y, lambda_.data() + c.row, c.size);
  }
  return true;
}

/// H = A^T W^-2 A, factored.
bool CommonMargin::factor() {
  const int n = n_;
  for (std::size_t j = 0; j < cone_.size(); ++j) {
    const Cone& c = cone_[j];
    const double *w = w_.data() + c.row, *a = a_.data() + c.row * n, inverse = 1 / eta_[j];
    double* b = b_.data() + c.row * n;
    if (c.size == 1) {
      for (int i = 0; i < n; ++i) b[i] = inverse * a[i];
      continue;
    }
    for (int i = 0; i < n; ++i) {
      double along = 0;
      for (int k = 1; k < c.size; ++k) along += w[k] * a[k * n + i];
      b[i] = inverse * (w[0] * a[i] - along);
      const double back = along / (1 + w[0]) - a[i];
      for (int k = 1; k < c.size; ++k) b[k * n + i] = inverse * (a[k * n + i] + w[k] * back);
    }
  }
  std::fill(H_.begin(), H_.begin() + n * n, 0.0);
  for (int r = 0; r < rows_; ++r) {
    const double* b = b_.data() + r * n;
    for (int i = 0; i < n; ++i) {
      const double value = b[i];
      if (value == 0) continue;
      double* line = H_.data() + i * n;
      for (int j = 0; j <= i; ++j) line[j] += value * b[j];
    }
  }
  // Cholesky; a variable that nothing but round-off holds any more stays where it is.
  for (int j = 0; j < n; ++j) {
    double* pivot = H_.data() + j * n;
    const double left = pivot[j] - dot(pivot, pivot, j);
    const double root = left > 1e-15 * pivot[j] ? std::sqrt(left) : 1e100;
    if (!std::isfinite(left)) return false;
    for (int i = j + 1; i < n; ++i) {
      double* row = H_.data() + i * n;
      row[j] = (row[j] - dot(row, pivot, j)) / root;
    }
    pivot[j] = root;
  }
  return true;
}

/// dx, ds, dy from q: W^-1 ds + W dy = q and the dual equations.
void CommonMargin::direction() {
  const int n = n_;
  for (int i = 0; i < n; ++i) dx_[at(i)] = -dual_[at(i)];
  for (int r = 0; r < rows_; ++r) {
    const double *b = b_.data() + r * n, q = q_[at(r)];
    for (int i = 0; i < n; ++i) dx_[at(i)] += b[i] * q;
  }
  cholesky_solve(H_.data(), n, dx_.data());
  double left[widest];
  for (std::size_t j = 0; j < cone_.size(); ++j) {
    const Cone& c = cone_[j];
    const double* w = w_.data() + c.row;
    for (int k = 0; k < c.size; ++k) {
      ds_[at(c.row + k)] = dot(a_.data() + (c.row + k) * n, dx_.data(), n);
      left[k] = q_[at(c.row + k)] - dot(b_.data() + (c.row + k) * n, dx_.data(), n);
    }
    soc::unscaled(w, eta_[j], left, dy_.data() + c.row, c.size);
  }
}

/// q for the products aimed at, less what those of the direction so far leave (Mehrotra 1992).
void CommonMargin::correct(double center) {
  for (std::size_t j = 0; j < cone_.size(); ++j) {
    const Cone& c = cone_[j];
    const double* lambda = lambda_.data() + c.row;
    double* q = q_.data() + c.row;
    double u[widest], v[widest], r[widest];  // W dy, and W^-1 ds = -lambda - W dy
    scaled(w_.data() + c.row, eta_[j], dy_.data() + c.row, u, c.size);
    for (int k = 0; k < c.size; ++k) v[k] = -lambda[k] - u[k];
    r[0] = center - dot(lambda, lambda, c.size) - dot(u, v, c.size);
    for (int k = 1; k < c.size; ++k) r[k] = -2 * lambda[0] * lambda[k] - u[0] * v[k] - v[0] * u[k];
    soc::divide(lambda, r, q, c.size);
  }
}

double CommonMargin::longest_step() const {
  double most = infinite;
  for (const Cone& c : cone_)
    most = std::min({most, reach(s_.data() + c.row, ds_.data() + c.row, c.size),
                     reach(y_.data() + c.row, dy_.data() + c.row, c.size)});
  return most;
}

double CommonMargin::margin_here() const {
  double margin = infinite;
  for (const Cone& c : cone_) {
    const double* s = s_.data() + c.row;
    if (c.weight > 0) margin = std::min(margin, x_[at(n_ - 1)] + (s[0] - tail(s, c.size)) / c.weight);
  }
  return margin;
}

double CommonMargin::maximise() {
  steps_ = 0;
  const double first = start();
  if (!std::isfinite(first) || n_ == 1) return first * size_;
  const int n = n_;
  for (; steps_ < 50; ++steps_) {
    const double gap = dot(s_.data(), y_.data(), rows_);
    std::fill(dual_.begin(), dual_.begin() + n, 0.0);
    dual_[at(n - 1)] = -1;
    for (int r = 0; r < rows_; ++r) {
      const double *a = a_.data() + r * n, y = y_[at(r)];
      for (int i = 0; i < n; ++i) dual_[at(i)] -= a[i] * y;
    }
    double off = 0;
    for (int i = 0; i < n; ++i) off = std::max(off, std::abs(dual_[at(i)]));
    if (gap < 1e-13 && off < 1e-12) break;
    // Nothing bounds t: it grows, or can without any cone feeling it.
    if (!(x_[at(n - 1)] < 1e8) || (gap < 1e-13 && off > 1e-3)) return infinite;
    if (!scale_cones() || !factor()) break;
    for (int i = 0; i < rows_; ++i) q_[at(i)] = -lambda_[at(i)];
    direction();
    const double affine = std::min(1.0, longest_step());
    correct(std::pow(1 - affine, 3) * gap / static_cast<double>(cone_.size()));
    direction();
    const double step = std::min(1.0, (affine > 0.99 ? 0.999 : 0.98) * longest_step());
    const double moves = dot(dx_.data(), dx_.data(), n) + dot(dy_.data(), dy_.data(), rows_);
    if (!(step > 1e-9) || !std::isfinite(moves)) break;
    for (int i = 0; i < n; ++i) x_[at(i)] += step * dx_[at(i)];
    for (int i = 0; i < rows_; ++i) {
      s_[at(i)] = h_[at(i)] + dot(a_.data() + i * n, x_.data(), n);
      y_[at(i)] += step * dy_[at(i)];
    }
  }
  // What the point has, a little more than t.
  const double margin = margin_here() * size_;
  for (int i = 0; i < n - 1; ++i) x_[at(i)] *= size_;
  return margin;
}

}  // namespace hstar::math
