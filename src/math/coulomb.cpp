// src/math/coulomb.cpp: one combination of the contact and friction problem, solved and judged.
#include "math/coulomb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.hpp"

namespace hstar::math {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double clear = 1e-9;       // relative: a quantity this far from its bound is clearly inside
constexpr double round_off = 1e-11;  // relative: beyond the bound by less is round-off
constexpr double dependent = 1e-13;  // pivot of a scaled row that is a combination of the others

bool closed(Hold h) { return h != Hold::open; }
int direction(Hold h) { return h == Hold::slip_plus ? 1 : h == Hold::slip_minus ? -1 : 0; }
std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void CoulombProblem::resize(int k) {
  const std::size_t n = at(k);
  element.assign(n, {});
  G.assign(4 * n * n, 0.0);
  c.assign(2 * n, 0.0);
  scale.assign(2 * n, 0.0);
  normal_by.assign(2 * n * n, 0.0);
  force_scale = 0;
}

void CoulombSolver::reserve(int k) {
  const std::size_t n = at(k), rows = 3 * n + 1;
  if (options_.size() >= n) return;
  options_.resize(n);
  below_.resize(n + 1);
  ways_.resize(n + 1);
  speed_.resize(n);
  order_.resize(n);
  now_.resize(n);
  next_.resize(n);
  for (auto* v : {&force_, &rate_, &size_, &unit_, &per_unit_, &slope_, &best_force_, &best_rate_, &offset_,
                  &lcp_force_, &x_, &b_})
    v->resize(2 * n);
  best_.resize(n);
  best_side_.resize(n);
  unknown_.resize(2 * n);
  column_.resize(2 * n);
  a_.resize(4 * n * n);
  gram_.resize(4 * n * n);
  edge_.resize((4 * n + 2) * rows);
  for (auto* v : {&cost_, &weight_}) v->resize(4 * n + 2);
  for (auto* v : {&right_, &multiplier_}) v->resize(rows);
  of_.resize(4 * n);
  side_.resize(n);
  place_.resize(2 * n);
  row_.resize(2 * n);
  equation_.resize(rows);
  m_.resize(9 * n * n);
  q_.resize(3 * n);
  z_.resize(3 * n);
  cover_.resize(3 * n);
  at_.resize(n);
  slips_.resize(n);
  response_.resize(6 * n * n);
  lemke_ = Lemke(3 * k);
}

double CoulombSolver::normal(const CoulombProblem& p, int i, const double* f) const {
  const CoulombElement& e = p.element[at(i)];
  if (e.normal == CoulombElement::Normal::contact) return f[2 * i];
  if (e.normal == CoulombElement::Normal::given) return e.normal_0;
  double sum = e.normal_0;
  const double* row = p.normal_by.data() + i * 2 * p.count();
  for (int j = 0; j < 2 * p.count(); ++j) sum += row[j] * f[j];
  return e.normal == CoulombElement::Normal::sum ? sum : std::abs(sum);
}

void CoulombSolver::options_of(const CoulombProblem& p, int i, Options& out) const {
  const CoulombElement& e = p.element[at(i)];
  out.count = 0;
  const auto add = [&](Hold hold, int side) { out.option[out.count++] = {hold, static_cast<signed char>(side)}; };
  // A guide's friction follows |N|: the side is part of the combination where the undecided forces can change it.
  bool both = false;
  if (e.normal == CoulombElement::Normal::guide)
    for (int j = 0; j < 2 * p.count(); ++j) both |= p.normal_by[at(i * 2 * p.count() + j)] != 0;
  const int side = e.normal_0 < 0 ? -1 : 1;
  const auto slip = [&](int d) {
    add(d > 0 ? Hold::slip_plus : Hold::slip_minus, side);
    if (both) add(d > 0 ? Hold::slip_plus : Hold::slip_minus, -side);
  };
  switch (e.tangent) {
    case CoulombElement::Tangent::undecided:
      add(Hold::stick, side);
      slip(1);
      slip(-1);
      break;
    case CoulombElement::Tangent::slips:
      slip(e.direction);
      break;
    case CoulombElement::Tangent::none:
      add(Hold::closed, side);
      break;
  }
  if (e.normal == CoulombElement::Normal::contact) add(Hold::open, side);
}

void CoulombSolver::load(const CoulombProblem& p) {
  reserve(p.count());
  const int n = 2 * p.count();
  for (int i = 0; i < n; ++i) {
    const double g = p.G[at(i * n + i)];
    unit_[at(i)] = g > 0 ? std::sqrt(g) : 1.0;
    per_unit_[at(i)] = 1 / unit_[at(i)];
  }
}

double CoulombSolver::prepare(const CoulombProblem& p) {
  load(p);
  double combinations = 1;
  for (int i = 0; i < p.count(); ++i) {
    options_of(p, i, options_[at(i)]);
    combinations *= options_[at(i)].count;
  }
  return combinations;
}

bool CoulombSolver::solve_combination(const CoulombProblem& p, Split how) {
  // Unknowns: normal forces of closed contacts, friction of sticking elements and of guides and sums that slip (their
  // normal force depends on other forces); friction of slipping contacts is eliminated.
  using Normal = CoulombElement::Normal;
  const int k = p.count(), n = 2 * k;
  int m = 0;
  split_ = false;
  std::fill(force_.begin(), force_.begin() + n, 0.0);
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    const Hold h = now_[at(i)].hold;
    if (!closed(h)) continue;
    if (e.normal == Normal::contact) unknown_[at(m++)] = 2 * i;
    const bool slips = direction(h) != 0, by_others = e.normal == Normal::guide || e.normal == Normal::sum;
    if (h == Hold::stick || (slips && by_others)) unknown_[at(m++)] = 2 * i + 1;
    if (slips && !by_others)
      force_[at(2 * i + 1)] =
          e.tangent_0 - (e.normal == Normal::given ? direction(h) * e.mu_kinetic * e.normal_0 : 0.0);
  }
  for (int c = 0; c < m; ++c) {  // d lambda_T / d lambda_N of a slipping contact
    const int i = unknown_[at(c)] / 2;
    slope_[at(c)] = unknown_[at(c)] % 2 == 0 ? -direction(now_[at(i)].hold) * p.element[at(i)].mu_kinetic : 0.0;
  }
  for (int r = 0; r < m; ++r) {
    const int u = unknown_[at(r)], i = u / 2;
    const CoulombElement& e = p.element[at(i)];
    double* row = a_.data() + r * m;
    double sum;
    if (u % 2 == 1 && direction(now_[at(i)].hold) != 0) {
      // lambda_T + d mu s (normal_0 + R f) = tangent_0
      const double factor = direction(now_[at(i)].hold) * e.mu_kinetic * now_[at(i)].side, weight = unit_[at(u)];
      const double* R = p.normal_by.data() + i * n;
      sum = e.tangent_0 - factor * e.normal_0;
      for (int j = 0; j < n; ++j) sum -= factor * R[j] * force_[at(j)];
      for (int c = 0; c < m; ++c) {
        const int v = unknown_[at(c)];
        double value = R[v];
        if (slope_[at(c)] != 0) value += slope_[at(c)] * R[v + 1];
        row[c] = (factor * value + (v == u ? 1.0 : 0.0)) * weight * per_unit_[at(v)];
      }
      b_[at(r)] = sum * weight;
      continue;
    }
    const double* G = p.G.data() + u * n;
    sum = -p.c[at(u)];
    for (int j = 0; j < n; ++j) sum -= G[j] * force_[at(j)];
    for (int c = 0; c < m; ++c) {
      const int v = unknown_[at(c)];
      double value = G[v];
      if (slope_[at(c)] != 0) value += slope_[at(c)] * G[v + 1];
      row[c] = value * (per_unit_[at(u)] * per_unit_[at(v)]);
    }
    b_[at(r)] = sum * per_unit_[at(u)];
  }

