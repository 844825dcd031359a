// src/simulate/islands/lone_series.hpp
//
// A freedom that is coupled with nothing that moves, s'' = K s + D s' + b + c t: its acceleration satisfies a'' = K a +
// D a', so that over an arc of length h
//   s(t0 + x h) = s0 + u x + w B(x) + j C(x),   u = h s', w = h^2/2 s'', j = h^3/6 s''' at t0,
// with B = x^2 + ..., C = x^3 + ... that K, D and h give alone. Zeros of a' = 0 lie further apart than an arc is long
// (pi / |lambda| at least, lambda^2 = K + D lambda): the acceleration changes its sign at most once on it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "simulate/islands/first_crossing.hpp"

namespace hstar::islands {

/// h w: the terms fall below round-off with the last of most_powers, and none is larger than a few times the first.
constexpr double theta = 2;

/// Upper bound of |lambda|, lambda^2 = stiff + damp lambda, and of the solutions of many by the sums of their rows.
[[nodiscard]] double rate_of(double stiff, double damp);
/// How many powers an arc has on which h rate is `turn`.
[[nodiscard]] std::size_t powers_of(double turn);

/// Where an arc begins: position, and u, w, j; what round-off leaves open of these.
struct LoneStart {
  double s = 0, u = 0, w = 0, j = 0;
  double w_error = 0, j_error = 0;
};

/// Where a slide stops, and at which position.
struct LoneStop {
  double x = 0, error = 0, s = 0;
  bool clear = true;  ///< false: it does not even begin
};

class LoneSeries {
 public:
  /// Arcs are no longer than `longest`.
  LoneSeries(double stiff, double damp, double longest);

  [[nodiscard]] double h() const { return h_; }               ///< length of an arc
  [[nodiscard]] std::size_t count() const { return count_; }  ///< of powers
  /// The coefficients of s, count() of them.
  void terms(const LoneStart& from, double* c) const;
  // Where it ends, x = 1.
  [[nodiscard]] double position(const LoneStart& a) const { return a.s + (a.u + (a.w * b_.at_one + a.j * c_.at_one)); }
  /// times h
  [[nodiscard]] double velocity(const LoneStart& a) const { return a.u + (a.w * b_.slope + a.j * c_.slope); }
  /// times h^2
  [[nodiscard]] double acceleration(const LoneStart& a) const { return a.w * b_.bend + a.j * c_.bend; }
  /// The first stop of a slide to the side of `sign`, 1 or -1, if there is one.
  [[nodiscard]] std::optional<LoneStop> stop(const LoneStart& from, double sign) const;

 private:
  struct Polynomial {
    std::array<double, most_powers> of{};
    double at_one = 0, slope = 0, bend = 0;
    double most = 0;  ///< the slope at 1, where all terms have one sign
  };
  /// Of u + w B' + j C' at x.
  [[nodiscard]] double error_at(const LoneStart& a, double x) const;
  double h_;
  std::size_t count_;
  Polynomial b_, c_;
};

}  // namespace hstar::islands
