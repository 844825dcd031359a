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
constexpr double round_off = 1e-12;  // relative, of sums in null vectors
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

class ForceSplit {
 public:
  int rows = 0, dimension = 0;
  std::vector<double> columns, null;  // (3 bodies) x rows of M^-1/2 G^T; dimension x rows
  std::vector<int> order;
  std::vector<char> skip;  // columns that are zero and stay out of the null space
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
    null.resize(at((n - rank) * n));
    dimension = 0;
    for (int d = 0; d < n - rank; ++d) {
      if (skip[at(order[at(rank + d)])]) continue;
      double* z = null.data() + dimension++ * n;
      std::fill(z, z + n, 0.0);
      x.assign(at(rank), 0.0);
      for (int i = rank - 1; i >= 0; --i) {
        double sum = -a(i, rank + d);
        for (int j = i + 1; j < rank; ++j) sum -= a(i, j) * x[at(j)];
        x[at(i)] = sum / a(i, i);
      }
      for (int i = 0; i < rank; ++i) z[order[at(i)]] = std::abs(x[at(i)]) > round_off ? x[at(i)] : 0.0;
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

  // The directions in which slacks are fixed, orthonormal; basis_count x dimension.
  std::vector<double> basis, free, rest, point;
  int basis_count = 0;
  /// What is left of a slack's slope across them is in `rest`; returns its part of the whole.
  double across(int j) {
    const double* own = slope.data() + j * dimension;
    rest.assign(own, own + dimension);
    double whole = 0, left = 0;
    for (int i = 0; i < basis_count; ++i) {
      const double* direction = basis.data() + i * dimension;
      double along = 0;
      for (int d = 0; d < dimension; ++d) along += rest[at(d)] * direction[d];
      for (int d = 0; d < dimension; ++d) rest[at(d)] -= along * direction[d];
    }
    for (int d = 0; d < dimension; ++d) whole += own[d] * own[d], left += rest[at(d)] * rest[at(d)];
    return whole > 0 ? std::sqrt(left / whole) : 0.0;
  }
  void fix(int j, double level) {
    fixed[at(j)] = level;
    if (across(j) <= dependent || basis_count == dimension) return;
    double size = 0;
    for (const double r : rest) size += r * r;
    for (int d = 0; d < dimension; ++d) basis[at(basis_count * dimension + d)] = rest[at(d)] / std::sqrt(size);
    ++basis_count;
  }
  /// A slack at the present point.
  [[nodiscard]] double now(int j) const {
    double sum = value[at(j)];
    for (int d = 0; d < dimension; ++d) sum += slope[at(j * dimension + d)] * point[at(d)];
    return sum;
  }
  /// Slacks that nothing left free can change.
  void fix_constant() {
    for (int j = 0; j < count; ++j)
      if (!hard[at(j)] && fixed[at(j)] == HUGE_VAL && across(j) <= dependent) fixed[at(j)] = now(j);
  }
  /// Orthonormal directions across those in which slacks are fixed: what is longest of a unit vector first. Returns how
  /// many.
  int find_free() {
    const int wanted = dimension - basis_count;
    for (int found = 0; found < wanted; ++found) {
      double longest = -1;
      double* into = free.data() + found * dimension;
      for (int e = 0; e < dimension; ++e) {
        rest.assign(at(dimension), 0.0);
        rest[at(e)] = 1;
        for (int i = 0; i < basis_count + found; ++i) {
          const double* other =
              i < basis_count ? basis.data() + i * dimension : free.data() + (i - basis_count) * dimension;
          double along = 0;
          for (int d = 0; d < dimension; ++d) along += rest[at(d)] * other[d];
          for (int d = 0; d < dimension; ++d) rest[at(d)] -= along * other[d];
        }
        double size = 0;
        for (const double r : rest) size += r * r;
        if (size <= longest * (1 + 1e-9)) continue;
        longest = size;
        for (int d = 0; d < dimension; ++d) into[d] = rest[at(d)] / std::sqrt(size);
      }
    }
    return wanted;
  }
};

int ModeEquations::prepare_split(const Mode& mode, bool by_groups) {
  const System& s = *system_;
  if (m_ > most_rows) return 0;
  // Joints alone have no cones: their reactions keep the least norm.
  if (std::all_of(contact_row_.begin(), contact_row_.end(), [](int row) { return row < 0; })) return 0;
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
  // Of a group of stuck contacts with one tangential row the first one's force stands for all of them.
  f.skip.assign(at(m_), 0);
  for (const Grouped& one : grouped_)
    if (by_groups && one.group != one.unit) f.skip[at(stick_row_[at(one.unit)])] = 1;
  for (int i = 0; i < m_; ++i)
    if (!f.skip[at(i)]) put(i, rows_[at(i)], 1.0);
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
    if (f.skip[at(stick)]) continue;
    const auto each_of_group = [&](const auto& use) {
      bool any = false;
      for (const Grouped& one : grouped_)
        if (by_groups && one.group == unit) use(one.unit, one.sign), any = true;
      if (!any) use(unit, 1);
    };
    double held = 0, force = 0;
    each_of_group([&](int u, int turned) {
      held += s.frictions[at(u)].law.mu_static() * lambda_[at(contact_row_[at(s.frictions[at(u)].contact)])];
      force += turned * lambda_[at(stick_row_[at(u)])];
    });
    for (const double sign : {1.0, -1.0}) {
      f.add(held + sign * force, false);
      for (int d = 0; d < f.dimension; ++d) {
        double change = sign * f.null[at(d * m_ + stick)], size = std::abs(change);
        each_of_group([&](int u, int) {
          const double more =
              s.frictions[at(u)].law.mu_static() * f.null[at(d * m_ + contact_row_[at(s.frictions[at(u)].contact)])];
          change += more;
          size += std::abs(more);
        });
        // A reserve that no split changes (a block on a sliding one with the same mu) must be seen to be that.
        f.last_slope(d) = std::abs(change) > round_off * size ? change : 0.0;
        contacts |= f.last_slope(d) != 0;
      }
    }
  }
  return contacts ? f.dimension : 0;
}

