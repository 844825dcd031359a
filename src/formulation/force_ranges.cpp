// src/formulation/force_ranges.cpp
//
// The forces f + Z s, Z the null space of J^T with sliding friction that follows its normal force, are those with the
// same motion; bounds are linear programs in s. A round cone |lambda_T| <= mu lambda_N is cut out by half-spaces: a few
// at first, then one more where an answer lies outside (Kelley 1960).
#include "formulation/force_ranges.hpp"

#include <algorithm>
#include <cmath>

namespace hstar {
namespace {
/// Relative: an elimination step whose pivot is less than this has none; entries below round_off are zero.
constexpr double dependent = 0x1p-30, round_off = 0x1p-40;
/// Relative: a force that far outside of its cone is inside, and a range that narrow is a number.
constexpr double outside = 0x1p-30;
constexpr int most_rows = 96, most_cuts = 40;
/// Forces of so many times the largest one are not looked for: what reaches that is not bounded.
constexpr double preload = 4, bounded = 0.4;
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

ForceRanges::ForceRanges(const ModeEquations& equations, const Mode& mode)
    : equations_(equations), mode_(mode), rows_(equations.row_count()) {
  const System& s = equations.system();
  if (rows_ > most_rows || equations.saddle().redundant_count() == 0) return;
  const auto& mass = equations.mass();
  const int height = static_cast<int>(mass.size());
  std::vector<double> columns(at(height * rows_));
  const auto put = [&](int column, const Row& row, double factor) {
    for (std::size_t i = 0; i < 2; ++i)
      for (int c = 0; c < s.columns; ++c) {
        const int k = s.columns * row.body[i] + c;
        if (mass[at(k)] < 0) continue;
        columns[at(k * rows_ + column)] += factor * row.J[i][c] * (mass[at(k)] > 0 ? 1 / std::sqrt(mass[at(k)]) : 1.0);
      }
  };
  for (int i = 0; i < rows_; ++i) put(i, equations.row(i), 1.0);
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const FrictionMode& f = mode.friction[u];
    if (unit.contact < 0 || f.slide != Slide::slip || unit.normal_force) continue;
    const int normal = equations.contact_row(unit.contact);
    if (normal < 0) continue;
    Row row;
    equations.tangent_row(static_cast<int>(u), row);
    const double speed = f.direction * equations.slide_velocity(static_cast<int>(u));
    put(normal, row, -f.direction * unit.law.mu_kinetic(speed, f.piece) * unit.lever);
  }
  double longest = 0;
  for (const double x : columns) longest = std::max(longest, std::abs(x));
  if (!(longest > 0)) return;
  for (double& x : columns) x /= longest;
  find_null(std::move(columns), height);
  for (const double x : equations.load()) most_ = std::max(most_, std::abs(x));
  for (int i = 0; i < rows_; ++i) most_ = std::max(most_, std::abs(equations.joint_multiplier(i)));
  most_ *= preload;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    if (unit.contact < 0 || mode.friction[u].slide != Slide::stick) continue;
    for (std::size_t i = 0; i < static_cast<std::size_t>(unit.directions); ++i)
      for (const double sign : {1.0, -1.0}) {
        cuts_.push_back({static_cast<int>(u), {0, 0, 0}});
        cuts_.back().along[i] = sign;
      }
  }
  list_slacks();
}

/// By elimination with full pivoting.
void ForceRanges::find_null(std::vector<double> columns, int height) {
  const int n = rows_;
  std::vector<int> order(at(n));
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
  dimension_ = n - rank;
  null_.assign(at(dimension_ * n), 0.0);
  std::vector<double> x(at(rank));
  for (int d = 0; d < dimension_; ++d) {
    double* z = null_.data() + d * n;
    for (int i = rank - 1; i >= 0; --i) {
      double sum = -a(i, rank + d);
      for (int j = i + 1; j < rank; ++j) sum -= a(i, j) * x[at(j)];
      x[at(i)] = sum / a(i, i);
    }
    for (int i = 0; i < rank; ++i) z[order[at(i)]] = std::abs(x[at(i)]) > round_off ? x[at(i)] : 0.0;
    z[order[at(rank + d)]] = 1;
  }
}

