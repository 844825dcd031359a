// src/model/expression_program.hpp
//
// The compiled form of a formula: a straight list of operations, each writing one register. There
// are no jumps (`a ? b : c` computes both and selects), so value, derivatives along time and the
// reverse sweep for the gradient are three plain loops over the same list.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hstar/expression.hpp"
#include "model/curve.hpp"

namespace hstar {

enum class Op : std::uint8_t {
  constant,  ///< k
  variable,  ///< vars[a]
  add,
  sub,
  mul,
  div,
  neg,
  square,      ///< x * x
  power_int,   ///< x to the integer power k
  power_real,  ///< x to the constant power k
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  select,  ///< a != 0 ? b : c
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  min,
  max,
  floor,
  quotient,  ///< a / b in a condition: b keeps to one side of zero until its branch changes
  position,  ///< of a, on the curve: Curve::position
  piece      ///< the polynomial of piece b of the curve at a
};

struct Instruction {
  Op op = Op::constant;
  std::uint16_t a = 0, b = 0, c = 0;  ///< registers of the operands (`variable`: the slot)
  double k = 0.0;                     ///< a constant; of operations that can switch see switch_of
  const Curve* curve = nullptr;       ///< of position and piece
};

/// Operations with a branch (Expression: switches).
constexpr bool can_switch(Op op) noexcept {
  return (op >= Op::less && op <= Op::not_equal) || op == Op::abs || op == Op::sign || op == Op::min || op == Op::max ||
         op == Op::floor || op == Op::quotient;
}
constexpr double kHidden = -1.0;  ///< Instruction::k of one inside noevent() or smooth()
/// Number of the switch that an operation is, -1 if it is none.
constexpr int switch_of(const Instruction& in) noexcept { return can_switch(in.op) ? static_cast<int>(in.k) : -1; }

/// A divisor on its side of zero, no nearer to it than sixth powers of quotients are numbers, also where it is beyond:
/// at a pole a condition is what it is on that side of it.
inline double on_side(double divisor, double branch) noexcept {
  constexpr double least = 0x1p-170;
  return branch > 0 ? std::fmax(divisor, least) : branch < 0 ? std::fmin(divisor, -least) : divisor;
}

/// The result of a switch on its branch.
inline double on_branch(Op op, double x, double y, double branch) noexcept {
  switch (op) {
    case Op::less:
      return static_cast<double>(branch < 0);
    case Op::less_equal:
      return static_cast<double>(branch <= 0);
    case Op::greater:
      return static_cast<double>(branch > 0);
    case Op::greater_equal:
      return static_cast<double>(branch >= 0);
    case Op::equal:
      return static_cast<double>(branch == 0);
    case Op::not_equal:
      return static_cast<double>(branch != 0);
    case Op::abs:
      return branch < 0 ? -x : x;
    case Op::min:
      return branch <= 0 ? x : y;
    case Op::max:
      return branch >= 0 ? x : y;
    case Op::quotient:
      return x / on_side(y, branch);
    default:
      return branch;  // sign, floor
  }
}

struct Expression::Program {
  /// Registers live on the stack while evaluating; a formula with more operations is refused.
  static constexpr std::size_t max_registers = 512;

  std::string text;
  Location where;
  std::vector<std::string> variables;
  std::vector<int> first_use;           ///< offset of variables[k] in `text`, in characters
  std::vector<Instruction> code;        ///< register i holds the result of code[i]; the last is the value
  int degree = 0;                       ///< polynomial degree, -1 if not a polynomial
  std::vector<std::uint16_t> switches;  ///< registers of the operations that switch
  std::vector<int> switch_degree;  ///< polynomial degree of each condition on fixed branches, -1 if not a polynomial
  bool hides = false;              ///< noevent() or smooth() stands in it
  std::vector<std::shared_ptr<const Curve>> curves;  ///< that it calls
};

/// The result of one operation; used by the evaluator and, with constants, by the compiler.
double apply(Op op, double x, double y, double z, double k) noexcept;

/// The same of an instruction, which may call a curve.
inline double perform(const Instruction& in, double x, double y, double z) noexcept {
  if (in.op == Op::position) return in.curve->position(x);
  if (in.op == Op::piece) return in.curve->value(x, y);
  return apply(in.op, x, y, z, in.k);
}

/// Registers an operation reads: 0, 1, 2 or 3.
int operand_count(Op op) noexcept;

/// The condition of a switch, from the values of its operands: of a relation, min and max x - y, of a quotient y.
inline double condition_of(const Instruction& in, double x, double y) noexcept {
  return in.op == Op::quotient ? y : operand_count(in.op) == 2 ? x - y : x;
}

}  // namespace hstar
