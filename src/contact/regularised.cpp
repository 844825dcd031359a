// src/contact/regularised.cpp
#include "contact/regularised.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/tolerances.hpp"
#include "math/dense.hpp"

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// From forces that nearly obey the laws Newton's method takes some ten steps, or none takes it there.
constexpr int most_polish = 12;
constexpr int most_newton = 60, most_sweeps = 200, most_halvings = 10, most_cuts = 6;
/// A path that turns back is looked for again from rest, and from such parts of its last forces: smaller, larger, and
/// out of their cones, from where sweeps go another way.
constexpr double other_starts[] = {0, 0.5, 2, -1};

}  // namespace

void Regularised::reserve(int rows) {
  const std::size_t n = at(rows);
  if (f_.size() >= n) return;
  for (auto* v : {&f_, &rate_, &strain_, &a_, &F_, &step_, &trial_, &weight_, &slope_, &row_, &kept_}) v->resize(n);
  jac_.resize(n * n);
  pivot_.resize(n);
}

double Regularised::stiff(int i, int j) const { return p_->g(i, j) + (i == j ? soft_ * p_->compliance[at(i)] : 0.0); }

void Regularised::begin(const Problem& p, const double* mu) {
  p_ = &p;
  mu_ = mu;
  n_ = p.rows();
  reserve(n_);
  steps_ = 0;
  double g = 0, c = 0;
  for (int i = 0; i < n_; ++i) {
    g += p.g(i, i);
    c += p.compliance[at(i)];
  }
  unit_ = g > 0 ? g / c : 1;
  now_ = 10 * first_compliance;
  planar_.forget();
  largest_ = {};
  std::fill(f_.begin(), f_.begin() + n_, 0.0);
}

double Regularised::pushed(int row, int rows, const double* f, double& answer, Direction3& y) const {
  answer = 0;
  for (int d = 0; d < rows; ++d) answer = std::max(answer, stiff(row + d, row + d));
  for (int d = 0; d < rows; ++d) y[at(d)] = f[row + d] - a_[at(row + d)] / answer;
  return length(y.data(), rows);
}

double Regularised::pushed(int row, int rows) const {
  double answer;
  Direction3 y{};
  const double size = pushed(row, rows, f_.data(), answer, y);
  return rows == 1 ? y[0] : size;
}

double Regularised::equations(const double* f, double* F) {
  const Problem& p = *p_;
  for (int i = 0; i < n_; ++i) a_[at(i)] = p_->rate(i, f, soft_ * p_->compliance[at(i)] * f[i]);
  for (const Contact& one : p.contact) {
    const double pushed = f[one.row] - a_[at(one.row)] / stiff(one.row, one.row);
    F[one.row] = f[one.row] - std::max(pushed, 0.0);
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    const int k = unit.directions;
    const double N = p.normal(unit, f), limit = mu_[j] * N;
    if (unit.slides) {
      const bool off = unit.normal == Unit::Normal::contact && !(N > 0);
      for (int d = 0; d < k; ++d)
        F[unit.row + d] = f[unit.row + d] + limit * unit.direction[at(d)] - (off ? 0.0 : unit.further[at(d)]);
      continue;
    }
    Direction3 y;
    double answer;
    const double size = pushed(unit.row, k, f, answer, y), part = size > limit ? limit / size : 1;
    for (int d = 0; d < k; ++d) F[unit.row + d] = f[unit.row + d] - part * y[at(d)];
  }
  double sum = 0;
  for (int i = 0; i < n_; ++i) sum += weight_[at(i)] * F[i] * F[i];
  return std::sqrt(sum);
}

