// src/mechanism/planar/coordinate_function.cpp
#include "mechanism/planar/coordinate_function.hpp"

#include <algorithm>
#include <cmath>

namespace hstar {

CoordinateFunction::CoordinateFunction(BoundExpression formula, int second) : formula_(std::move(formula)) {
  linear_ = formula_.constant || formula_.formula.polynomial_degree() == 1;
  for (std::size_t i = 0; i < formula_.refs.size(); ++i) {
    const SignalRef& r = formula_.refs[i];
    const int coordinate = r.kind == SignalKind::body_x       ? 0
                           : r.kind == SignalKind::body_y     ? 1
                           : r.kind == SignalKind::body_angle ? 2
                                                              : -1;
    column_[i] = coordinate < 0 ? -1 : r.index == second ? 3 + coordinate : coordinate;
    linear_ &= coordinate >= 0;
  }
}

void CoordinateFunction::read(const Kinematics& k, Values& vars) const {
  for (std::size_t i = 0; i < formula_.refs.size(); ++i) vars[i] = read_kinematic(formula_.refs[i], k);
}

namespace {
/// Rate of a coordinate (column of six) of the row's bodies.
double coordinate_rate(const Kinematics& k, const Row& row, int column) {
  const BodyMotion& b = k.of(row.body[column / 3]);
  return column % 3 == 2 ? b.omega : b.v[column % 3];
}
}  // namespace

double CoordinateFunction::curvature(const Kinematics& k, const double* vars, const double* direction) const {
  constexpr Values still{};
  return formula_.formula.jet(vars, direction, still.data(), k.branches).acceleration;
}

void CoordinateFunction::row(const Kinematics& k, Row& row) const {
  row = Row{row.body, {}, 0, 0};
  if (formula_.constant) return;
  Values vars, rates, partial;
  read(k, vars);
  formula_.formula.gradient(vars.data(), partial.data(), k.branches);
  for (std::size_t i = 0; i < formula_.refs.size(); ++i) {
    const int c = column_[i];
    rates[i] = c < 0 ? 1.0 : coordinate_rate(k, row, c);
    if (c < 0)
      row.nu -= partial[i];
    else
      row.J[c / 3][c % 3] += partial[i];
  }
  row.gamma = -curvature(k, vars.data(), rates.data());
}

void CoordinateFunction::slope(const Kinematics& k, RowSlope& slope) const {
  slope = RowSlope{};
  if (formula_.constant) return;
  const std::size_t n = formula_.refs.size();
  Values vars, direction{}, moved;
  read(k, vars);
  // Mixed second derivatives by polarisation: 2 u'Hw = (u+w)'H(u+w) - u'Hu - w'Hw.
  const auto along = [&](std::size_t i, std::size_t j) {
    direction.fill(0);
    direction[i] += 1;
    if (j != i) direction[j] += 1;
    return curvature(k, vars.data(), direction.data());
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      if (column_[i] < 0 || column_[j] < 0) continue;
      const double second = i == j ? along(i, i) : 0.5 * (along(i, j) - along(i, i) - along(j, j));
      slope.J[column_[i]][column_[j]] += second;
      if (i != j) slope.J[column_[j]][column_[i]] += second;
    }
  for (std::size_t i = 0; i < n; ++i) {
    const SignalRef& r = formula_.refs[i];
    const BodyMotion& b = k.of(r.kind == SignalKind::time ? 0 : r.index);
    direction[i] = column_[i] < 0 ? 1.0 : column_[i] % 3 == 2 ? b.omega : b.v[column_[i] % 3];
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (column_[i] < 0) continue;
    const double h = 1e-3 * std::max(1.0, std::abs(vars[i]));
    const auto difference = [&](double step) {
      moved = vars;
      moved[i] += step;
      const double up = curvature(k, moved.data(), direction.data());
      moved[i] -= 2 * step;
      return (up - curvature(k, moved.data(), direction.data())) / (2 * step);
    };
    slope.gamma[column_[i]] -= (4 * difference(h) - difference(2 * h)) / 3;
  }
}

double CoordinateFunction::scale(const Kinematics& k) const {
  if (formula_.constant) return std::abs(formula_.value);
  Values vars, partial;
  read(k, vars);
  double rest = formula_.formula.gradient(vars.data(), partial.data(), k.branches), sum = 0;
  for (std::size_t i = 0; i < formula_.refs.size(); ++i) {
    rest -= partial[i] * vars[i];
    sum += std::abs(partial[i] * vars[i]);
  }
  return sum + std::abs(rest);
}

}  // namespace hstar
