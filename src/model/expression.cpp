// src/model/expression.cpp
//
// Evaluates compiled formulas.
#include "hstar/expression.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "model/expression_sweep.hpp"

namespace hstar {

double integer_power(double x, double k) noexcept {
  const double exponent = std::abs(k);
  if (exponent > 64) return std::pow(x, k);
  double result = 1.0, factor = x;
  for (auto n = static_cast<unsigned>(exponent); n != 0; n >>= 1U) {
    if ((n & 1U) != 0) result *= factor;
    factor *= factor;
  }
  return k < 0 ? 1.0 / result : result;
}

double apply(Op op, double x, double y, double z, double k) noexcept {
  switch (op) {
    case Op::constant:
      return k;
    case Op::variable:
      return x;
    case Op::add:
      return x + y;
    case Op::sub:
      return x - y;
    case Op::mul:
      return x * y;
    case Op::div:
    case Op::quotient:
      return x / y;
    case Op::neg:
      return -x;
    case Op::square:
      return x * x;
    case Op::power_int:
      return integer_power(x, k);
    case Op::power_real:
      return std::pow(x, k);
    case Op::power:
      return std::pow(x, y);
    case Op::less:
      return static_cast<double>(x < y);
    case Op::less_equal:
      return static_cast<double>(x <= y);
    case Op::greater:
      return static_cast<double>(x > y);
    case Op::greater_equal:
      return static_cast<double>(x >= y);
    case Op::equal:
      return static_cast<double>(x == y);
    case Op::not_equal:
      return static_cast<double>(x != y);
    case Op::logical_and:
      return static_cast<double>(x != 0 && y != 0);
    case Op::logical_or:
      return static_cast<double>(x != 0 || y != 0);
    case Op::logical_not:
      return static_cast<double>(x == 0);
    case Op::select:
      return x != 0 ? y : z;
    case Op::sin:
      return std::sin(x);
    case Op::cos:
      return std::cos(x);
    case Op::tan:
      return std::tan(x);
    case Op::asin:
      return std::asin(x);
    case Op::acos:
      return std::acos(x);
    case Op::atan:
      return std::atan(x);
    case Op::atan2:
      return std::atan2(x, y);
    case Op::sinh:
      return std::sinh(x);
    case Op::cosh:
      return std::cosh(x);
    case Op::tanh:
      return std::tanh(x);
    case Op::exp:
      return std::exp(x);
    case Op::log:
      return std::log(x);
    case Op::log10:
      return std::log10(x);
    case Op::sqrt:
      return std::sqrt(x);
    case Op::abs:
      return std::abs(x);
    case Op::sign:
      return std::isnan(x) ? x : sign_of(x);
    case Op::min:
      return std::isnan(x) || x <= y ? x : y;
    case Op::max:
      return std::isnan(x) || x >= y ? x : y;
    case Op::floor:
      return std::floor(x);
    case Op::position:  // see perform()
    case Op::piece:
      break;
  }
  return 0.0;
}

int operand_count(Op op) noexcept {
  switch (op) {
    case Op::constant:
    case Op::variable:
      return 0;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::power:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::atan2:
    case Op::min:
    case Op::max:
    case Op::quotient:
    case Op::piece:
      return 2;
    case Op::select:
      return 3;
    default:
      return 1;
  }
}

double Expression::value(const double* vars, const double* branches) const noexcept {
  if (!program_) return 0.0;
  double r[Program::max_registers];
  const std::vector<Instruction>& code = program_->code;
  if (branches == nullptr || first_switch_ < 0) return sweep(code, vars, r);
  branches += first_switch_;
  const double* held = find_held(*program_, branches);
  if (held == nullptr) return sweep_on_branches(code, code.size(), vars, branches, r);
  double taken[Program::max_registers], value = 0;
  for (const bool other : {false, true}) {
    take_side(*program_, vars, branches, other, taken);
    const double share = other ? 1 - share_of(*held) : share_of(*held);
    value += share * sweep_on_branches(code, code.size(), vars, taken, r);
  }
  return value;
}

std::optional<Expression::BeyondTable> Expression::beyond_table(const double* vars) const {
  if (!program_ || program_->curves.empty()) return std::nullopt;
  double r[Program::max_registers];
  sweep(program_->code, vars, r);
  for (const Instruction& in : program_->code)
    if (in.op == Op::position && in.curve->has_no_value(r[in.a]))
      return BeyondTable{in.curve->name(), r[in.a], in.curve->first(), in.curve->last()};
  return std::nullopt;
}

double Expression::condition(int which, const double* vars, const double* branches) const noexcept {
  double r[Program::max_registers];
  const std::size_t at = program_->switches[which];
  sweep_on_branches(program_->code, at, vars, branches + first_switch_, r);
  const Instruction& in = program_->code[at];
  return condition_of(in, r[in.a], r[in.b]);
}

bool Expression::is_constant() const { return !program_ || program_->code.back().op == Op::constant; }

double Expression::constant_value() const {
  assert(is_constant());
  return program_ ? program_->code.back().k : 0.0;
}

const std::vector<std::string>& Expression::variables() const {
  static const std::vector<std::string> none;
  return program_ ? program_->variables : none;
}

const std::string& Expression::text() const {
  static const std::string zero = "0";
  return program_ ? program_->text : zero;
}

const Location& Expression::where() const {
  static const Location nowhere;
  return program_ ? program_->where : nowhere;
}

Location Expression::where_variable(std::size_t k) const {
  Location place = where();
  if (program_ && place.line > 0) place.column += program_->first_use[k];
  return place;
}

int Expression::polynomial_degree() const { return program_ ? program_->degree : 0; }

}  // namespace hstar
