// src/integrator/arc.hpp
//
// One piece of the motion y' = A y + b + c t as the polynomial that its Taylor series is to round-off:
//   y(t0 + x h) = y0 + x (T_1 + x (T_2 + ...)),   T_1 = h (A y0 + b + c t0), T_2 = h/2 (A T_1 + h c), T_k = h/k A
//   T_k-1.
// Components of T_k+1 are below h/(k+1) |A| |T_k|, and in the norm of AffineRates below theta/(k+1), theta = h |A|,
// times the largest: what is left out of the series is bounded, and h is chosen so that it is below the round-off of
// the terms. Where the series ends (free flight, rest) h may have any length. States that nothing moves (a block on a
// guide neither rises nor turns) take no part.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hstar/affine_rates.hpp"

namespace hstar::integrator {

class Arc {
 public:
  explicit Arc(std::size_t size);

  /// A mode with these rates begins at y0, and the arcs that follow lead on from there.
  void begin(const AffineRates& rates, std::span<const double> y0);
  /// The motion from (t0, y0) on. Returns how far the polynomial holds: `way` if that is within `longest` and the
  /// series allows it, else a part of it such that no splinter is left; 0 if the motion is too fast for the resolution
  /// of t0.
  double follow(double t0, std::span<const double> y0, double way, double longest);

  /// At x in [0, 1].
  void at(double x, std::span<double> y) const;
  /// Its terms T_1, T_2, ... one after the other, of the states that move.
  [[nodiscard]] std::span<const double> powers() const { return {term(1), last_ * m_}; }
  /// The states that move; of the others every term is zero.
  [[nodiscard]] std::span<const std::size_t> moving() const { return moving_; }
  /// Rows of the polynomial in the form of events/dense_step.hpp, as many as matter.
  [[nodiscard]] int degree() {
    if (!rows_known_) find_rows();
    return degree_;
  }
  [[nodiscard]] std::span<const double> row(int r) {
    if (!rows_known_) find_rows();
    return {row_of(r), n_};
  }
  /// A bound, by component, of what at() and the rows, if they have been asked for, differ from the motion of these
  /// rates: the rest of the series, the rows left out and the round-off of all operations to first order.
  [[nodiscard]] std::span<const double> error();

 private:
  [[nodiscard]] double* term(std::size_t k) { return terms_.data() + k * m_; }
  [[nodiscard]] const double* term(std::size_t k) const { return terms_.data() + k * m_; }
  [[nodiscard]] const double* row_of(int r) const { return rows_.data() + static_cast<std::size_t>(r) * n_; }
  /// Collects the equations of the states that move.
  void gather(std::span<const double> y0);
  [[nodiscard]] bool is_annihilated(const double* x) const;
  // (With the number of states that move known to the compiler where it is small; 0: all of them, zeros of A left out.)
  template <std::size_t N>
  void expand();
  template <std::size_t N>
  void find_error();
  template <std::size_t N>
  void sum_up(double x, double* y) const;
  void stretch(double factor);
  void find_rows();

  std::size_t n_, m_ = 0;  ///< states, and those that move
  const AffineRates* rates_ = nullptr;
  std::vector<char> moves_;  ///< by state
  std::vector<std::size_t> moving_;
  std::vector<double> A_;               ///< by columns, where few states move
  std::vector<double> b_, b_size_, c_;  ///< of those that move; b with what the others do to them
  std::vector<char> meets_;             ///< some entry of A
  double t0_ = 0, h_ = 0;
  std::vector<double> y0_, terms_;  ///< all states; of those that move y0, T_1, T_2, ...
  std::size_t last_ = 0;            ///< of the terms
  bool ends_ = false;               ///< no term after the last one is other than zero
  std::vector<double> rows_, work_, error_;
  int degree_ = 1;
  bool rows_known_ = false, error_known_ = false;
};

}  // namespace hstar::integrator
