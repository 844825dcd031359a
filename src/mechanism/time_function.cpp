// src/mechanism/time_function.cpp
#include "mechanism/time_function.hpp"

#include <cmath>
#include <string>

namespace hstar {

TimeFunction::TimeFunction(Expression f, std::string_view what) : f_(std::move(f)) {
  for (std::size_t k = 0; k < f_.variables().size(); ++k)
    if (f_.variables()[k] != "t")
      throw InputError(f_.where_variable(k),
                       std::string(what) + ": \"" + f_.variables()[k] +
                           "\" is not allowed here; a prescribed motion may depend on t and parameters only");
  constant_ = f_.is_constant();
  if (constant_) {
    value_ = f_.constant_value();
    return;
  }
  if (f_.polynomial_degree() != 1) return;
  const double t = 0.0, rate = 1.0, acceleration = 0.0;
  const Expression::Jet line = f_.jet(&t, &rate, &acceleration);
  affine_ = true;
  value_ = line.value;
  rate_ = line.rate;
}

Expression::Jet TimeFunction::at(const Moment& now) const {
  if (constant_) return {value_, 0.0, 0.0};
  if (affine_) return {value_ + rate_ * now.t, rate_, 0.0};
  const double rate = 1.0, acceleration = 0.0;
  return f_.jet(&now.t, &rate, &acceleration, now.branches);
}

Expression::Sizes TimeFunction::sizes(const Moment& now) const {
  if (constant_) return {0.0, 0.0};
  if (affine_) return {std::abs(value_) + std::abs(rate_ * now.t), 0.0};
  const double rate = 1.0;
  return f_.sizes(&now.t, &rate, now.branches);
}

}  // namespace hstar
