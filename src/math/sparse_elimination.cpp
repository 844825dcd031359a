// src/math/sparse_elimination.cpp: right-looking elimination that chooses, row by row factorisation that repeats it.
#include "math/sparse_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "math/tolerances.hpp"

namespace hstar::math {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
/// What elimination has left of a row's largest entry, as a power of this: rows that have lost more come later. (Of
/// redundant rows, feet of one body, those that others nearly are must not be taken because their turn comes first.)
constexpr double lost_digits = 1.0 / 16;
/// Columns with more rows than this do not make their rows' costs computed anew when one row less is in them.
constexpr int few_rows = 8;
}  // namespace

/// What is left of the matrix. Entries that are zero by value stay: they need not be zero for other values.
struct SparseElimination::Work {
  struct Entry {
    int column;
    double value;
  };
  std::vector<std::vector<Entry>> row;
  std::vector<std::vector<int>> in, lower, upper;  ///< rows of a column (used-up ones too); patterns by row
  std::vector<int> count;                          ///< rows left of a column
  std::vector<char> used;
  /// When a row is taken: by what it has lost, then by its cost.
  struct Turn {
    int lost = 0;
    long cost = 0;
    auto operator<=>(const Turn&) const = default;
  };
  std::vector<double> largest_at_first;   ///< of each row
  std::vector<std::pair<Turn, int>> key;  ///< and pivot column of a row; column -1: nothing to divide by
  std::set<std::pair<Turn, int>> queue;   ///< of rows
  double floor = 0;

  Work(const SparseRows& a, const std::vector<double>& scale, double tolerance)
      : row(at(a.rows())),
        in(scale.size()),
        lower(row.size()),
        upper(row.size()),
        count(scale.size()),
        used(row.size()),
        largest_at_first(row.size()),
        key(row.size(), {{}, -1}) {
    double largest = 0;
    for (int i = 0; i < a.rows(); ++i)
      for (int e = a.first[at(i)]; e < a.first[at(i) + 1]; ++e) {
        const int j = a.column[at(e)];
        add(i, j, a.value[at(e)] / scale[at(j)]);
      }
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (const Entry& e : row[i]) largest_at_first[i] = std::max(largest_at_first[i], std::abs(e.value));
      largest = std::max(largest, largest_at_first[i]);
    }
    floor = tolerance * largest;
  }

  void add(int i, int j, double value) {
    for (Entry& e : row[at(i)])
      if (e.column == j) {
        e.value += value;
        return;
      }
    row[at(i)].push_back({j, value});
    in[at(j)].push_back(i);
    ++count[at(j)];
  }

  void judge(int i) {
    queue.erase({key[at(i)].first, i});
    double largest = 0, best = 0;
    for (const Entry& e : row[at(i)]) largest = std::max(largest, std::abs(e.value));
    key[at(i)] = {{}, -1};
    if (!(largest > floor)) return;
    int lost = 0;
    for (double part = largest_at_first[at(i)] * lost_digits; largest < part; part *= lost_digits) ++lost;
    for (const Entry& e : row[at(i)]) {
      if (std::abs(e.value) < threshold * largest) continue;
      const long cost = (static_cast<long>(row[at(i)].size()) - 1) * (count[at(e.column)] - 1);
      auto& [turn, column] = key[at(i)];
      if (column >= 0 && (cost > turn.cost || (cost == turn.cost && std::abs(e.value) <= best))) continue;
      turn = {lost, cost};
      column = e.column;
      best = std::abs(e.value);
    }
    queue.insert({key[at(i)].first, i});
  }

  /// Takes row p for its pivot, as the k-th. Rows from `end` on change but are not yet to be taken.
  int take(int p, int k, int end) {
    const int q = key[at(p)].second;
    queue.erase({key[at(p)].first, p});
    used[at(p)] = 1;
    double pivot = 0;
    for (const Entry& e : row[at(p)]) {
      --count[at(e.column)];
      if (e.column == q)
        pivot = e.value;
      else
        upper[at(p)].push_back(e.column);
    }
    for (const int i : in[at(q)]) {
      if (used[at(i)]) continue;
      auto& r = row[at(i)];
      const auto entry = std::find_if(r.begin(), r.end(), [&](const Entry& e) { return e.column == q; });
      const double factor = entry->value / pivot;
      r.erase(entry);
      lower[at(i)].push_back(k);
      for (const Entry& e : row[at(p)])
        if (e.column != q) add(i, e.column, -factor * e.value);
      if (i < end) judge(i);
    }
    for (const int j : upper[at(p)])
      if (count[at(j)] <= few_rows)
        for (const int i : in[at(j)])
          if (!used[at(i)] && i < end) judge(i);
    return q;
  }
};

