// src/formulation/mode_split.cpp: forces of redundant contacts.
//
// Of contacts that depend on each other the motion is unique and the split of forces is not. Any split may be reported
// that satisfies all cones; the one taken is furthest inside of them by its smallest slack, then by the next
// (lexicographic maximum), because it leaves the cones exactly when every split does: a bench lifts a foot, a sled on
// two feet breaks loose when no split of normal force and friction can hold it, not when a chosen one cannot.
#include <algorithm>
#include <cmath>

#include "formulation/mode_equations.hpp"
#include "math/small_lp.hpp"

namespace hstar {
namespace {
/// Larger problems keep the least-norm split: null spaces of many rows are dense.
constexpr int most_rows = 96;
constexpr double dependent = 1e-9;
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

class ForceSplit {
 public:
  int rows = 0, dimension = 0;
  std::vector<double> columns, null;  // (3 bodies) x rows of M^-1/2 G^T; dimension x rows
  std::vector<int> order;
  // slack_j = value_j + slope_j s
  int count = 0;
  std::vector<double> value, slope, fixed;
  std::vector<char> hard;  // a bound that is not a slack to be maximised
  std::vector<double> A, b, goal, x, y;
  math::SmallLp lp;

  /// Null space of the columns by elimination with full pivoting. Returns its dimension.
  int find_null(int height) {
    const int n = rows;
    order.resize(at(n));
    for (int j = 0; j < n; ++j) order[at(j)] = j;
    const auto a = [&](int i, int j) -> double& { return columns[at(i * n + j)]; };
    int rank = 0;
    for (; rank < std::min(height, n); ++rank) {
      int row = rank, column = rank;
      double largest = 0;
      for (int i = rank; i < height; ++i)
        for (int j = rank; j < n; ++j)
          if (std::abs(a(i, j)) > largest) largest = std::abs(a(i, j)), row = i, column = j;
      if (!(largest > dependent)) break;
      if (row != rank)
        std::swap_ranges(columns.begin() + row * n, columns.begin() + (row + 1) * n, columns.begin() + rank * n);
      if (column != rank) {
        for (int i = 0; i < height; ++i) std::swap(a(i, column), a(i, rank));
        std::swap(order[at(column)], order[at(rank)]);
      }
      for (int i = rank + 1; i < height; ++i) {
        const double factor = a(i, rank) / a(rank, rank);
        if (factor == 0) continue;
        for (int j = rank; j < n; ++j) a(i, j) -= factor * a(rank, j);
      }
    }
    dimension = n - rank;
    null.assign(at(dimension * n), 0.0);
    for (int d = 0; d < dimension; ++d) {
      double* z = null.data() + d * n;
      x.assign(at(rank), 0.0);
      for (int i = rank - 1; i >= 0; --i) {
        double sum = -a(i, rank + d);
        for (int j = i + 1; j < rank; ++j) sum -= a(i, j) * x[at(j)];
        x[at(i)] = sum / a(i, i);
      }
      for (int i = 0; i < rank; ++i) z[order[at(i)]] = x[at(i)];
      z[order[at(rank + d)]] = 1;
    }
    return dimension;
  }
  void add(double v, bool is_hard) {
    value.resize(at(count + 1));
    hard.resize(at(count + 1));
    slope.resize(at((count + 1) * dimension));
    value[at(count)] = v;
    hard[at(count)] = is_hard;
    ++count;
  }
  double& last_slope(int d) { return slope[at((count - 1) * dimension + d)]; }
};

int ModeEquations::prepare_split(const Mode& mode) {
  const System& s = *system_;
  if (m_ > most_rows) return 0;
  if (!split_) split_ = std::make_shared<ForceSplit>();
  ForceSplit& f = *split_;
  const int height = static_cast<int>(mass_.size());
  f.rows = m_;
  f.columns.assign(at(height * m_), 0.0);
  const auto put = [&](int column, const Row& row, double factor) {
    for (std::size_t i = 0; i < 2; ++i)
      for (int c = 0; c < s.columns; ++c) {
        const int k = s.columns * row.body[i] + c;
        if (mass_[at(k)] < 0) continue;
        f.columns[at(k * m_ + column)] += factor * row.J[i][c] * (mass_[at(k)] > 0 ? 1 / std::sqrt(mass_[at(k)]) : 1.0);
      }
  };
  for (int i = 0; i < m_; ++i) put(i, rows_[at(i)], 1.0);
  // A sliding contact's friction follows its normal force. Pins are not linear: their forces are kept.
  for (const Sliding& slides : sliding_) {
    const FrictionUnit& unit = s.frictions[at(slides.unit)];
    if (unit.contact >= 0) put(contact_row_[at(unit.contact)], slides.row, slides.coefficient);
  }
  double longest = 0;
  for (const double x : f.columns) longest = std::max(longest, std::abs(x));
  if (longest > 0)
    for (double& x : f.columns) x /= longest;
  if (f.find_null(height) == 0) return 0;

  double largest = 0;
  for (int i = 0; i < m_; ++i) largest = std::max(largest, std::abs(lambda_[at(i)]));
  for (const double x : load_) largest = std::max(largest, std::abs(x));
  f.count = 0;
  bool contacts = false;
  for (int c = 0; c < static_cast<int>(s.contacts.size()); ++c) {
    const int row = contact_row_[at(c)], unit = s.contact_friction[at(c)];
    if (row < 0) continue;
    const double normal = lambda_[at(row)];
    f.add(normal, false);
    for (int d = 0; d < f.dimension; ++d) {
      f.last_slope(d) = f.null[at(d * m_ + row)];
      contacts |= f.last_slope(d) != 0;
    }
    f.add(4 * largest - normal, true);  // preload that nothing bounds is not looked for
    for (int d = 0; d < f.dimension; ++d) f.last_slope(d) = -f.null[at(d * m_ + row)];
    if (unit < 0 || mode.friction[at(unit)].slide != Slide::stick) continue;
    const int stick = stick_row_[at(unit)];
    const double mu = s.frictions[at(unit)].law.mu_static();
    for (const double sign : {1.0, -1.0}) {
      f.add(mu * normal + sign * lambda_[at(stick)], false);
      for (int d = 0; d < f.dimension; ++d) {
        f.last_slope(d) = mu * f.null[at(d * m_ + row)] + sign * f.null[at(d * m_ + stick)];
        contacts |= f.last_slope(d) != 0;
      }
    }
  }
  return contacts ? f.dimension : 0;
}

void ModeEquations::split_redundant(const Mode& mode) {
  const int dimension = prepare_split(mode);
  if (dimension == 0) return;
  ForceSplit& f = *split_;
  const int n = dimension + 1;
  double size = 0;
  for (const double v : f.value) size = std::max(size, std::abs(v));
  f.fixed.assign(at(f.count), HUGE_VAL);
  f.goal.assign(at(n), 0.0);
  f.goal[at(dimension)] = 1;
  std::vector<double>& best = f.x;
  bool found = false;
  for (int round = 0; round <= dimension; ++round) {
    int rows = 0, free_rows = 0;
    f.A.resize(at(2 * f.count * n));
    f.b.resize(at(2 * f.count));
    f.y.resize(at(2 * f.count));
    const auto add = [&](int j, double sign, double weight, double bound) {
      for (int d = 0; d < dimension; ++d) f.A[at(rows * n + d)] = -sign * f.slope[at(j * dimension + d)];
      f.A[at(rows * n + dimension)] = weight;
      f.b[at(rows++)] = bound;
    };
    // The slacks that are maximised stand first.
    for (int j = 0; j < f.count; ++j)
      if (!f.hard[at(j)] && f.fixed[at(j)] == HUGE_VAL) add(j, 1, 1, f.value[at(j)]);
    free_rows = rows;
    if (free_rows == 0) break;
    for (int j = 0; j < f.count; ++j) {
      if (f.hard[at(j)]) {
        add(j, 1, 0, f.value[at(j)]);
      } else if (f.fixed[at(j)] != HUGE_VAL) {
        add(j, 1, 0, f.value[at(j)] - f.fixed[at(j)] + 1e-13 * size);
      }
    }
    best.resize(at(n));
    std::vector<double>& point = f.x;
    if (f.lp.maximise(f.goal.data(), f.A.data(), f.b.data(), n, rows, point.data(), f.y.data()) !=
        math::LpStatus::solved)
      break;
    found = true;
    const double t = point[at(dimension)];
    int row = 0;
    for (int j = 0; j < f.count; ++j)
      if (!f.hard[at(j)] && f.fixed[at(j)] == HUGE_VAL && f.y[at(row++)] > 1e-9) f.fixed[at(j)] = t;
  }
  if (!found) return;
  for (int d = 0; d < dimension; ++d)
    for (int i = 0; i < m_; ++i) lambda_[at(i)] += f.x[at(d)] * f.null[at(d * m_ + i)];
  for (const Sliding& slides : sliding_) {
    const FrictionUnit& unit = system_->frictions[at(slides.unit)];
    if (unit.contact < 0) continue;
    const int row = contact_row_[at(unit.contact)];
    for (int d = 0; d < dimension; ++d)
      friction_[at(slides.unit)] += slides.coefficient * f.x[at(d)] * f.null[at(d * m_ + row)];
  }
}

bool ModeEquations::force_range(const Mode& mode, int row, double& least, double& largest) {
  least = largest = lambda_[at(row)];
  if (saddle_.redundant_count() == 0) return false;
  const int dimension = prepare_split(mode);
  if (dimension == 0) return false;
  ForceSplit& f = *split_;
  f.A.resize(at(f.count * dimension));
  f.b.assign(f.value.begin(), f.value.begin() + f.count);
  for (int j = 0; j < f.count * dimension; ++j) f.A[at(j)] = -f.slope[at(j)];
  double bound = 0;
  for (int j = 0; j < f.count; ++j) {
    f.b[at(j)] += 1e-12 * std::abs(f.value[at(j)]);
    if (f.hard[at(j)]) bound = std::max(bound, f.value[at(j)]);
  }
  f.y.resize(at(f.count));
  f.x.resize(at(dimension));
  double size = 0;
  std::vector<double> goal(at(dimension));
  for (const double sign : {1.0, -1.0}) {
    for (int d = 0; d < dimension; ++d) {
      goal[at(d)] = sign * f.null[at(d * m_ + row)];
      size = std::max(size, std::abs(goal[at(d)]));
    }
    if (size <= 1e-9) return false;
    if (f.lp.maximise(goal.data(), f.A.data(), f.b.data(), dimension, f.count, f.x.data(), f.y.data()) !=
        math::LpStatus::solved)
      return false;
    double change = 0;
    for (int d = 0; d < dimension; ++d) change += f.null[at(d * m_ + row)] * f.x[at(d)];
    (sign > 0 ? largest : least) = lambda_[at(row)] + change;
  }
  return largest - least > 1e-9 * (std::abs(least) + std::abs(largest)) && largest < 0.4 * bound;
}

}  // namespace hstar
