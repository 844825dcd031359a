// src/model/expression_operations.cpp
#include "model/expression_operations.hpp"

#include "model/expression_conditions.hpp"

namespace hstar {
namespace {

/// Neither NaN nor infinite for any values of the variables that do not overflow.
bool stays_finite(const Instruction& in, const std::vector<char>& finite) {
  switch (in.op) {
    case Op::constant:
      return std::isfinite(in.k);
    case Op::variable:
      return true;
    case Op::power_int:
      return in.k >= 0 && finite[in.a];
    case Op::neg:
    case Op::square:
    case Op::sin:
    case Op::cos:
    case Op::atan:
    case Op::tanh:
    case Op::abs:
    case Op::sign:
    case Op::floor:
      return finite[in.a] != 0;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::min:
    case Op::max:
      return finite[in.a] && finite[in.b];
    case Op::select:
      return finite[in.a] && finite[in.b] && finite[in.c];
    default:
      return false;
  }
}

/// A number or infinite, for any values of the variables but some at poles.
bool can_have_value(const Instruction& in, const std::vector<char>& has_value) {
  const int operands = operand_count(in.op);
  const bool domain = in.op == Op::asin || in.op == Op::acos || in.op == Op::log || in.op == Op::log10 ||
                      in.op == Op::sqrt || in.op == Op::power || in.op == Op::power_real || in.curve != nullptr;
  return !domain && (operands < 1 || has_value[in.a]) && (operands < 2 || has_value[in.b]) &&
         (operands < 3 || has_value[in.c]);
}

}  // namespace

ExpressionOperations::Node ExpressionOperations::append(const Instruction& in, std::size_t token) {
  for (std::size_t i = 0; i < code_.size(); ++i) {
    const Instruction& old = code_[i];
    const bool same_k = old.k == in.k && std::signbit(old.k) == std::signbit(in.k);
    if (old.op == in.op && old.a == in.a && old.b == in.b && old.c == in.c && same_k && old.curve == in.curve)
      return static_cast<Node>(i);
  }
  if (code_.size() >= 8 * Expression::Program::max_registers) too_long(token);
  code_.push_back(in);
  token_.push_back(token);
  finite_.push_back(stays_finite(in, finite_));
  has_value_.push_back(can_have_value(in, has_value_));
  return static_cast<Node>(code_.size() - 1);
}

void ExpressionOperations::too_long(std::size_t token) const {
  text_.fail(token, fmt::format("the formula has more than {} operations; split it, for instance with parameters",
                                Expression::Program::max_registers));
}

ExpressionOperations::Node ExpressionOperations::emit(Op op, std::size_t token, Node x, Node y, Node z) {
  const int operands = operand_count(op);
  if (is_constant(x) && (operands < 2 || is_constant(y)) && (operands < 3 || is_constant(z)))
    return fold(op, token, x, y, 0.0);
  switch (op) {  // only what is exact whatever the variable is
    case Op::add:
      if (is(x, 0.0)) return y;
      if (is(y, 0.0)) return x;
      break;
    case Op::sub:
      if (is(y, 0.0)) return x;
      break;
    case Op::mul:
      if (is(x, 1.0)) return y;
      if (is(y, 1.0)) return x;
      // A term that a parameter switches off: F0*cos(Omega*t) with F0 = 0.
      if ((is(x, 0.0) && finite_[y]) || (is(y, 0.0) && finite_[x])) return constant(0.0, token);
      if (x == y) return append({Op::square, x, 0, 0, 0.0}, token);
      break;
    case Op::div:
      if (is(y, 1.0)) return x;
      if (is(y, 0.0))
        return refuse(append({op, x, y, 0, 0.0}, token), token,
                      fmt::format("division by zero: the divisor of \"{}\" is 0", text_.symbol(token)));
      break;
    default:
      break;
  }
  ExpressionConditions conditions(*this, token);
  // What has a limit at infinity jumps at the poles of what it is of.
  if ((op == Op::atan || op == Op::tanh || op == Op::exp) && hidden_ == 0) x = conditions.with_divisors(x);
  if (!can_switch(op)) return append({op, x, y, z, 0.0}, token);
  if (hidden_ > 0) return append({op, x, y, z, kHidden}, token);
  x = conditions.with_divisors(x);
  if (operands > 1) y = conditions.with_divisors(y);
  if ((op <= Op::greater_equal && is(y, 0.0)) || op == Op::sign) x = conditions.with_sign_of(x);
  if (op <= Op::greater_equal && is(x, 0.0)) y = conditions.with_sign_of(y);
  if (is_constant(x) && (operands < 2 || is_constant(y))) return fold(op, token, x, y, 0.0);
  return append({op, x, y, z, 0.0}, token);
}

ExpressionOperations::Node ExpressionOperations::emit_power(std::size_t token, Node x, Node y) {
  if (!is_constant(y)) return emit(Op::power, token, x, y);
  const double k = value_of(y);
  const bool integer = std::abs(k) <= 1e6 && k == std::floor(k);
  const Op op = integer ? Op::power_int : Op::power_real;
  if (is_constant(x)) return fold(op, token, x, y, k);
  if (k == 0.0) return constant(1.0, token);
  if (k == 1.0) return x;
  if (k == 2.0) return append({Op::square, x, 0, 0, 0.0}, token);
  return append({op, x, 0, 0, k}, token);
}

ExpressionOperations::Node ExpressionOperations::fold(Op op, std::size_t token, Node x, Node y, double k) {
  const double result = apply(op, value_of(x), value_of(y), 0.0, k);
  const Node node = append({Op::constant, 0, 0, 0, result}, token);
  if (!std::isfinite(result)) {
    // Reported only if the value needs it: `m > 0 ? 1/m : 0` is right for m = 0.
    const std::string operands = op == Op::power_int || op == Op::power_real || operand_count(op) == 2
                                     ? fmt::format("{} and {}", value_of(x), value_of(y))
                                     : fmt::format("{}", value_of(x));
    const std::string outcome = std::isnan(result) ? "nan" : fmt::format("{}", result);  // never "-nan"
    const char* what = op == Op::div && value_of(y) == 0.0 ? "division by zero" : "not a finite number";
    refused_.emplace(
        node, std::pair(token, fmt::format("{}: \"{}\" of {} gives {}", what, text_.symbol(token), operands, outcome)));
  }
  return node;
}

ExpressionOperations::Node ExpressionOperations::refuse(Node node, std::size_t token, std::string why) {
  if (!is_constant(node)) refused_.emplace(node, std::pair(token, std::move(why)));
  return node;
}

}  // namespace hstar
