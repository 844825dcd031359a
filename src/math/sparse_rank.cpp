// src/math/sparse_rank.cpp
#include "math/sparse_rank.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <map>

#include "math/tolerances.hpp"

namespace hstar::math {
namespace {

struct Entry {
  int row;
  double value;
};
/// Coefficients of a vanishing combination of rows, by row.
using Combination = std::map<int, double>;

class RankFinder {
 public:
  RankFinder(const SaddleRow* rows, int m, const std::vector<double>& inverse, int columns)
      : rows_(rows), m_(m), width_(columns), inverse_(inverse), count_(at(m)) {}

  /// `fixed` rows at the end keep their place behind all others.
  void run(int fixed, double tolerance, double loose) {
    order(fixed);
    for (auto* v : {&parent_, &seen_}) v->assign(count_, -1);
    for (auto* v : {&d_, &y_, &x_, &b_, &length2_}) v->assign(count_, 0.0);
    columns_.assign(count_, {});
    dropped_.assign(count_, 0);
    pattern_.resize(count_);
    rest_.resize(inverse_.size());
    for (int k = 0; k < m_; ++k) {
      eliminate(k);
      const double allowed = k < m_ - fixed ? tolerance : loose;
      if (d_[at(k)] > std::max(doubtful_pivot, 4 * allowed * allowed) * length2_[at(k)]) continue;
      const double rest2 = look_again(k);
      dropped_[at(k)] = !(rest2 > allowed * allowed * length2_[at(k)]);
      d_[at(k)] = rest2;
      if (dropped_[at(k)]) note(k);
    }
  }
  [[nodiscard]] const std::vector<Combination>& combinations() const { return combinations_; }
  /// Of a row, in the metric of M^-1.
  [[nodiscard]] double length(int i) const {
    return std::sqrt(with_columns(width_, [&](auto c) { return coupling<c>(rows_[i], rows_[i], inverse_.data()); }));
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] const SaddleRow& row(int k) const { return rows_[permutation_[at(k)]]; }

  /// Order of elimination, and the upper triangle of the permuted matrix by column.
  void order(int fixed) {
    std::vector<std::vector<int>> rows_of(inverse_.size() / at(width_));
    for (int i = 0; i < m_; ++i)
      for (std::size_t k = 0; k < 2; ++k) {
        const int body = rows_[i].body[k];
        const double* w = inverse_.data() + width_ * body;
        if (std::any_of(w, w + width_, [](double x) { return x > 0; }) && (k == 0 || body != rows_[i].body[0]))
          rows_of[at(body)].push_back(i);
      }
    std::vector<Eigen::Triplet<double>> entries;
    for (const auto& list : rows_of)
      for (const int i : list)
        for (const int j : list)
          if (i < m_ - fixed && j < m_ - fixed) entries.emplace_back(i, j, 1.0);
    Eigen::SparseMatrix<double> pattern(m_ - fixed, m_ - fixed);
    pattern.setFromTriplets(entries.begin(), entries.end());
    Eigen::AMDOrdering<int>::PermutationType p;
    Eigen::AMDOrdering<int>()(pattern, p);
    permutation_.resize(count_);
    for (int k = 0; k < m_; ++k) permutation_[at(k)] = k < m_ - fixed && p.size() > 0 ? p.indices()[k] : k;
    std::vector<int> place(count_);
    for (int k = 0; k < m_; ++k) place[at(permutation_[at(k)])] = k;
    neighbours_.assign(count_, {});
    for (const auto& list : rows_of)
      for (const int i : list)
        for (const int j : list)
          if (place[at(j)] <= place[at(i)]) neighbours_[at(place[at(i)])].push_back(place[at(j)]);
    for (int k = 0; k < m_; ++k) {
      auto& n = neighbours_[at(k)];
      n.push_back(k);
      std::sort(n.begin(), n.end());
      n.erase(std::unique(n.begin(), n.end()), n.end());
    }
  }

  /// Row k of L and its pivot.
  void eliminate(int k) {
    int top = m_;
    seen_[at(k)] = k;
    for (int i : neighbours_[at(k)]) {
      y_[at(i)] += with_columns(width_, [&](auto c) { return coupling<c>(row(k), row(i), inverse_.data()); });
      int length = 0;
      for (; seen_[at(i)] != k; i = parent_[at(i)]) {
        if (parent_[at(i)] < 0) parent_[at(i)] = k;
        pattern_[at(length++)] = i;
        seen_[at(i)] = k;
      }
      while (length > 0) pattern_[at(--top)] = pattern_[at(--length)];
    }
    length2_[at(k)] = d_[at(k)] = y_[at(k)];
    y_[at(k)] = 0;
    for (; top < m_; ++top) {
      const int i = pattern_[at(top)];
      const double y = y_[at(i)];
      y_[at(i)] = 0;
      if (dropped_[at(i)]) continue;
      for (const Entry& e : columns_[at(i)]) y_[at(e.row)] -= e.value * y;
      const double l = y / d_[at(i)];
      d_[at(k)] -= l * y;
      columns_[at(i)].push_back({k, l});
    }
  }

