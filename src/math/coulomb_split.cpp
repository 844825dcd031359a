// src/math/coulomb_split.cpp: forces of redundant contacts. Of a combination with m unknowns and `rank` equations
//   x_pivot + C x_free = b   (positions 0 to rank - 1, and the others; in units of unit_)
// any x_free will do as long as no cone is left: which of the many is given.
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/coulomb.hpp"
#include "math/dense.hpp"

namespace hstar::math {
namespace {
/// Of the largest force: a split with that much slack everywhere is far enough inside.
constexpr double well_inside = 1e-3;
/// More slack than that, of the largest force, is not looked for: two walls bear any preload.
constexpr double enough = 0.1;
/// Splits with forces that much larger than those of the least-norm split are none.
constexpr double excessive = 1e4;
std::size_t at(int i) { return static_cast<std::size_t>(i); }
/// Share of the common slack in the normal force of a contact.
double inwards(const CoulombElement& e, Hold h) {
  return h == Hold::stick && e.mu_static > 0 ? 1 / std::min(e.mu_static, 1.0) : 1.0;
}
bool slips(Hold h) { return h == Hold::slip_plus || h == Hold::slip_minus; }
}  // namespace

void CoulombSolver::split_inside(const CoulombProblem& p) {
  double largest = p.force_scale;
  for (int i = 0; i < 2 * p.count(); ++i) largest = std::max(largest, std::abs(force_[at(i)]));
  if (least_slack(p) >= well_inside * largest) return;
  furthest_inside(p, largest);
  expand(p, unknowns_);
}

void CoulombSolver::least_norm(int m, int rank) {
  // x_pivot = b - C y, x_free = y with least |x|: y = C^T (I + C C^T)^-1 b = (I + C^T C)^-1 C^T b, by the smaller
  // system. No order of the elements changes it.
  const int free_count = m - rank;
  const auto C = [&](int i, int d) { return a_[at(i * m + rank + d)]; };
  double* A = gram_.data();
  double* y = x_.data() + rank;
  std::fill(y, y + free_count, 0.0);
  if (rank <= free_count) {
    double* z = right_.data();
    for (int i = 0; i < rank; ++i) {
      z[i] = x_[at(i)];
      for (int j = 0; j <= i; ++j) {
        A[i * rank + j] = i == j ? 1.0 : 0.0;
        for (int d = 0; d < free_count; ++d) A[i * rank + j] += C(i, d) * C(j, d);
      }
    }
    if (!cholesky(A, rank)) return;
    cholesky_solve(A, rank, z);
    for (int i = 0; i < rank; ++i)
      for (int d = 0; d < free_count; ++d) y[d] += C(i, d) * z[i];
  } else {
    for (int d = 0; d < free_count; ++d) {
      for (int i = 0; i < rank; ++i) y[d] += C(i, d) * x_[at(i)];
      for (int c = 0; c <= d; ++c) {
        A[d * free_count + c] = c == d ? 1.0 : 0.0;
        for (int i = 0; i < rank; ++i) A[d * free_count + c] += C(i, d) * C(i, c);
      }
    }
    if (!cholesky(A, free_count)) return;
    cholesky_solve(A, free_count, y);
  }
  for (int i = 0; i < rank; ++i)
    for (int d = 0; d < free_count; ++d) x_[at(i)] -= C(i, d) * y[d];
}

double CoulombSolver::least_slack(const CoulombProblem& p) const {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < p.count(); ++i) {
    const CoulombElement& e = p.element[at(i)];
    const Hold h = now_[at(i)].hold;
    if (h == Hold::open) continue;
    if (e.normal == CoulombElement::Normal::contact) least = std::min(least, force_[at(2 * i)]);
    if (h == Hold::stick)
      least = std::min(least, e.mu_static * normal(p, i, force_.data()) - std::abs(force_[at(2 * i + 1)]));
  }
  return least;
}