void Regularised::jacobian(const double* f) {
  // At the rates of the last call of equations().
  const Problem& p = *p_;
  const auto J = [&](int i) { return jac_.data() + i * n_; };
  const auto add_rate = [&](int to, int row, double factor) {
    const double* g = p.G.data() + row * n_;
    double* out = J(to);
    for (int j = 0; j < n_; ++j) out[j] += factor * g[j];
    out[row] += factor * soft_ * p.compliance[at(row)];
  };
  std::fill(jac_.begin(), jac_.begin() + n_ * n_, 0.0);
  for (int i = 0; i < n_; ++i) J(i)[i] = 1;
  for (const Contact& one : p.contact) {
    const double answer = stiff(one.row, one.row);
    if (!(f[one.row] - a_[at(one.row)] / answer > 0)) continue;
    J(one.row)[one.row] = 0;
    add_rate(one.row, one.row, 1 / answer);
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    const int k = unit.directions;
    const double N = p.normal(unit, f, slope_.data()), limit = mu_[j] * N;
    if (unit.slides) {
      for (int d = 0; d < k; ++d)
        for (int i = 0; i < n_; ++i) J(unit.row + d)[i] += mu_[j] * unit.direction[at(d)] * slope_[at(i)];
      continue;
    }
    Direction3 y;
    double answer;
    const double size = pushed(unit.row, k, f, answer, y);
    if (size <= limit) {
      for (int d = 0; d < k; ++d) {
        J(unit.row + d)[unit.row + d] -= 1;
        add_rate(unit.row + d, unit.row + d, 1 / answer);
      }
      continue;
    }
    for (int d = 0; d < k; ++d) {
      const double along = y[at(d)] / size;
      for (int i = 0; i < n_; ++i) J(unit.row + d)[i] -= mu_[j] * along * slope_[at(i)];
      for (int e = 0; e < k; ++e) {
        const double turn = limit / size * ((d == e ? 1 : 0) - along * y[at(e)] / size);
        J(unit.row + d)[unit.row + e] -= turn;
        add_rate(unit.row + d, unit.row + e, turn / answer);
      }
    }
  }
}

bool Regularised::newton(int most, bool damped) {
  double size = equations(f_.data(), F_.data());
  // (One step always: what is left of the last eps is small, but not small against this one.)
  for (int count = 0; count < most && (count == 0 || size > solved * scale_); ++count) {
    ++steps_;
    jacobian(f_.data());
    for (int i = 0; i < n_; ++i) step_[at(i)] = -F_[at(i)];
    if (!math::lu(jac_.data(), n_, pivot_.data())) return false;
    math::lu_solve(jac_.data(), n_, pivot_.data(), step_.data());
    double part = 1, next = size;
    for (int halving = 0; halving < most_halvings; ++halving, part *= 0.5) {
      for (int i = 0; i < n_; ++i) trial_[at(i)] = f_[at(i)] + part * step_[at(i)];
      next = equations(trial_.data(), F_.data());
      if (!damped || next < (1 - 0.1 * part) * size || next <= solved * scale_) break;
    }
    if (!std::isfinite(next)) return false;
    f_.swap(trial_);
    size = next;
  }
  return size <= solved * scale_;
}

void Regularised::sweep(int times) {
  const Problem& p = *p_;
  const auto rate = [&](int row) { return p_->rate(row, f_.data(), soft_ * p_->compliance[at(row)] * f_[at(row)]); };
  for (int time = 0; time < times; ++time) {
    for (const Contact& one : p.contact)
      f_[at(one.row)] = std::max(0.0, f_[at(one.row)] - rate(one.row) / stiff(one.row, one.row));
    for (std::size_t j = 0; j < p.unit.size(); ++j) {
      const Unit& unit = p.unit[j];
      const double N = p.normal(unit, f_.data()), limit = mu_[j] * N;
      if (unit.slides) {
        const bool off = unit.normal == Unit::Normal::contact && !(N > 0);
        for (int d = 0; d < unit.directions; ++d)
          f_[at(unit.row + d)] = -limit * unit.direction[at(d)] + (off ? 0.0 : unit.further[at(d)]);
        continue;
      }
      double answer = 0;
      for (int d = 0; d < unit.directions; ++d) answer += stiff(unit.row + d, unit.row + d);
      std::array<double, 3> y{};
      for (int d = 0; d < unit.directions; ++d) y[at(d)] = f_[at(unit.row + d)] - rate(unit.row + d) / answer;
      const double size = length(y.data(), unit.directions), part = size > limit ? limit / size : 1;
      for (int d = 0; d < unit.directions; ++d) f_[at(unit.row + d)] = part * y[at(d)];
    }
  }
}