  // Elimination with symmetric or full pivoting: what is left without a pivot is redundant.
  for (int c = 0; c < m; ++c) column_[at(c)] = c;
  int rank = 0;
  for (; rank < m; ++rank) {
    // The largest diagonal entry, which is the largest of all as long as the matrix is semidefinite; where friction
    // makes another entry of its row or column much larger, the largest of all.
    int row = rank;
    double largest = 0, beside = 0;
    for (int i = rank; i < m; ++i)
      if (const double value = std::abs(a_[at(i * m + i)]); value > largest) {
        largest = value;
        row = i;
      }
    int column = row;
    for (int i = rank; i < m; ++i)
      beside = std::max({beside, std::abs(a_[at(row * m + i)]), std::abs(a_[at(i * m + row)])});
    if (!(largest > dependent) || beside > 8 * largest) {
      largest = 0;
      for (int i = rank; i < m; ++i)
        for (int j = rank; j < m; ++j)
          if (const double value = std::abs(a_[at(i * m + j)]); value > largest) {
            largest = value;
            row = i;
            column = j;
          }
    }
    if (!(largest > dependent)) break;
    if (row != rank) {
      std::swap_ranges(a_.begin() + row * m, a_.begin() + (row + 1) * m, a_.begin() + rank * m);
      std::swap(b_[at(row)], b_[at(rank)]);
    }
    if (column != rank) {
      for (int i = 0; i < m; ++i) std::swap(a_[at(i * m + column)], a_[at(i * m + rank)]);
      std::swap(column_[at(column)], column_[at(rank)]);
    }
    const double* pivot = a_.data() + rank * m;
    const double per_pivot = 1 / pivot[rank];
    for (int i = rank + 1; i < m; ++i) {
      double* other = a_.data() + i * m;
      const double factor = other[rank] * per_pivot;
      if (factor == 0) continue;
      subtract_row(other + rank, pivot + rank, factor, m - rank);
      b_[at(i)] -= factor * b_[at(rank)];
    }
  }
  const auto back = [&](double* x, int step) {  // solves the leading triangle; x holds the right side
    for (int i = rank - 1; i >= 0; --i) {
      double sum = x[i * step];
      for (int j = i + 1; j < rank; ++j) sum -= a_[at(i * m + j)] * x[j * step];
      x[i * step] = sum / a_[at(i * m + i)];
    }
  };
  std::copy(b_.begin(), b_.begin() + rank, x_.begin());
  back(x_.data(), 1);
  if (rank < m) {
    for (int d = rank; d < m; ++d) back(a_.data() + d, m);
    least_norm(m, rank);
    split_ = true;
  }
  expand(p, m);
  double check = 0;
  for (int i = 0; i < n; ++i) check += force_[at(i)];
  if (!std::isfinite(check)) return false;
  unknowns_ = m;
  rank_ = rank;
  if (split_ && how == Split::inside) split_inside(p);
  find_rates(p);
  return true;
}