void SparseElimination::choose(const SparseRows& a, const std::vector<double>& scale, int leading_rows,
                               double tolerance) {
  const int m = a.rows(), n = static_cast<int>(scale.size());
  Work work(a, scale, tolerance);
  row_order_.clear();
  column_order_.clear();
  place_.assign(at(n), -1);
  leading_rank_ = 0;
  int begin = 0;
  for (const int end : {leading_rows, m}) {
    for (int i = begin; i < end; ++i) work.judge(i);
    while (!work.queue.empty()) {
      const int p = work.queue.begin()->second, k = static_cast<int>(row_order_.size());
      const int q = work.take(p, k, end);
      place_[at(q)] = k;
      row_order_.push_back(p);
      column_order_.push_back(q);
    }
    if (end == leading_rows) leading_rank_ = static_cast<int>(row_order_.size());
    begin = end;
  }
  rank_ = static_cast<int>(row_order_.size());
  for (int i = 0; i < m; ++i)
    if (!work.used[at(i)]) row_order_.push_back(i);
  for (int j = 0; j < n; ++j)
    if (place_[at(j)] < 0) {
      place_[at(j)] = static_cast<int>(column_order_.size());
      column_order_.push_back(j);
    }
  scale_.resize(at(rank_));
  for (int k = 0; k < rank_; ++k) scale_[at(k)] = scale[at(column_order_[at(k)])];
  pattern(work);
}

void SparseElimination::pattern(const Work& work) {
  first_lower_.assign(1, 0);
  first_upper_.assign(1, 0);
  lower_.clear();
  upper_.clear();
  for (int k = 0; k < rank_; ++k) {
    const auto& lower = work.lower[at(row_order_[at(k)])];
    lower_.insert(lower_.end(), lower.begin(), lower.end());
    for (const int j : work.upper[at(row_order_[at(k)])])
      if (place_[at(j)] < rank_) upper_.push_back(place_[at(j)]);
    first_lower_.push_back(static_cast<int>(lower_.size()));
    first_upper_.push_back(static_cast<int>(upper_.size()));
  }
  l_.assign(lower_.size(), 0.0);
  u_.assign(upper_.size(), 0.0);
  diagonal_.assign(at(rank_), 0.0);
  x_.assign(at(rank_), 0.0);
}

bool SparseElimination::factor(const SparseRows& a) {
  pivot_growth_ = pivot_loss_ = 0;
  for (int k = 0; k < rank_; ++k) {
    const int l_begin = first_lower_[at(k)], l_end = first_lower_[at(k) + 1];
    const int u_begin = first_upper_[at(k)], u_end = first_upper_[at(k) + 1];
    for (int e = l_begin; e < l_end; ++e) x_[at(lower_[at(e)])] = 0;
    for (int e = u_begin; e < u_end; ++e) x_[at(upper_[at(e)])] = 0;
    x_[at(k)] = 0;
    const int i = row_order_[at(k)];
    for (int e = a.first[at(i)]; e < a.first[at(i) + 1]; ++e)
      if (const int j = place_[at(a.column[at(e)])]; j < rank_) x_[at(j)] += a.value[at(e)];
    const auto size = [&](int j) { return std::abs(x_[at(j)]) / scale_[at(j)]; };
    double largest_before = size(k), largest = 0;
    for (int e = l_begin; e < l_end; ++e) largest_before = std::max(largest_before, size(lower_[at(e)]));
    for (int e = u_begin; e < u_end; ++e) largest_before = std::max(largest_before, size(upper_[at(e)]));
    for (int e = l_begin; e < l_end; ++e) {
      const int j = lower_[at(e)];
      const double factor = l_[at(e)] = x_[at(j)] / diagonal_[at(j)];
      for (int c = first_upper_[at(j)]; c < first_upper_[at(j) + 1]; ++c) x_[at(upper_[at(c)])] -= factor * u_[at(c)];
    }
    diagonal_[at(k)] = x_[at(k)];
    for (int e = u_begin; e < u_end; ++e) {
      const int j = upper_[at(e)];
      u_[at(e)] = x_[at(j)];
      largest = std::max(largest, size(j));
    }
    const double pivot = size(k);
    if (!(pivot > vanishes && pivot > lost_pivot * std::max(largest, largest_before))) return false;
    pivot_growth_ = std::max(pivot_growth_, largest / pivot);
    pivot_loss_ = std::max(pivot_loss_, largest_before / pivot);
  }
  return true;
}

void SparseElimination::solve(double* x, int count) const {
  for (int k = 0; k < count; ++k)
    for (int e = first_lower_[at(k)]; e < first_lower_[at(k) + 1]; ++e) x[k] -= l_[at(e)] * x[lower_[at(e)]];
  for (int k = count; k-- > 0;) {
    for (int e = first_upper_[at(k)]; e < first_upper_[at(k) + 1]; ++e)
      if (upper_[at(e)] < count) x[k] -= u_[at(e)] * x[upper_[at(e)]];
    x[k] /= diagonal_[at(k)];
  }
}

void SparseElimination::solve_transposed(double* x, int count) const {
  for (int k = 0; k < count; ++k) {
    x[k] /= diagonal_[at(k)];
    for (int e = first_upper_[at(k)]; e < first_upper_[at(k) + 1]; ++e)
      if (upper_[at(e)] < count) x[upper_[at(e)]] -= u_[at(e)] * x[k];
  }
  for (int k = count; k-- > 0;)
    for (int e = first_lower_[at(k)]; e < first_lower_[at(k) + 1]; ++e) x[lower_[at(e)]] -= l_[at(e)] * x[k];
}

}  // namespace hstar::math