void ModeEquations::split_redundant(const Mode& mode) {
  const int dimension = prepare_split(mode, true);
  if (dimension == 0) return;
  ForceSplit& f = *split_;
  f.fixed.assign(at(f.count), HUGE_VAL);
  f.basis.resize(at(dimension * dimension));
  f.free.resize(at(dimension * dimension));
  f.point.assign(at(dimension), 0.0);
  f.basis_count = 0;
  f.fix_constant();
  bool found = false;
  // Each round fixes the slacks that hold the level down, and goes on in the directions that leave them as they are.
  for (int round = 0; round <= dimension && f.basis_count < dimension; ++round) {
    const int directions = f.find_free(), n = directions + 1;
    int rows = 0, free_rows = 0;
    f.A.resize(at(f.count * n));
    f.b.resize(at(f.count));
    f.y.resize(at(f.count));
    f.x.resize(at(n));
    f.goal.assign(at(n), 0.0);
    f.goal[at(directions)] = 1;
    const auto add = [&](int j, double weight) {
      const double* own = f.slope.data() + j * dimension;
      for (int i = 0; i < directions; ++i) {
        double sum = 0;
        for (int d = 0; d < dimension; ++d) sum -= own[d] * f.free[at(i * dimension + d)];
        f.A[at(rows * n + i)] = sum;
      }
      f.A[at(rows * n + directions)] = weight;
      f.b[at(rows++)] = f.now(j);
    };
    // The slacks that are maximised stand first.
    for (int j = 0; j < f.count; ++j)
      if (!f.hard[at(j)] && f.fixed[at(j)] == HUGE_VAL) add(j, 1);
    free_rows = rows;
    if (free_rows == 0) break;
    for (int j = 0; j < f.count; ++j)
      if (f.hard[at(j)]) add(j, 0);
    if (f.lp.maximise(f.goal.data(), f.A.data(), f.b.data(), n, rows, f.x.data(), f.y.data()) != math::LpStatus::solved)
      break;
    found = true;
    for (int i = 0; i < directions; ++i)
      for (int d = 0; d < dimension; ++d) f.point[at(d)] += f.x[at(i)] * f.free[at(i * dimension + d)];
    int row = 0;
    for (int j = 0; j < f.count; ++j)
      if (!f.hard[at(j)] && f.fixed[at(j)] == HUGE_VAL && f.y[at(row++)] > 1e-9) f.fix(j, f.x[at(directions)]);
    f.fix_constant();
  }
  if (!found) return;
  for (int d = 0; d < dimension; ++d)
    for (int i = 0; i < m_; ++i) lambda_[at(i)] += f.point[at(d)] * f.null[at(d * m_ + i)];
  for (const Sliding& slides : sliding_) {
    const FrictionUnit& unit = system_->frictions[at(slides.unit)];
    if (unit.contact < 0) continue;
    const int row = contact_row_[at(unit.contact)];
    for (int d = 0; d < dimension; ++d)
      friction_[at(slides.unit)] += slides.coefficient * f.point[at(d)] * f.null[at(d * m_ + row)];
  }
}

bool ModeEquations::force_range(const Mode& mode, int row, double& least, double& largest) {
  least = largest = lambda_[at(row)];
  if (saddle_.redundant_count() == 0) return false;
  const int dimension = prepare_split(mode, false);
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
