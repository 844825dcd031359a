// src/math/redundant_rows.hpp
//
// Multipliers of least norm where d rows are combinations C of r others: of all (kept, redundant) with
// kept + C^T redundant = b the shortest,
//   (1 + C C^T) redundant = C b,    or, with fewer of the others,    (1 + C^T C) kept = b, redundant = C kept.
#pragma once

#include <algorithm>

#include <vector>

#include "math/dense.hpp"

namespace hstar::math {

class RedundantRows {
 public:
  /// Allocates only beyond the largest so far.
  void resize(std::size_t redundant, std::size_t kept) {
    d_ = redundant;
    r_ = kept;
    if (c_.size() < d_ * r_) c_.resize(d_ * r_);
    if (const std::size_t n = std::min(d_, r_); k_.size() < n * n) k_.resize(n * n);
    if (share_.size() < d_) share_.resize(d_);
  }
  /// Row i of C, to be filled.
  [[nodiscard]] double* combination(std::size_t i) { return c_.data() + i * r_; }
  /// Once C is filled.
  bool factor() {
    const std::size_t n = std::min(d_, r_);
    const bool by_rows = n == d_;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = i == j ? 1.0 : 0.0;
        if (by_rows)
          for (std::size_t l = 0; l < r_; ++l) sum += c_[i * r_ + l] * c_[j * r_ + l];
        else
          for (std::size_t l = 0; l < d_; ++l) sum += c_[l * r_ + i] * c_[l * r_ + j];
        k_[i * n + j] = sum;
      }
    return cholesky(k_.data(), static_cast<int>(n));
  }
  /// On entry `kept` are the multipliers of the kept rows alone; returns those of the redundant ones.
  const std::vector<double>& spread(double* kept) {
    const bool by_rows = d_ <= r_;
    if (!by_rows) cholesky_solve(k_.data(), static_cast<int>(r_), kept);
    for (std::size_t l = 0; l < d_; ++l) {
      share_[l] = 0;
      for (std::size_t i = 0; i < r_; ++i) share_[l] += c_[l * r_ + i] * kept[i];
    }
    if (!by_rows) return share_;
    cholesky_solve(k_.data(), static_cast<int>(d_), share_.data());
    for (std::size_t l = 0; l < d_; ++l)
      for (std::size_t i = 0; i < r_; ++i) kept[i] -= c_[l * r_ + i] * share_[l];
    return share_;
  }

 private:
  std::size_t d_ = 0, r_ = 0;
  std::vector<double> c_, k_, share_;
};

}  // namespace hstar::math
