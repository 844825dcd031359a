// src/mechanism/time_function.hpp
//
// A prescribed function of time f(t) with two derivatives: drivers, lengths, prescribed bodies.
#pragma once

#include <string_view>

#include "hstar/expression.hpp"
#include "mechanism/moment.hpp"

namespace hstar {

class TimeFunction {
 public:
  TimeFunction() = default;
  /// @throws InputError if the expression depends on anything but t.
  TimeFunction(Expression f, std::string_view what);
  explicit TimeFunction(double constant) : value_(constant) {}
  [[nodiscard]] Expression::Jet at(const Moment& now) const;
  /// Terms whose round-off value and rate have, t among them. A constant is what it is.
  [[nodiscard]] Expression::Sizes sizes(const Moment& now) const;
  [[nodiscard]] bool is_constant() const { return constant_; }
  [[nodiscard]] bool is_affine() const { return constant_ || affine_; }

 private:
  Expression f_;
  bool constant_ = true, affine_ = false;  ///< affine: value_ + rate_ t
  double value_ = 0, rate_ = 0;
};

}  // namespace hstar
