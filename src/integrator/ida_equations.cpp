// src/integrator/ida_equations.cpp
#include "integrator/ida_equations.hpp"

#include <algorithm>

namespace hstar::integrator {

bool IdaEquations::residual(double t, const double* Y, const double* dY, double* out) {
  if (!problem_.evaluate(t, Y, Y + lambda())) return false;
  const int m = problem_.rows();
  for (int i = 0; i < nq_; ++i) {
    out[i] = dY[i] - Y[nq_ + i];
    out[nq_ + i] = problem_.mass()[i] * dY[nq_ + i] - problem_.force()[i];
  }
  for (int i = 0; i < ns_; ++i) out[2 * nq_ + i] = dY[2 * nq_ + i] - problem_.rate()[i];
  rows_.clear();
  problem_.jacobian(rows_);
  for (int i = 0; i < m; ++i)
    out[lambda() + i] = problem_.kind(i) == DaeRow::multiplier ? problem_.position()[i]
                        : ggl_                                 ? problem_.speed()[i]
                                                               : -problem_.gamma()[i];
  for (int i = m; i < most_; ++i) out[lambda() + i] = Y[lambda() + i];
  if (!ggl_) {
    for (const DaeEntry& e : rows_)
      if (problem_.kind(e.row) != DaeRow::multiplier) out[lambda() + e.row] += e.value * dY[nq_ + e.column];
    return true;
  }
  for (const DaeEntry& e : rows_) out[e.column] -= e.value * Y[mu() + e.row];
  for (int i = 0; i < most_; ++i)
    out[mu() + i] = i < m && problem_.kind(i) == DaeRow::position ? problem_.position()[i] : Y[mu() + i];
  return true;
}

bool IdaEquations::jacobian(double t, double cj, const double* Y, const double* dY, DaeEntries& out) {
  if (!problem_.evaluate(t, Y, Y + lambda())) return false;
  const int m = problem_.rows();
  problem_.differentiate(dY + nq_, slopes_);
  out.clear();
  const auto add = [&](const DaeEntries& entries, int row, int column, double factor) {
    for (const DaeEntry& e : entries) out.push_back({row + e.row, column + e.column, factor * e.value});
  };
  for (int i = 0; i < nq_; ++i) {
    out.push_back({i, i, cj});
    out.push_back({i, nq_ + i, -1});
    out.push_back({nq_ + i, nq_ + i, cj * problem_.mass()[i]});
  }
  for (int i = 0; i < ns_; ++i) out.push_back({2 * nq_ + i, 2 * nq_ + i, cj});
  add(slopes_.force_q, nq_, 0, -1);
  add(slopes_.force_v, nq_, nq_, -1);
  add(slopes_.force_s, nq_, 2 * nq_, -1);
  add(slopes_.force_lambda, nq_, lambda(), -1);
  add(slopes_.rate_q, 2 * nq_, 0, -1);
  add(slopes_.rate_v, 2 * nq_, nq_, -1);
  add(slopes_.rate_s, 2 * nq_, 2 * nq_, -1);
  const auto add_rows = [&](const DaeEntries& entries, int column, double factor) {
    for (const DaeEntry& e : entries)
      if (problem_.kind(e.row) != DaeRow::multiplier)
        out.push_back({lambda() + e.row, column + e.column, factor * e.value});
  };
  add(slopes_.row_lambda, lambda(), lambda(), 1);
  for (int i = m; i < most_; ++i) out.push_back({lambda() + i, lambda() + i, 1});
  if (!ggl_) {
    add_rows(slopes_.rows, nq_, cj);
    add_rows(slopes_.acceleration_q, 0, 1);
    add_rows(slopes_.acceleration_v, nq_, 1);
    return true;
  }
  add_rows(slopes_.rows, nq_, 1);
  add_rows(slopes_.speed_q, 0, 1);
  for (const DaeEntry& e : slopes_.rows) {
    out.push_back({e.column, mu() + e.row, -e.value});
    if (problem_.kind(e.row) == DaeRow::position) out.push_back({mu() + e.row, e.column, e.value});
  }
  for (int i = 0; i < most_; ++i)
    if (i >= m || problem_.kind(i) != DaeRow::position) out.push_back({mu() + i, mu() + i, 1});
  // d(J^T mu)/dq: mu is zero on the solution and its curvature of second order; it is left in all the same.
  for (int i = 0; i < m; ++i) multipliers_[static_cast<std::size_t>(i)] = -Y[mu() + i];
  problem_.curvature(multipliers_.data(), out);
  return true;
}

void IdaEquations::consistent(const double* y, const double* a, const double* rate, const double* lambda_of_rows,
                              double* Y, double* dY) const {
  std::fill(Y, Y + size(), 0.0);
  std::fill(dY, dY + size(), 0.0);
  std::copy(y, y + y_size(), Y);
  std::copy(lambda_of_rows, lambda_of_rows + problem_.rows(), Y + lambda());
  for (int i = 0; i < nq_; ++i) {
    dY[i] = y[nq_ + i];
    dY[nq_ + i] = a[i];
  }
  for (int i = 0; i < ns_; ++i) dY[2 * nq_ + i] = rate[i];
}

}  // namespace hstar::integrator
