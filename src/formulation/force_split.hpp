// src/formulation/force_split.hpp
//
// Scratch of mode_split.cpp: the null space of redundant rows, and the slacks of contacts and friction over it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "math/common_margin.hpp"
#include "math/small_lp.hpp"
#include "mechanism/system.hpp"

namespace hstar {

class ForceSplit {
 public:
  static constexpr double dependent = 1e-9;
  static constexpr double round_off = 1e-12;  ///< relative, of sums in null vectors
  static constexpr int most_cuts = 40;        ///< rounds of them
  static constexpr double preload = 4;        ///< of the largest force: more is not looked for

  int rows = 0, dimension = 0;
  std::vector<double> columns, null;  // (3 bodies) x rows of M^-1/2 G^T; dimension x rows
  std::vector<int> order;
  std::vector<char> skip;  // columns that are zero and stay out of the null space
  // slack_j = value_j + slope_j s
  int count = 0;
  std::vector<double> value, slope, fixed;
  std::vector<char> hard;  // a bound that is not a slack to be maximised
  struct Cut {
    int unit;
    std::array<double, most_directions> along;
  };
  std::vector<Cut> cuts;
  std::vector<double> A, b, goal, x, y, change;
  math::SmallLp lp;
  math::CommonMargin margin;

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

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace hstar