  /// x += (the kept rows before k: S^-1) b.
  void correct(int k) {
    for (int i = 0; i < k; ++i) {
      if (dropped_[at(i)]) b_[at(i)] = 0;
      for (const Entry& e : columns_[at(i)])
        if (e.row < k) b_[at(e.row)] -= e.value * b_[at(i)];
    }
    for (int i = k - 1; i >= 0; --i) {
      if (dropped_[at(i)]) continue;
      b_[at(i)] /= d_[at(i)];
      for (const Entry& e : columns_[at(i)])
        if (e.row < k) b_[at(i)] -= e.value * b_[at(e.row)];
    }
    for (int i = 0; i < k; ++i) x_[at(i)] += b_[at(i)];
  }

  void add(int k, double factor) {
    const SaddleRow& r = row(k);
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t c = 0; c < at(width_); ++c) rest_[at(width_ * r.body[b]) + c] += factor * r.J[b][c];
  }
  /// In the metric of M^-1.
  [[nodiscard]] double product(int k) const {
    const SaddleRow& r = row(k);
    double sum = 0;
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t c = 0; c < at(width_); ++c) {
        const std::size_t j = at(width_ * r.body[b]) + c;
        sum += r.J[b][c] * inverse_[j] * rest_[j];
      }
    return sum;
  }

  /// Square of what is left of row k without the rows before it; x_ are their coefficients.
  double look_again(int k) {
    std::fill(x_.begin(), x_.end(), 0.0);
    double rest2 = 0;
    for (int pass = 0; pass < 4; ++pass) {
      std::fill(rest_.begin(), rest_.end(), 0.0);
      add(k, 1.0);
      for (int i = 0; i < k; ++i)
        if (x_[at(i)] != 0) add(i, -x_[at(i)]);
      rest2 = 0;
      for (std::size_t j = 0; j < rest_.size(); ++j) rest2 += rest_[j] * inverse_[j] * rest_[j];
      if (pass == 3) break;
      for (int i = 0; i < k; ++i) b_[at(i)] = dropped_[at(i)] ? 0.0 : product(i);
      correct(k);
    }
    return rest2;
  }

  void note(int k) {
    Combination c{{permutation_[at(k)], 1.0}};
    for (int i = 0; i < k; ++i)
      if (x_[at(i)] * x_[at(i)] * length2_[at(i)] > no_term * length2_[at(k)]) c[permutation_[at(i)]] = -x_[at(i)];
    combinations_.push_back(std::move(c));
  }

  const SaddleRow* rows_;
  int m_, width_;
  const std::vector<double>& inverse_;
  std::size_t count_;
  std::vector<int> permutation_, parent_, seen_, pattern_;
  std::vector<std::vector<int>> neighbours_;
  std::vector<std::vector<Entry>> columns_;
  std::vector<double> d_, y_, x_, b_, length2_, rest_;
  std::vector<char> dropped_;
  std::vector<Combination> combinations_;
};

}  // namespace

int find_dependent_rows(const SaddleRow* rows, int m, const std::vector<double>& inverse, int columns, double tolerance,
                        int loose_from, double loose, char* redundant) {
  std::fill(redundant, redundant + m, 0);
  RankFinder finder(rows, m, inverse, columns);
  finder.run(loose > tolerance ? m - loose_from : 0, tolerance, loose);
  // Which row of a vanishing combination is dropped is free among those that others can stand for: not one whose part
  // in it is next to nothing, which what is left would have to make up for. Of them it is the last, as the caller put
  // them in order.
  std::vector<std::pair<int, Combination>> known;
  for (Combination c : finder.combinations()) {
    // (One has none of the rows that were dropped before it.)
    for (const auto& [row, other] : known) {
      const auto at = c.find(row);
      if (at == c.end()) continue;
      const double factor = at->second / other.at(row);
      double largest = 0;
      for (const auto& [i, x] : other) {
        c[i] -= factor * x;
        largest = std::max(largest, std::abs(factor * x));
      }
      c.erase(row);
      for (auto it = c.begin(); it != c.end();)
        it = std::abs(it->second) <= cancelled_term * largest ? c.erase(it) : std::next(it);
    }
    double largest = 0;
    for (const auto& [i, x] : c) largest = std::max(largest, std::abs(x) * finder.length(i));
    const auto last = std::find_if(c.rbegin(), c.rend(), [&](const auto& term) {
      return std::abs(term.second) * finder.length(term.first) >= nearly_dependent * largest;
    });
    if (last == c.rend()) continue;
    const int row = last->first;
    redundant[row] = 1;
    known.emplace_back(row, std::move(c));
  }
  return static_cast<int>(known.size());
}

}  // namespace hstar::math
