// src/model/expression_conditions.cpp
#include "model/expression_conditions.hpp"

#include <cmath>

namespace hstar {

ExpressionConditions::Node ExpressionConditions::with_divisors(Node n) {
  const FormulaDepth guard(o_.text(), token_);
  const Instruction in = o_.operation(n);
  const int operands = operand_count(in.op);
  if (operands == 0 || can_switch(in.op)) return n;
  const Node a = with_divisors(in.a), b = operands > 1 ? with_divisors(in.b) : in.b,
             c = operands > 2 ? with_divisors(in.c) : in.c;
  if (in.op == Op::div) return over(a, b);
  if (in.op == Op::tan) return over(o_.emit(Op::sin, token_, a), o_.emit(Op::cos, token_, a));
  if (in.op == Op::power_int && in.k < 0) return power_of(over(o_.constant(1, token_), a), -in.k);
  return o_.append({in.op, a, b, c, in.k, in.curve}, token_);
}

ExpressionConditions::Node ExpressionConditions::over(Node x, Node y) {
  const FormulaDepth guard(o_.text(), token_);
  const Instruction by = o_.operation(y);
  const bool odd = by.op == Op::power_int && std::fmod(by.k, 2.0) != 0;
  if (o_.is_constant(y) || (!odd && keeps_sign(y))) return o_.emit(Op::div, token_, x, y);
  // (Each factor by itself, so that no divisor has multiple zeros.)
  if (by.op == Op::mul) return over(over(x, by.a), by.b);
  if (by.op == Op::neg) return o_.emit(Op::neg, token_, over(x, by.a));
  if (by.op == Op::abs && by.k != kHidden)
    return o_.emit(Op::mul, token_, x, o_.emit(Op::abs, token_, over(o_.constant(1, token_), by.a)));
  if (by.op == Op::quotient) return over(o_.emit(Op::mul, token_, x, by.b), by.a);
  if (odd) return o_.emit(Op::mul, token_, x, power_of(over(o_.constant(1, token_), by.a), by.k));
  return o_.append({Op::quotient, x, y, 0, 0.0}, token_);
}

ExpressionConditions::Node ExpressionConditions::with_sign_of(Node n) {
  const FormulaDepth guard(o_.text(), token_);
  const Instruction in = o_.operation(n);
  if (is_positive(n)) return o_.is_constant(n) ? n : o_.constant(1, token_);
  const bool odd_power = in.op == Op::power_int && in.k > 0 && std::fmod(in.k, 2.0) != 0;
  if (odd_power || in.op == Op::atan || in.op == Op::tanh || in.op == Op::sinh) return with_sign_of(in.a);
  if (in.op == Op::neg) return o_.emit(Op::neg, token_, with_sign_of(in.a));
  const bool chosen = (in.op == Op::min || in.op == Op::max) && in.k != kHidden;
  if (in.op == Op::sin) {
    // Up to one it has the sign of what it is of.
    const Node inner = with_sign_of(in.a);
    if (inner == in.a) return n;
    return o_.emit(Op::select, token_,
                   o_.emit(Op::less, token_, o_.emit(Op::mul, token_, in.a, in.a), o_.constant(1, token_)), inner, n);
  }
  if (in.op != Op::mul && in.op != Op::div && in.op != Op::quotient && in.op != Op::select && !chosen) return n;
  const Node a = in.op == Op::select ? in.a : with_sign_of(in.a), b = in.op == Op::quotient ? in.b : with_sign_of(in.b),
             c = in.op == Op::select ? with_sign_of(in.c) : in.c;
  if (a == in.a && b == in.b && c == in.c) return n;
  if (chosen)
    return o_.emit(Op::select, token_,
                   o_.emit(in.op == Op::min ? Op::less_equal : Op::greater_equal, token_, in.a, in.b), a, b);
  return in.op == Op::quotient ? o_.append({in.op, a, b, 0, in.k}, token_) : o_.emit(in.op, token_, a, b, c);
}

bool ExpressionConditions::is_positive(Node n) const {
  const Instruction& in = o_.operation(n);
  switch (in.op) {
    case Op::constant:
      return in.k > 0;
    case Op::exp:
    case Op::cosh:
      return o_.has_value(in.a);
    case Op::sqrt:
      return is_positive(in.a);
    case Op::add:
      return o_.has_value(n) && ((is_positive(in.a) && keeps_sign(in.b)) || (keeps_sign(in.a) && is_positive(in.b)));
    case Op::mul:
    case Op::div:
      return is_positive(in.a) && is_positive(in.b);
    default:
      return false;
  }
}

bool ExpressionConditions::keeps_sign(Node n) const {
  const Instruction& in = o_.operation(n);
  switch (in.op) {
    case Op::constant:
      return in.k >= 0;
    case Op::square:
    case Op::exp:
    case Op::cosh:
    case Op::sqrt:
    case Op::power_real:
      return true;
    case Op::power_int:
      return std::fmod(in.k, 2.0) == 0;
    case Op::add:
    case Op::mul:
      return keeps_sign(in.a) && keeps_sign(in.b);
    default:
      return false;
  }
}

}  // namespace hstar
