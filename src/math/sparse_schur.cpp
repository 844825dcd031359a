// src/math/sparse_schur.cpp
#include "math/sparse_schur.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>

namespace hstar::math {

struct SparseSchur::Impl {
  Eigen::SparseMatrix<double> matrix;  // lower triangle
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> factorisation;
  std::vector<std::array<int, 2>> pattern;  // bodies of each row when the symbolic part was made
  std::vector<int> rows_of, first;          // rows by body: rows_of[first[b] .. first[b + 1])
  std::vector<int> neighbours, mark;

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
      const auto& body = rows[kept[static_cast<std::size_t>(i)]].body;
      for (std::size_t k = 0; k < 2; ++k)
        if (free(body[k], inverse) && (k == 0 || body[1] != body[0])) use(static_cast<std::size_t>(body[k]));
    };
    for (int i = 0; i < r; ++i) each(i, [&](std::size_t b) { ++first[b + 1]; });
    for (std::size_t b = 0; b < bodies; ++b) first[b + 1] += first[b];
    rows_of.resize(static_cast<std::size_t>(first[bodies]));
    std::vector<int> next(first.begin(), first.end() - 1);
    for (int i = 0; i < r; ++i) each(i, [&](std::size_t b) { rows_of[static_cast<std::size_t>(next[b]++)] = i; });

    std::vector<Eigen::Triplet<double>> entries;
    mark.assign(static_cast<std::size_t>(r), -1);
    for (int i = 0; i < r; ++i)
      each(i, [&](std::size_t b) {
        for (int at = first[b]; at < first[b + 1]; ++at) {
          const int j = rows_of[static_cast<std::size_t>(at)];
          if (j < i || mark[static_cast<std::size_t>(j)] == i) continue;
          mark[static_cast<std::size_t>(j)] = i;
          entries.emplace_back(j, i, 0.0);
        }
      });
    // A row between bodies without freedom still has its (zero) diagonal.
    for (int i = 0; i < r; ++i)
      if (mark[static_cast<std::size_t>(i)] != i) entries.emplace_back(i, i, 0.0);
    matrix.resize(r, r);
    matrix.setFromTriplets(entries.begin(), entries.end());
    factorisation.analyzePattern(matrix);
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
    for (int column = 0; column < s.matrix.outerSize(); ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator it(s.matrix, column); it; ++it)
        it.valueRef() = coupling<c>(rows[kept[static_cast<std::size_t>(it.row())]],
                                    rows[kept[static_cast<std::size_t>(column)]], inverse.data());
  });
  s.factorisation.factorize(s.matrix);
  return s.factorisation.info() == Eigen::Success && smallest_pivot() > 1e-15;
}

void SparseSchur::solve(double* x) const {
  Eigen::Map<Eigen::VectorXd> b(x, impl_->matrix.rows());
  b = impl_->factorisation.solve(b).eval();
}

double SparseSchur::smallest_pivot() const {
  const Impl& s = *impl_;
  if (s.matrix.rows() == 0) return 1.0;
  // vectorD is in the permuted order.
  const Eigen::VectorXd d = s.factorisation.vectorD();
  const auto& p = s.factorisation.permutationP().indices();
  double smallest = 1.0;
  for (int i = 0; i < s.matrix.rows(); ++i)
    smallest = std::min(smallest, d[p.size() > 0 ? p[i] : i] / s.matrix.coeff(i, i));
  return smallest;
}

}  // namespace hstar::math
