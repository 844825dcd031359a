// include/hstar/expression.hpp
//
// Formulas in model files, compiled to a small stack program with exact derivatives. Constants and
// parameters are folded when compiled; what is left are named variables (t, sled.x, ...), which a
// builder binds to slots of an array. Evaluation is const, allocates nothing and may run in threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hstar/error.hpp"

namespace hstar {

class Expression {
 public:
  /// Value and first two time derivatives of an expression.
  struct Jet {
    double value, rate, acceleration;
  };

  Expression() = default;  ///< the constant 0

  static Expression constant(double value);

  /// Compiles `text`. `lookup` gives the value of a parameter name, or nothing for names that stay
  /// variables (it may be empty). Operators + - * / ^ (right associative), unary -, comparisons < <= > >= == !=, && ||
  /// !, `a ? b : c`; functions sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign min max (two
  /// or more arguments) pow floor ceil; constants pi, e. Names may contain dots (sled.x).
  /// @throws InputError at `where` shifted by the column of the offending token: unknown function,
  ///         unbalanced parenthesis, trailing text, ...
  /// `owner` stands in front of the message: "body \"sled\": mass".
  static Expression compile(std::string_view text, const Location& where,
                            const std::function<std::optional<double>(std::string_view)>& lookup,
                            std::string_view owner = {});
  [[nodiscard]] static std::vector<std::string> function_names();

  [[nodiscard]] bool is_constant() const;
  [[nodiscard]] double constant_value() const;  ///< only if is_constant()
  /// Free names in order of first use; slot k of `vars` below holds the value of variables()[k].
  [[nodiscard]] const std::vector<std::string>& variables() const;
  [[nodiscard]] const std::string& text() const;  ///< as written
  [[nodiscard]] const Location& where() const;
  /// Column (1-based, absolute in the file) where variables()[k] first occurs, for errors.
  [[nodiscard]] Location where_variable(std::size_t k) const;

  [[nodiscard]] double value(const double* vars) const noexcept;
  /// Exact partial derivatives d/d vars[k] into gradient[k]; returns the value.
  double gradient(const double* vars, double* gradient) const noexcept;
  /// Value and two total derivatives along vars[k](t) with given rates and accelerations.
  [[nodiscard]] Jet jet(const double* vars, const double* rates, const double* accelerations) const noexcept;
  /// Polynomial degree in all variables together (0 constant, 1 affine, ...); -1 if not a polynomial.
  [[nodiscard]] int polynomial_degree() const;

  struct Program;  ///< the compiled form, private to src/model

 private:
  std::shared_ptr<const Program> program_;
};

}  // namespace hstar