void Regularised::soften(double eps) {
  soft_ = eps * unit_;
  double sum = 0, forces = 0;
  for (int i = 0; i < n_; ++i) {
    weight_[at(i)] = stiff(i, i);
    sum += p_->c[at(i)] * p_->c[at(i)] / weight_[at(i)];
    forces += weight_[at(i)] * f_[at(i)] * f_[at(i)];
  }
  // (Known viscous forces and reactions are of the size of the forces that they cause.)
  scale_ = std::sqrt(std::max(sum, forces));
  if (scale_ == 0) scale_ = 1;
}

bool Regularised::solve(double eps, int rounds) {
  soften(eps);
  kept_ = f_;
  if (newton(most_newton, true)) return true;
  for (int round = 0; round < rounds; ++round) {
    // Whole steps leave the places where damped ones get stuck; sweeps come near from anywhere.
    f_ = kept_;
    if (round > 0) sweep(most_sweeps << round);
    if (newton(most_newton, round % 2 == 1)) return true;
  }
  f_ = kept_;
  return false;
}

bool Regularised::follow(double eps) {
  planar_.forget();
  // Where a tenth is too far, shorter steps.
  double factor = std::min(eps / now_, 1.0);
  int cuts = 0;
  while (now_ > eps) {
    const double next = std::max(now_ * factor, eps);
    if (solve(next, 1 + std::min(cuts, 3))) {
      now_ = next;
      continue;
    }
    if (++cuts > most_cuts) return false;
    factor = std::sqrt(factor);
  }
  take_rates();
  return true;
}

bool Regularised::jump(double eps, bool rough) {
  kept_ = f_;
  const bool found = Planar::states(*p_) ? jump_in_plane(eps) : jump_in_space(eps, rough);
  if (!found) {
    f_ = kept_;
    planar_.forget();
    return false;
  }
  now_ = eps;
  take_rates();
  return true;
}

bool Regularised::descend(double eps) {
  soften(eps);
  kept_ = f_;
  planar_.forget();
  if (!newton(most_polish, true)) {
    f_ = kept_;
    return false;
  }
  now_ = eps;
  take_rates();
  return true;
}

bool Regularised::jump_in_plane(double eps) {
  const bool found = planar_.find(*p_, mu_, eps * unit_, f_.data());
  soften(eps);
  return found && newton(most_newton, true);
}

bool Regularised::jump_in_space(double eps, bool rough) {
  if (!laws_.state(*p_, mu_, eps * unit_)) return sweep_from_elsewhere(eps);
  for (const double start : start_sizes) {
    const bool found = interior_.solve(laws_, start);
    steps_ += interior_.steps();
    if (!found) continue;
    laws_.forces(interior_.r(), f_.data());
    soften(eps);
    if (rough) {
      kept_ = f_;
      if (!newton(most_polish, true)) f_ = kept_;
      return true;
    }
    if (newton(most_newton, true)) return true;
  }
  return false;
}

bool Regularised::sweep_from_elsewhere(double eps) {
  for (const double part : other_starts)
    for (const bool damped : {true, false}) {
      for (int i = 0; i < n_; ++i) f_[at(i)] = part * kept_[at(i)];
      soften(eps);
      sweep(most_sweeps << 3);
      if (newton(most_newton, damped)) return true;
    }
  return false;
}

void Regularised::take_rates() {
  largest_ = {largest_[1], 0};
  for (int i = 0; i < n_; ++i) largest_[1] = std::max(largest_[1], std::abs(f_[at(i)]));
  for (int i = 0; i < n_; ++i) {
    rate_[at(i)] = p_->rate(i, f_.data());
    a_[at(i)] = rate_[at(i)] + soft_ * p_->compliance[at(i)] * f_[at(i)];
    strain_[at(i)] = -rate_[at(i)] / (now_ * unit_);
  }
}

}  // namespace hstar::contact
