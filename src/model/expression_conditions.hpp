// src/model/expression_conditions.hpp
//
// Conditions of switches in the form in which a run follows them: their poles are zeros of divisors that are switches
// of their own, and where only their sign counts, they pass through zero once and no more slowly than they must.
#pragma once

#include "model/expression_operations.hpp"

namespace hstar {

class ExpressionConditions {
 public:
  using Node = ExpressionOperations::Node;
  ExpressionConditions(ExpressionOperations& operations, std::size_t token) : o_(operations), token_(token) {}

  /// The same with quotients whose divisors are switches. (Those that cannot change sign are not.)
  [[nodiscard]] Node with_divisors(Node n);
  /// What has the sign of n: x^3 y exp(z) is positive where x y is, and that is known far closer where x is zero or
  /// exp(z) is small.
  [[nodiscard]] Node with_sign_of(Node n);

 private:
  [[nodiscard]] Node over(Node x, Node y);
  [[nodiscard]] Node power_of(Node x, double k) { return o_.emit_power(token_, x, o_.constant(k, token_)); }
  /// Has a value greater than zero, whatever the variables are.
  [[nodiscard]] bool is_positive(Node n) const;
  /// Is never negative, whatever the variables are.
  [[nodiscard]] bool keeps_sign(Node n) const;

  ExpressionOperations& o_;
  std::size_t token_;
};

}  // namespace hstar
