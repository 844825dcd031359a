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

  /// Sums of the terms whose round-off value and rate have.
  struct Sizes {
    double value, rate;
  };

  /// All numbers from lo to hi.
  struct Bounds {
    double lo, hi;
  };
  struct Enclosure {
    Bounds value, rate;
  };

  Expression() = default;  ///< the constant 0

  static Expression constant(double value);

  /// Compiles `text`. `lookup` gives the value of a parameter name, or nothing for names that stay
  /// variables (it may be empty). Operators + - * / ^ (right associative), unary -, comparisons < <= > >= == !=, && ||
  /// !, `a ? b : c`; functions sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign min max (two
  /// or more arguments) pow floor ceil round mod, clamp step
  /// pulse ramp, smooth(x) and noevent(x); constants pi, e, units mm ms deg rpm. Names may contain dots
  /// (sled.x).
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

  /// With `branches` the switches (below) stand where this table of a run says; without, each as its condition is.
  [[nodiscard]] double value(const double* vars, const double* branches = nullptr) const noexcept;
  /// Exact partial derivatives d/d vars[k] into gradient[k]; returns the value.
  double gradient(const double* vars, double* gradient, const double* branches = nullptr) const noexcept;
  /// Value and two total derivatives along vars[k](t) with given rates and accelerations.
  [[nodiscard]] Jet jet(const double* vars, const double* rates, const double* accelerations,
                        const double* branches = nullptr) const noexcept;
  /// What each operation, constant and variable rounds, as it reaches value and rate, all together: they are uncertain
  /// by about eps times that. (A sine of a large argument is uncertain by that of its argument.)
  [[nodiscard]] Sizes sizes(const double* vars, const double* rates, const double* branches = nullptr) const noexcept;
  /// Polynomial degree in all variables together (0 constant, 1 affine, ...); -1 if not a polynomial.
  [[nodiscard]] int polynomial_degree() const;

  // Switches: every relation and every abs, sign, min, max, floor of the formula that is not inside noevent() or
  // smooth(), and every divisor that such a one depends on (conditions jump at poles). The condition of a relation, min
  // or max is left - right, that of the others their argument or the divisor. A branch is
  // the side of zero on which the condition lies, -1, 0 (it is zero and stays so) or +1; of floor it is the whole
  // number below. On fixed branches the formula is smooth wherever its functions are.
  [[nodiscard]] int switch_count() const;
  /// Says that in the table of branches of a run those of this formula, and of copies made later, begin at `first`.
  void place_switches(int first) { first_switch_ = first; }
  [[nodiscard]] int first_switch() const { return first_switch_; }  ///< -1: not placed
  [[nodiscard]] bool is_floor(int which) const;
  [[nodiscard]] bool is_divisor(int which) const;
  /// The switches that the condition depends on.
  [[nodiscard]] std::vector<int> switches_read(int which) const;
  /// Condition of switch `which`, those inside it on their branches.
  [[nodiscard]] double condition(int which, const double* vars, const double* branches) const noexcept;
  /// Polynomial degree of the condition on fixed branches, at most; -1 if it is no polynomial.
  [[nodiscard]] int condition_degree(int which) const;
  /// The condition depends on no other variable than `name`.
  [[nodiscard]] bool condition_reads_only(int which, std::string_view name) const;
  /// Into live[k]: 1 if the value depends on switch k while the others are on their branches, else 0 (it stands in a
  /// part of `a ? b : c` that is not taken, or its condition cannot change).
  void find_live(const double* branches, char* live) const;
  /// Bounds of the value and of its rate while the variables and their rates are within given bounds; of switches not
  /// on given branches both sides count.
  [[nodiscard]] Enclosure enclose(const Bounds* vars, const Bounds* rates, const double* branches) const;
  /// The same of the condition of a switch.
  [[nodiscard]] Enclosure enclose_condition(int which, const Bounds* vars, const Bounds* rates,
                                            const double* branches) const;
  /// A table that is asked outside of its rows, where it has no values.
  struct BeyondTable {
    std::string name;
    double at, first, last;
  };
  /// The first such table that the formula asks, if there is one.
  [[nodiscard]] std::optional<BeyondTable> beyond_table(const double* vars) const;
  /// Something stands inside noevent() or smooth(): kinks there are no events.
  [[nodiscard]] bool has_hidden_switches() const;

  struct Program;  ///< the compiled form, private to src/model

 private:
  std::shared_ptr<const Program> program_;
  int first_switch_ = -1;
};

}  // namespace hstar
