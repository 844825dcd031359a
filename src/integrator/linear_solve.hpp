// src/integrator/linear_solve.hpp
//
// LU factorisation with partial pivoting of the small dense matrices of implicit methods, in place and without
// allocating after construction.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace hstar::integrator {

class DenseLu {
 public:
  explicit DenseLu(std::size_t n) : n_(n), a_(n * n), pivot_(n) {}

  /// Row-major; write the matrix here, then factorise().
  [[nodiscard]] double& at(std::size_t row, std::size_t column) { return a_[row * n_ + column]; }

  /// False if a pivot vanishes or is not finite.
  bool factorise() {
    for (std::size_t k = 0; k < n_; ++k) {
      std::size_t best = k;
      for (std::size_t r = k + 1; r < n_; ++r) {
        if (std::abs(at(r, k)) > std::abs(at(best, k))) best = r;
      }
      pivot_[k] = best;
      if (!(std::abs(at(best, k)) > 0) || !std::isfinite(at(best, k))) return false;
      if (best != k) {
        for (std::size_t c = 0; c < n_; ++c) std::swap(at(k, c), at(best, c));
      }
      for (std::size_t r = k + 1; r < n_; ++r) {
        const double m = at(r, k) /= at(k, k);
        if (m == 0) continue;
        for (std::size_t c = k + 1; c < n_; ++c) at(r, c) -= m * at(k, c);
      }
    }
    return true;
  }

  void solve(double* x) const {
    for (std::size_t k = 0; k < n_; ++k) std::swap(x[k], x[pivot_[k]]);
    for (std::size_t r = 1; r < n_; ++r) {
      for (std::size_t c = 0; c < r; ++c) x[r] -= a_[r * n_ + c] * x[c];
    }
    for (std::size_t r = n_; r-- > 0;) {
      for (std::size_t c = r + 1; c < n_; ++c) x[r] -= a_[r * n_ + c] * x[c];
      x[r] /= a_[r * n_ + r];
    }
  }

 private:
  std::size_t n_;
  std::vector<double> a_;
  std::vector<std::size_t> pivot_;
};

}  // namespace hstar::integrator
