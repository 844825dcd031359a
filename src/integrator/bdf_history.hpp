// src/integrator/bdf_history.hpp
//
// The last points of a multistep method at whatever times they were, newest first, and the polynomials
// through them: derivative formulas (BDF with variable coefficients), prediction, interpolation, divided
// differences. Nothing here knows a step size, so steps of any length may follow each other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace hstar::integrator {

class BdfHistory {
 public:
  static constexpr std::size_t capacity = 15;  ///< order 12, two more for estimates, one for the step before

  explicit BdfHistory(std::size_t n) {
    for (auto& y : y_) y.resize(n);
  }

  void clear() { count_ = 0; }
  void keep_newest() { count_ = std::min<std::size_t>(count_, 1); }
  /// Puts a point in front; the oldest is forgotten when there are too many.
  void push(double t, const std::vector<double>& y) {
    first_ = (first_ + capacity - 1) % capacity;
    t_[first_] = t;
    y_[first_] = y;
    if (count_ < capacity) ++count_;
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double time(std::size_t i) const { return t_[(first_ + i) % capacity]; }  ///< 0: newest
  [[nodiscard]] const std::vector<double>& state(std::size_t i) const { return y_[(first_ + i) % capacity]; }

  // Both sums are taken of differences to the first point, so that what stays constant stays so to the last bit.

  /// y'(t) of the polynomial through (t, y) and the k points from `from` on is c0 (y - state(from)) + past: returns c0.
  double derivative(double t, std::size_t k, std::size_t from, std::vector<double>& past) const {
    double c0 = 0;
    for (std::size_t i = from; i < from + k; ++i) c0 += 1 / (t - time(i));
    const auto& base = state(from);
    std::fill(past.begin(), past.end(), 0.0);
    for (std::size_t i = from + 1; i < from + k; ++i) {
      double c = 1 / (time(i) - t);
      for (std::size_t j = from; j < from + k; ++j)
        if (j != i) c *= (t - time(j)) / (time(i) - time(j));
      const auto& y = state(i);
      for (std::size_t l = 0; l < past.size(); ++l) past[l] += c * (y[l] - base[l]);
    }
    return c0;
  }
  /// The polynomial through `points` points from `from` on, at t.
  template <class Out>
  void evaluate(double t, std::size_t points, std::size_t from, Out& out) const {
    const auto& base = state(from);
    std::copy(base.begin(), base.end(), out.begin());
    for (std::size_t i = from + 1; i < from + points; ++i) {
      double c = 1;
      for (std::size_t j = from; j < from + points; ++j)
        if (j != i) c *= (t - time(j)) / (time(i) - time(j));
      const auto& y = state(i);
      for (std::size_t l = 0; l < out.size(); ++l) out[l] += c * (y[l] - base[l]);
    }
  }
  /// Product of t - t_i over `points` points from `from` on.
  [[nodiscard]] double product(double t, std::size_t points, std::size_t from) const {
    double p = 1;
    for (std::size_t i = from; i < from + points; ++i) p *= t - time(i);
    return p;
  }

 private:
  std::array<double, capacity> t_{};
  std::array<std::vector<double>, capacity> y_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace hstar::integrator
