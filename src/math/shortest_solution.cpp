// src/math/shortest_solution.cpp
#include "math/shortest_solution.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace hstar::math {
namespace {

using Column = Eigen::Map<Eigen::VectorXd>;
using ConstColumn = Eigen::Map<const Eigen::VectorXd>;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Turns x into beta e_0 by 1 - tau v v^T; v[1..] is left in x[1..], v[0] = 1.
double reflect(double* x, int n) {
  const double tail = Column(x + 1, n - 1).squaredNorm();
  if (!(tail > 0)) return 0;
  const double beta = -std::copysign(std::sqrt(x[0] * x[0] + tail), x[0]);
  Column(x + 1, n - 1) /= x[0] - beta;
  const double tau = (beta - x[0]) / beta;
  x[0] = beta;
  return tau;
}

void apply(const double* v, double tau, double* x, int n) {
  if (tau == 0) return;
  const ConstColumn tail(v + 1, n - 1);
  const double s = tau * (x[0] + tail.dot(Column(x + 1, n - 1)));
  x[0] -= s;
  Column(x + 1, n - 1) -= s * tail;
}

}  // namespace

void ShortestSolution::reserve(int n) {
  if (tau_.size() >= at(n)) return;
  a_.resize(at(n * n));
  right_.resize(at(n * n));
  for (auto* v : {&tau_, &norm_, &first_norm_, &right_tau_, &x_}) v->resize(at(n));
  column_.resize(at(n));
}

double* ShortestSolution::matrix(int n) {
  reserve(n);
  n_ = n;
  return a_.data();
}

void ShortestSolution::factor(double tolerance) {
  const int n = n_;
  double* a = a_.data();
  for (int j = 0; j < n; ++j) {
    column_[at(j)] = j;
    norm_[at(j)] = first_norm_[at(j)] = Column(a + j * n, n).norm();
  }
  double largest = 0;
  rank_ = n;
  smallest_ = n > 0 ? 0 : 1;
  for (int k = 0; k < n; ++k) {
    const auto pivot = static_cast<int>(std::max_element(norm_.begin() + k, norm_.begin() + n) - norm_.begin());
    if (pivot != k) {
      std::swap_ranges(a + k * n, (a + k * n) + n, a + pivot * n);
      std::swap(column_[at(k)], column_[at(pivot)]);
      norm_[at(pivot)] = norm_[at(k)];
      first_norm_[at(pivot)] = first_norm_[at(k)];
    }
    double* v = a + k * n + k;
    tau_[at(k)] = reflect(v, n - k);
    const double size = std::abs(v[0]);
    if (k == 0) largest = size;
    if (!(size > tolerance * largest)) {
      rank_ = k;
      break;
    }
    if (k == n - 1) smallest_ = size / largest;
    for (int j = k + 1; j < n; ++j) {
      double* x = a + j * n + k;
      apply(v, tau_[at(k)], x, n - k);
      double& norm = norm_[at(j)];
      if (norm == 0) continue;
      // What is left of the column, by subtraction while that keeps half the digits (LAPACK's dlaqp2).
      const double share = std::abs(x[0]) / norm, left = std::max(0.0, (1 + share) * (1 - share));
      const double kept = norm / first_norm_[at(j)];
      if (left * kept * kept > 1e-8) {
        norm *= std::sqrt(left);
      } else {
        norm = first_norm_[at(j)] = Column(x + 1, n - k - 1).norm();
      }
    }
  }
  if (rank_ == n) return;
  double* b = right_.data();  // transposed leading rows of R
  for (int j = 0; j < rank_; ++j)
    for (int i = 0; i < n; ++i) b[j * n + i] = i < j ? 0.0 : a[i * n + j];
  for (int k = 0; k < rank_; ++k) {
    double* v = b + k * n + k;
    right_tau_[at(k)] = reflect(v, n - k);
    for (int j = k + 1; j < rank_; ++j) apply(v, right_tau_[at(k)], b + j * n + k, n - k);
  }
}

void ShortestSolution::solve(double* y) {
  const int n = n_;
  const double* a = a_.data();
  for (int k = 0; k < rank_; ++k) apply(a + k * n + k, tau_[at(k)], y + k, n - k);
  if (rank_ == n) {
    for (int j = n - 1; j >= 0; --j) {
      y[j] /= a[j * n + j];
      Column(y, j) -= y[j] * ConstColumn(a + j * n, j);
    }
  } else {
    const double* b = right_.data();
    for (int j = 0; j < rank_; ++j) y[j] = (y[j] - ConstColumn(b + j * n, j).dot(Column(y, j))) / b[j * n + j];
    std::fill(y + rank_, y + n, 0.0);
    for (int k = rank_ - 1; k >= 0; --k) apply(b + k * n + k, right_tau_[at(k)], y + k, n - k);
  }
  for (int j = 0; j < n; ++j) x_[at(column_[at(j)])] = y[j];
  std::copy(x_.begin(), x_.begin() + n, y);
}

void ShortestSolution::null(int k, double* x) {
  const int n = n_;
  double* y = norm_.data();  // done with
  std::fill(y, y + n, 0.0);
  y[rank_ + k] = 1;
  for (int j = rank_ - 1; j >= 0; --j) apply(right_.data() + j * n + j, right_tau_[at(j)], y + j, n - j);
  for (int j = 0; j < n; ++j) x[column_[at(j)]] = y[j];
}

}  // namespace hstar::math
