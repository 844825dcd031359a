// tests/oracle/formulas/formula.hpp: random formulas with switches, their text and their value in any number type.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cases/draw.hpp"

namespace oracle {

enum class Op {
  number,
  variable,
  plus,
  minus,
  times,
  sin,
  dip,
  choice,
  both,
  either,
  negation,
  mod,
  floor,
  ceil,
  round,
  sign,
  abs,
  min,
  max,
  less,
  less_equal,
  greater,
  greater_equal
};

/// A formula as a tree. `dip` is exp(-x^2) - number.
struct Formula {
  Op op = Op::number;
  double number = 0;
  int variable = 0;  ///< its place among the values
  std::vector<Formula> parts;
};

/// Which sides the conditions that count lie on, in the order of evaluation. Two equal ones belong to one smooth
/// branch.
class Sides {
 public:
  void clear() {
    seen_ = 14695981039346656037ull;
    near_ = false;
  }
  void add(long long side) { seen_ = (seen_ ^ static_cast<std::uint64_t>(side + 7)) * 1099511628211ull; }
  [[nodiscard]] std::uint64_t seen() const { return seen_; }
  /// A condition is so far from its edge. Decimal numbers that tie, like -1.967 and 7 times 0.281, do not in binary:
  /// which side is then seen is a matter of round-off.
  void note_distance(double x) {
    near_ = near_ || (x != 0 && std::abs(x) <= 8 * std::numeric_limits<double>::epsilon());
  }
  [[nodiscard]] bool near() const { return near_; }
  /// What conditions are off, for the sensitivity: one that is less than round-off for a while has no sure side.
  double off = 0;

 private:
  std::uint64_t seen_ = 14695981039346656037ull;
  bool near_ = false;
};

/// At most `depth` switches and functions inside each other.
Formula draw_formula(Draw& draw, int depth, int variables);
std::string text(const Formula& formula, const std::vector<std::string>& names);

namespace detail {

template <class Number>
Number floor_of(const Number& x, Sides& sides) {
  using std::floor;
  const Number whole = floor(x == floor(x) ? x : x + Number(sides.off));
  using std::round;
  sides.note_distance(static_cast<double>(x - round(x)));
  sides.add(static_cast<long long>(whole));
  return whole;
}

template <class Number>
int side_of(const Number& exact, Sides& sides) {
  const Number x = exact == 0 ? exact : exact + Number(sides.off);  // (an exact zero is one in any precision)
  sides.note_distance(static_cast<double>(exact));
  const int side = x > 0 ? 1 : x < 0 ? -1 : 0;
  sides.add(side);
  return side;
}

}  // namespace detail

template <class Number>
Number value(const Formula& f, const std::vector<Number>& values, Sides& sides) {
  using std::exp;
  using std::sin;
  const auto part = [&](std::size_t i) { return value(f.parts[i], values, sides); };
  switch (f.op) {
    case Op::number:
      return Number(f.number);
    case Op::variable:
      return values[static_cast<std::size_t>(f.variable)];
    case Op::plus:
      return part(0) + part(1);
    case Op::minus:
      return part(0) - part(1);
    case Op::times:
      return part(0) * part(1);
    case Op::sin:
      return sin(part(0));
    case Op::dip: {
      const Number x = part(0);
      return exp(-x * x) - Number(f.number);
    }
    case Op::choice:
      return part(0) != 0 ? part(1) : part(2);
    case Op::both:
      return Number(part(0) != 0 && part(1) != 0 ? 1 : 0);
    case Op::either:
      return Number(part(0) != 0 || part(1) != 0 ? 1 : 0);
    case Op::negation:
      return Number(part(0) != 0 ? 0 : 1);
    case Op::mod: {
      const Number x = part(0), by = part(1);
      return x - by * detail::floor_of(Number(x / by), sides);
    }
    case Op::floor:
      return detail::floor_of(part(0), sides);
    case Op::ceil:
      return -detail::floor_of(Number(-part(0)), sides);
    case Op::round:
      return detail::floor_of(Number(part(0) + Number(0.5)), sides);
    case Op::sign:
      return Number(detail::side_of(part(0), sides));
    case Op::abs: {
      const Number x = part(0);
      return detail::side_of(x, sides) < 0 ? Number(-x) : x;
    }
    default:
      break;
  }
  const Number left = part(0), right = part(1);
  const int side = detail::side_of(Number(left - right), sides);
  switch (f.op) {
    case Op::min:
      return side < 0 ? left : right;
    case Op::max:
      return side > 0 ? left : right;
    case Op::less:
      return Number(side < 0 ? 1 : 0);
    case Op::less_equal:
      return Number(side <= 0 ? 1 : 0);
    case Op::greater:
      return Number(side > 0 ? 1 : 0);
    default:
      return Number(side >= 0 ? 1 : 0);
  }
}

}  // namespace oracle
