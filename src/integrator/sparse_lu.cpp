// src/integrator/sparse_lu.cpp
#include "integrator/sparse_lu.hpp"

#include <klu.h>

#include <algorithm>
#include <tuple>

namespace hstar::integrator {
namespace {
/// A pivot may be this much smaller than the largest of its column.
constexpr double kPivot = 0.1;
/// Kept pivots are given up where entries grow by more than the inverse.
constexpr double kGrowth = 1e-3;
}  // namespace

struct SparseLu::Factors {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  Factors() {
    klu_defaults(&common);
    common.tol = kPivot;
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  ~Factors() { forget(); }
  void forget() {
    if (numeric) klu_free_numeric(&numeric, &common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }
};

SparseLu::SparseLu() : factors_(std::make_unique<Factors>()) {}
SparseLu::~SparseLu() = default;

void SparseLu::clear(int n) {
  if (n != n_) {
    n_ = n;
    column_.assign(static_cast<std::size_t>(n) + 1, 0);
    row_.clear();
    value_.clear();
    factors_->forget();
  }
  std::fill(value_.begin(), value_.end(), 0.0);
  new_entries_.clear();
}

void SparseLu::extend_pattern() {
  for (int c = 0; c < n_; ++c)
    for (int p = column_[static_cast<std::size_t>(c)]; p < column_[static_cast<std::size_t>(c) + 1]; ++p)
      new_entries_.push_back({row_[static_cast<std::size_t>(p)], c, value_[static_cast<std::size_t>(p)]});
  std::stable_sort(new_entries_.begin(), new_entries_.end(), [](const DaeEntry& a, const DaeEntry& b) {
    return std::tie(a.column, a.row) < std::tie(b.column, b.row);
  });
  row_.clear();
  value_.clear();
  std::fill(column_.begin(), column_.end(), 0);
  const DaeEntry* last = nullptr;
  for (const DaeEntry& e : new_entries_) {
    if (last && last->row == e.row && last->column == e.column) {
      value_.back() += e.value;
    } else {
      row_.push_back(e.row);
      value_.push_back(e.value);
      ++column_[static_cast<std::size_t>(e.column) + 1];
    }
    last = &e;
  }
  for (std::size_t c = 1; c < column_.size(); ++c) column_[c] += column_[c - 1];
  new_entries_.clear();
  factors_->forget();
}

bool SparseLu::factorise() {
  if (!new_entries_.empty()) extend_pattern();
  Factors& f = *factors_;
  if (!f.symbolic) f.symbolic = klu_analyze(n_, column_.data(), row_.data(), &f.common);
  if (!f.symbolic) return false;
  if (f.numeric) {
    const bool done = klu_refactor(column_.data(), row_.data(), value_.data(), f.symbolic, f.numeric, &f.common) != 0 &&
                      f.common.status == KLU_OK &&
                      klu_rgrowth(column_.data(), row_.data(), value_.data(), f.symbolic, f.numeric, &f.common) != 0;
    if (done && f.common.rgrowth >= kGrowth) return true;
    klu_free_numeric(&f.numeric, &f.common);
  }
  f.numeric = klu_factor(column_.data(), row_.data(), value_.data(), f.symbolic, &f.common);
  if (f.numeric && f.common.status == KLU_OK) return true;
  if (f.numeric) klu_free_numeric(&f.numeric, &f.common);
  return false;
}

void SparseLu::solve(double* x) {
  Factors& f = *factors_;
  klu_solve(f.symbolic, f.numeric, n_, 1, x, &f.common);
}

}  // namespace hstar::integrator
