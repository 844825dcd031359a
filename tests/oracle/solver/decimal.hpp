// tests/oracle/solver/decimal.hpp
//
// The numbers of a model: short decimals, so that the text in the model file and the oracle's number are the same.
// A number that was drawn at random has a knob. To see how sensitive an answer is, all knobs are turned a little;
// numbers that must be equal (the same coefficient in every interface of a tower) share a knob and stay equal.
#pragma once

#include <cstdint>
#include <string>

namespace oracle {

struct Decimal {
  std::int64_t digits = 0;  ///< the value is digits / 10^places
  int places = 0;
  int knob = -1;  ///< -1: exact, never turned

  Decimal() = default;
  Decimal(std::int64_t whole) : digits(whole) {}
  Decimal(std::int64_t all_digits, int decimal_places, int its_knob = -1)
      : digits(all_digits), places(decimal_places), knob(its_knob) {}

  [[nodiscard]] bool is_zero() const { return digits == 0; }
  [[nodiscard]] Decimal negative() const { return {-digits, places, knob}; }
  [[nodiscard]] double rounded() const;
  [[nodiscard]] std::string text() const;
};

/// How the numbers of a model are read: each knob turned by up to `amount` (relative), differently for each `seed`.
struct Turned {
  double amount = 0;
  std::uint64_t seed = 0;
  [[nodiscard]] double of(int knob) const;
};

template <class R>
R value(const Decimal& number, const Turned& turned) {
  R x = R(static_cast<long long>(number.digits));
  for (int i = 0; i < number.places; ++i) x /= 10;
  return x * (R(1) + R(turned.of(number.knob)));
}

}  // namespace oracle
