// src/integrator/ida_equations.cpp
#include "integrator/ida_equations.hpp"

#include <algorithm>

namespace hstar::integrator {

bool IdaEquations::residual(double t, const double* Y, const double* dY, double* out) {
  if (!problem_.evaluate(t, Y, Y + lambda())) return false;
  const int m = problem_.rows(), v = velocity();
  problem_.turning(Y, dY, out);
  for (int i = 0; i < nq_; ++i) {
    out[i] -= Y[v + i];
    out[v + i] = problem_.mass()[i] * dY[v + i] - problem_.force()[i];
  }
  for (int i = 0; i < ns_; ++i) out[rate() + i] = dY[rate() + i] - problem_.rate()[i];
  rows_.clear();
  problem_.jacobian(rows_);
  for (int i = 0; i < m; ++i)
    out[lambda() + i] = problem_.kind(i) == DaeRow::multiplier ? problem_.position()[i]
                        : ggl_                                 ? problem_.speed()[i]
                                                               : -problem_.gamma()[i];
  for (int i = m; i < most_; ++i) out[lambda() + i] = Y[lambda() + i];
  if (!ggl_) {
    for (const DaeEntry& e : rows_)
      if (problem_.kind(e.row) != DaeRow::multiplier) out[lambda() + e.row] += e.value * dY[v + e.column];
    return true;
  }
  for (const DaeEntry& e : rows_) out[e.column] -= e.value * Y[mu() + e.row];
  for (int i = 0; i < most_; ++i)
    out[mu() + i] = i < m && problem_.kind(i) == DaeRow::position ? problem_.position()[i] : Y[mu() + i];
  return true;
}

bool IdaEquations::jacobian(double t, double cj, const double* Y, const double* dY, DaeEntries& out) {
  if (!problem_.evaluate(t, Y, Y + lambda())) return false;
  const int m = problem_.rows(), v = velocity();
  problem_.differentiate(dY + v, slopes_);
  problem_.turning_slopes(Y, dY, by_rate_, by_q_);
  std::size_t at = 0;
  for (int i = 0; i <= nq_; ++i) {
    while (at < by_rate_.size() && by_rate_[at].row < i) ++at;
    first_[i] = at;
  }
  out.clear();
  const auto add = [&](const DaeEntries& entries, int row, int column, double factor) {
    for (const DaeEntry& e : entries) out.push_back({row + e.row, column + e.column, factor * e.value});
  };
  add(by_rate_, 0, 0, cj);
  add(by_q_, 0, 0, 1);
  for (int i = 0; i < nq_; ++i) {
    out.push_back({i, v + i, -1});
    out.push_back({v + i, v + i, cj * problem_.mass()[i]});
  }
  for (int i = 0; i < ns_; ++i) out.push_back({rate() + i, rate() + i, cj});
  add_by_q(slopes_.force_q, v, -1, out);
  add(slopes_.force_v, v, v, -1);
  add(slopes_.force_s, v, rate(), -1);
  add(slopes_.force_lambda, v, lambda(), -1);
  add_by_q(slopes_.rate_q, rate(), -1, out);
  add(slopes_.rate_v, rate(), v, -1);
  add(slopes_.rate_s, rate(), rate(), -1);
  // A row that depends on others has an equation of its own.
  const auto imposed = [&](DaeEntries& entries) -> const DaeEntries& {
    std::erase_if(entries, [&](const DaeEntry& e) { return problem_.kind(e.row) == DaeRow::multiplier; });
    return entries;
  };
  add(slopes_.row_lambda, lambda(), lambda(), 1);
  for (int i = m; i < most_; ++i) out.push_back({lambda() + i, lambda() + i, 1});
  if (!ggl_) {
    add(imposed(slopes_.rows), lambda(), v, cj);
    add_by_q(imposed(slopes_.acceleration_q), lambda(), 1, out);
    add(imposed(slopes_.acceleration_v), lambda(), v, 1);
    return true;
  }
  for (const DaeEntry& e : slopes_.rows) out.push_back({e.column, mu() + e.row, -e.value});
  add(imposed(slopes_.rows), lambda(), v, 1);
  add_by_q(imposed(slopes_.speed_q), lambda(), 1, out);
  std::erase_if(slopes_.rows, [&](const DaeEntry& e) { return problem_.kind(e.row) != DaeRow::position; });
  add_by_q(slopes_.rows, mu(), 1, out);
  for (int i = 0; i < most_; ++i)
    if (i >= m || problem_.kind(i) != DaeRow::position) out.push_back({mu() + i, mu() + i, 1});
  // d(J^T mu)/dq: mu is zero on the solution and its curvature of second order; it is left in all the same.
  for (int i = 0; i < m; ++i) multipliers_[i] = -Y[mu() + i];
  curvature_.clear();
  problem_.curvature(multipliers_.data(), curvature_);
  add_by_q(curvature_, 0, 1, out);
  return true;
}

void IdaEquations::add_by_q(const DaeEntries& entries, int row, double factor, DaeEntries& out) const {
  for (const DaeEntry& e : entries) {
    const auto column = static_cast<std::size_t>(e.column);
    for (std::size_t i = first_[column]; i < first_[column + 1]; ++i)
      out.push_back({row + e.row, by_rate_[i].column, factor * e.value * by_rate_[i].value});
  }
}

void IdaEquations::consistent(const double* y, const double* a, const double* rates, const double* lambda_of_rows,
                              double* Y, double* dY) const {
  std::fill(Y, Y + size(), 0.0);
  std::fill(dY, dY + size(), 0.0);
  std::copy(y, y + y_size(), Y);
  std::copy(lambda_of_rows, lambda_of_rows + problem_.rows(), Y + lambda());
  problem_.place_rates(y, y + velocity(), dY);
  std::copy(a, a + nq_, dY + velocity());
  std::copy(rates, rates + ns_, dY + rate());
}

}  // namespace hstar::integrator