void CoulombSolver::expand(const CoulombProblem& p, int m) {
  for (int position = 0; position < m; ++position) {
    const int u = unknown_[at(column_[at(position)])], i = u / 2;
    const double x = x_[at(position)] * per_unit_[at(u)];
    force_[at(u)] = x;
    if (const int d = direction(now_[at(i)].hold); u % 2 == 0 && d != 0)
      force_[at(u + 1)] = p.element[at(i)].tangent_0 - d * p.element[at(i)].mu_kinetic * x;
  }
}

void CoulombSolver::find_rates(const CoulombProblem& p) {
  const int n = 2 * p.count();
  for (int i = 0; i < n; ++i) {
    double a = p.c[at(i)], size = p.scale[at(i)];
    const double* G = p.G.data() + i * n;
    for (int j = 0; j < n; ++j) {
      const double term = G[j] * force_[at(j)];
      a += term;
      size += std::abs(term);
    }
    rate_[at(i)] = a;
    size_[at(i)] = size;
  }
}

int CoulombSolver::verdict(const CoulombProblem& p) {
  const int k = p.count();
  double forces = p.force_scale;
  for (int i = 0; i < 2 * k; ++i) forces = std::max(forces, std::abs(force_[at(i)]));
  int verdict = 2;
  const auto judge = [&](double margin, double scale) {
    if (margin < -round_off * scale)
      verdict = 0;
    else if (margin <= round_off * scale)
      verdict = std::min(verdict, 1);
  };
  for (int i = 0; i < k && verdict > 0; ++i) {
    const CoulombElement& e = p.element[at(i)];
    const Hold h = now_[at(i)].hold;
    const double aN = rate_[at(2 * i)], aT = rate_[at(2 * i + 1)], sN = size_[at(2 * i)], sT = size_[at(2 * i + 1)];
    if (e.normal == CoulombElement::Normal::contact) {
      if (closed(h)) {
        const double force = force_[at(2 * i)];
        if (std::abs(aN) > clear * sN) return 0;
        if (force < -round_off * forces || (e.lifting && force <= clear * forces)) return 0;
      } else {
        // A contact known to lift goes even when its acceleration is still zero: as near to it as the force that would
        // hold it closed is to zero (a light body's own terms sN are smaller than the forces around it).
        const double held = 4 * forces * p.G[at((2 * i) * (2 * k) + 2 * i)];
        if (!(e.lifting && std::abs(aN) <= clear * std::max(sN, held))) judge(aN, sN);
        continue;
      }
    }
    const double N = normal(p, i, force_.data()), T = std::abs(force_[at(2 * i + 1)]);
    if (h == Hold::stick) {
      if (std::abs(aT) > clear * sT) return 0;
      const double limit = e.mu_static * N;
      if (e.broke_away ? T > limit * (1 - clear) : T > limit * (1 + round_off) + eps * forces) return 0;
    } else if (direction(h) != 0) {
      if (e.normal == CoulombElement::Normal::guide) {
        double value = e.normal_0;
        for (int j = 0; j < 2 * k; ++j) value += p.normal_by[at(i * 2 * k + j)] * force_[at(j)];
        if (now_[at(i)].side * value < -round_off * forces) return 0;
      }
      if (e.tangent != CoulombElement::Tangent::undecided) continue;
      if (e.broke_away && e.heading == direction(h) && std::abs(aT) <= clear * sT) continue;
      judge(direction(h) * aT, sT);
    }
  }
  return verdict;
}

