// src/math/saddle.cpp: Schur complement S = G M^-1 G^T with Cholesky for positive M; the whole
// saddle matrix with LU when a coordinate is massless. Redundant rows: multipliers of least norm. Many rows go
// island by island (saddle_islands.hpp).
#include "math/saddle.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/dense.hpp"
#include "math/sparse_rank.hpp"
#include "math/tolerances.hpp"

namespace hstar::math {
namespace {
constexpr char undecided = 2;
constexpr double unloaded = -1;
}  // namespace

SaddleSolver::SaddleSolver(std::vector<double> mass, int max_rows, int columns)
    : width_(columns),
      mass_(std::move(mass)),
      basis_(mass_, inverse_, columns),
      sparse_(columns),
      islands_(mass_, inverse_, columns) {
  const auto n = mass_.size(), m = static_cast<std::size_t>(max_rows);
  inverse_.resize(n);
  column_.assign(n, -1);
  for (std::size_t i = 0; i < n; ++i) {
    inverse_[i] = mass_[i] > 0 ? 1.0 / mass_[i] : 0.0;
    massless_ |= mass_[i] == 0;
    if (mass_[i] >= 0) column_[i] = columns_++;
  }
  redundant_.assign(m, 0);
  kept_.reserve(m);
  dropped_.reserve(m);
  b_.resize(m);
  if (width_ == 6) correction_.resize(m);
  reserve_dense(std::min(m, dense_rows()));
  if (massless_ && m <= dense_rows()) reserve_full(m);
}

void SaddleSolver::reserve_full(std::size_t m) {
  const std::size_t size = static_cast<std::size_t>(columns_) + m;
  if (x_.size() >= size) return;
  full_.resize(size * size);
  x_.resize(size);
  pivot_.resize(size);
}

void SaddleSolver::reserve_dense(std::size_t m) {
  if (s_.size() >= m * m) return;
  s_.resize(m * m);
  redundant_rows_.resize(m, m);
  basis_.reserve(m);
}

int SaddleSolver::find_redundant(const SaddleRow* rows, int m, double tolerance, int loose_from, double loose) {
  redundant_count_ = 0;
  basis_.begin();
  ++judgements_;
  if (static_cast<std::size_t>(m) > dense_rows() && islands_.split(rows, m))
    return redundant_count_ = islands_.find_redundant(tolerance, loose_from, loose, redundant_.data());
  if (!massless_ && static_cast<std::size_t>(m) > dense_rows() && columns_ > most_orthogonal) {
    // Many rows of many bodies: the sparse factorisation itself shows that none is near to being dependent.
    std::fill(redundant_.begin(), redundant_.end(), 0);
    if (factor(rows, m) && sparse_.smallest_pivot() > std::max(doubtful_pivot, 4 * loose * loose)) return 0;
    return redundant_count_ =
               find_dependent_rows(rows, m, inverse_, width_, tolerance, loose_from, loose, redundant_.data());
  }
  basis_.reserve(static_cast<std::size_t>(m));
  std::fill(redundant_.begin(), redundant_.begin() + m, undecided);
  // The most independent ones first, to a factor of two: what is nearly dependent costs others as many digits. Of equal
  // ones the firm come first.
  const int firm = std::min(loose_from, m);
  for (double least = 0.5, left = 0;; left = 0) {
    for (const auto& [from, to] : {std::pair{0, firm}, std::pair{firm, m}})
      for (int i = from; i < to; ++i) {
        char& redundant = redundant_[i];
        if (redundant != undecided || (rows[i].unloaded && least != unloaded) ||
            (!rows[i].moves && least > nearly_dependent))
          continue;
        const auto [before, rest] = basis_.look(rows[i]);
        const bool dependent = !(rest > (i < loose_from ? tolerance : loose) * before);
        if (!dependent && rest <= least * before) {
          left = std::max(left, rest / before);
          continue;
        }
        redundant = dependent;
        redundant_count_ += dependent;
        if (!dependent) basis_.take(rest);
      }
    if (least == unloaded) break;
    if (least > nearly_dependent)
      least = std::max(0.5 * left, nearly_dependent);
    else
      least = left > 0 ? 0.5 * left : unloaded;
  }
  return redundant_count_;
}

void SaddleSolver::take_redundant(const char* redundant, int m) {
  ++judgements_;
  std::copy(redundant, redundant + m, redundant_.begin());
  redundant_count_ = static_cast<int>(std::count_if(redundant, redundant + m, [](char r) { return r != 0; }));
}

bool SaddleSolver::factor(const SaddleRow* rows, int m) {
  ++factorisations_;
  rows_ = rows;
  m_ = m;
  split_ = static_cast<std::size_t>(m) > dense_rows() && islands_.split(rows, m);
  if (split_) return islands_.factor(redundant_count_ != 0 ? redundant_.data() : nullptr);
  kept_.clear();
  dropped_.clear();
  for (int i = 0; i < m; ++i) {
    const bool redundant = redundant_count_ != 0 && redundant_[i];
    if (!redundant || !rows[i].unloaded) (redundant ? dropped_ : kept_).push_back(i);
  }
  if (is_sparse()) return sparse_.factor(rows_, kept_, inverse_) && factor_redundant(false);
  if (!massless_) reserve_dense(static_cast<std::size_t>(m));
  return massless_ ? factor_full() : factor_schur();
}

bool SaddleSolver::factor_schur() {
  const int r = static_cast<int>(kept_.size());
  with_columns(width_, [&](auto c) {
    for (int i = 0; i < r; ++i)
      for (int j = 0; j <= i; ++j) s_[i * r + j] = coupling<c>(rows_[kept_[i]], rows_[kept_[j]], inverse_.data());
  });
  const bool doubtful = !cholesky(s_.data(), r) || independence() < std::sqrt(doubtful_pivot);
  return (!doubtful || factor_rows()) && factor_redundant(doubtful);
}

bool SaddleSolver::factor_rows() {
  const std::size_t r = kept_.size();
  std::fill(s_.begin(), s_.begin() + static_cast<std::ptrdiff_t>(r * r), 0.0);
  basis_.begin();
  for (std::size_t i = 0; i < r; ++i) {
    const auto [before, rest] = basis_.look(rows_[kept_[i]], s_.data() + i * r);
    if (!(rest > dependent_in_square * before)) return false;
    s_[i * r + i] = rest;
    basis_.take(rest);
  }
  return true;
}

bool SaddleSolver::factor_redundant(bool by_rows) {
  if (dropped_.empty()) return true;
  const std::size_t r = kept_.size(), d = dropped_.size();
  redundant_rows_.resize(d, r);
  for (std::size_t i = 0; i < d; ++i) {
    double* c = redundant_rows_.combination(i);
    if (by_rows) {
      std::fill_n(c, r, 0.0);
      basis_.look(rows_[dropped_[i]], c);
      cholesky_back(s_.data(), static_cast<int>(r), c);
      continue;
    }
    for (std::size_t j = 0; j < r; ++j) c[j] = couple(dropped_[i], kept_[j]);
    solve_kept(c);
  }
  return redundant_rows_.factor();
}

void SaddleSolver::solve_kept(double* x) const {
  if (is_sparse())
    sparse_.solve(x);
  else
    cholesky_solve(s_.data(), static_cast<int>(kept_.size()), x);
}

bool SaddleSolver::factor_full() {
  const int r = static_cast<int>(kept_.size()), size = columns_ + r;
  reserve_full(static_cast<std::size_t>(m_));
  std::fill(full_.begin(), full_.begin() + size * size, 0.0);
  for (std::size_t j = 0; j < mass_.size(); ++j)
    if (column_[j] >= 0) full_[column_[j] * size + column_[j]] = mass_[j];
  for (int i = 0; i < r; ++i) {
    const SaddleRow& row = rows_[kept_[i]];
    for (std::size_t b = 0; b < 2; ++b)
      for (int c = 0; c < width_; ++c) {
        const int col = column_[width_ * row.body[b] + c];
        if (col < 0) continue;
        full_[col * size + columns_ + i] -= row.J[b][c];
        full_[(columns_ + i) * size + col] += row.J[b][c];
      }
  }
  return lu(full_.data(), size, pivot_.data()) && pivot_ratio() > least_pivot_ratio;
}

double SaddleSolver::pivot_ratio() const {
  const int size = columns_ + static_cast<int>(kept_.size());
  double largest = 0, smallest = HUGE_VAL;
  for (int i = 0; i < size; ++i) {
    const double p = std::abs(full_[i * size + i]);
    largest = std::max(largest, p);
    smallest = std::min(smallest, p);
  }
  return size > 0 ? smallest / largest : 1.0;
}

double SaddleSolver::independence() const {
  if (split_) return islands_.independence();
  const int r = static_cast<int>(kept_.size());
  if (massless_) return pivot_ratio();
  if (is_sparse()) return std::sqrt(sparse_.smallest_pivot());
  double smallest = 1;
  for (int i = 0; i < r; ++i) {
    double length = 0;
    const double* row = s_.data() + i * r;
    for (int j = 0; j <= i; ++j) length += row[j] * row[j];
    smallest = std::min(smallest, std::abs(row[i]) / std::sqrt(length));
  }
  return smallest;
}

void SaddleSolver::spread(double* lambda, bool share) {
  // On entry b_ holds the multipliers of the kept rows alone.
  if (!share || kept_.size() + dropped_.size() < static_cast<std::size_t>(m_)) std::fill(lambda, lambda + m_, 0.0);
  if (share && !dropped_.empty()) {
    const std::vector<double>& shares = redundant_rows_.spread(b_.data());
    for (std::size_t l = 0; l < dropped_.size(); ++l) lambda[dropped_[l]] = shares[l];
  }
  for (std::size_t i = 0; i < kept_.size(); ++i) lambda[kept_[i]] = b_[i];
}

void SaddleSolver::correct(const double* rhs, double* a, double* multiplier) {
  const int r = static_cast<int>(kept_.size());
  with_columns(width_, [&](auto c) {
    for (int i = 0; i < r; ++i) {
      const int row = kept_[i];
      double sum = rhs[row];
      for (std::size_t b = 0; b < 2; ++b) sum -= block_product<c>(rows_[row].J[b], a + c * rows_[row].body[b]);
      multiplier[i] = sum;
    }
  });
  solve_kept(multiplier);
  with_columns(width_, [&](auto columns) {
    for (int i = 0; i < r; ++i) {
      const SaddleRow& row = rows_[kept_[i]];
      const double l = multiplier[i];
      for (std::size_t b = 0; b < 2; ++b) {
        double* ab = a + columns * row.body[b];
        const double* w = inverse_.data() + columns * row.body[b];
        for (int c = 0; c < columns; ++c) ab[c] += w[c] * row.J[b][c] * l;
      }
    }
  });
}

void SaddleSolver::solve(const double* f, const double* rhs, double* a, double* lambda, bool share) {
  if (split_) return islands_.solve(f, rhs, a, lambda, share);
  const int r = static_cast<int>(kept_.size());
  if (massless_) {
    const int size = columns_ + r;
    for (std::size_t j = 0; j < mass_.size(); ++j)
      if (column_[j] >= 0) x_[column_[j]] = f[j];
    for (int i = 0; i < r; ++i) x_[columns_ + i] = rhs[kept_[i]];
    lu_solve(full_.data(), size, pivot_.data(), x_.data());
    for (std::size_t j = 0; j < mass_.size(); ++j) a[j] = column_[j] >= 0 ? x_[column_[j]] : 0.0;
    for (int i = 0; i < m_; ++i) lambda[i] = 0;
    for (int i = 0; i < r; ++i) lambda[kept_[i]] = x_[columns_ + i];
    return;
  }
  for (std::size_t j = 0; j < mass_.size(); ++j) a[j] = inverse_[j] * f[j];
  correct(rhs, a, b_.data());
  if (width_ == 6) {
    // In space a row weighs light and heavy axes of a body against each other, and S squares that: what it costs in
    // digits is won back by one step of iterative refinement.
    correct(rhs, a, correction_.data());
    for (int i = 0; i < r; ++i) b_[i] += correction_[i];
  }
  spread(lambda, share);
}

}  // namespace hstar::math
