// src/integrator/affine_rates.cpp: units in which the norm of a matrix tells how fast its motion is.
#include "hstar/affine_rates.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace hstar {
namespace {

/// Of the largest size: a state that hardly acts on the others must not get the size zero.
constexpr double least_part = 0x1p-20;
/// Enough to be within a few parts in a hundred of the least norm; it settles where an iteration gains next to nothing.
constexpr int least_iterations = 10, iterations = 100;
constexpr double settled = 0.999;

}  // namespace

AffineRates::AffineRates(std::vector<double> by_y, std::vector<double> constant, std::vector<double> by_time)
    : by_y_(std::move(by_y)), constant_(std::move(constant)), by_time_(std::move(by_time)), scales_(size(), 1.0) {
  const std::size_t n = size();
  assert(by_y_.size() == n * n && by_time_.size() == n);
  by_columns_.resize(n * n);
  first_.push_back(0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const double a = by_columns_[j * n + i] = by_y_[i * n + j];
      if (a != 0) entries_.push_back({i, a});
    }
    first_.push_back(entries_.size());
  }
  depends_on_time_ = std::any_of(by_time_.begin(), by_time_.end(), [](double c) { return c != 0; });
  balance();
}

/// For any x > 0 the largest (|A| x)_i / x_i bounds |A| in units of x, and Perron's vector makes it least (Collatz
/// 1942). Power iteration, halfway each time so that it settles also where |A| swaps parts of x.
void AffineRates::balance() {
  const std::size_t n = size();
  std::vector<double> x(n, 1.0), image(n);
  norm_ = std::numeric_limits<double>::infinity();
  for (int k = 0; k < iterations; ++k) {
    double bound = 0, largest = 0;
    std::fill(image.begin(), image.end(), 0.0);
    for (std::size_t j = 0; j < n; ++j)
      for (const Entry& e : column(j)) image[e.row] += std::abs(e.value) * x[j];
    for (std::size_t i = 0; i < n; ++i) {
      bound = std::max(bound, image[i] / x[i]);
      largest = std::max(largest, image[i]);
    }
    const bool settles = bound > settled * norm_;
    if (bound < norm_) {
      norm_ = bound;
      scales_ = x;
    }
    if (largest == 0 || (settles && k > least_iterations)) return;
    for (std::size_t i = 0; i < n; ++i) x[i] = std::max(0.5 * (x[i] + image[i] / largest), least_part);
  }
}

}  // namespace hstar