int CoulombSolver::try_combination(const CoulombProblem& p) {
  return solve_combination(p, Split::inside) ? verdict(p) : 0;
}

int CoulombSolver::judge(const CoulombProblem& p, const Hold* hold) {
  prepare(p);
  int best = 0;
  for (int i = 0; i < p.count(); ++i)
    now_[at(i)] = {hold[i], static_cast<signed char>(p.element[at(i)].normal_0 < 0 ? -1 : 1)};
  best = try_combination(p);
  if (best > 0) keep_best();
  return best;
}

double CoulombSolver::residual(const CoulombProblem& p) {
  double forces = p.force_scale, worst = 0;
  const int k = p.count();
  for (int i = 0; i < 2 * k; ++i) forces = std::max(forces, std::abs(best_force_[at(i)]));
  forces = forces > 0 ? forces : 1;
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    const Hold h = best_[at(i)];
    const auto scaled = [&](int r) {
      double size = p.scale[at(r)];
      for (int j = 0; j < 2 * k; ++j) size += std::abs(p.G[at(r * 2 * k + j)] * best_force_[at(j)]);
      return size > 0 ? best_rate_[at(r)] / size : best_rate_[at(r)];
    };
    if (e.normal == CoulombElement::Normal::contact) {
      double a = scaled(2 * i);
      // (As in verdict(): what lifts is measured by the force that would hold it.)
      if (const double held = 4 * forces * p.G[at(4 * i * k + 2 * i)]; e.lifting && held > 0)
        a = std::abs(best_rate_[at(2 * i)]) < std::abs(a) * held ? best_rate_[at(2 * i)] / held : a;
      const double N = best_force_[at(2 * i)] / forces;
      worst = std::max({worst, -N, -a, std::min(std::abs(N), std::abs(a))});
    }
    if (!closed(h) || h == Hold::closed) continue;
    const double N = normal(p, i, best_force_.data()), T = best_force_[at(2 * i + 1)];
    if (h == Hold::stick)
      worst = std::max({worst, std::abs(scaled(2 * i + 1)), (std::abs(T) - e.mu_static * N) / forces});
    else
      worst = std::max({worst, std::abs(T + direction(h) * e.mu_kinetic * N - e.tangent_0) / forces,
                        e.tangent == CoulombElement::Tangent::undecided ? -direction(h) * scaled(2 * i + 1) : 0.0});
  }
  return worst;
}

bool CoulombSolver::is_tied(const CoulombProblem& p, int i) const {
  const CoulombElement& e = p.element[at(i)];
  const Hold h = best_[at(i)];
  const int n = 2 * p.count();
  double forces = p.force_scale;
  for (int j = 0; j < n; ++j) forces = std::max(forces, std::abs(best_force_[at(j)]));
  const auto at_zero = [&](int r) {
    double size = p.scale[at(r)];
    for (int j = 0; j < n; ++j) size += std::abs(p.G[at(r * n + j)] * best_force_[at(j)]);
    return std::abs(best_rate_[at(r)]) <= clear * size;
  };
  if (e.normal == CoulombElement::Normal::contact) {
    if (!closed(h)) return at_zero(2 * i);
    if (best_force_[at(2 * i)] <= clear * forces) return true;
  }
  if (e.tangent != CoulombElement::Tangent::undecided) return false;
  if (h != Hold::stick) return at_zero(2 * i + 1);
  const double limit = e.mu_static * normal(p, i, best_force_.data());
  return limit - std::abs(best_force_[at(2 * i + 1)]) <= clear * std::max(limit, forces);
}

void CoulombSolver::keep_best() {
  for (std::size_t i = 0; i < best_.size(); ++i) {
    best_[i] = now_[i].hold;
    best_side_[i] = now_[i].side;
  }
  std::copy(force_.begin(), force_.end(), best_force_.begin());
  std::copy(rate_.begin(), rate_.end(), best_rate_.begin());
  best_split_ = split_;
}

}  // namespace hstar::math