void ForceRanges::list_slacks() {
  const System& s = equations_.system();
  value_.clear();
  slope_.clear();
  const auto lambda = [&](int row) { return equations_.joint_multiplier(row); };
  const auto null = [&](int d, int row) { return null_[at(d * rows_ + row)]; };
  for (int c = 0; c < static_cast<int>(s.contacts.size()); ++c) {
    const int row = equations_.contact_row(c);
    if (row < 0) continue;
    for (const double sign : {1.0, -1.0}) {
      value_.push_back(sign * lambda(row) + (sign < 0 ? most_ : 0.0));
      for (int d = 0; d < dimension_; ++d) slope_.push_back(sign * null(d, row));
    }
  }
  for (const Cut& cut : cuts_) {
    const FrictionUnit& unit = s.frictions[at(cut.unit)];
    const double holds = unit.law.mu_static() * unit.lever;
    const int normal = equations_.contact_row(unit.contact), stick = equations_.stick_row(cut.unit);
    if (normal < 0 || stick < 0) continue;
    double slack = holds * lambda(normal);
    for (int i = 0; i < unit.directions; ++i) slack -= cut.along[at(i)] * lambda(stick + i);
    value_.push_back(slack);
    for (int d = 0; d < dimension_; ++d) {
      double change = holds * null(d, normal), size = std::abs(change);
      for (int i = 0; i < unit.directions; ++i) {
        change -= cut.along[at(i)] * null(d, stick + i);
        size += std::abs(cut.along[at(i)] * null(d, stick + i));
      }
      slope_.push_back(std::abs(change) > round_off * size ? change : 0.0);
    }
  }
}

bool ForceRanges::add_cuts(const double* point) {
  const System& s = equations_.system();
  const auto force = [&](int row) {
    double sum = equations_.joint_multiplier(row);
    for (int d = 0; d < dimension_; ++d) sum += point[d] * null_[at(d * rows_ + row)];
    return sum;
  };
  bool added = false;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const int stick = equations_.stick_row(static_cast<int>(u));
    if (unit.contact < 0 || unit.directions == 1 || mode_.friction[u].slide != Slide::stick || stick < 0) continue;
    std::array<double, most_directions> along{};
    double size = 0, cut = 0;
    for (int i = 0; i < unit.directions; ++i) size = std::hypot(size, along[at(i)] = force(stick + i));
    for (const Cut& c : cuts_) {
      if (c.unit != static_cast<int>(u)) continue;
      double sum = 0;
      for (int i = 0; i < unit.directions; ++i) sum += c.along[at(i)] * along[at(i)];
      cut = std::max(cut, sum);
    }
    const double limit = unit.law.mu_static() * unit.lever * force(equations_.contact_row(unit.contact));
    if (size - cut <= outside * std::max(size, std::abs(limit))) continue;
    for (double& x : along) x /= size;
    cuts_.push_back({static_cast<int>(u), along});
    added = true;
  }
  return added;
}

bool ForceRanges::of(int row, double& least, double& largest) {
  least = largest = equations_.joint_multiplier(row);
  double size = 0;
  std::vector<double> goal(at(dimension_)), A, y, x(goal.size());
  for (const double sign : {1.0, -1.0}) {
    for (int d = 0; d < dimension_; ++d) {
      goal[at(d)] = sign * null_[at(d * rows_ + row)];
      size = std::max(size, std::abs(goal[at(d)]));
    }
    if (!(size > outside)) return false;
    for (int round = 0;; ++round) {
      A.resize(slope_.size());
      std::transform(slope_.begin(), slope_.end(), A.begin(), [](double z) { return -z; });
      bound_ = value_;
      for (double& b : bound_) b += round_off * std::abs(b);
      y.resize(bound_.size());
      if (lp_.maximise(goal.data(), A.data(), bound_.data(), dimension_, static_cast<int>(bound_.size()), x.data(),
                       y.data()) != math::LpStatus::solved)
        return false;
      if (round == most_cuts || !add_cuts(x.data())) break;
      list_slacks();
    }
    double change = 0;
    for (int d = 0; d < dimension_; ++d) change += null_[at(d * rows_ + row)] * x[at(d)];
    (sign > 0 ? largest : least) = equations_.joint_multiplier(row) + change;
  }
  return largest - least > outside * (std::abs(least) + std::abs(largest)) && largest < bounded * most_;
}

}  // namespace hstar
