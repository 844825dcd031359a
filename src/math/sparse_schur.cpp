// src/math/sparse_schur.cpp
#include "math/sparse_schur.hpp"

extern "C" {
#include <ldl.h>
}

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

#include "math/tolerances.hpp"

namespace hstar::math {

struct SparseSchur::Impl {
  // S by columns, both triangles, and P S P^T = L D L^T (Davis 2005, Algorithm 849), whose numeric part takes no
  // memory.
  int size = 0;
  std::vector<int> start, row, mirror;  // mirror: place of the transposed entry
  std::vector<double> value;
  std::vector<int> order, place;  // P and its inverse
  std::vector<int> l_start, l_row, parent, l_count, flag, pattern_stack;
  std::vector<double> l_value, d, work;
  std::vector<int> diagonal;                // places of the diagonal entries
  std::vector<std::array<int, 2>> pattern;  // bodies of each row when the symbolic part was made
  std::vector<int> rows_of, first;          // rows by body: rows_of[first[b] .. first[b + 1])
  std::vector<int> mark;

  int columns = 3;

  /// Bodies without freedom (the ground) couple nothing.
  [[nodiscard]] bool free(int body, const std::vector<double>& inverse) const {
    const double* w = inverse.data() + columns * body;
    return std::any_of(w, w + columns, [](double x) { return x > 0; });
  }

  void analyse(const SaddleRow* rows, const std::vector<int>& kept, const std::vector<double>& inverse) {
    const auto bodies = inverse.size() / static_cast<std::size_t>(columns);
    const int r = static_cast<int>(kept.size());
    first.assign(bodies + 1, 0);
    const auto each = [&](int i, auto&& use) {
      const auto& body = rows[kept[i]].body;
      for (std::size_t k = 0; k < 2; ++k)
        if (free(body[k], inverse) && (k == 0 || body[1] != body[0])) use(static_cast<std::size_t>(body[k]));
    };
    for (int i = 0; i < r; ++i) each(i, [&](std::size_t b) { ++first[b + 1]; });
    for (std::size_t b = 0; b < bodies; ++b) first[b + 1] += first[b];
    rows_of.resize(static_cast<std::size_t>(first[bodies]));
    std::vector<int> next(first.begin(), first.end() - 1);
    for (int i = 0; i < r; ++i) each(i, [&](std::size_t b) { rows_of[next[b]++] = i; });

    std::vector<Eigen::Triplet<double, int>> entries;
    mark.assign(static_cast<std::size_t>(r), -1);
    for (int i = 0; i < r; ++i)
      each(i, [&](std::size_t b) {
        for (int at = first[b]; at < first[b + 1]; ++at) {
          const int j = rows_of[at];
          if (mark[j] == i) continue;
          mark[j] = i;
          entries.emplace_back(j, i, 0.0);
        }
      });
    // A row between bodies without freedom still has its (zero) diagonal.
    for (int i = 0; i < r; ++i)
      if (mark[i] != i) entries.emplace_back(i, i, 0.0);
    Eigen::SparseMatrix<double> matrix(r, r);
    matrix.setFromTriplets(entries.begin(), entries.end());
    take(matrix);
  }

  void take(const Eigen::SparseMatrix<double>& matrix) {
    size = static_cast<int>(matrix.rows());
    const auto n = static_cast<std::size_t>(size), count = static_cast<std::size_t>(matrix.nonZeros());
    start.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + n + 1);
    row.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + count);
    value.assign(count, 0.0);
    mirror.resize(count);
    diagonal.resize(n);
    // The pattern is symmetric: column by column, entry (i, j) is the next of column i that has not been met.
    std::vector<int> next(start.begin(), start.end() - 1);
    for (int j = 0; j < size; ++j)
      for (int at = start[j]; at < start[static_cast<std::size_t>(j) + 1]; ++at) {
        const int i = row[at];
        mirror[at] = next[i]++;
        if (i == j) diagonal[j] = at;
      }
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    Eigen::AMDOrdering<int>{}(matrix, permutation);
    // indices()[k] is the row that comes at place k.
    order.assign(permutation.indices().data(), permutation.indices().data() + n);
    for (auto* v : {&place, &parent, &l_count, &flag, &pattern_stack}) v->assign(n, 0);
    l_start.assign(n + 1, 0);
    for (auto* v : {&d, &work}) v->assign(n, 0.0);
    ldl_symbolic(size, start.data(), row.data(), l_start.data(), parent.data(), l_count.data(), flag.data(),
                 order.data(), place.data());
    l_row.assign(static_cast<std::size_t>(l_start[n]), 0);
    l_value.assign(l_row.size(), 0.0);
  }
};

SparseSchur::SparseSchur(int columns) : impl_(std::make_unique<Impl>()) { impl_->columns = columns; }
SparseSchur::~SparseSchur() = default;

bool SparseSchur::factor(const SaddleRow* rows, const std::vector<int>& kept, const std::vector<double>& inverse) {
  Impl& s = *impl_;
  bool same = s.pattern.size() == kept.size();
  for (std::size_t i = 0; same && i < kept.size(); ++i) same = s.pattern[i] == rows[kept[i]].body;
  if (!same) {
    s.pattern.resize(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) s.pattern[i] = rows[kept[i]].body;
    s.analyse(rows, kept, inverse);
  }
  with_columns(s.columns, [&](auto c) {
    for (std::size_t j = 0; j < kept.size(); ++j)
      for (int at = s.start[j]; at < s.start[j + 1]; ++at) {
        const auto p = static_cast<std::size_t>(at), i = static_cast<std::size_t>(s.row[p]);
        if (i < j) continue;
        s.value[p] = s.value[s.mirror[p]] = coupling<c>(rows[kept[i]], rows[kept[j]], inverse.data());
      }
  });
  const int done = ldl_numeric(s.size, s.start.data(), s.row.data(), s.value.data(), s.l_start.data(), s.parent.data(),
                               s.l_count.data(), s.l_row.data(), s.l_value.data(), s.d.data(), s.work.data(),
                               s.pattern_stack.data(), s.flag.data(), s.order.data(), s.place.data());
  return done == s.size && smallest_pivot() > no_pivot;
}

void SparseSchur::solve(double* x) const {
  Impl& s = *impl_;
  ldl_perm(s.size, s.work.data(), x, s.order.data());
  ldl_lsolve(s.size, s.work.data(), s.l_start.data(), s.l_row.data(), s.l_value.data());
  ldl_dsolve(s.size, s.work.data(), s.d.data());
  ldl_ltsolve(s.size, s.work.data(), s.l_start.data(), s.l_row.data(), s.l_value.data());
  ldl_permt(s.size, x, s.work.data(), s.order.data());
}

double SparseSchur::smallest_pivot() const {
  const Impl& s = *impl_;
  double smallest = 1.0;
  for (std::size_t k = 0; k < s.d.size(); ++k) smallest = std::min(smallest, s.d[k] / s.value[s.diagonal[s.order[k]]]);
  return smallest;
}

}  // namespace hstar::math
