// src/simulate/islands/first_crossing.hpp
//
// Where a polynomial on [0, 1] first goes from above zero to below: by proof, since the coefficients of its Bernstein
// form bound it and their changes of sign count its roots (Farouki, "The Bernstein polynomial basis: a centennial
// retrospective", 2012).
#pragma once

#include <limits>
#include <optional>
#include <span>

namespace hstar::islands {

/// Of the size of its terms, the round-off of a sum of 64.
constexpr double round_off = 64 * std::numeric_limits<double>::epsilon();

/// Powers of a polynomial, at most.
constexpr int most_powers = 32;

struct Crossing {
  double x = 0, slope = 0;  ///< slope: of the polynomial there, < 0
};

/// p = sum p[k] x^k, clearly above zero at 0; at most most_powers. Values of |p| up to `noise` are zero: a dip that is
/// no deeper is none.
[[nodiscard]] std::optional<Crossing> first_crossing(std::span<const double> p, double noise);

}  // namespace hstar::islands