void CoulombSolver::furthest_inside(const CoulombProblem& p, double largest) {
  // x as a sum over edges of the cones with weights y >= 0, shifted inwards by t, which is to be as large as it can:
  //   stuck contact: N = y+ + y- + t / min(mu, 1), lambda_T = mu (y+ - y-)    other contact: N = y + t
  //   stuck element with a normal force of others: y+ + y- + 2 t = 2 mu N, lambda_T = (y+ - y-) / 2
  // One equation for each pivot and one for each element of the last kind; t + y = enough * largest.
  using Normal = CoulombElement::Normal;
  const int k = p.count(), n = 2 * k, m = unknowns_, rank = rank_;
  const auto unknown = [&](int position) { return unknown_[at(column_[at(position)])]; };
  std::fill(place_.begin(), place_.begin() + n, -1);
  for (int position = 0; position < m; ++position) place_[at(unknown(position))] = position;
  int rows = 0;
  for (int i = 0; i < rank; ++i) {
    row_[at(i)] = -1;
    if (const int u = unknown(i); u % 2 == 1 && slips(now_[at(u / 2)].hold)) continue;  // of any sign
    double sum = x_[at(i)];
    for (int d = rank; d < m; ++d) sum += a_[at(i * m + d)] * x_[at(d)];
    right_[at(rows)] = sum;
    row_[at(i)] = rows;
    equation_[at(rows++)] = i;
  }
  const int pivots = rows;
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    if (e.normal == Normal::contact || now_[at(i)].hold != Hold::stick) continue;
    const double* R = p.normal_by.data() + i * n;
    double value = e.normal_0, constant = e.normal_0;
    for (int j = 0; j < n; ++j) {
      value += R[j] * force_[at(j)];
      if (place_[at(j)] < 0 && slips(now_[at(j / 2)].hold)) {
        const CoulombElement& other = p.element[at(j / 2)];
        constant += R[j] * (other.normal == Normal::contact ? other.tangent_0 : force_[at(j)]);
      }
    }
    side_[at(i)] = e.normal == Normal::guide && value < 0 ? -1.0 : 1.0;
    right_[at(rows)] = 2 * e.mu_static * side_[at(i)] * constant;
    equation_[at(rows++)] = i;
  }
  right_[at(rows++)] = enough * largest;

  int edges = 0;
  const auto column = [&](int j) { return edge_.data() + j * rows; };
  const int t = 2 * m;  // its column: after the most edges there can be
  std::fill(column(0), column(t + 2), 0.0);
  // Adds so much of an unknown force to a column.
  const auto add = [&](int to, int u, double amount) {
    const int position = place_[at(u)];
    double* entry = column(to);
    if (position >= rank)
      for (int r = 0; r < pivots; ++r) entry[r] += a_[at(equation_[at(r)] * m + position)] * (amount * unit_[at(u)]);
    else if (row_[at(position)] >= 0)
      entry[row_[at(position)]] += amount * unit_[at(u)];
    for (int r = pivots; r < rows - 1; ++r) {
      const int i = equation_[at(r)], d = now_[at(u / 2)].hold == Hold::slip_plus ? 1 : -1;
      const double* R = p.normal_by.data() + i * n;
      const bool with_friction = u % 2 == 0 && slips(now_[at(u / 2)].hold);
      const double through = R[u] - (with_friction ? d * p.element[at(u / 2)].mu_kinetic * R[u + 1] : 0.0);
      entry[r] -= 2 * p.element[at(i)].mu_static * side_[at(i)] * through * amount;
    }
  };
  const auto new_edge = [&](int i, double normal, double tangent) {
    of_[at(edges)] = {i, normal, tangent};
    if (normal != 0) add(edges, 2 * i, normal);
    if (tangent != 0) add(edges, 2 * i + 1, tangent);
    return edges++;
  };
  int sum_row = pivots;
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    const Hold h = now_[at(i)].hold;
    if (h == Hold::open) continue;
    const bool contact = e.normal == Normal::contact, cone = h == Hold::stick && e.mu_static > 0;
    if (contact) {
      add(t, 2 * i, inwards(e, h));
      new_edge(i, 1, cone ? e.mu_static : 0.0);
      if (cone) new_edge(i, 1, -e.mu_static);
    } else if (h == Hold::stick) {
      for (const double side : {0.5, -0.5}) column(new_edge(i, 0, side))[sum_row] += 1;
      column(t)[sum_row++] += cone ? 2.0 : 0.0;
    } else if (place_[at(2 * i + 1)] >= 0) {
      new_edge(i, 0, 1);
      new_edge(i, 0, -1);
    }
  }
  std::copy(column(t), column(t + 1), column(edges));
  column(edges)[rows - 1] = 1;
  std::fill(column(edges + 1), column(edges + 2), 0.0);
  column(edges + 1)[rows - 1] = 1;
  std::fill(cost_.begin(), cost_.begin() + edges + 2, 0.0);
  cost_[at(edges)] = -1;
  if (lp_.maximise(right_.data(), edge_.data(), cost_.data(), rows, edges + 2, multiplier_.data(), weight_.data()) !=
      LpStatus::solved)
    return;
  // The free unknowns from it, the pivots from their equations.
  double* x = b_.data();
  std::fill(x, x + m, 0.0);
  const auto give = [&](int u, double force) {
    if (const int position = place_[at(u)]; position >= rank) x[position] += force * unit_[at(u)];
  };
  for (int j = 0; j < edges; ++j) {
    const Edge& edge = of_[at(j)];
    if (edge.normal != 0) give(2 * edge.element, edge.normal * weight_[at(j)]);
    if (edge.tangent != 0) give(2 * edge.element + 1, edge.tangent * weight_[at(j)]);
  }
  for (int i = 0; i < k; ++i) {
    const CoulombElement& e = p.element[at(i)];
    const Hold h = now_[at(i)].hold;
    if (e.normal == Normal::contact && h != Hold::open) give(2 * i, inwards(e, h) * weight_[at(edges)]);
  }
  double size = 0;
  for (int i = 0; i < m; ++i) {
    for (int d = rank; i < rank && d < m; ++d) x[i] += a_[at(i * m + d)] * (x_[at(d)] - x[d]);
    if (i < rank) x[i] += x_[at(i)];
    size = std::max(size, std::abs(x[i]) / unit_[at(unknown(i))]);
  }
  if (size <= excessive * largest) std::copy(x, x + m, x_.begin());
}

}  // namespace hstar::math
