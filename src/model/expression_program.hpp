// src/model/expression_program.hpp
//
// The compiled form of a formula: a straight list of operations, each writing one register. There
// are no jumps (`a ? b : c` computes both and selects), so value, derivatives along time and the
// reverse sweep for the gradient are three plain loops over the same list.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hstar/expression.hpp"

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
  ceil
};

struct Instruction {
  Op op = Op::constant;
  std::uint16_t a = 0, b = 0, c = 0;  ///< registers of the operands (`variable`: the slot)
  double k = 0.0;
};

struct Expression::Program {
  /// Registers live on the stack while evaluating; a formula with more operations is refused.
  static constexpr std::size_t max_registers = 512;

  std::string text;
  Location where;
  std::vector<std::string> variables;
  std::vector<int> first_use;     ///< offset of variables[k] in `text`, in characters
  std::vector<Instruction> code;  ///< register i holds the result of code[i]; the last is the value
  int degree = 0;                 ///< polynomial degree, -1 if not a polynomial
};

/// The result of one operation; used by the evaluator and, with constants, by the compiler.
double apply(Op op, double x, double y, double z, double k) noexcept;

/// Registers an operation reads: 0, 1, 2 or 3.
int operand_count(Op op) noexcept;

}  // namespace hstar
