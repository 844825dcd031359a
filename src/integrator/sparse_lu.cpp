// src/integrator/sparse_lu.cpp
#include "integrator/sparse_lu.hpp"

#include <klu.h>

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

bool SparseLu::factorise() {
  Factors& f = *factors_;
  if (columns_.finish()) f.forget();
  const auto n = static_cast<int>(columns_.start().size()) - 1;
  int *const start = columns_.start().data(), *const row = columns_.row().data();
  double* const value = columns_.value().data();
  if (!f.symbolic) f.symbolic = klu_analyze(n, start, row, &f.common);
  if (!f.symbolic) return false;
  if (f.numeric) {
    const bool done = klu_refactor(start, row, value, f.symbolic, f.numeric, &f.common) != 0 &&
                      f.common.status == KLU_OK &&
                      klu_rgrowth(start, row, value, f.symbolic, f.numeric, &f.common) != 0;
    if (done && f.common.rgrowth >= kGrowth) return true;
    klu_free_numeric(&f.numeric, &f.common);
  }
  f.numeric = klu_factor(start, row, value, f.symbolic, &f.common);
  if (f.numeric && f.common.status == KLU_OK) return true;
  if (f.numeric) klu_free_numeric(&f.numeric, &f.common);
  return false;
}

void SparseLu::solve(double* x) {
  Factors& f = *factors_;
  klu_solve(f.symbolic, f.numeric, static_cast<int>(columns_.start().size()) - 1, 1, x, &f.common);
}

}  // namespace hstar::integrator
