// events/src/power_bound.hpp
//
// What the powers of a guard that is a polynomial on the whole step, g0 + c_1 s + c_2 s^2 + ..., prove about it in one
// pass over them: that it keeps clear of zero, leaves the zero it begins with, or crosses it once. For s in [0, 1]
// s - s^k lies between 0 and gap_k: a polynomial is below the line through its ends by no more than gap_k c_k, added up
// over the positive c_k of k > 1. What is not settled so goes the long way (linear_bound.hpp, bernstein.hpp).
#pragma once

#include <cstddef>
#include <span>

#include "hstar/events/linear_bound.hpp"

namespace hstar::events::detail {

class PowerBound {
 public:
  static constexpr std::size_t most_powers = 24;

  PowerBound() = default;
  /// The guard has the values g0 and g1 at the ends. Of c_1, c_2, ... there are most_powers at most, and they must
  /// stay.
  PowerBound(double g0, double g1, std::span<const double> c);

  [[nodiscard]] double start() const { return g0_; }
  [[nodiscard]] double end() const { return g1_; }
  /// Round-off of these numbers.
  [[nodiscard]] double noise() const { return noise_; }
  /// It leaves the zero of a restart to its side at once, and does not come back.
  [[nodiscard]] bool leaves_zero(const Standing& s, double g_tol) const;
  /// The least that it comes to on its side, and how deep it dips between the ends at most.
  struct Least {
    double value, dip;
  };
  [[nodiscard]] Least least(int sign) const;
  /// It leaves the start away from zero.
  [[nodiscard]] bool rises(int sign) const { return sign * c_[0] > 0.0; }
  /// Of one that goes from the side `sign` to the other: the root, and the slope there by s, if there is no other.
  /// Newton's method from the end inside a bracket; divided by (s - root) it must be clear of zero.
  bool only_root(int sign, double& root, double& slope) const;
  /// Moves on to the end t1 of the step.
  void pass(Standing& s, double t1) const;

 private:
  [[nodiscard]] double value(double s, double& slope) const;

  double g0_ = 0.0, g1_ = 0.0, noise_ = 0.0;
  std::span<const double> c_;
};

}  // namespace hstar::events::detail
